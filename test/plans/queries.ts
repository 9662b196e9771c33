import { type SQLWrapper, sql } from "drizzle-orm";
import * as groups from "../../src/activity-groups/repository";
import * as alerts from "../../src/alerts/repository";
import * as audit from "../../src/audit/repository";
import * as backup from "../../src/backup/repository";
import * as restoring from "../../src/backup/restore-repository";
import { fileColumns, TABLES } from "../../src/backup/tables";
import * as folding from "../../src/clicks/fold-statements";
import * as clickReports from "../../src/clicks/report-repository";
import * as clicks from "../../src/clicks/repository";
import * as scans from "../../src/clicks/scan-repository";
import * as auditLog from "../../src/db/audit";
import type { Statement } from "../../src/db/prepared";
import * as doctor from "../../src/doctor/repository";
import * as codes from "../../src/engagement/code-repository";
import * as assetGuards from "../../src/engagement/guards";
import * as assets from "../../src/engagement/repository";
import * as healthAlerts from "../../src/health/alert-repository";
import * as health from "../../src/health/repository";
import * as healthView from "../../src/health/view-repository";
import * as healthWalk from "../../src/health/walk-repository";
import * as hosts from "../../src/hosts/repository";
import * as idempotency from "../../src/idempotency/repository";
import * as imports from "../../src/imports/repository";
import * as exported from "../../src/links/export-repository";
import type { LinkFilter } from "../../src/links/list/filter";
import type { Index, Plan } from "../../src/links/list/plan";
import * as list from "../../src/links/list/query";
import * as links from "../../src/links/repository";
import type { LinkSort } from "../../src/links/schema";
import * as search from "../../src/links/search-table";
import * as assignments from "../../src/links/write/assignments";
import * as linkAudit from "../../src/links/write/audit";
import * as guards from "../../src/links/write/guards";
import * as replacing from "../../src/links/write/replace-tag";
import * as rows from "../../src/links/write/rows";
import * as searchIndex from "../../src/links/write/search-rows";
import * as linkSlugs from "../../src/links/write/slugs";
import type { LinkChange } from "../../src/links/write/state";
import * as linkTags from "../../src/links/write/tags";
import * as totals from "../../src/links/write/totals";
import * as moderation from "../../src/moderation/repository";
import * as removal from "../../src/removal/repository";
import * as slugChanges from "../../src/slugs/changes";
import * as slugLimits from "../../src/slugs/limits";
import * as slugOwners from "../../src/slugs/owners";
import * as pointers from "../../src/slugs/pointers";
import * as pushQueue from "../../src/slugs/push-queue";
import * as slugs from "../../src/slugs/repository";
import * as tags from "../../src/tags/repository";
import * as apiKeys from "../../src/workspaces/key-repository";
import * as members from "../../src/workspaces/member-repository";
import * as workspaces from "../../src/workspaces/repository";

// Every query of the repositories. Values are arbitrary, and there are variants if the SQL depends on them.

/** A query, a batch of queries, or an expression in a query. */
export type Entry = Statement | readonly Statement[] | SQLWrapper;

/** The other exports of the same modules. */
export const WITHOUT_PLAN = [
  // Parts of queries, and exports that are not SQL.
  ...["links/repository.selectLinks", "links/repository.findGroup"],
  ...[
    "links/search-table.toSearchRowId",
    "links/search-table.asInteger",
    "links/search-table.insertSearchRows",
  ],
  "engagement/repository.whereAsset",
  "links/write/totals.totalMoves",
  "slugs/limits.addToSlugCount",
  // The name of a column.
  "backup/repository.cursorColumn",
  // The search table itself.
  ...["links/search-table.dropSearchTable", "links/search-table.createSearchTable"],
  // Rows of values. Each is prepared for the columns of the first row, which must be those that a service sends.
  ...["activity-groups/repository.insertGroup", "tags/repository.insertTag"],
  ...["workspaces/repository.insertWorkspace", "workspaces/key-repository.insertApiKey"],
  ...["workspaces/member-repository.insertMember", "workspaces/member-repository.insertSignInLink"],
  ...["workspaces/member-repository.insertSession"],
];

const W = 1;
const RESERVATION = { apiKeyId: 1, key: "k", fingerprint: "f", operationId: "o" };
const CHANGE = { workspaceId: W, actor: "a", action: "a", subject: "s", at: 0 };
const ANY_GROUP = { id: undefined, slug: undefined, search: undefined, type: undefined, status: undefined };
const NAMED = { id: "n", slug: "n" };
const FIRST = { after: undefined, offset: 0, limit: 26 };
const ASSET = {
  public_id: "a",
  code: "s",
  name: "n",
  kind: "poster",
  status: "draft",
  place: null,
  quantity: null,
  live_at: null,
  created_at: 0,
  updated_at: 0,
} as const;
const TAG = { id: 1, public_id: "t", name: "t", slug: "t", colour: null, description: null };
const ROW: links.LinkRow = {
  id: 1,
  public_id: "l",
  version: 1,
  slug: "s",
  slug_key: "s",
  destination_url: "https://www.example.com/",
  title: null,
  title_key: null,
  channel: "email",
  external_id: "e",
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_campaign_origin: "inherited",
  group: { ...links.NO_GROUP, id: 1, public_id: "g" } as links.GroupInLink,
  tags: [TAG],
  starts_at: null,
  ends_at: null,
  ended_url: null,
  archived_at: null,
  verdict: "unknown",
  check_at: null,
  taken_down_at: null,
  taken_down_by: null,
  created_at: 0,
  updated_at: 0,
};
const NEW: LinkChange[] = [{ was: undefined, will: ROW }];
const DELETED: LinkChange[] = [{ was: ROW, will: undefined }];
/** A difference in everything that a change can affect. */
const MOVED: LinkChange[] = [
  {
    was: ROW,
    will: {
      ...ROW,
      slug: "r",
      title: "t",
      destination_url: "https://www.example.org/",
      channel: "sms",
      group: { ...ROW.group, id: 2 } as links.GroupInLink,
      tags: [{ ...TAG, id: 2 }],
      archived_at: 0,
    },
  },
];
/** Too many values to bind separately, so they are bound as JSON. */
const MANY: LinkChange[] = Array.from({ length: 30 }, () => MOVED).flat();
const RECHANNELLED: LinkChange[] = [{ was: ROW, will: { ...ROW, channel: "sms" } }];
const TRAIL: audit.AuditFilter = {
  actor: undefined,
  subject: undefined,
  action: undefined,
  from: undefined,
  to: undefined,
  before: undefined,
};
const PORTION: folding.Portion = { owners: [1], from: 0, to: 1 };
const HOUR_ROW = { workspace_id: W, owner: 1, hour: 0, counts: { people: 1, bots: 1, scans: 1, late: 1 } };
const DAY_ROW = {
  workspace_id: W,
  link_id: 1,
  day: 0,
  dimension: "country" as const,
  value: "CH",
  people: 1,
};

const FILTER: LinkFilter = {
  status: "active",
  tags: [],
  group: undefined,
  channel: undefined,
  slugKeys: undefined,
  externalIds: undefined,
  externalIdPrefix: undefined,
  isBroken: false,
  search: undefined,
  hasSearchIndex: true,
};
const ROW_ID = { rowId: 1 };
/** By the index of the plan. */
const NARROWED: Record<string, Partial<LinkFilter> & { index: Index }> = {
  tag: { index: "tag", tags: [NAMED] },
  group: { index: "group", group: NAMED },
  channel: { index: "channel", channel: "email" },
  "status=archived": { index: "order", status: "archived" },
  "status=all": { index: "order", status: "all" },
  "tag, status=all": { index: "tag", tags: [NAMED], status: "all" },
  slug: { index: "slug", slugKeys: ["s"] },
  external_id: { index: "external_id", externalIds: ["e"] },
  external_id_prefix: { index: "external_id_prefix", externalIdPrefix: "e" },
  "external_id_prefix, by order": { index: "order", externalIdPrefix: "e" },
  "external_id_prefix, status=all": { index: "external_id_prefix", externalIdPrefix: "e", status: "all" },
  "slugs and tag": { index: "slug", slugKeys: ["s"], tags: [ROW_ID] },
  "external_id_prefix and tag, by tag": { index: "tag", externalIdPrefix: "e", tags: [ROW_ID] },
  "group and channel, by group": { index: "group", group: ROW_ID, channel: "email" },
  "group and channel, by channel": { index: "channel", group: ROW_ID, channel: "email" },
  "two tags": { index: "tag", tags: [ROW_ID, { rowId: 2 }] },
  "two tags and group, by group": { index: "group", tags: [ROW_ID, { rowId: 2 }], group: ROW_ID },
  "q, by matches": { index: "search", search: "sale" },
  "q, by order": { index: "order", search: "sale" },
  "q and tag, by matches": { index: "search", search: "sale", tags: [ROW_ID] },
  "q and tag, by tag": { index: "tag", search: "sale", tags: [ROW_ID] },
  "broken, by destinations": { index: "broken", isBroken: true },
  "broken, by order": { index: "order", isBroken: true },
  "broken, status=all": { index: "broken", isBroken: true, status: "all" },
  "broken and tag, by destinations": { index: "broken", isBroken: true, tags: [ROW_ID] },
  "broken and tag, by tag": { index: "tag", isBroken: true, tags: [ROW_ID] },
  "broken and q, by matches": { index: "search", isBroken: true, search: "sale" },
};
const ALL_FILTERS: LinkFilter = {
  ...FILTER,
  tags: [NAMED, { id: "m", slug: "m" }],
  group: NAMED,
  channel: "email",
  search: "sale",
};
const AFTER: Record<LinkSort, [number | string | null, string]> = {
  "-created_at": [0, "l"],
  created_at: [0, "l"],
  "-updated_at": [0, "l"],
  updated_at: [0, "l"],
  slug: ["s", "l"],
  title: ["t", "l"],
};

function lists(): Record<string, Entry> {
  const entries: Record<string, Entry> = {
    "selectFilterTotals (tag)": list.selectFilterTotals(W, { ...FILTER, tags: [NAMED] }),
    "selectFilterTotals (all)": list.selectFilterTotals(W, ALL_FILTERS),
    countSearched: list.countSearched(W, { ...FILTER, search: "sale" }),
    "countSearched (no further than the totals)": list.countSearched(W, ALL_FILTERS),
    "countSearched (no further than the prefix)": list.countSearched(W, {
      ...FILTER,
      search: "sale",
      externalIdPrefix: "e",
    }),
    countPrefixed: list.countPrefixed(W, { ...FILTER, externalIdPrefix: "e" }),
    "countPrefixed (status=all)": list.countPrefixed(W, { ...FILTER, externalIdPrefix: "e", status: "all" }),
    "countPrefixed (no further than the totals)": list.countPrefixed(W, {
      ...ALL_FILTERS,
      externalIdPrefix: "e",
    }),
  };
  const page = (name: string, plan: Plan, sort: LinkSort, after?: (typeof AFTER)[LinkSort]) => {
    const variant = `${name}, ${sort}${after === undefined ? "" : `, after ${after[0]}`}`;
    entries[`selectLinkPage (${variant})`] = list.selectLinkPage(W, plan, sort, { ...FIRST, after });
  };
  const all: Plan = { filter: FILTER, index: "order", total: "workspace" };
  for (const sort of Object.keys(AFTER) as LinkSort[]) {
    page("no filter", all, sort);
    page("no filter", all, sort, AFTER[sort]);
  }
  page("no filter", all, "title", [null, "l"]);
  for (const [name, { index, ...narrowed }] of Object.entries(NARROWED)) {
    const plan: Plan = { filter: { ...FILTER, ...narrowed }, index, total: "counted" };
    entries[`countLinks (${name})`] = list.countLinks(W, plan);
    page(name, plan, "-created_at");
    page(name, plan, "-created_at", AFTER["-created_at"]);
    page(name, plan, "title");
  }
  return entries;
}

const reports = (counted: clickReports.ReportScope, variant: string): Record<string, Entry> => ({
  [`selectScope (${variant})`]: clickReports.selectScope(W, counted),
  [`selectClicksByDay (${variant})`]: clickReports.selectClicksByDay(W, counted, 0, 1),
  [`selectClicksByChannel (${variant})`]: clickReports.selectClicksByChannel(W, counted, 0, 1, 10),
  [`selectClicksByOrigin (${variant})`]: clickReports.selectClicksByOrigin(W, counted, 0, 1, 10),
});

function backups(): Record<string, Entry> {
  const entries: Record<string, Entry> = {};
  for (const [table, kept] of Object.entries(TABLES)) {
    entries[`selectTablePage (${table}, all)`] = backup.selectTablePage(kept, { last: W }, [], 10);
    entries[`selectTablePage (${table}, one workspace)`] = backup.selectTablePage(kept, { only: W }, [], 10);
    if (kept.changedWith === null) continue;
    entries[`selectChangedRows (${table})`] = backup.selectChangedRows(kept, { last: W }, { names: [] });
    entries[`selectChangedRows (${table}, one workspace)`] = backup.selectChangedRows(
      kept,
      { only: W },
      { since: 1, begun: 1 },
    );
  }
  return entries;
}

const restores = (): Record<string, Entry> =>
  Object.fromEntries(
    Object.entries(TABLES).map(([table, kept]) => {
      const names = fileColumns(kept).map(({ name }) => name);
      return [`insertRows (${table})`, restoring.insertRows(kept, names, W, [])];
    }),
  );

/** Module, then function and variant. */
export const QUERIES: Record<string, Record<string, Entry>> = {
  "activity-groups/repository": {
    countGroups: groups.countGroups(W, ANY_GROUP),
    "countGroups (q)": groups.countGroups(W, { ...ANY_GROUP, search: "q" }),
    selectGroupPage: groups.selectGroupPage(W, ANY_GROUP, FIRST),
    "selectGroupPage (after)": groups.selectGroupPage(W, ANY_GROUP, {
      ...FIRST,
      after: { nameKey: "n", id: "g" },
    }),
    "selectGroupPage (q)": groups.selectGroupPage(W, { ...ANY_GROUP, search: "q" }, FIRST),
    "selectGroupPage (id)": groups.selectGroupPage(W, { ...ANY_GROUP, id: "g" }, FIRST),
    "selectGroupPage (slug)": groups.selectGroupPage(W, { ...ANY_GROUP, slug: "g" }, FIRST),
    selectGroupsByText: groups.selectGroupsByText(W, "[]"),
    selectGroupByIdOrSlug: groups.selectGroupByIdOrSlug(W, "g", "g"),
    selectGroup: groups.selectGroup(W, "g"),
    selectOtherGroupWithSlug: groups.selectOtherGroupWithSlug(W, "g", "g"),
    selectSimilarSlugs: groups.selectSimilarSlugs(W, "g"),
    selectCountedGroup: groups.selectCountedGroup(W, "g"),
    selectCountedGroupPage: groups.selectCountedGroupPage(W, ANY_GROUP, FIRST),
    updateGroupRow: groups.updateGroupRow(W, "g", { name: "n" }),
    whereGroupUnchanged: groups.whereGroupUnchanged(W, "g", 1),
    selectGroupSnapshot: groups.selectGroupSnapshot(W, "g"),
  },
  "engagement/code-repository": {
    insertCodes: codes.insertCodes([{ key: "s", asset: "a" }], 0),
    "insertCodes (many)": codes.insertCodes(
      Array.from({ length: 30 }, () => ({ key: "s", asset: "a" })),
      0,
    ),
    selectCodesPosition: codes.selectCodesPosition(),
    upsertCodesPosition: codes.upsertCodesPosition("1"),
    selectLastAsset: codes.selectLastAsset(0, 20_000),
    selectAssetsWithoutCode: codes.selectAssetsWithoutCode(0, 20_000, 1_000),
    moveCode: codes.moveCode(W, "a", 1, 0),
  },
  "engagement/guards": {
    whereAssetHasStatus: assetGuards.whereAssetHasStatus(W, "a", "draft"),
    whereLinkTakesAssets: assetGuards.whereLinkTakesAssets(W, 1),
    whereRoomForAssets: assetGuards.whereRoomForAssets(W, 1, 1),
    whereAssetCanLeave: assetGuards.whereAssetCanLeave(W, "a", 1),
    whereAssetLinkExists: assetGuards.whereAssetLinkExists(W, "a"),
  },
  "engagement/repository": {
    selectAssetAnywhere: assets.selectAssetAnywhere("a"),
    selectAsset: assets.selectAsset(W, "a"),
    selectAssetsOfLinks: assets.selectAssetsOfLinks(W, ["l", "m"], 200),
    "selectAssetsOfLinks (many)": assets.selectAssetsOfLinks(W, MANY.map(String), 200),
    selectAssetByCode: assets.selectAssetByCode(W, "a"),
    selectAssetPage: assets.selectAssetPage(W, undefined, 0, 50),
    "selectAssetPage (status)": assets.selectAssetPage(W, "live", 0, 50),
    countAssets: assets.countAssets(W),
    selectAssets: assets.selectAssets(W),
    selectAssetsOfLink: assets.selectAssetsOfLink(W, "l", 200),
    selectAssetsByIds: assets.selectAssetsByIds(W, ["a"]),
    selectTargetLink: assets.selectTargetLink(W, "l", "s"),
    insertAssets: assets.insertAssets(W, 1, [ASSET]),
    "insertAssets (many)": assets.insertAssets(
      W,
      1,
      Array.from({ length: 30 }, () => ASSET),
    ),
    insertAssetAudits: assets.insertAssetAudits([{ id: "o", asset: "a", change: "{}" }], {
      actor: "a",
      action: "a",
      at: 0,
    }),
    updateAssetRow: assets.updateAssetRow(W, "a", { status: "live", updated_at: 0 }),
    selectAssetSnapshot: assets.selectAssetSnapshot(W, "a"),
  },
  "alerts/repository": {
    insertAlert: alerts.insertAlert({ key: "k", kind: "test", text: "t", facts: "{}", created_at: 0 }),
    selectUngathered: alerts.selectUngathered(100),
    updateMessage: alerts.updateMessage([1, 2], "m", 0),
    claimMessages: alerts.claimMessages(0, 1, 5),
    selectMessages: alerts.selectMessages(["m", "n"]),
    updateOutcome: alerts.updateOutcome(
      { message: "m", tries: 1 },
      { due_at: null, delivered_at: 0, outcome: "HTTP 200" },
    ),
    endTests: alerts.endTests(0, "o"),
    deleteAlertsBefore: alerts.deleteAlertsBefore(0),
    selectLastAlerts: alerts.selectLastAlerts(100),
    selectAlertByKey: alerts.selectAlertByKey("k"),
    closeAlert: alerts.closeAlert(1),
    closeAlertsWithKeys: alerts.closeAlertsWithKeys(["k", "l"]),
    closeBrokenAlerts: alerts.closeBrokenAlerts(),
    closeLimitAlerts: alerts.closeLimitAlerts(),
    selectNearlyFull: alerts.selectNearlyFull(10),
    selectExpiringKeys: alerts.selectExpiringKeys(0, 1, 10),
  },
  "audit/repository": {
    selectAuditPage: audit.selectAuditPage(W, TRAIL, 51, 51),
    "selectAuditPage (behind)": audit.selectAuditPage(W, { ...TRAIL, before: "o" }, 51, 51),
    "selectAuditPage (subject)": audit.selectAuditPage(
      W,
      { ...TRAIL, subject: { id: "l", slugKey: "s" } },
      51,
      51,
    ),
    "selectAuditPage (actor)": audit.selectAuditPage(W, { ...TRAIL, actor: "a" }, 51, 5_000),
    "selectAuditPage (action)": audit.selectAuditPage(W, { ...TRAIL, action: "link" }, 51, 5_000),
    "selectAuditPage (time)": audit.selectAuditPage(W, { ...TRAIL, from: 0, to: 1, before: "o" }, 51, 5_000),
    "selectAuditPage (all)": audit.selectAuditPage(
      W,
      { actor: "a", subject: { id: "l", slugKey: "s" }, action: "link.update", from: 0, to: 1, before: "o" },
      51,
      5_000,
    ),
    selectAuditEntry: audit.selectAuditEntry(W, "o"),
    selectCampaignsAfter: audit.selectCampaignsAfter(W, ["o"]),
    ...Object.fromEntries(
      audit.NAMED.map((kind) => [`selectNames (${kind})`, audit.selectNames(W, kind, ["i"])]),
    ),
    selectNamesOfGroupSlugs: audit.selectNamesOfGroupSlugs(W, ["g"]),
  },
  "backup/repository": {
    ...backups(),
    selectSubjectsSince: backup.selectSubjectsSince(0, 10),
    selectLastRowId: backup.selectLastRowId(TABLES.audit_log),
  },
  "backup/restore-repository": {
    ...restores(),
    selectSimilarWorkspaces: restoring.selectSimilarWorkspaces(["w"], ["w"]),
    selectDoneOperations: restoring.selectDoneOperations(["o"]),
    selectSlugsOfOthers: restoring.selectSlugsOfOthers(W, ["s"]),
    countRowsOfWorkspace: restoring.countRowsOfWorkspace(TABLES.activity_group_items, W),
    selectFirstLink: restoring.selectFirstLink(W),
    insertRestoreStep: restoring.insertRestoreStep([["o", "w"]], "a", "a", 0),
    updateSlugsToPush: restoring.updateSlugsToPush(W, ["s"], 0),
    clearTakedowns: restoring.clearTakedowns(W),
    updateTombstones: restoring.updateTombstones(W),
  },
  "clicks/fold-statements": {
    selectUnfolded: folding.selectUnfolded(0, 100),
    "selectHours (links)": folding.selectHours(folding.CLICK_HOURS, PORTION, 100),
    "selectHours (assets)": folding.selectHours(folding.SCAN_HOURS, PORTION, 100),
    selectDays: folding.selectDays(PORTION, 100),
    "replaceHours (links)": folding.replaceHours(
      ...([folding.CLICK_HOURS, "p", 0, PORTION, [HOUR_ROW], HOUR_ROW, [HOUR_ROW]] as const),
    ),
    "replaceHours (assets)": folding.replaceHours(
      ...([folding.SCAN_HOURS, "p", 0, PORTION, [HOUR_ROW], HOUR_ROW, [HOUR_ROW]] as const),
    ),
    replaceDays: folding.replaceDays("p", 0, PORTION, [DAY_ROW], DAY_ROW, [DAY_ROW]),
  },
  "clicks/repository": {
    insertPack: clicks.insertPack("p", 0),
    upsertHours: clicks.upsertHours([]),
    upsertDays: clicks.upsertDays([]),
    upsertScans: clicks.upsertScans([]),
    deletePacksBefore: clicks.deletePacksBefore(0),
  },
  "clicks/report-repository": {
    selectClicksOfLinksByDay: clickReports.selectClicksOfLinksByDay(W, ["l"], 0, 1),
    ...reports({ link: "l" }, "link"),
    ...reports({ group: "g" }, "group"),
    selectOriginsByDay: clickReports.selectOriginsByDay(W, { group: "g" }, 0, 1),
    selectDaysOfLinks: clickReports.selectDaysOfLinks(W, "g", 0, 1, { archived: 0, id: "l" }, 10),
  },
  "clicks/scan-repository": {
    selectScannedAsset: scans.selectScannedAsset(W, "a"),
    selectScansByDay: scans.selectScansByDay(W, "a", 0, 1),
    selectScansByHour: scans.selectScansByHour(W, "a", 0, 1),
    selectScansOfLink: scans.selectScansOfLink(W, "l", 0, 1, 200),
  },
  "db/audit": {
    "insertAuditRow (with a guard)": auditLog.insertAuditRow("o", { ...CHANGE, guards: [sql`true`] }),
  },
  "doctor/repository": {
    selectWrongWorkspaceTotals: doctor.selectWrongWorkspaceTotals(W),
    updateWorkspaceTotals: doctor.updateWorkspaceTotals(W),
    selectWrongTotals: doctor.selectWrongTotals(W),
    deleteTotals: doctor.deleteTotals(W),
    insertTotals: doctor.insertTotals(W),
    selectWrongCopies: doctor.selectWrongCopies(W),
    updateCopies: doctor.updateCopies(W),
    selectWrongClaims: doctor.selectWrongClaims(W),
    selectWrongTakedowns: doctor.selectWrongTakedowns(W),
    updateTakedowns: doctor.updateTakedowns(W),
    selectCodesOfLinks: doctor.selectCodesOfLinks(W),
    updateCodesOfLinks: doctor.updateCodesOfLinks(W, 0),
    selectWrongCodes: doctor.selectWrongCodes(W),
    updateCodes: doctor.updateCodes(W, 0),
  },
  "health/alert-repository": {
    selectAssetsToReport: healthAlerts.selectAssetsToReport([{ url: "u", since: 0, is_broken: 1 }], 20, 180),
  },
  "health/repository": {
    claimDueHosts: health.claimDueHosts(0, 1, 36),
    claimHost: health.claimHost("h", 0, 1, false),
    selectDueDestinations: health.selectDueDestinations(["h"], 0, 8),
    postponeDestinations: health.postponeDestinations(["u"], 0),
    updateHealth: health.updateHealth([]),
    deleteDestinations: health.deleteDestinations(["u"]),
    releaseHosts: health.releaseHosts([{ host: "h", free_at: 0 }]),
    deleteIdleHosts: health.deleteIdleHosts(0),
  },
  "health/view-repository": {
    selectHealthOfLink: healthView.selectHealthOfLink(W, "l"),
    selectBrokenAmong: healthView.selectBrokenAmong(W, ["l", "m"]),
    selectBrokenLinks: healthView.selectBrokenLinks(undefined, 1_001),
    "selectBrokenLinks (workspace)": healthView.selectBrokenLinks(W, 1_001),
  },
  "health/walk-repository": {
    selectPositions: healthWalk.selectPositions(["a", "b"]),
    upsertPositions: healthWalk.upsertPositions([{ job: "a", position: "b" }]),
    selectDestinationsAfter: healthWalk.selectDestinationsAfter("", 200),
    selectAssetsAfter: healthWalk.selectAssetsAfter(0, 200),
    insertDestinations: healthWalk.insertDestinations([{ url: "u", host: "h" }], 0),
    upsertLiveDestinations: healthWalk.upsertLiveDestinations([{ url: "u", host: "h" }], 0),
    queueHosts: healthWalk.queueHosts(["u"]),
  },
  "hosts/repository": {
    selectBlockedHosts: hosts.selectBlockedHosts(["h"]),
    selectBlockingHosts: hosts.selectBlockingHosts(["h"]),
    insertBlockedHost: hosts.insertBlockedHost("h", 0),
    deleteBlockedHost: hosts.deleteBlockedHost("h"),
    selectAllBlockedHosts: hosts.selectAllBlockedHosts(),
  },
  "idempotency/repository": {
    upsertReservation: idempotency.upsertReservation(RESERVATION, 0, 0, 0),
    selectHolder: idempotency.selectHolder(RESERVATION),
    whereReserved: idempotency.whereReserved(RESERVATION),
    updateAnswer: idempotency.updateAnswer(RESERVATION, { status: 201, body: "", etag: null }),
    deleteReservation: idempotency.deleteReservation(RESERVATION),
    deleteStartedBefore: idempotency.deleteStartedBefore(0),
  },
  "imports/repository": {
    countImports: imports.countImports(W),
    insertImport: imports.insertImport({ public_id: "i", workspace_id: W, name: "n", created_at: 0 }),
    insertImportRows: imports.insertImportRows(W, "i", "[]"),
    updateRowCount: imports.updateRowCount(W, "i", 1),
    selectImport: imports.selectImport(W, "i"),
    selectNewestImports: imports.selectNewestImports(W, 20),
    countRows: imports.countRows(W, "i"),
    selectHeading: imports.selectHeading(W, "i"),
    "selectRowPage (all)": imports.selectRowPage(W, "i", "all", { after: 0, offset: 0, limit: 100 }),
    "selectRowPage (refused)": imports.selectRowPage(W, "i", "refused", { after: 0, offset: 0, limit: 100 }),
    selectPendingRows: imports.selectPendingRows(W, "i", 500),
    updateOutcomes: imports.updateOutcomes(W, "i", "[]"),
    selectImportByDigest: imports.selectImportByDigest(W, "d"),
    selectImportOfSameRows: imports.selectImportOfSameRows(W, "i"),
    updateStarted: imports.updateStarted(W, "i", 0),
    updateFinished: imports.updateFinished(W, "i", 0),
    deleteImport: imports.deleteImport(W, "i"),
    deleteImportsBefore: imports.deleteImportsBefore(0),
  },
  "moderation/repository": {
    selectLinkAnywhere: moderation.selectLinkAnywhere("l", "s"),
    updateTakedownOfLink: moderation.updateTakedownOfLink(1, 0, "check"),
    clearTakedownOfLink: moderation.clearTakedownOfLink(1),
    selectDueChecks: moderation.selectDueChecks(0, 0, 1_000),
    updateVerdicts: moderation.updateVerdicts([{ id: 1, host: "example.com", verdict: "ok", check_at: 0 }]),
    queueMissingChecks: moderation.queueMissingChecks(0, 1_000),
    whereLinkUnchanged: moderation.whereLinkUnchanged({ id: 1, version: 1, taken_down_by: null }),
  },
  "links/export-repository": {
    selectLinkAt: exported.selectLinkAt(W, 10_000),
    selectOldSlugsAfter: exported.selectOldSlugsAfter(W, "l", 500),
  },
  "links/repository": {
    selectLinksAfter: links.selectLinksAfter(W, "l", 500),
    selectLink: links.selectLink(W, "l"),
    selectLinksByIds: links.selectLinksByIds(W, ["l"]),
    selectDoneOperations: links.selectDoneOperations(["o"]),
    selectIsOnLiveAsset: links.selectIsOnLiveAsset(W, "l"),
    selectLiveAssets: links.selectLiveAssets(W, "l"),
    selectChannels: links.selectChannels(W, 10),
    selectExternalIdOwner: links.selectExternalIdOwner(W, "e"),
    selectExternalIdOwners: links.selectExternalIdOwners(W, ["e"]),
    selectBlocking: links.selectBlocking(W, "l"),
  },
  "links/write/rows": {
    "writeRows (new)": rows.writeRows(W, NEW),
    "writeRows (changed)": rows.writeRows(W, MOVED),
    "writeRows (many)": rows.writeRows(W, MANY),
    deleteRows: rows.deleteRows(W, DELETED, 0),
  },
  "links/write/guards": {
    whereUnchanged: guards.whereUnchanged(W, [ROW]),
    whereSlugsFree: guards.whereSlugsFree(W, [{ key: "s", link: 1, isUnclaimed: false }]),
    whereRoomForSlug: guards.whereRoomForSlug(W, 1, "s"),
    whereRoomForLinks: guards.whereRoomForLinks(W, 1),
    whereOnNoLiveAsset: guards.whereOnNoLiveAsset(W, [1]),
    whereNotDone: guards.whereNotDone(["o"]),
  },
  "links/write/audit": {
    toAuditEntries: linkAudit.toAuditEntries(
      [...DELETED, ...DELETED],
      { action: "a" },
      { workspaceId: W, actor: "a", at: 1 },
    ).statements,
  },
  "links/write/totals": {
    "moveTotals (new)": totals.moveTotals(W, NEW, 1),
    "moveTotals (moved)": totals.moveTotals(W, MOVED, 0),
    "moveTotals (many)": totals.moveTotals(
      W,
      MANY.map(({ was }, index) => ({ was, will: { ...ROW, tags: [{ ...TAG, id: index + 9 }] } })),
      0,
    ),
  },
  "links/write/slugs": {
    "moveSlugs (moved)": linkSlugs.moveSlugs(W, MOVED, 0),
    "moveSlugs (many)": linkSlugs.moveSlugs(W, MANY, 0),
    "moveSlugs (deleted)": linkSlugs.moveSlugs(W, DELETED, 0),
    selectPushedSlugs: [...linkSlugs.selectPushedSlugs(W, [...MOVED, ...DELETED], new Set())].filter(
      (statement) => statement !== undefined,
    ),
  },
  "links/write/assignments": {
    "moveAssignments (moved)": assignments.moveAssignments(W, MOVED, 0),
    "moveAssignments (many)": assignments.moveAssignments(W, MANY, 0),
    "moveAssignments (channel)": assignments.moveAssignments(W, RECHANNELLED, 0),
  },
  "links/write/tags": {
    moveTags: linkTags.moveTags(W, MOVED),
    "moveTags (many)": linkTags.moveTags(W, MANY),
  },
  "links/write/search-rows": {
    moveSearchRows: searchIndex.moveSearchRows(W, MOVED),
    "moveSearchRows (many)": searchIndex.moveSearchRows(W, MANY),
  },
  "links/write/replace-tag": {
    replaceTag: replacing.replaceTag(W, "a", { id: 1, public_id: "t" }, { id: 2, public_id: "u" }, 0),
  },
  "links/search-table": {
    selectLastLinkId: search.selectLastLinkId,
    indexLinkRange: search.indexLinkRange(1).statement,
  },
  "links/list/query": { ...lists(), countBroken: list.countBroken(W) },
  "removal/repository": {
    deleteEmptyTotals: removal.deleteEmptyTotals(),
    selectLinksDeletedBefore: removal.selectLinksDeletedBefore(0),
    deleteLinksPermanently: removal.deleteLinksPermanently([1]),
  },
  "slugs/repository": {
    selectTargetOfSlug: slugs.selectTargetOfSlug("s"),
    selectTargetOfCode: slugs.selectTargetOfCode(W, "a"),
    selectKeysOfLink: slugs.selectKeysOfLink(W, "l"),
    selectSlugsOfLink: slugs.selectSlugsOfLink(W, "l"),
    selectTombstones: slugs.selectTombstones(W, ["s"]),
    selectRowIdOfLink: slugs.selectRowIdOfLink(W, "l"),
    selectSlugsToPush: slugs.selectSlugsToPush(W, ["l"]),
  },
  "slugs/push-queue": {
    selectLastQueuedWorkspace: pushQueue.selectLastQueuedWorkspace(),
    selectQueuedWorkspaces: pushQueue.selectQueuedWorkspaces(0, 10, 10),
    selectDuePushes: pushQueue.selectDuePushes(0, [{ workspaceId: 1, after: { push_at: 0, key: "s" } }], 10),
    countDuePushes: pushQueue.countDuePushes(0, 10),
    updatePushedSlug: pushQueue.updatePushedSlug("s", 1, 0, 0),
    updatePushedSlugs: pushQueue.updatePushedSlugs([{ key: "s", rev: 1 }], 0, 0),
  },
  "slugs/owners": {
    selectSlugOwner: slugOwners.selectSlugOwner(W, "s"),
    selectSlugOwners: slugOwners.selectSlugOwners(W, ["s"]),
  },
  "slugs/pointers": {
    upsertSlugs: pointers.upsertSlugs(W, [["s", "l"]], 0),
    queuePushes: pointers.queuePushes(W, [1], 0),
    detachSlugs: pointers.detachSlugs(W, [1], 0),
  },
  "slugs/changes": {
    updateTakedownOfSlugs: slugChanges.updateTakedownOfSlugs(W, 1, 0, 0),
    selectSlug: slugChanges.selectSlug("s"),
    whereSlugUnchanged: slugChanges.whereSlugUnchanged({
      key: "s",
      workspace_id: W,
      link_id: null,
      asset: null,
      taken_down_at: 0,
    }),
    clearTakedownOfSlug: slugChanges.clearTakedownOfSlug("s", 0),
    updateSlugWorkspace: slugChanges.updateSlugWorkspace("s", W),
    insertReceiptAudit: slugChanges.insertReceiptAudit("o", CHANGE),
    updateSlugCounts: slugChanges.updateSlugCounts(W, 2),
    whereOldSlug: slugChanges.whereOldSlug(W, 1, "s"),
    detachSlug: slugChanges.detachSlug(W, "s", 0),
  },
  "slugs/limits": {
    countSlugsOfLink: slugLimits.countSlugsOfLink(W, "l", 100),
  },
  "tags/repository": {
    selectTags: tags.selectTags(W),
    selectTagsWithTotals: tags.selectTagsWithTotals(W),
    selectTag: tags.selectTag(W, "t"),
    selectTagsByIds: tags.selectTagsByIds(W, ["t"]),
    selectTagsByNames: tags.selectTagsByNames(W, ["n"]),
    selectSimilarTags: tags.selectSimilarTags(W, "t", "t"),
    insertTags: tags.insertTags(
      W,
      "a",
      [{ operation_id: "o", change: {}, public_id: "t", name: "t", name_key: "t", slug: "t" }],
      0,
    ),
    updateTagRow: tags.updateTagRow(W, "t", { name: "t" }),
    whereTagExists: tags.whereTagExists(W, "t", 1),
    selectTagSnapshot: tags.selectTagSnapshot(W, "t"),
    updateVersionsOfTagged: tags.updateVersionsOfTagged(W, "t"),
    deleteTagRows: tags.deleteTagRows(W, "t"),
  },
  "workspaces/key-repository": {
    selectKeyByHash: apiKeys.selectKeyByHash("h"),
    updateLastUse: apiKeys.updateLastUse(1, 0, 0),
    selectKeys: apiKeys.selectKeys(W),
    selectKey: apiKeys.selectKey(W, "k"),
    whereKeyActive: apiKeys.whereKeyActive(1, 0),
    updateKeyExpiry: apiKeys.updateKeyExpiry(1, 0),
    selectKeyAnywhere: apiKeys.selectKeyAnywhere("k"),
    updateRevocation: apiKeys.updateRevocation(1, 0),
  },
  "workspaces/member-repository": {
    selectMembers: members.selectMembers(W),
    updateRole: members.updateRole(W, "e", "owner"),
    deleteMember: members.deleteMember(W, "e"),
    upsertRemoval: members.upsertRemoval(W, "e", 0),
    deleteUnneededRemovals: members.deleteUnneededRemovals(1000),
    whereMemberHasRole: members.whereMemberHasRole(W, "e", "owner"),
    whereOtherOwner: members.whereOtherOwner(W, "e"),
    selectMemberships: members.selectMemberships("e"),
    selectMembershipsOfSession: members.selectMembershipsOfSession("h", 0),
    selectSession: members.selectSession("h", 0),
    selectSignInLink: members.selectSignInLink("h", 0),
    whereSignInLinkUsable: members.whereSignInLinkUsable("h", 0),
    deleteSignInLink: members.deleteSignInLink("h"),
    deleteSignInLinksOf: members.deleteSignInLinksOf("e"),
    deleteSession: members.deleteSession("h"),
    deleteSessionsOf: members.deleteSessionsOf("e"),
    deleteExpiredSessions: members.deleteExpiredSessions(0),
    deleteExpiredSignInLinks: members.deleteExpiredSignInLinks(0),
  },
  "workspaces/repository": {
    selectWorkspaceBySlug: workspaces.selectWorkspaceBySlug("w"),
    "selectWorkspaceOf (link)": workspaces.selectWorkspaceOf("link", "l"),
    "selectWorkspaceOf (group)": workspaces.selectWorkspaceOf("group", "g"),
    selectWorkspaces: workspaces.selectWorkspaces(),
    updateSuspension: workspaces.updateSuspension(W, null, 0),
    updateWorkspaceName: workspaces.updateWorkspaceName(W, "n", 0),
    selectWorkspaceSnapshot: workspaces.selectWorkspaceSnapshot(W),
    whereRoomForTag: workspaces.whereRoomForTag(W, 1000),
    selectUsage: workspaces.selectUsage(W),
    selectLinkTotal: workspaces.selectLinkTotal(W, "all"),
    updateTagCount: workspaces.updateTagCount(W, 1),
  },
};
