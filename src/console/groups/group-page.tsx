import { z } from "zod";
import { applyBeforeReport } from "../../analytics/queue";
import { GROUP_STATUSES } from "../../lib/group-status";
import {
  type GroupOverview,
  getGroupOverview,
  type ManagedActivityGroup,
} from "../../resources/activity-groups/group-service";
import { updateActivityGroup } from "../../resources/activity-groups/manage-groups";
import { findOwnLastOperation } from "../../resources/audit/audit-service";
import { nameOfOrigin, readChosenOrigin } from "../clicks/origin-figures";
import { originParameters } from "../clicks/origins";
import { type OwnChoice, RangePicker, rangeParameters, readRange, type ShownRange } from "../clicks/range";
import { SendReport } from "../reports/share";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { Tabs } from "../shell/navigation";
import { checked, type Form, type PageContext, readQuery } from "../shell/page-request";
import { quoted, words } from "../shell/text";
import { campaignDays, linksGoOn, linksHaveEnded, StatusWithDates } from "./group-dates";
import { TABS } from "./group-tabs";

const TAB_NAMES = ["report", "links", "posters", "settings"] as const;

const query = z.object({
  tab: z.enum(TAB_NAMES).default("report"),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
});

function wholeCampaign(group: GroupOverview, { range: { zones }, now }: ShownRange): OwnChoice | undefined {
  if (group.starts_at === null && group.ends_at === null) return undefined;
  const days = campaignDays(group, zones, now);
  return days && { label: "Whole campaign", ...days };
}

export async function showGroup(c: PageContext): Promise<Response> {
  const { ctx, workspace, isEditor, problem } = c.var;
  const { tab: asked, page } = readQuery(query, c);
  // The form that was refused is among the settings.
  const tab = problem === undefined ? asked : "settings";
  const shown = readRange(c, ctx.workspace.createdAt);
  if (tab !== "settings") await applyBeforeReport(ctx);
  const [group, Tab] = await Promise.all([
    getGroupOverview(ctx, c.req.param("id")),
    TABS[tab](c, shown, page),
  ]);
  const chosen = readChosenOrigin(c);
  const kept = { ...rangeParameters(shown), ...(chosen && originParameters(chosen)) };
  const toTab = (to: typeof tab) =>
    href.group(workspace, group.id, { ...kept, tab: to === "report" ? undefined : to });
  return c.render(
    <Page
      title={group.name}
      section="groups"
      crumbs={["groups"]}
      state={
        <>
          <StatusWithDates group={group} />
          <span class="small soft">{words(group.type)}</span>
        </>
      }
      actions={
        <>
          {tab !== "settings" && (
            <RangePicker shown={shown} own={wholeCampaign(group, shown)} compares={tab === "report"} />
          )}
          {isEditor && <SendReport kind="group" subject={group.id} shown={shown} />}
        </>
      }
      toolbar={
        <Tabs
          label="Group"
          tabs={TAB_NAMES.map((one) => ({ label: words(one), href: toTab(one), isCurrent: one === tab }))}
        />
      }
    >
      {chosen && (tab === "links" || tab === "posters") && (
        <p class="hint">
          The filter {quoted(nameOfOrigin(chosen))} is for the report. Here all visits are counted.
        </p>
      )}
      <Tab group={group} />
    </Page>,
  );
}

const ARCHIVED = "The group is archived. Its links go on as before.";
const LINKS_ENDED = "The links have ended, except those with an end of their own.";
const NO_LONGER_FOLLOWS = " Its status no longer follows its dates.";
const LINKS_GO_ON = " Its links have not ended yet. You can end them now, below.";

const LINKS_STAY_ENDED =
  " Its links stay ended, because its end is in the past. You can open them again, below.";
const LINKS_OPEN =
  "The end of the group is removed, so its links lead on, except those with an end of their own.";

const statusChange = z.object({ status: z.enum(GROUP_STATUSES) });

function noticeOf(group: ManagedActivityGroup, followed: boolean, now: number): string {
  if (group.status === "archived") return ARCHIVED;
  const goesOn = group.status === "completed" && linksGoOn(group, now) ? LINKS_GO_ON : "";
  const stays = group.status === "active" && linksHaveEnded(group, now) ? LINKS_STAY_ENDED : "";
  const unfollowed = followed && group.follows_dates !== true ? NO_LONGER_FOLLOWS : "";
  return `The group is now ${group.status}.${unfollowed}${goesOn}${stays}`;
}

export async function changeGroupStatus(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const id = c.req.param("id");
  const to = href.group(workspace, id, { tab: "settings" });
  const done = async (text: string) => redirectWithNotice(c, to, text, await findOwnLastOperation(ctx, id));
  if (fields["end"] === "now") {
    await updateActivityGroup(ctx, id, { ends_at: ctx.now() });
    return done(LINKS_ENDED);
  }
  if (fields["end"] === "none") {
    await updateActivityGroup(ctx, id, { ends_at: null });
    return done(LINKS_OPEN);
  }
  const group = await updateActivityGroup(ctx, id, checked(statusChange, fields));
  return done(noticeOf(group, fields["follows"] === "true", ctx.now()));
}
