import type { Child } from "hono/jsx";
import type { Context } from "../../context";
import { toDate } from "../../lib/range";
import type { GroupOverview } from "../../resources/activity-groups/group-service";
import { type AuditEntry, listChangesOfGroup } from "../../resources/audit/audit-service";
import { LastChanges } from "../changes/last-changes";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { TopLinks } from "../links/visited";
import { here } from "../shell/href";
import { currentPage, type PageContext } from "../shell/page-request";
import { Card, Empty } from "../shell/text";
import {
  GroupFigures,
  type GroupLinkList,
  readGroupAssets,
  readGroupFigures,
  readGroupLinks,
} from "./group-figures";
import { EditGroup, StatusForms } from "./group-form";
import { AddLinks, GroupAssets, GroupLinks } from "./lists";

// What the tabs of a group show. Each reads only what it shows.

export const TABS = ["report", "links", "posters", "settings"] as const;

/** Of the group, its links and their assets. */
const MAX_CHANGES = 10;

const Exports = ({ group, shown }: { group: GroupOverview; shown: ShownRange }) => {
  const days = { from: toDate(shown.range.firstDay), to: toDate(shown.range.lastDay) };
  return (
    <p class="row small screen">
      <button type="button" class="quiet" data-print hidden>
        Print this page
      </button>
      <a href={here.compareGroup(group.id, rangeParameters(shown))}>Compare with…</a>
      <span>
        Export day by day, in UTC, at most a year:{" "}
        <span class="nowrap">
          <a href={here.groupClicks(group.id, days)}>by link</a> or{" "}
          <a href={here.groupOrigins(group.id, days)}>by origin</a>
        </span>
      </span>
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
      <LastChanges entries={changes} group={group.id} />
    </div>
  </div>
);

type TabContent = (of: { group: GroupOverview }) => Child;

async function readReport(ctx: Context, id: string, shown: ShownRange): Promise<TabContent> {
  const { visits, present } = await readGroupFigures(ctx, id, shown);
  return ({ group }) => (
    <>
      {group.links.active + group.links.archived === 0 && currentPage().var.isEditor && (
        <Empty text="No link is in this group.">
          <AddLinks group={group.id} />
        </Empty>
      )}
      <Card id="figures" title="Clicks and scans" isUnseen>
        <GroupFigures visits={visits} present={present} shown={shown} />
      </Card>
      {present !== null && present.list.whole > 0 && <GroupTopLinks list={present.list} />}
      <Exports group={group} shown={shown} />
    </>
  );
}

/** Reads a tab of a group. The result shows it. At most two calls of D1, one after the other. */
export async function readTab(
  { var: { ctx, isEditor } }: PageContext,
  id: string,
  tab: (typeof TABS)[number],
  shown: ShownRange,
  page: number,
): Promise<TabContent> {
  switch (tab) {
    case "report":
      return readReport(ctx, id, shown);
    case "links": {
      const present = await readGroupLinks(ctx, id, shown.range, page);
      return ({ group }) => <GroupLinks group={group} list={present?.list} shown={shown} />;
    }
    case "posters": {
      const list = await readGroupAssets(ctx, id, shown.range, page);
      return ({ group }) => <GroupAssets group={group} list={list} />;
    }
    case "settings": {
      const changes = await listChangesOfGroup(ctx, id, MAX_CHANGES, isEditor);
      return ({ group }) => <Settings group={group} changes={changes} />;
    }
  }
}
