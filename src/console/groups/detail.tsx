import { z } from "zod";
import { applyBeforeReport } from "../../analytics/queue";
import { GROUP_STATUSES } from "../../lib/group-status";
import { toDate } from "../../lib/range";
import { updateActivityGroup } from "../../resources/activity-groups/manage";
import type { GroupOverview } from "../../resources/activity-groups/overview";
import type { ManagedActivityGroup } from "../../resources/activity-groups/service";
import { type OwnChoice, RangePicker, rangeParameters, readRange, type ShownRange } from "../clicks/range";
import { nameOf } from "../links/link-text";
import { SendReport } from "../reports/share";
import { ButtonLink } from "../shell/button";
import { here, href } from "../shell/href";
import { Page, Refusal, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext, readQuery } from "../shell/request";
import { Card, count, NameLink, words } from "../shell/text";
import { campaignDays, Dates, linksGoOn, StatusWithDates } from "./dates";
import { GroupFigures } from "./figures";
import { AddLinks, GroupAssets, GroupLinks, PrintLinks } from "./links";
import { GroupProperties } from "./properties";
import { readGroupReport } from "./report";
import { StatusForms } from "./status-forms";

const query = z.object({ page: z.coerce.number().int().min(1).max(1_000_000).default(1) });

/** Without dates there is no such choice. */
function wholeCampaign(group: GroupOverview, { range: { zone }, now }: ShownRange): OwnChoice[] {
  if (group.starts_at === null && group.ends_at === null) return [];
  const days = campaignDays(group, zone, now);
  return days === undefined ? [] : [{ label: "Whole campaign", ...days }];
}

const Exports = ({ group, shown }: { group: string; shown: ShownRange }) => {
  const days = { from: toDate(shown.range.firstDay), to: toDate(shown.range.lastDay) };
  return (
    <p class="row small screen">
      Export day by day, in UTC, at most a year:
      <a href={here.groupClicks(group, days)}>by link</a>
      <a href={here.groupOrigins(group, days)}>by origin</a>
    </p>
  );
};

export async function showGroup(c: PageContext): Promise<Response> {
  const { ctx, workspace, isEditor, problem } = c.var;
  const id = c.req.param("id");
  const shown = readRange(c, ctx.workspace.createdAt);
  if (problem === undefined) await applyBeforeReport(ctx);
  const { group, visits, present, assets } = await readGroupReport(ctx, id, shown, readQuery(query, c).page);
  const list = present?.list;
  const best =
    list?.meta.current_page === 1 ? list.links.find((link) => link.clicks + link.scans > 0) : undefined;
  const canCreateAssets = isEditor && group.links.active > 0;
  // What is printed with the code of a link is not counted by place, so it does not come before the codes of assets.
  const hasLiveAssets = assets.assets.some(({ status }) => status === "live");
  return c.render(
    <Page
      title={group.name}
      section="groups"
      crumbs={["groups"]}
      actions={
        <>
          <a href={href.compareGroup(workspace, group.id, rangeParameters(shown))}>Compare with…</a>
          {isEditor && <ButtonLink to={href.editGroup(workspace, group.id)} label="Edit" />}
          {isEditor && <SendReport kind="group" subject={group.id} shown={shown} />}
          {!hasLiveAssets && group.links.active > 0 && <PrintLinks group={group.id} />}
          <button type="button" data-print hidden>
            Print this page
          </button>
        </>
      }
    >
      <Refusal />
      <p class="row">
        <StatusWithDates group={group} />
        <span class="soft">{words(group.type)}</span>
        {(group.starts_at !== null || group.ends_at !== null) && (
          <span class="soft">
            <Dates group={group} />
          </span>
        )}
      </p>
      {isEditor && group.links.active + group.links.archived > 0 && (
        <div class="actions">
          <AddLinks group={group.id} />
        </div>
      )}
      <section class="card" aria-labelledby="figures">
        <h2 id="figures" class="unseen">
          Clicks and scans
        </h2>
        <RangePicker
          shown={shown}
          to={(range) => href.group(workspace, group.id, range)}
          own={wholeCampaign(group, shown)}
        />
        <GroupFigures report={visits} present={present} shown={shown}>
          {best !== undefined && (
            <p>
              Most visited: <NameLink to={href.link(workspace, best.id)} name={nameOf(best)} />{" "}
              <span class="soft">
                {count(best.clicks, "click")}, {count(best.scans, "scan")}
              </span>
            </p>
          )}
        </GroupFigures>
        <Exports group={group.id} shown={shown} />
      </section>
      <GroupLinks group={group} list={list} offersPrint={hasLiveAssets} shown={shown} />
      {(assets.assets.length > 0 || assets.previousScans > 0 || canCreateAssets) && (
        <GroupAssets group={group} list={assets} />
      )}
      <div class="columns">
        <Card id="about" title="About">
          <GroupProperties group={group} />
        </Card>
        {isEditor && (
          <section class="card screen" aria-labelledby="moves">
            <h2 id="moves">Change the status</h2>
            <StatusForms group={group} />
          </section>
        )}
      </div>
    </Page>,
  );
}

const ARCHIVED = "The Activity Group is archived. Its links go on as before.";
const LINKS_ENDED =
  "The links have ended, except those with an end of their own. All visitors notice within five minutes.";
const NO_LONGER_FOLLOWS = " Its status no longer follows its dates.";
const LINKS_GO_ON = " Its links have not ended yet. You can end them now, below.";

const statusChange = z.object({ status: z.enum(GROUP_STATUSES) });

function noticeOf(group: ManagedActivityGroup, followed: boolean, now: number): string {
  if (group.status === "archived") return ARCHIVED;
  const goesOn = group.status === "completed" && linksGoOn(group, now) ? LINKS_GO_ON : "";
  const unfollowed = followed && group.follows_dates !== true ? NO_LONGER_FOLLOWS : "";
  return `The Activity Group is now ${group.status}.${unfollowed}${goesOn}`;
}

export async function changeGroupStatus(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const id = c.req.param("id");
  const to = href.group(workspace, id);
  if (fields["end"] === "now") {
    await updateActivityGroup(ctx, id, { ends_at: ctx.now() });
    return redirectWithNotice(c, to, LINKS_ENDED);
  }
  const group = await updateActivityGroup(ctx, id, checked(statusChange, fields));
  return redirectWithNotice(c, to, noticeOf(group, fields["follows"] === "true", ctx.now()));
}
