import { type SQL, sql } from "drizzle-orm";
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
import * as assignment from "../../src/links/assignment";
import * as bulk from "../../src/links/bulk";
import * as bulkChanges from "../../src/links/bulk-changes";
import * as changes from "../../src/links/changes";
import * as listing from "../../src/links/listing";
import type { LinkFilter } from "../../src/links/listing-filter";
import * as links from "../../src/links/repository";
import type { LinkSort } from "../../src/links/schema";
import * as search from "../../src/links/search";
import * as totals from "../../src/links/totals";
import * as removal from "../../src/removal/repository";
import * as slugChanges from "../../src/slugs/changes";
import * as slugLimits from "../../src/slugs/limits";
import * as slugs from "../../src/slugs/repository";
import * as tags from "../../src/tags/repository";
import * as workspaces from "../../src/workspaces/repository";

// Every query of the repositories. The values say nothing; variants stand where the SQL depends on them.

/** A query, a batch of them, or an expression that stands in one. */
export type Entry = Statement | readonly Statement[] | SQL;

/** What the same modules export besides. */
export const WITHOUT_PLAN = [
  // Parts of queries, and what is no SQL.
  ...["links/repository.selectLinks", "links/repository.thisLink", "links/search.matches"],
  ...["links/repository.tagsIn", "links/repository.groupOf", "links/search.isIndexed"],
  ...["links/search.isDropped", "links/search.indexing", "links/search.unindexing"],
  ...["links/changes.mayChangeTarget", "links/changes.targetDiffers", "links/changes.columnsWith"],
  ...["links/totals.countedFor", "links/totals.keysOf", "links/bulk.slugKeysOf"],
  "slugs/limits.claimsWith",
  // The name of a column.
  "backup/repository.placeName",
  // The search table itself.
  ...["links/search.dropIndex", "links/search.createIndex"],
  // Rows of values. Each is prepared for the columns of the first row, which must be those that a service sends.
  ...["activity-groups/repository.insertGroup", "links/changes.insertLink", "tags/repository.insertTag"],
  ...["workspaces/repository.insertWorkspace", "workspaces/repository.insertApiKey"],
  ...["workspaces/repository.insertMember", "workspaces/repository.insertSignInLink"],
  ...["workspaces/repository.insertSession"],
];

const W = 1;
const KEEP = { campaign: { kind: "keep" } } as const;
const INHERIT = { campaign: { kind: "inherit", explicitStays: false } } as const;
const REGROUP = { activityGroup: 2, campaign: { kind: "inherit", explicitStays: true } } as const;
const RESERVATION = { apiKeyId: 1, key: "k", fingerprint: "f", operationId: "o" };
const CHANGE = { workspaceId: W, actor: "a", action: "a", subject: "s", at: 0 };
const ANY_GROUP = { id: undefined, slug: undefined, search: undefined, type: undefined, status: undefined };
const NAMED = { id: "n", slug: "n" };
const FIRST = { after: undefined, offset: 0, limit: 26 };
const ASSET = { public_id: "a", name: "n", kind: "poster", status: "draft" } as const;
const ROW = {
  id: 1,
  public_id: "l",
  channel: "email",
  archived_at: null,
  group: { ...links.NO_GROUP, id: 1, public_id: "g" },
  tags: JSON.stringify([{ id: 1, public_id: "t" }]),
} as links.LinkRow;
const TRAIL: audit.AuditFilter = {
  actor: undefined,
  subject: undefined,
  action: undefined,
  from: undefined,
  to: undefined,
  before: undefined,
};
const MADE: bulk.BulkLink = {
  operation_id: "o",
  change: {},
  tags: [1],
  old_slug_keys: [],
  row: {
    public_id: "l",
    slug: "s",
    slug_key: "s",
    destination_url: "https://www.example.com/",
    destination_key: "https://www.example.com/",
    destination_host: "www.example.com",
    title: null,
    title_key: null,
    channel: "email",
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    utm_campaign_origin: "inherited",
    activity_group_id: 1,
    archived_at: null,
    check_at: null,
  },
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
  indexed: true,
};
const NARROWED: Record<string, Partial<LinkFilter>> = {
  tag: { tags: [NAMED] },
  group: { group: NAMED },
  channel: { channel: "email" },
  "status=archived": { status: "archived" },
  "status=all": { status: "all" },
  "tag, status=all": { tags: [NAMED], status: "all" },
  slug: { slugKey: "s" },
  "group, channel": { group: NAMED, channel: "email" },
  "two tags": { tags: [NAMED, { id: "m", slug: "m" }] },
  q: { search: "sale" },
  "short q": { search: "sa" },
  "q, tag": { search: "sale", tags: [NAMED] },
  "q, not indexed": { search: "sale", indexed: false },
};
const AFTER: Record<LinkSort, [number | string | null, string]> = {
  "-created_at": [0, "l"],
  created_at: [0, "l"],
  "-updated_at": [0, "l"],
  updated_at: [0, "l"],
  slug: ["s", "l"],
  title: ["t", "l"],
};

function listings(): Record<string, Entry> {
  const entries: Record<string, Entry> = {};
  const page = (name: string, filter: LinkFilter, sort: LinkSort, after?: (typeof AFTER)[LinkSort]) => {
    const variant = `${name}, ${sort}${after === undefined ? "" : `, after ${after[0]}`}`;
    entries[`pageOfLinks (${variant})`] = listing.pageOfLinks(W, filter, sort, { ...FIRST, after });
  };
  for (const sort of Object.keys(AFTER) as LinkSort[]) {
    page("no filter", FILTER, sort);
    page("no filter", FILTER, sort, AFTER[sort]);
  }
  page("no filter", FILTER, "title", [null, "l"]);
  for (const [name, narrowed] of Object.entries(NARROWED)) {
    const filter = { ...FILTER, ...narrowed };
    const total = listing.totalOf(W, filter);
    if (total !== "workspace") entries[`totalOf (${name})`] = total;
    page(name, filter, "-created_at");
    page(name, filter, "-created_at", AFTER["-created_at"]);
    page(name, filter, "title");
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
    entries[`changedRows (${table})`] = backup.changedRows(kept, { last: W }, { names: "[]" });
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
  "links/repository": {
    linksAfter: links.linksAfter(W, "l", 500),
    linkAtPlace: links.linkAtPlace(W, 10_000),
    oldSlugsAfter: links.oldSlugsAfter(W, "l", 500),
    linkAnywhere: links.linkAnywhere("l", "s"),
    takeDownRow: links.takeDownRow(1, 0, "check"),
    putBackRow: links.putBackRow(1),
    dueChecks: links.dueChecks(0, 0, 1_000),
    setVerdicts: links.setVerdicts([{ id: 1, host: "example.com", verdict: "ok", check_at: 0 }]),
    checkUnchecked: links.checkUnchecked(0, 1_000),
    linkById: links.linkById(W, "l"),
    linkByIdOrSlug: links.linkByIdOrSlug(W, "l", "s"),
    linkRowId: links.linkRowId(W, "l"),
    linkIsThere: links.linkIsThere(W, "l", 1),
    linkStandsAsRead: links.linkStandsAsRead({ id: 1, version: 1, taken_down_by: null }),
    linkMayGetSlug: links.linkMayGetSlug(W, "l", 1),
    liveAssetOf: links.liveAssetOf(W, "l"),
    liveAssetsOf: links.liveAssetsOf(W, "l"),
    standingOf: links.standingOf(W, "l"),
    isOnNoLiveAsset: links.isOnNoLiveAsset(W, "l"),
    linkSnapshot: links.linkSnapshot(W, "l"),
    tagsSnapshot: links.tagsSnapshot(W, "l"),
    snapshotOf: links.snapshotOf(ROW, true),
  },
  "links/assignment": {
    beginItem: assignment.beginItem(W, "l", 1, null, 0),
    endItem: assignment.endItem(W, 1, 0),
    "moveItem (group)": assignment.moveItem(W, ROW, { activityGroup: 2 }, 0),
    "moveItem (channel)": assignment.moveItem(W, ROW, { channel: "sms" }, 0),
  },
  "links/changes": {
    changesTarget: changes.changesTarget(W, "l", INHERIT, 0),
    "updateLinkRow (title)": changes.updateLinkRow(W, "l", { ...KEEP, title: "t", title_key: "t" }, 0),
    "updateLinkRow (slug)": changes.updateLinkRow(W, "l", { ...KEEP, slug: "s", slug_key: "s" }, 0),
    "updateLinkRow (archived)": changes.updateLinkRow(W, "l", { ...KEEP, archived: true }, 0),
    "updateLinkRow (campaign)": changes.updateLinkRow(W, "l", INHERIT, 0),
    "updateLinkRow (group)": changes.updateLinkRow(W, "l", REGROUP, 0),
    setStatusOfTags: changes.setStatusOfTags(1, 0),
    attachTags: changes.attachTags(W, "l", ["t"]),
    hasRoomForTags: changes.hasRoomForTags(W, "l", 20),
    detachTag: changes.detachTag(W, "l", "t"),
    detachTags: changes.detachTags(W, "l", ["t"]),
    isTagged: changes.isTagged(W, "l", "t"),
    bumpVersion: changes.bumpVersion(W, "l"),
    softDelete: changes.softDelete(W, ROW, 0),
  },
  "links/bulk": {
    doneOperations: bulk.doneOperations(["o"]),
    hasRoomForLinks: bulk.hasRoomForLinks(W, 1),
    areNew: bulk.areNew(W, [MADE]),
    insertLinks: bulk.insertLinks(W, "a", [MADE], 0),
    replaceTag: bulk.replaceTag(W, "a", { id: 1, public_id: "t" }, { id: 2, public_id: "u" }, 0),
  },
  "links/bulk-changes": {
    linksByIds: bulkChanges.linksByIds(W, ["l"]),
    linksAreAt: bulkChanges.linksAreAt(W, [{ id: 1, version: 1 }]),
    linksWithTag: bulkChanges.linksWithTag([1], 1, 0),
    "auditLinks (link)": bulkChanges.auditLinks({ ...CHANGE, change: {} }, "link", [["o", 1]]),
    "auditLinks (tags)": bulkChanges.auditLinks({ ...CHANGE, change: {} }, "tags", [["o", 1]]),
    "updateLinkRows (archived)": bulkChanges.updateLinkRows(W, [1], { ...KEEP, archived: true }, 0),
    "updateLinkRows (group)": bulkChanges.updateLinkRows(W, [1], REGROUP, 0),
    linksWithOtherTarget: sql`(${bulkChanges.linksWithOtherTarget(W, [1], REGROUP, 0)})`,
    setStatusOfTagsOfLinks: bulkChanges.setStatusOfTagsOfLinks(W, [1], true),
    endItems: bulkChanges.endItems(W, [1], 0),
    beginItems: bulkChanges.beginItems(W, [1], 1, 0),
    attachTagToLinks: bulkChanges.attachTagToLinks(W, [1], 1),
    detachTagFromLinks: bulkChanges.detachTagFromLinks(W, [1], 1),
    bumpVersions: bulkChanges.bumpVersions(W, [1]),
    unindexLinks: bulkChanges.unindexLinks(W, [1]),
    indexLinks: bulkChanges.indexLinks(W, [1]),
  },
  "links/totals": {
    moveTotalsOfMany: totals.moveTotalsOfMany(W, [
      [totals.countedFor(ROW), { ...totals.countedFor(ROW), archived: true, group: 2 }],
    ]),
    moveTotals: totals.moveTotals(W, undefined, totals.countedFor(ROW)),
    joinTotalsOfTags: totals.joinTotalsOfTags(W, "l", ["t"]),
    channelsInUse: totals.channelsInUse(W, 10),
    leaveTotalOfTag: totals.leaveTotalOfTag(W, "l", "t"),
  },
  "links/search": {
    indexLink: search.indexLink(W, "l"),
    unindexLink: search.unindexLink(W, "l"),
    unindexLinkAs: search.unindexLinkAs(W, 0, 1),
    lastLinkId: search.lastLinkId,
    indexChunk: search.indexChunk(1).statement,
  },
  "links/listing": listings(),
  "removal/repository": {
    deleteEmptyTotals: removal.deleteEmptyTotals(),
    linksDeletedBefore: removal.linksDeletedBefore(0),
    deleteLinksForGood: removal.deleteLinksForGood([1]),
  },
  "slugs/repository": {
    lastWorkspaceToPush: slugs.lastWorkspaceToPush(),
    workspacesToPush: slugs.workspacesToPush(0, 10, 10),
    dueSlugs: slugs.dueSlugs(0, [{ workspaceId: 1, after: { push_at: 0, key: "s" } }], 10),
    backlog: slugs.backlog(0, 10),
    targetOfSlug: slugs.targetOfSlug("s"),
    slugsOfLink: slugs.slugsOfLink(W, "l"),
    tombstonesOfSlugs: slugs.tombstonesOfSlugs(W, ["s"]),
    rowIdOfLink: slugs.rowIdOfLink(W, "l"),
    slugsToPush: slugs.slugsToPush(W, "l"),
    slugsToPushAmong: slugs.slugsToPushAmong(W, ["s"]),
    claimOnSlug: slugs.claimOnSlug(W, "s"),
    claimsOnSlugs: slugs.claimsOnSlugs(W, ["s"]),
    slugIsFree: slugs.slugIsFree(W, "s", "l"),
    openSlugOfRow: slugs.openSlugOfRow(W, "s", 1, 0),
    openSlug: slugs.openSlug(W, "s", "l", 0),
    outdateSlugs: slugs.outdateSlugs(W, 1, changes.changesTarget(W, "l", REGROUP, 0), 0),
    outdateSlugsOfLinks: slugs.outdateSlugsOfLinks(
      W,
      bulkChanges.linksWithOtherTarget(W, [1], REGROUP, 0),
      0,
    ),
    slugsToPushOfLinks: slugs.slugsToPushOfLinks(W, [1]),
    releaseSlugs: slugs.releaseSlugs(W, 1, 0),
    settleSlug: slugs.settleSlug("s", 1, 0, 0),
    settleSlugs: slugs.settleSlugs([{ key: "s", rev: 1 }], 0, 0),
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
    linkHasRoomForSlug: slugLimits.linkHasRoomForSlug(W, 1, "s", 100),
    isUnclaimed: slugLimits.isUnclaimed("s"),
    areUnclaimed: slugLimits.areUnclaimed(["s"]),
    countClaims: slugLimits.countClaims(W, 1),
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
    hasRoomForLink: workspaces.hasRoomForLink(W),
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
