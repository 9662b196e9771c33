import { type SQLWrapper, sql } from "drizzle-orm";
import * as groups from "../../src/activity-groups/repository";
import * as audit from "../../src/audit/repository";
import * as backup from "../../src/backup/repository";
import { fileColumns, KEPT } from "../../src/backup/tables";
import * as folding from "../../src/clicks/folding";
import * as clicks from "../../src/clicks/repository";
import * as auditLog from "../../src/db/audit";
import type { Statement } from "../../src/db/prepared";
import * as doctor from "../../src/doctor/repository";
import * as assets from "../../src/engagement/repository";
import * as hosts from "../../src/hosts/repository";
import * as idempotency from "../../src/idempotency/repository";
import * as imports from "../../src/imports/repository";
import type { LinkFilter } from "../../src/links/list/filter";
import type { Index, Plan } from "../../src/links/list/plan";
import * as list from "../../src/links/list/query";
import * as links from "../../src/links/repository";
import type { LinkSort } from "../../src/links/schema";
import * as search from "../../src/links/search";
import * as assignments from "../../src/links/write/assignments";
import * as linkAudit from "../../src/links/write/audit";
import * as guards from "../../src/links/write/guards";
import * as replacing from "../../src/links/write/replace-tag";
import * as rows from "../../src/links/write/rows";
import * as searchIndex from "../../src/links/write/search-index";
import * as linkSlugs from "../../src/links/write/slugs";
import type { LinkChange } from "../../src/links/write/state";
import * as linkTags from "../../src/links/write/tags";
import * as totals from "../../src/links/write/totals";
import * as moderation from "../../src/moderation/repository";
import * as removal from "../../src/removal/repository";
import * as slugChanges from "../../src/slugs/changes";
import * as claims from "../../src/slugs/claims";
import * as due from "../../src/slugs/due";
import * as slugLimits from "../../src/slugs/limits";
import * as pointers from "../../src/slugs/pointers";
import * as slugs from "../../src/slugs/repository";
import * as tags from "../../src/tags/repository";
import * as workspaces from "../../src/workspaces/repository";

// Every query of the repositories. The values say nothing; variants stand where the SQL depends on them.

/** A query, a batch of them, or an expression that stands in one. */
export type Entry = Statement | readonly Statement[] | SQLWrapper;

/** What the same modules export besides. */
export const WITHOUT_PLAN = [
  // Parts of queries, and what is no SQL.
  ...["links/repository.selectLinks", "links/repository.thisLink", "links/repository.groupOf"],
  ...["links/search.numberOf", "links/search.whole", "links/search.indexing"],
  "links/write/totals.movesOf",
  "slugs/limits.claimsWith",
  // The name of a column.
  "backup/repository.placeName",
  // The search table itself.
  ...["links/search.dropIndex", "links/search.createIndex"],
  // Rows of values. Each is prepared for the columns of the first row, which must be those that a service sends.
  ...["activity-groups/repository.insertGroup", "tags/repository.insertTag"],
  ...["workspaces/repository.insertWorkspace", "workspaces/repository.insertApiKey"],
  ...["workspaces/repository.insertMember", "workspaces/repository.insertSignInLink"],
  ...["workspaces/repository.insertSession"],
];

const W = 1;
const RESERVATION = { apiKeyId: 1, key: "k", fingerprint: "f", operationId: "o" };
const CHANGE = { workspaceId: W, actor: "a", action: "a", subject: "s", at: 0 };
const ANY_GROUP = { id: undefined, slug: undefined, search: undefined, type: undefined, status: undefined };
const NAMED = { id: "n", slug: "n" };
const FIRST = { after: undefined, offset: 0, limit: 26 };
const ASSET = { public_id: "a", name: "n", kind: "poster", status: "draft" } as const;
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
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_campaign_origin: "inherited",
  group: { ...links.NO_GROUP, id: 1, public_id: "g" } as links.GroupInLink,
  tags: [TAG],
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
/** Of everything that a change can move. */
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
/** More than is bound value by value: bound as JSON. */
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
const PORTION: folding.Portion = { links: [1], from: 0, to: 1 };
const HOUR_ROW = { workspace_id: W, link_id: 1, hour: 0, people: 1, bots: 1 };
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
  slugKey: undefined,
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
  slug: { index: "slug", slugKey: "s" },
  "group and channel, by group": { index: "group", group: ROW_ID, channel: "email" },
  "group and channel, by channel": { index: "channel", group: ROW_ID, channel: "email" },
  "two tags": { index: "tag", tags: [ROW_ID, { rowId: 2 }] },
  "two tags and group, by group": { index: "group", tags: [ROW_ID, { rowId: 2 }], group: ROW_ID },
  "q, by matches": { index: "search", search: "sale" },
  "q, by order": { index: "order", search: "sale" },
  "q and tag, by matches": { index: "search", search: "sale", tags: [ROW_ID] },
  "q and tag, by tag": { index: "tag", search: "sale", tags: [ROW_ID] },
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
    "filterTotals (tag)": list.filterTotals(W, { ...FILTER, tags: [NAMED] }),
    "filterTotals (all)": list.filterTotals(W, ALL_FILTERS),
    countMatches: list.countMatches(W, { ...FILTER, search: "sale" }),
    "countMatches (no further than the totals)": list.countMatches(W, ALL_FILTERS),
  };
  const page = (name: string, plan: Plan, sort: LinkSort, after?: (typeof AFTER)[LinkSort]) => {
    const variant = `${name}, ${sort}${after === undefined ? "" : `, after ${after[0]}`}`;
    entries[`pageOfLinks (${variant})`] = list.pageOfLinks(W, plan, sort, { ...FIRST, after });
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

const reports = (counted: clicks.Counted, variant: string): Record<string, Entry> => ({
  [`namesSomething (${variant})`]: clicks.namesSomething(W, counted),
  [`clicksByDay (${variant})`]: clicks.clicksByDay(W, counted, 0, 1),
  [`clicksByChannel (${variant})`]: clicks.clicksByChannel(W, counted, 0, 1, 10),
  [`clicksByOrigin (${variant})`]: clicks.clicksByOrigin(W, counted, 0, 1, 10),
});

function backups(): Record<string, Entry> {
  const entries: Record<string, Entry> = {};
  for (const [table, kept] of Object.entries(KEPT)) {
    const names = fileColumns(kept).map(({ name }) => name);
    entries[`pageOfTable (${table}, all)`] = backup.pageOfTable(kept, { last: W }, [], 10);
    entries[`pageOfTable (${table}, one workspace)`] = backup.pageOfTable(kept, { only: W }, [], 10);
    entries[`insertRows (${table})`] = backup.insertRows(kept, names, W, []);
    if (kept.changedWith === null) continue;
    entries[`changedRows (${table})`] = backup.changedRows(kept, { last: W }, { names: [] });
    entries[`changedRows (${table}, one workspace)`] = backup.changedRows(
      kept,
      { only: W },
      { since: 1, begun: 1 },
    );
  }
  return entries;
}

/** Module, then function and variant. */
export const QUERIES: Record<string, Record<string, Entry>> = {
  "activity-groups/repository": {
    countGroups: groups.countGroups(W, ANY_GROUP),
    "countGroups (q)": groups.countGroups(W, { ...ANY_GROUP, search: "q" }),
    pageOfGroups: groups.pageOfGroups(W, ANY_GROUP, FIRST),
    "pageOfGroups (after)": groups.pageOfGroups(W, ANY_GROUP, { ...FIRST, after: { nameKey: "n", id: "g" } }),
    "pageOfGroups (q)": groups.pageOfGroups(W, { ...ANY_GROUP, search: "q" }, FIRST),
    "pageOfGroups (id)": groups.pageOfGroups(W, { ...ANY_GROUP, id: "g" }, FIRST),
    "pageOfGroups (slug)": groups.pageOfGroups(W, { ...ANY_GROUP, slug: "g" }, FIRST),
    groupsNamed: groups.groupsNamed(W, "[]"),
    groupByIdOrSlug: groups.groupByIdOrSlug(W, "g", "g"),
    groupById: groups.groupById(W, "g"),
    groupBeside: groups.groupBeside(W, "g", "g"),
    groupSlugsLike: groups.groupSlugsLike(W, "g"),
    countedGroupById: groups.countedGroupById(W, "g"),
    pageOfCountedGroups: groups.pageOfCountedGroups(W, ANY_GROUP, FIRST),
    updateGroupRow: groups.updateGroupRow(W, "g", { name: "n" }),
    groupIsAt: groups.groupIsAt(W, "g", 1),
    groupSnapshot: groups.groupSnapshot(W, "g"),
  },
  "engagement/repository": {
    assetAnywhere: assets.assetAnywhere("a"),
    assetById: assets.assetById(W, "a"),
    pageOfAssets: assets.pageOfAssets(W, undefined, 0, 50),
    "pageOfAssets (status)": assets.pageOfAssets(W, "live", 0, 50),
    countAssets: assets.countAssets(W),
    assetIsAt: assets.assetIsAt(W, "a", "draft"),
    assetsOfWorkspace: assets.assetsOfWorkspace(W),
    insertAsset: assets.insertAsset({ ...ASSET, workspace_id: W, created_at: 0, updated_at: 0 }, "l"),
    updateAssetRow: assets.updateAssetRow(W, "a", { status: "live", updated_at: 0 }),
    linkOfAssetIsThere: assets.linkOfAssetIsThere(W, "a"),
    assetSnapshot: assets.assetSnapshot(W, "a"),
  },
  "audit/repository": {
    pageOfAudit: audit.pageOfAudit(W, TRAIL, 51, 51),
    "pageOfAudit (behind)": audit.pageOfAudit(W, { ...TRAIL, before: "o" }, 51, 51),
    "pageOfAudit (subject)": audit.pageOfAudit(W, { ...TRAIL, subject: { id: "l", slugKey: "s" } }, 51, 51),
    "pageOfAudit (actor)": audit.pageOfAudit(W, { ...TRAIL, actor: "a" }, 51, 5_000),
    "pageOfAudit (action)": audit.pageOfAudit(W, { ...TRAIL, action: "link" }, 51, 5_000),
    "pageOfAudit (time)": audit.pageOfAudit(W, { ...TRAIL, from: 0, to: 1, before: "o" }, 51, 5_000),
    "pageOfAudit (all)": audit.pageOfAudit(
      W,
      { actor: "a", subject: { id: "l", slugKey: "s" }, action: "link.update", from: 0, to: 1, before: "o" },
      51,
      5_000,
    ),
    auditRowOf: audit.auditRowOf(W, "o"),
    campaignsAfter: audit.campaignsAfter(W, ["o"]),
    ...Object.fromEntries(audit.NAMED.map((kind) => [`namesOf (${kind})`, audit.namesOf(W, kind, ["i"])])),
    namesOfGroupSlugs: audit.namesOfGroupSlugs(W, ["g"]),
  },
  "backup/repository": {
    ...backups(),
    subjectsSince: backup.subjectsSince(0, 10),
    lastRowId: backup.lastRowId(KEPT.audit_log),
    workspacesLike: backup.workspacesLike(["w"], ["w"]),
    operationsDone: backup.operationsDone(["o"]),
    slugsOfOthers: backup.slugsOfOthers(W, ["s"]),
    rowsOfWorkspace: backup.rowsOfWorkspace(KEPT.activity_group_items, W),
    firstLinkOf: backup.firstLinkOf(W),
    restoreStep: backup.restoreStep([["o", "w"]], "a", "a", 0),
    pushSlugs: backup.pushSlugs(W, ["s"], 0),
    unmarkSlugs: backup.unmarkSlugs(W),
    markTombstones: backup.markTombstones(W),
  },
  "clicks/folding": {
    unfoldedHours: folding.unfoldedHours(0, 100),
    unfoldedDays: folding.unfoldedDays(0, 100),
    hoursOf: folding.hoursOf(PORTION, 100),
    daysOf: folding.daysOf(PORTION, 100),
    liveTimesOf: folding.liveTimesOf(PORTION),
    replaceHours: folding.replaceHours("p", 0, PORTION, [HOUR_ROW], HOUR_ROW, [HOUR_ROW]),
    replaceDays: folding.replaceDays("p", 0, PORTION, [DAY_ROW], DAY_ROW, [DAY_ROW]),
  },
  "clicks/repository": {
    insertPack: clicks.insertPack("p", 0),
    addHours: clicks.addHours([]),
    addDays: clicks.addDays([]),
    deletePacksBefore: clicks.deletePacksBefore(0),
    clicksOfLinksByDay: clicks.clicksOfLinksByDay(W, ["l"], 0, 1),
    ...reports({ link: "l" }, "link"),
    ...reports({ group: "g" }, "group"),
    originsByDay: clicks.originsByDay(W, { group: "g" }, 0, 1),
    daysOfLinks: clicks.daysOfLinks(W, "g", 0, 1, { archived: 0, id: "l" }, 10),
  },
  "db/audit": { "auditRow (with a guard)": auditLog.auditRow("o", { ...CHANGE, guards: [sql`true`] }) },
  "doctor/repository": {
    wrongWorkspaceTotals: doctor.wrongWorkspaceTotals(W),
    recountWorkspace: doctor.recountWorkspace(W),
    wrongTotals: doctor.wrongTotals(W),
    deleteTotals: doctor.deleteTotals(W),
    recountTotals: doctor.recountTotals(W),
    wrongCopies: doctor.wrongCopies(W),
    renewCopies: doctor.renewCopies(W),
    wrongClaims: doctor.wrongClaims(W),
    wrongTakedowns: doctor.wrongTakedowns(W),
    renewTakedowns: doctor.renewTakedowns(W),
  },
  "hosts/repository": {
    blockedAmong: hosts.blockedAmong(["h"]),
    blockedAtOrAbove: hosts.blockedAtOrAbove(["h"]),
    insertBlockedHost: hosts.insertBlockedHost("h", 0),
    deleteBlockedHost: hosts.deleteBlockedHost("h"),
    allBlockedHosts: hosts.allBlockedHosts(),
  },
  "idempotency/repository": {
    reserve: idempotency.reserve(RESERVATION, 0, 0, 0),
    holder: idempotency.holder(RESERVATION),
    isReserved: idempotency.isReserved(RESERVATION),
    complete: idempotency.complete(RESERVATION, { status: 201, body: "", etag: null }),
    release: idempotency.release(RESERVATION),
    deleteStartedBefore: idempotency.deleteStartedBefore(0),
  },
  "imports/repository": {
    countImports: imports.countImports(W),
    insertImport: imports.insertImport({ public_id: "i", workspace_id: W, name: "n", created_at: 0 }),
    keepRows: imports.keepRows(W, "i", "[]"),
    completeImport: imports.completeImport(W, "i", 1),
    importById: imports.importById(W, "i"),
    newestImports: imports.newestImports(W, 20),
    countRows: imports.countRows(W, "i"),
    headingOf: imports.headingOf(W, "i"),
    "pageOfRows (all)": imports.pageOfRows(W, "i", "all", { after: 0, offset: 0, limit: 100 }),
    "pageOfRows (refused)": imports.pageOfRows(W, "i", "refused", { after: 0, offset: 0, limit: 100 }),
    rowsToDo: imports.rowsToDo(W, "i", 500),
    settleRows: imports.settleRows(W, "i", "[]"),
    importOfDigest: imports.importOfDigest(W, "d"),
    importOfSameRows: imports.importOfSameRows(W, "i"),
    startImport: imports.startImport(W, "i", 0),
    finishImport: imports.finishImport(W, "i", 0),
    deleteImport: imports.deleteImport(W, "i"),
    deleteImportsBefore: imports.deleteImportsBefore(0),
  },
  "moderation/repository": {
    linkAnywhere: moderation.linkAnywhere("l", "s"),
    takeDownRow: moderation.takeDownRow(1, 0, "check"),
    putBackRow: moderation.putBackRow(1),
    dueChecks: moderation.dueChecks(0, 0, 1_000),
    setVerdicts: moderation.setVerdicts([{ id: 1, host: "example.com", verdict: "ok", check_at: 0 }]),
    checkUnchecked: moderation.checkUnchecked(0, 1_000),
    linkStandsAsRead: moderation.linkStandsAsRead({ id: 1, version: 1, taken_down_by: null }),
  },
  "links/repository": {
    linksAfter: links.linksAfter(W, "l", 500),
    linkAtPlace: links.linkAtPlace(W, 10_000),
    oldSlugsAfter: links.oldSlugsAfter(W, "l", 500),
    linkById: links.linkById(W, "l"),
    linkByIdOrSlug: links.linkByIdOrSlug(W, "l", "s"),
    linkRowId: links.linkRowId(W, "l"),
    linkIsThere: links.linkIsThere(W, "l"),
    linksByIds: links.linksByIds(W, ["l"]),
    doneOperations: links.doneOperations(["o"]),
    liveAssetOf: links.liveAssetOf(W, "l"),
    liveAssetsOf: links.liveAssetsOf(W, "l"),
    standingOf: links.standingOf(W, "l"),
  },
  "links/write/rows": {
    "writeRows (new)": rows.writeRows(W, NEW),
    "writeRows (changed)": rows.writeRows(W, MOVED),
    "writeRows (many)": rows.writeRows(W, MANY),
    deleteRows: rows.deleteRows(W, DELETED, 0),
  },
  "links/write/guards": {
    areAsRead: guards.areAsRead(W, [ROW]),
    canOpen: guards.canOpen(W, [{ key: "s", link: 1, isUnclaimed: false }]),
    hasRoomForSlug: guards.hasRoomForSlug(W, 1, "s"),
    hasRoomForLinks: guards.hasRoomForLinks(W, 1),
    areOnNoLiveAsset: guards.areOnNoLiveAsset(W, [1]),
    areNotDone: guards.areNotDone(["o"]),
  },
  "links/write/audit": {
    auditOf: linkAudit.auditOf(
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
    channelsInUse: totals.channelsInUse(W, 10),
  },
  "links/write/slugs": {
    "moveSlugs (moved)": linkSlugs.moveSlugs(W, MOVED, 0),
    "moveSlugs (many)": linkSlugs.moveSlugs(W, MANY, 0),
    "moveSlugs (deleted)": linkSlugs.moveSlugs(W, DELETED, 0),
    slugsBehind: [...linkSlugs.slugsBehind(W, [...MOVED, ...DELETED], new Set())].filter(
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
  "links/write/search-index": {
    moveInSearchIndex: searchIndex.moveInSearchIndex(W, MOVED),
    "moveInSearchIndex (many)": searchIndex.moveInSearchIndex(W, MANY),
  },
  "links/write/replace-tag": {
    replaceTag: replacing.replaceTag(W, "a", { id: 1, public_id: "t" }, { id: 2, public_id: "u" }, 0),
  },
  "links/search": {
    lastLinkId: search.lastLinkId,
    indexChunk: search.indexChunk(1).statement,
  },
  "links/list/query": lists(),
  "removal/repository": {
    deleteEmptyTotals: removal.deleteEmptyTotals(),
    linksDeletedBefore: removal.linksDeletedBefore(0),
    deleteLinksForGood: removal.deleteLinksForGood([1]),
  },
  "slugs/repository": {
    targetOfSlug: slugs.targetOfSlug("s"),
    slugsOfLink: slugs.slugsOfLink(W, "l"),
    tombstonesOfSlugs: slugs.tombstonesOfSlugs(W, ["s"]),
    rowIdOfLink: slugs.rowIdOfLink(W, "l"),
    slugsToPush: slugs.slugsToPush(W, ["l"]),
  },
  "slugs/due": {
    lastWorkspaceToPush: due.lastWorkspaceToPush(),
    workspacesToPush: due.workspacesToPush(0, 10, 10),
    dueSlugs: due.dueSlugs(0, [{ workspaceId: 1, after: { push_at: 0, key: "s" } }], 10),
    backlog: due.backlog(0, 10),
    settleSlug: due.settleSlug("s", 1, 0, 0),
    settleSlugs: due.settleSlugs([{ key: "s", rev: 1 }], 0, 0),
  },
  "slugs/claims": {
    claimOnSlug: claims.claimOnSlug(W, "s"),
    claimsOnSlugs: claims.claimsOnSlugs(W, ["s"]),
  },
  "slugs/pointers": {
    openSlugs: pointers.openSlugs(W, [["s", "l"]], 0),
    outdateSlugs: pointers.outdateSlugs(W, [1], 0),
    releaseSlugs: pointers.releaseSlugs(W, [1], 0),
  },
  "slugs/changes": {
    setTakenDownOfSlugs: slugChanges.setTakenDownOfSlugs(W, 1, 0, 0),
    slugAnywhere: slugChanges.slugAnywhere("s"),
    slugIsAsRead: slugChanges.slugIsAsRead({ key: "s", workspace_id: W, link_id: null, taken_down_at: 0 }),
    endTakedownOfSlug: slugChanges.endTakedownOfSlug("s", 0),
    giveSlug: slugChanges.giveSlug("s", W),
    auditReceipt: slugChanges.auditReceipt("o", CHANGE),
    moveClaim: slugChanges.moveClaim(W, 2),
    isOldSlug: slugChanges.isOldSlug(W, 1, "s"),
    closeSlug: slugChanges.closeSlug(W, "s", 0),
  },
  "slugs/limits": {
    countSlugsOfLink: slugLimits.countSlugsOfLink(W, "l", 100),
  },
  "tags/repository": {
    tagsOfWorkspace: tags.tagsOfWorkspace(W),
    tagsWithTotals: tags.tagsWithTotals(W),
    tagById: tags.tagById(W, "t"),
    tagsByIds: tags.tagsByIds(W, ["t"]),
    tagsLike: tags.tagsLike(W, "t", "t"),
    insertTags: tags.insertTags(
      W,
      "a",
      [{ operation_id: "o", change: {}, public_id: "t", name: "t", name_key: "t", slug: "t" }],
      0,
    ),
    updateTagRow: tags.updateTagRow(W, "t", { name: "t" }),
    tagIsThere: tags.tagIsThere(W, "t", 1),
    tagSnapshot: tags.tagSnapshot(W, "t"),
    outdateLinksWith: tags.outdateLinksWith(W, "t"),
    removeTag: tags.removeTag(W, "t"),
  },
  "workspaces/repository": {
    keyByHash: workspaces.keyByHash("h"),
    recordUse: workspaces.recordUse(1, 0, 0),
    workspaceBySlug: workspaces.workspaceBySlug("w"),
    "workspaceOf (link)": workspaces.workspaceOf("link", "l"),
    "workspaceOf (group)": workspaces.workspaceOf("group", "g"),
    allWorkspaces: workspaces.allWorkspaces(),
    setSuspended: workspaces.setSuspended(W, null, 0),
    setName: workspaces.setName(W, "n", 0),
    workspaceSnapshot: workspaces.workspaceSnapshot(W),
    hasRoomForTag: workspaces.hasRoomForTag(W, 1000),
    usage: workspaces.usage(W),
    linkTotal: workspaces.linkTotal(W, "all"),
    countTags: workspaces.countTags(W, 1),
    keysOfWorkspace: workspaces.keysOfWorkspace(W),
    keyInWorkspace: workspaces.keyInWorkspace(W, "k"),
    keyIsActive: workspaces.keyIsActive(1, 0),
    endKey: workspaces.endKey(1, 0),
    keyById: workspaces.keyById("k"),
    setRevoked: workspaces.setRevoked(1, 0),
    membersOfWorkspace: workspaces.membersOfWorkspace(W),
    setRole: workspaces.setRole(W, "e", "owner"),
    deleteMember: workspaces.deleteMember(W, "e"),
    recordRemoval: workspaces.recordRemoval(W, "e", 0),
    deleteIdleRemovals: workspaces.deleteIdleRemovals(1000),
    memberIs: workspaces.memberIs(W, "e", "owner"),
    hasOtherOwner: workspaces.hasOtherOwner(W, "e"),
    membershipsOf: workspaces.membershipsOf("e"),
    membershipsOfSession: workspaces.membershipsOfSession("h", 0),
    sessionByHash: workspaces.sessionByHash("h", 0),
    signInLinkByHash: workspaces.signInLinkByHash("h", 0),
    isUsable: workspaces.isUsable("h", 0),
    deleteSignInLink: workspaces.deleteSignInLink("h"),
    deleteSignInLinksOf: workspaces.deleteSignInLinksOf("e"),
    deleteSession: workspaces.deleteSession("h"),
    deleteSessionsOf: workspaces.deleteSessionsOf("e"),
    deleteLapsedSessions: workspaces.deleteLapsedSessions(0),
    deleteLapsedSignInLinks: workspaces.deleteLapsedSignInLinks(0),
  },
};
