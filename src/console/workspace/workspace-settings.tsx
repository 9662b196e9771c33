import type { Child } from "hono/jsx";
import {
  askForWeeklyReport,
  endWeeklyReport,
  getWeeklyReport,
  type WeeklyReport,
} from "../../access/weekly-report";
import { noPage } from "../../errors";
import { timeZones } from "../../lib/time-zone";
import { MAX_TAGS } from "../../resources/tags/tag-service";
import {
  changedWorkspace,
  MAX_NETWORKS,
  WORKSPACE_SWITCHES,
} from "../../resources/workspaces/workspace-schema";
import { getOwnWorkspace, updateWorkspace } from "../../resources/workspaces/workspace-service";
import { countDated, previewZoneChange } from "../../resources/workspaces/zone-effects";
import { PostButton } from "../shell/button";
import { changedFields, EditForm } from "../shell/edit-form";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { Picker } from "../shell/picker";
import { ColourField, Field, type Options, TextArea, Tick } from "../shell/post-form";
import { Card, Fact, number, Time } from "../shell/text";
import { citiesOf, zoneOption } from "../shell/zone-text";
import { LimitWarnings } from "./limit-warnings";
import { Dated, showZoneChange } from "./zone-change";

/** By place. A zone that is not listed may be stored. */
const zoneOptions = (current: string): Options =>
  [...new Set([...timeZones(), current])]
    .map((name) => [name, zoneOption(name), citiesOf(name)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other));

interface UseProperties {
  label: string;
  used: number;
  limit: number | null;
}

const Use = ({ label, used, limit }: UseProperties) => {
  const id = `use-of-${label.toLowerCase()}`;
  const text = limit === null ? number(used) : `${number(used)} of ${number(limit)}`;
  return (
    <div class="stat">
      <span id={id}>{label}</span>
      <strong>{text}</strong>
      {limit === null ? (
        <span class="soft small">No limit</span>
      ) : (
        <progress aria-labelledby={id} value={Math.min(used, limit)} max={Math.max(1, limit)}>
          {text}
        </progress>
      )}
    </div>
  );
};

/** Fields of the form that belong together. */
const Part = ({ legend, children }: { legend: string; children?: Child }) => (
  <fieldset class="fields part">
    <legend>{legend}</legend>
    {children}
  </fieldset>
);

const REPORT_BUTTONS: Readonly<Record<WeeklyReport, string>> = {
  off: "Send me the weekly report",
  asked: "Send that mail again",
  on: "Stop the weekly report",
};

export async function showSettings(c: PageContext): Promise<Response> {
  const { ctx, membership, person, workspace: slug } = c.var;
  const [workspace, dated, report] = await Promise.all([
    getOwnWorkspace(ctx),
    countDated(ctx),
    ctx.config.mail === null ? ("off" as const) : getWeeklyReport(ctx, person.email),
  ]);
  const { name, time_zone, colour, own_networks } = workspace;
  const switches = WORKSPACE_SWITCHES.map((field) => [field, String(workspace[field])]);
  const initial = { name, time_zone, colour, own_networks, ...Object.fromEntries(switches) };
  const isOwner = membership.role === "owner";
  return c.render(
    <Page title="Workspace" section="workspace" class="columns">
      <div class="stack">
        <Card id="general" title="General">
          <EditForm action={href.settings(slug)} initial={initial} canEdit={isOwner}>
            <Field name="name" label="Name" required />
            <Picker
              name="time_zone"
              label="Time zone"
              hint="All dates are shown in it, and days begin and end by its clocks. Type a place to find it."
              options={zoneOptions(time_zone)}
              required
            />
            <Dated {...dated} />
            <Part legend="For visitors">
              <Tick
                name="shows_name"
                label="Show our name"
                hint="On pages of links that have ended or are not open yet, on previews, and on pages of unknown links on your own domains."
              />
              <ColourField
                name="colour"
                label="Colour"
                isOptional
                hint="Of a bar on these pages, such as #0f766e."
              />
            </Part>
            <Part legend="Figures">
              <Tick
                name="scans_name_asset"
                label="Name the poster in web analytics"
                hint="A scan brings the poster’s name as utm_content, unless the link has a utm_content."
              />
              <TextArea
                name="own_networks"
                label="Own networks"
                hint={`Visits from these do not count, such as those from your offices: at most ${MAX_NETWORKS} networks such as 192.0.2.0/24 or 2001:db8::/32. A visitor’s address is compared with them and not kept.`}
              />
              <Tick
                name="shares_reports"
                label="Reports can be read without an account"
                hint="By everybody who has a report’s address. Without this nobody can read the reports that were shared."
              />
            </Part>
          </EditForm>
          {!isOwner && <p class="hint">Only an owner can change these.</p>}
        </Card>
        <Card id="use" title="Use">
          <LimitWarnings limits={membership.nearlyFull} />
          <div class="stats">
            <Use label="Links" used={workspace.links} limit={workspace.link_limit} />
            <Use label="Slugs" used={workspace.slugs} limit={workspace.slug_limit} />
            <Use label="Tags" used={workspace.tags} limit={MAX_TAGS} />
          </div>
          <p class="hint">
            {workspace.archived_links > 0 &&
              `${number(workspace.archived_links)} of the links ${workspace.archived_links === 1 ? "is" : "are"} archived. `}
            Deleted links do not count, but their slugs do: no other workspace can use them. The operator of
            this service sets the limits.
          </p>
        </Card>
        <Card id="facts" title="About">
          <dl class="facts">
            <Fact name="Slug">
              <code>{slug}</code>
            </Fact>
            <Fact name="Short links">
              <code>{ctx.config.shortBaseUrl}/…</code>
            </Fact>
            <Fact name="Created">
              <Time at={workspace.created_at} />
            </Fact>
            <Fact name="Your role">{membership.role}</Fact>
          </dl>
        </Card>
      </div>
      <div class="stack">
        <Card id="pages" title={<a href={href.pages(slug)}>Pages for visitors</a>}>
          <p>A logo, sentences of your own in eight languages, and a button that leads to your website.</p>
        </Card>
        <Card id="trail" title={<a href={href.audit(slug)}>Audit trail</a>}>
          <p>Who changed what, when, and what it was before. Links can be reverted to an earlier state.</p>
        </Card>
        {ctx.config.mail === null ? (
          <Card id="weekly-report" title="Weekly report">
            <p>This service sends no mail, and so no weekly report. Its operator can set up mail.</p>
          </Card>
        ) : (
          <Card id="weekly-report" title="Weekly report">
            <p>
              {report === "on" ? "You get" : "You can get"} the figures of the last seven days by mail once a
              week, at <bdi>{person.email}</bdi>. Each member decides for themselves.
            </p>
            {report === "asked" && <p>You first get a mail with a link that starts it.</p>}
            <PostButton
              to={href.weeklyReport(slug)}
              label={REPORT_BUTTONS[report]}
              name="wanted"
              value={report === "on" ? "false" : "true"}
            />
          </Card>
        )}
      </div>
    </Page>,
  );
}

/** Another time zone is saved once its page was seen, if it moves something. */
export async function saveSettings(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  // A form does not send an empty checkbox.
  const changed = changedFields({
    ...Object.fromEntries(WORKSPACE_SWITCHES.map((name) => [name, "false"])),
    ...fields,
  });
  const input = checked(changedWorkspace, changed);
  const { time_zone: zone = ctx.workspace.timeZone } = input;
  if (zone !== ctx.workspace.timeZone && zone !== fields["zone_seen"]) {
    const preview = await previewZoneChange(ctx, zone);
    if (preview.moved.groups + preview.moved.links > 0) return showZoneChange(c, fields, { zone, preview });
  }
  await updateWorkspace(ctx, input);
  return redirectWithNotice(c, href.settings(workspace), "The workspace is saved.");
}

export async function changeWeeklyReport(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, person, workspace } = c.var;
  if (ctx.config.mail === null) throw noPage();
  const answer = (notice: string) => redirectWithNotice(c, href.settings(workspace), notice);
  if (fields["wanted"] !== "true") {
    await endWeeklyReport(ctx, person.email);
    return answer("You no longer get the weekly report.");
  }
  return (await askForWeeklyReport(ctx, person.email))
    ? answer(`The weekly report starts with the link in the mail to ${person.email}.`)
    : answer("The mail could not be sent. An address gets at most five an hour, so try again later.");
}
