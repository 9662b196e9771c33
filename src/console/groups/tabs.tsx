import type { Child } from "hono/jsx";
import type { Context } from "../../context";
import { toDate } from "../../lib/range";
import type { GroupOverview } from "../../resources/activity-groups/service";
import { type AuditEntry, listChangesOfGroup } from "../../resources/audit/service";
import { LastChanges } from "../changes/last-changes";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { TopLinks } from "../links/visited";
import { here } from "../shell/href";
import { currentPage, type PageContext } from "../shell/request";
import { Card, Empty } from "../shell/text";
import { GroupFigures } from "./figures";
import { EditGroup } from "./form";
import { AddLinks, GroupAssets, GroupLinks } from "./lists";
import { type GroupLinkList, readGroupAssets, readGroupFigures, readGroupLinks } from "./report";
import { StatusForms } from "./status-forms";

// What the tabs of a group show. Each reads only what it shows.

export const TABS = ["report", "links", "posters", "settings"] as const;

/** Of the group, its links and their assets. */
const MAX_CHANGES = 10;

interface Shown {
  group: GroupOverview;
  shown: ShownRange;
}

const Exports = ({ group, shown }: Shown) => {
  const days = { from: toDate(shown.range.firstDay), to: toDate(shown.range.lastDay) };
  return (
    <p class="row small screen">
      <button type="button" class="quiet" data-print hidden>
        Print this page
      </button>
      <a href={here.compareGroup(group.id, rangeParameters(shown))}>Compare with…</a>
      Export day by day, in UTC, at most a year:
      <a href={here.groupClicks(group.id, days)}>by link</a>
      <a href={here.groupOrigins(group.id, days)}>by origin</a>
    </p>
  );
};

/** The most visited links of a group. */
export const GroupTopLinks = ({ list: { links, whole } }: { list: GroupLinkList }) => (
  <TopLinks title="Top links" links={links} whole={whole} hrefOf={here.link} />
);

const Settings = ({ group, changes }: { group: GroupOverview; changes: readonly AuditEntry[] }) => (
  <div class="columns">
    <Card id="about" title="About">
      <EditGroup group={group} />
    </Card>
    <div class="stack">
      {currentPage().var.isEditor && (
        <Card id="moves" title="Change the status">
          <StatusForms group={group} />
        </Card>
      )}
      <LastChanges entries={changes} group={group.id} most={MAX_CHANGES} />
    </div>
  </div>
);

type TabContent = (of: Shown) => Child;

async function readReport(ctx: Context, id: string, range: ShownRange): Promise<TabContent> {
  const { visits, present } = await readGroupFigures(ctx, id, range);
  return ({ group, shown }) => (
    <>
      {group.links.active + group.links.archived === 0 && currentPage().var.isEditor && (
        <Empty text="No link is in this group.">
          <AddLinks group={group.id} />
        </Empty>
      )}
      <Card id="figures" title="Clicks and scans" isUnseen>
        <GroupFigures
          report={visits}
          present={present}
          shown={shown}
          to={(parameters) => here.group(group.id, parameters)}
        />
      </Card>
      {present !== null && present.list.whole > 0 && <GroupTopLinks list={present.list} />}
      <Exports group={group} shown={shown} />
    </>
  );
}

async function readLinks(ctx: Context, id: string, { range }: ShownRange, page: number): Promise<TabContent> {
  const present = await readGroupLinks(ctx, id, range, page);
  return ({ group, shown }) => <GroupLinks group={group} list={present?.list} shown={shown} />;
}

async function readAssets(
  ctx: Context,
  id: string,
  { range }: ShownRange,
  page: number,
): Promise<TabContent> {
  const list = await readGroupAssets(ctx, id, range, page);
  return ({ group, shown }) => <GroupAssets group={group} list={list} shown={shown} />;
}

async function readSettings({ var: { ctx, isEditor } }: PageContext, id: string): Promise<TabContent> {
  const changes = await listChangesOfGroup(ctx, id, MAX_CHANGES, isEditor);
  return ({ group }) => <Settings group={group} changes={changes} />;
}

/** Reads a tab of a group. The result shows it. At most two calls of D1, one after the other. */
export async function readTab(
  c: PageContext,
  id: string,
  tab: (typeof TABS)[number],
  shown: ShownRange,
  page: number,
): Promise<TabContent> {
  const { ctx } = c.var;
  if (tab === "settings") return readSettings(c, id);
  if (tab === "report") return readReport(ctx, id, shown);
  return tab === "links" ? readLinks(ctx, id, shown, page) : readAssets(ctx, id, shown, page);
}
