import { type SQL, sql } from "drizzle-orm";
import * as apiKeys from "../../../src/access/key-repository";
import * as members from "../../../src/access/member-repository";
import * as passkeys from "../../../src/access/passkey-repository";
import * as sessions from "../../../src/access/session-repository";
import * as workspaceStatements from "../../../src/access/workspace-statements";
import * as applying from "../../../src/analytics/apply-repository";
import * as names from "../../../src/analytics/names-repository";
import * as origins from "../../../src/analytics/origin-repository";
import * as owners from "../../../src/analytics/owners";
import * as queue from "../../../src/analytics/queue-repository";
import * as reports from "../../../src/analytics/report-repository";
import * as unknownCounts from "../../../src/analytics/unknown-repository";
import * as auditLog from "../../../src/db/audit";
import type { Statement } from "../../../src/db/prepared";
import { savedViews } from "../../../src/db/schema/views";
import * as idempotency from "../../../src/http/idempotency/idempotency-repository";
import { rangeOfDays } from "../../../src/lib/range";
import { SHORT_HOST, settingsKey, slugKey } from "../../../src/lib/slug-text";
import * as alerts from "../../../src/operations/alerts/alert-repository";
import * as backup from "../../../src/operations/backup/backup-repository";
import { fileColumns, TABLES } from "../../../src/operations/backup/backup-tables";
import * as missing from "../../../src/operations/backup/missing-repository";
import * as restoring from "../../../src/operations/backup/restore-repository";
import * as health from "../../../src/operations/health/health-repository";
import * as moderation from "../../../src/operations/moderation/moderation-repository";
import * as removal from "../../../src/operations/retention/retention-repository";
import * as slugChanges from "../../../src/redirect/slugs/statements/changes";
import * as marks from "../../../src/redirect/slugs/statements/marks";
import * as outbox from "../../../src/redirect/slugs/statements/outbox";
import * as slugOwners from "../../../src/redirect/slugs/statements/slug-owners";
import * as slugs from "../../../src/redirect/slugs/statements/targets";
import * as wide from "../../../src/redirect/slugs/statements/wide";
import * as groups from "../../../src/resources/activity-groups/group-repository";
import * as groupStatements from "../../../src/resources/activity-groups/group-statements";
import * as audit from "../../../src/resources/audit/audit-repository";
import * as auditEntries from "../../../src/resources/audit/audit-statements";
import * as channels from "../../../src/resources/channels/channel-statements";
import * as codeBrandings from "../../../src/resources/code-brandings/code-branding-statements";
import * as hosts from "../../../src/resources/destinations/destination-statements";
import * as domains from "../../../src/resources/domains/domain-repository";
import * as assets from "../../../src/resources/engagement/asset-repository";
import * as assetStatements from "../../../src/resources/engagement/asset-statements";
import * as events from "../../../src/resources/events/event-statements";
import * as sending from "../../../src/resources/events/message-repository";
import * as receiving from "../../../src/resources/events/receiver-repository";
import * as telling from "../../../src/resources/events/visits-repository";
import * as imports from "../../../src/resources/imports/import-repository";
import * as importRows from "../../../src/resources/imports/import-row-repository";
import * as exported from "../../../src/resources/links/export-repository";
import * as linkDays from "../../../src/resources/links/link-day-statements";
import * as outlines from "../../../src/resources/links/link-outlines-repository";
import * as links from "../../../src/resources/links/link-repository";
import * as linkStatements from "../../../src/resources/links/link-statements";
import type { LinkFilter } from "../../../src/resources/links/list/list-filter";
import * as list from "../../../src/resources/links/list/list-query";
import { selectListedLinks } from "../../../src/resources/links/list/listed-query";
import * as found from "../../../src/resources/links/list/search-query";
import * as search from "../../../src/resources/links/search-table";
import * as derivedRows from "../../../src/resources/links/write/derived-rows";
import * as guards from "../../../src/resources/links/write/link-guards";
import * as rows from "../../../src/resources/links/write/link-rows";
import * as linkSlugs from "../../../src/resources/links/write/link-slugs";
import type { LinkChange } from "../../../src/resources/links/write/link-state";
import * as totals from "../../../src/resources/links/write/link-totals";
import * as removing from "../../../src/resources/links/write/remove-tag";
import * as overview from "../../../src/resources/overview/overview-repository";
import * as sentReports from "../../../src/resources/reports/report-link-repository";
import * as tags from "../../../src/resources/tags/tag-statements";
import * as unknown from "../../../src/resources/unknown-addresses/unknown-statements";
import * as workspaces from "../../../src/resources/workspaces/workspace-repository";
import { GROUP, row, tag } from "../../resources/links/write/links";
import { FILTER, LISTS, type List } from "./lists";

// The queries of the repositories that are more than a call with ones, which `statements.ts` makes. Values are arbitrary, and
// there are variants if the SQL depends on them.

/** A query, a batch of queries, or an expression in a query. */
export type Entry = Statement | readonly Statement[] | SQL;

/** The other exports of the same modules. */
export const WITHOUT_PLAN = [
  // Parts of queries, and exports that are not SQL.
  ...["selectLinks", "findGroup", "toTagsInLink"].map((name) => `resources/links/link-repository.${name}`),
  ...["selectLinkSizes", "selectPreviewed"].map((name) => `resources/links/link-outlines-repository.${name}`),
  "resources/links/link-statements.whereIds",
  ...["batchOfImport", "selectBatch", "selectEntriesOfImport"].map(
    (name) => `resources/audit/audit-statements.${name}`,
  ),
  ...["linksCounted", "linksOfWorkspace"].map((name) => `access/workspace-statements.${name}`),
  ...["access/workspace-statements.primaryPrefix", "redirect/slugs/statements/slug-owners.selectNamedKey"],
  ...[
    ...["isIndexDropped", "requiredWords", "toExpression", "whereMatches", "whereMatchesFilter"].map(
      (name) => `resources/links/list/search-query.${name}`,
    ),
    "resources/links/search-table.toSearchRowId",
    "resources/links/search-table.asInteger",
    "resources/links/search-table.insertSearchRows",
  ],
  ...["linksByKey", "linksOfGroup", "linksOfTag", "countedAssets"].map(
    (name) => `analytics/report-repository.${name}`,
  ),
  ...["daysOf", "mostVisited"].map((name) => `analytics/day-statements.${name}`),
  ...["linksInGroup", "newestLinksInGroup", "assetsInGroup"].map(
    (name) => `analytics/count-statements.${name}`,
  ),
  "resources/imports/import-statements.selectRowId",
  ...["selectRowsOfTag", "tagJson"].map((name) => `resources/tags/tag-statements.${name}`),
  "resources/workspaces/workspace-repository.toFields",
  "resources/links/link-statements.joinLinkTotals",
  // `doctor --deep` reads whole tables, by any plan.
  ...[
    "checkForeignKeys",
    "selectDamage",
    "selectAddresses",
    "selectLowTotals",
    "raiseTotals",
    "selectSchema",
  ].map((name) => `operations/consistency/deep-statements.${name}`),
  "resources/activity-groups/group-statements.wherePastEnd",
  "resources/destinations/destination-statements.selectBrokenLinkIds",
  "redirect/slugs/statements/blocked-host.whereHostBlocked",
  ...["rankOf", "marked", "leadsTo", "isBelow"].map((name) => `redirect/slugs/statements/marks.${name}`),
  ...["link-totals.totalDifferences", "audit-entries.toAuditEntries"].map(
    (name) => `resources/links/write/${name}`,
  ),
  // The name of a column.
  "operations/backup/backup-repository.cursorColumn",
  // The search table itself.
  "resources/links/search-table.replaceSearchTable",
  // Rows of values. Each is prepared for the columns of the first row, which must be those that a service sends.
  "resources/activity-groups/group-repository.insertGroup",
  ...["resources/workspaces/workspace-repository.insertWorkspace", "access/key-repository.insertApiKey"],
  ...["access/member-repository.insertMember", "access/session-repository.insertSignInLink"],
  ...["access/session-repository.insertSession"],
];

const W = 1;
const HOUR_MS = 3_600_000;
const RESERVATION = { apiKeyId: 1, key: "k", fingerprint: "f", operationId: "o", status: 201 };
const DATED_GROUP = {
  ...{ id: 1, public_id: "g", version: 1, name: "n", ends_links: 0 },
  ...{ starts_at: 0, ends_at: null, starts_on: "2026-05-01", ends_on: null },
};
const CHANGE = { workspaceId: W, actor: "a", action: "a", subject: "s", at: 0 };
const NAMED = { id: "n", slug: "n" };
const FIRST = { after: undefined, offset: 0, limit: 26 };
const BEHIND_GROUP = { ...FIRST, after: ["n", "g"] };
const IMPORTED = { after: 0, offset: 0, limit: 100 };
const ASSET = {
  public_id: "a",
  code: "s",
  name: "n",
  kind: "poster",
  status: "draft",
  place: null,
  quantity: null,
  live_at: null,
  retired_at: null,
  created_at: 0,
  updated_at: 0,
} as const;
const NEW_TAG = { public_id: "t", name: "t", name_key: "t", slug: "t", colour: null, description: null };
const RECEIVER = {
  ...{ id: 1, public_id: "r", workspace_id: W, name: null, url: "u", host: "h", kinds: "[]", is_on: 1 },
  ...{ switched_off_at: null, switched_off_by: null, failing_since: null, visits_from: null, created_at: 0 },
};

const DOMAIN: domains.DomainRow = {
  id: 1,
  public_id: "d",
  workspace_id: 1,
  host: "h",
  state: "verified",
  token: "t",
  is_primary: 0,
  root_url: null,
  root_host: null,
  not_found_url: null,
  apple_app_site_association: null,
  assetlinks: null,
  not_found_host: null,
  failing_since: null,
  checked_at: null,
  removed_at: null,
  released_at: null,
  created_at: 0,
};
const KEY = slugKey(SHORT_HOST, "s");
const NAMED_KEY = slugOwners.selectNamedKey({ shortHost: "s.example" }, W, "s");
const TAG = tag(1);
const ROW = row({ external_id: "e", group: GROUP, tags: [TAG] });
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
      group: { ...GROUP, id: 2 },
      tags: [{ ...TAG, id: 2 }],
      archived_at: 0,
    },
  },
];
/** Too many values to bind separately, so they are bound as JSON. */
const MANY: LinkChange[] = Array.from({ length: 30 }, () => MOVED).flat();
const RULES = JSON.stringify([{ destination_url: "https://example.com/", countries: ["CH"] }]);
const RULED: LinkChange[] = [{ was: { ...ROW, rules: "[]" }, will: { ...ROW, rules: RULES } }];
const OF_LINK = { id: "l", slugKey: NAMED_KEY };
const TRAIL: audit.AuditFilter = {
  actor: undefined,
  subject: undefined,
  action: undefined,
  from: undefined,
  to: undefined,
  batch: undefined,
  before: undefined,
};

const SAVED_CHANNEL = {
  ...{ public_id: "c", workspace_id: W, name: "n", name_key: "n", tag_ids: "[]", created_at: 0 },
  ...{ utm_source: null, utm_medium: null, channel: null, slug_pattern: null },
};

const CODE_BRANDING = {
  ...{ id: 1, public_id: "b", workspace_id: W, name: "n", name_key: "n", created_at: 0 },
  ...{ colour: "#0b3d91", call: null, page_logo: 0, logo: null },
};

const ALL_FILTERS: LinkFilter = {
  ...FILTER,
  tags: [NAMED, { id: "m", slug: "m" }],
  group: NAMED,
  channel: "email",
  utm_source: "a",
  utm_medium: "email",
  utm_campaign: "spring",
  domain: "h",
  q: "sale",
};

const selectList = ({ plan, sort, isPage, after, exactFirst = false }: List): Entry =>
  isPage
    ? list.selectLinkPage(W, plan, sort, { ...FIRST, after, exactFirst }, selectListedLinks)
    : list.countLinks(W, plan, sort);

const PREFIXED = { external_id_prefix: "e" };

const lists: Record<string, Entry> = {
  "selectSizes (all)": list.selectSizes(W, ALL_FILTERS),
  "selectSizes (short host)": list.selectSizes(W, { ...FILTER, domain: "" }),
  "countSet (search)": list.countSet(W, { ...FILTER, q: "sale" }, "search"),
  "countSet (search, up to the stored sizes)": list.countSet(W, ALL_FILTERS, "search"),
  "countSet (search, up to the prefix)": list.countSet(W, { ...FILTER, ...PREFIXED, q: "sale" }, "search"),
  ...Object.fromEntries(
    [
      { ...FILTER, ...PREFIXED },
      { ...FILTER, ...PREFIXED, status: "all" as const },
      { ...ALL_FILTERS, ...PREFIXED },
    ].map((filter, number) => [
      `countSet (prefix ${number})`,
      list.countSet(W, filter, "external_id_prefix"),
    ]),
  ),
  ...Object.fromEntries([...LISTS].map(([name, made]) => [name, selectList(made)])),
};

/** Days in a time zone whose clock is changed within them. */
const RANGE = rangeOfDays("UTC", 20_000, 20_029);
const HOURS: reports.Hours = {
  from: 0,
  to: 3 * HOUR_MS,
  offsets: [
    { from: 0, offset: HOUR_MS },
    { from: HOUR_MS, offset: 2 * HOUR_MS },
  ],
};

const SCOPES: Record<string, owners.ReportSubject> = {
  workspace: { workspace: true },
  group: { group: "g" },
  link: { link: "l" },
  asset: { asset: "a" },
};

/** The links, groups and assets whose visits are counted by key. */
const OWNERS = {
  "links by id": ["link", owners.ownersByIds("link", W, ["l"])],
  "links of a group": ["link", reports.linksOfGroup(W, "g", 0, "public_id")],
  "channels of a group": ["link", reports.linksOfGroup(W, "g", 0, "channel")],
  "links of a tag": ["link", reports.linksByKey(reports.linksOfTag(W, "t", 0), "public_id")],
  "assets of a group": ["asset", reports.countedAssets(W, "g")],
} as const;

function visitReports(): Record<string, Entry> {
  const entries: Record<string, Entry> = {};
  for (const [name, scope] of Object.entries(SCOPES)) {
    const [kind, owner] = owners.ownerOf(W, scope);
    entries[`selectTotals (${name})`] = reports.selectTotals(W, scope);
    entries[`selectTimeSeries (${name})`] = reports.selectTimeSeries(kind, owner, HOURS, "day");
    entries[`selectOrigins (${name})`] = reports.selectOrigins(kind, owner, HOURS);
  }
  for (const [name, [kind, counted]] of Object.entries(OWNERS))
    entries[`selectCountsByKey (${name})`] = reports.selectCountsByKey(kind, counted, HOURS, "range");
  const tagged = reports.linksOfTag(W, "t", 0);
  entries["selectTimeSeries (tag)"] = reports.selectTimeSeries("link", tagged, HOURS, "hour");
  entries["selectOrigins (tag)"] = reports.selectOrigins("link", tagged, HOURS);
  return entries;
}

function originReports(): Record<string, Entry> {
  const from = { origin: "country", values: ["CH"] } as const;
  const tagged = reports.linksOfTag(W, "t", 0);
  return {
    selectDaysFrom: origins.selectDaysFrom("link", owners.ownerById("link", W, "l"), HOURS, from),
    "selectDaysFrom (tag)": origins.selectDaysFrom("link", tagged, HOURS, from),
    "selectLinksFrom (tag)": origins.selectLinksFrom(tagged, HOURS, from),
    "selectLinksFrom (group)": origins.selectLinksFrom(OWNERS["links of a group"][1], HOURS, from),
    selectMostVisitedFrom: origins.selectMostVisitedFrom(W, RANGE, from),
  };
}

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
  "resources/links/list/list-query": lists,
  "access/key-repository": {
    selectKeyByHash: apiKeys.selectKeyByHash("h"),
    updateLastUse: apiKeys.updateLastUse(1, 0, 0),
  },
  "access/member-repository": {
    selectMemberships: members.selectMemberships("e"),
    selectMembershipsOfSession: members.selectMembershipsOfSession("h", 0),
  },
  "resources/workspaces/workspace-repository": {
    "selectWorkspaceOf (group)": workspaces.selectWorkspaceOf("group", "g"),
    "selectWorkspaceOf (link)": workspaces.selectWorkspaceOf("link", "l"),
    updateWorkspaceRow: workspaces.updateWorkspaceRow(W, { name: "n" }, 0),
    ensureWorkspaceUnchanged: workspaces.ensureWorkspaceUnchanged({ id: W } as never, { name: "n" }),
  },
  "access/session-repository": {
    selectSession: sessions.selectSession("h", 0),
    updateSessionUse: sessions.updateSessionUse(
      "h",
      { last_used_at: 0, expires_at: 0, device: null, country: null },
      0,
    ),
  },
  "access/workspace-statements": {
    selectWorkspaceBySlug: workspaceStatements.selectWorkspaceBySlug("w"),
    ensureRoom: workspaceStatements.ensureRoom(W, "key", 1, 0),
    selectRoom: workspaceStatements.selectRoom(W, "asset", 1, 0),
    selectUsage: workspaceStatements.selectUsage(W),
    selectLinkTotal: workspaceStatements.selectLinkTotal(W, "all"),
    selectServedDomains: workspaceStatements.selectServedDomains(W),
    ensureDomainsServed: workspaceStatements.ensureDomainsServed(W, ["go.acme.example"]),
  },
  "analytics/unknown-repository": {
    addUnknown: unknownCounts.addUnknown([["go.acme.example/s", [[null, 0, 0, 0, 0, 1, null]], []]], 0),
  },
  "analytics/apply-repository": {
    selectOwners: [...applying.selectOwners(["l"], ["a"], [1, 2], 0)],
    addCounts: applying.addCounts(
      (["workspace", "group", "link", "asset"] as const).map((kind) => ({
        ...{ workspace: W, kind, id: 1, days: { 0: { visits: 1, origins: {} } }, last: 1, retiredAt: 1 },
        hours: { 0: [1, 1, 1, 1] },
      })),
      { 1: 1 },
      [],
      { told: [{ id: 1, workspace_id: W }], linkOf: new Map([[1, "l"]]) },
    ),
  },
  "analytics/names-repository": {
    selectLinkNames: names.selectLinkNames(W, ["l"]),
    selectLinkTargets: names.selectLinkTargets(W, ["l"]),
    selectAssetsOfLink: names.selectAssetsOfLink(W, "l", HOURS),
  },
  "analytics/queue-repository": {
    insertBatch: queue.insertBatch("b", Date.UTC(2026, 0), { hours: [], days: [] }),
    insertRun: queue.insertRun(1, null, ["b"]),
    deleteBatches: queue.deleteBatches(["b"]),
  },
  "analytics/origin-repository": originReports(),
  "analytics/report-repository": {
    ...visitReports(),
    "selectIsTooMany (workspace)": reports.selectIsTooMany(W, undefined, 0),
    "selectIsTooMany (group)": reports.selectIsTooMany(W, "g", 0),
    selectVisitsOfTags: reports.selectVisitsOfTags(W, HOURS),
    "selectMostVisited (links)": reports.selectMostVisited(W, "link", RANGE),
    "selectMostVisited (groups)": reports.selectMostVisited(W, "group", RANGE),
    selectOriginsByDay: reports.selectOriginsByDay("group", owners.ownerById("group", W, "g"), HOURS),
  },
  "db/audit": {
    insertAuditRow: auditLog.insertAuditRow("o", CHANGE),
    insertAuditRows: auditLog.insertAuditRows({ ...CHANGE, at: 1, others: [{ subject: "s", change: {} }] }),
    insertAuditEntries: auditLog.insertAuditEntries("a", [["o", W, "a", "s", null, "{}"]], 0, null),
    selectTakenOperation: auditLog.selectTakenOperation({ ...CHANGE, operation: "o" }) ?? [],
    abortUnless: auditLog.abortUnless(sql`true`),
    ensureRow: auditLog.ensureRow(savedViews, { public_id: "v", workspace_id: W }),
  },
  "http/idempotency/idempotency-repository": {
    upsertReservation: idempotency.upsertReservation(RESERVATION, 0, 0, 0),
    selectHolder: idempotency.selectHolder(RESERVATION),
    ensureReserved: idempotency.ensureReserved(RESERVATION),
    updateAnswer: idempotency.updateAnswer(RESERVATION, { status: 201, body: "", etag: null }),
    deleteReservation: idempotency.deleteReservation(RESERVATION),
  },
  "access/passkey-repository": {
    ensureOpensOne: passkeys.ensureOpensOne({ email: "e", workspaces: null, closed: "." }),
  },
  "operations/alerts/alert-repository": {
    composeMessage: alerts.composeMessage(
      [{ id: 1 }, { id: 2 }],
      { event: "m", body: "{}", createdAt: 0 },
      0,
    ),
    insertTest: alerts.insertTest({ event: "m", body: "{}", createdAt: 0 }),
    deleteAlertsBefore: alerts.deleteAlertsBefore(1),
  },
  "operations/backup/backup-repository": {
    ...backups(),
  },
  "operations/backup/missing-repository": {
    selectOwners: missing.selectOwners(["s"]),
    selectStates: missing.selectStates(TABLES.links, W, [["l", "l", "s", 0]]),
    insertRecoveries: missing.insertRecoveries(TABLES.links, [["o", "l", "l"]], {
      ...{ actor: "a", action: "a", at: 0 },
    }),
    selectRecovered: missing.selectRecovered("a", "b", 1),
    selectOpenable: missing.selectOpenable(W, [["s", "l"]]),
    ensureOpenable: missing.ensureOpenable(W, [["s", "l"]]),
  },
  "operations/backup/restore-repository": {
    ...restores(),
    selectSlugsOfOthers: restoring.selectSlugsOfOthers(W, ["s"]),
    selectHostsOfOthers: restoring.selectHostsOfOthers(W, ["s"]),
    insertRestoreStep: restoring.insertRestoreStep([["o", "w"]], "a", "a", 0),
  },
  "operations/health/health-repository": {
    insertDestinations: health.insertDestinations([{ url: "u", host: "h", domain: "d", workspace_id: W }], 0),
    queueDomains: health.queueDomains([{ domain: "d", free_at: 0 }]),
    selectLinksToTell: health.selectLinksToTell(["u"], 200),
  },
  "operations/moderation/moderation-repository": {
    selectLinkAnywhere: moderation.selectLinkAnywhere("l", "s"),
    updateTakedownOfLink: moderation.updateTakedownOfLink(1, 0, "check"),
    selectLinksNamed: moderation.selectLinksNamed([["n", "l", "s"]]),
    ensureToBeTakenDown: moderation.ensureToBeTakenDown([{ id: 1, version: 1 }]),
    updateOperatorTakedowns: moderation.updateOperatorTakedowns([1], 0),
    ensureLinkUnchanged: moderation.ensureLinkUnchanged({ id: 1, version: 1, taken_down_by: null }),
  },
  "operations/retention/retention-repository": {
    deleteLinksPermanently: removal.deleteLinksPermanently([1]),
  },
  "redirect/slugs/statements/changes": {
    ensureSlugUnchanged: slugChanges.ensureSlugUnchanged({
      key: KEY,
      workspace_id: W,
      link_id: null,
      asset: null,
      taken_down_at: 0,
      doubt_until: null,
    }),
  },
  "redirect/slugs/statements/slug-owners": {
    countSlugsOfLinks: slugOwners.countSlugsOfLinks(W, ["l"]),
    selectSlugOwner: slugOwners.selectSlugOwner(W, KEY),
    selectSlugOwners: slugOwners.selectSlugOwners(W, ["s"]),
    selectSlugOwnerOnPrimary: slugOwners.selectSlugOwnerOnPrimary(W, "s"),
    selectNextSlugOwner: slugOwners.selectNextSlugOwner(W, "l", "go.acme.example", undefined),
    selectSlugState: slugOwners.selectSlugState(W, undefined, "s")[1],
  },
  "redirect/slugs/statements/marks": {
    ...Object.fromEntries(
      (["links", "activity_groups", "link_rules", "offline_assets", "asset_names", "slugs"] as const).map(
        (table) => [`markSlugs (${table})`, marks.markSlugs(table, W, ["s"], { at: 0, rank: 0 })],
      ),
    ),
    upsertSlugs: marks.upsertSlugs(W, [["s", "l"]], 0, 0),
    markSettings: marks.markSettings(KEY, W, 0),
    markSettingsTo: marks.markSettingsTo("h", 0),
  },
  "redirect/slugs/statements/outbox": {
    updateWritten: outbox.updateWritten([[KEY, 1]], { readAt: 0, secondAt: 0, doubtUntil: 0 }),
  },
  "redirect/slugs/statements/wide": Object.fromEntries(
    (["workspace", "domain", "host"] as const).flatMap((kind) => {
      const row = { kind, name: "1", cursor: "0" };
      return [
        [`openWide (${kind})`, wide.openWide(kind, 1, 0)],
        [`markChunk (${kind})`, wide.markChunk(row, 0)],
      ];
    }),
  ),
  "redirect/slugs/statements/targets": {
    selectTarget: slugs.selectTarget(KEY) ?? [],
    selectTargets: slugs.selectTargets([KEY, settingsKey("group", "G"), settingsKey("workspace", W)]),
    selectTargetsOfCodes: slugs.selectTargetsOfCodes(W, ["a"]),
    selectKeysOfLink: slugs.selectKeysOfLink(W, "l"),
    selectTombstones: slugs.selectTombstones(W, ["s"]),
    selectSlugsToWrite: slugs.selectSlugsToWrite(W, ["l"]),
  },
  "resources/activity-groups/group-repository": {
    countGroups: groups.countGroups(W, {}),
    "countGroups (q)": groups.countGroups(W, { search: "q" }),
    "countGroups (archived)": groups.countGroups(W, { status: "archived" }),
    selectGroupPage: groups.selectGroupPage(W, {}, FIRST),
    "selectGroupPage (after)": groups.selectGroupPage(W, {}, BEHIND_GROUP),
    "selectGroupPage (q)": groups.selectGroupPage(W, { search: "q" }, FIRST),
    "selectGroupPage (id)": groups.selectGroupPage(W, { id: "g" }, FIRST),
    "selectGroupPage (slug)": groups.selectGroupPage(W, { slug: "g" }, FIRST),
    selectCountedGroup: groups.selectCountedGroup(W, "g"),
    selectListedGroups: groups.selectListedGroups(W, {}, FIRST),
    "selectListedGroups (open)": groups.selectListedGroups(W, { isOpen: true }, FIRST),
    "selectListedGroups (past end)": groups.selectListedGroups(W, { pastEnd: 0 }, FIRST),
    "selectListedGroups (q)": groups.selectListedGroups(W, { search: "q" }, FIRST),
    ensureGroupsUnchanged: groups.ensureGroupsUnchanged([["g", 1]]),
    selectGroup: groups.selectGroup(W, "g"),
    selectSimilarSlugs: groups.selectSimilarSlugs(W, "g"),
    updateGroupRow: groups.updateGroupRow(W, "g", { name: "n" }),
    updateStatuses: groups.updateStatuses([["g", "active"]], 1),
  },
  "resources/activity-groups/group-statements": {
    selectGroupsNamed: groupStatements.selectGroupsNamed(W, ["g"]) ?? [],
    selectGroupNamed: groupStatements.selectGroupNamed(W, "g") ?? [],
    selectZone: groupStatements.selectZone(W),
    ensureDatedGroups: groupStatements.ensureDatedGroups(W, [DATED_GROUP]),
    updateGroupDates: groupStatements.updateGroupDates(W, [DATED_GROUP], 0),
  },
  "resources/audit/audit-repository": {
    selectAuditPage: audit.selectAuditPage(W, TRAIL, 51, 5_000),
    "selectAuditPage (behind)": audit.selectAuditPage(W, { ...TRAIL, before: "o" }, 51, 5_000),
    "selectAuditPage (subject)": audit.selectAuditPage(W, { ...TRAIL, subject: OF_LINK }, 51, 51),
    "selectAuditPage (actor)": audit.selectAuditPage(W, { ...TRAIL, actor: "a" }, 51, 5_000),
    "selectAuditPage (action)": audit.selectAuditPage(W, { ...TRAIL, action: "link" }, 51, 5_000),
    "selectAuditPage (time)": audit.selectAuditPage(W, { ...TRAIL, from: 0, to: 1, before: "o" }, 51, 5_000),
    "selectAuditPage (batch)": audit.selectAuditPage(W, { ...TRAIL, batch: "o" }, 51, 5_000),
    "selectAuditPage (all)": audit.selectAuditPage(
      W,
      {
        ...TRAIL,
        actor: "a",
        subject: OF_LINK,
        action: "link.update",
        from: 0,
        to: 1,
        before: "o",
      },
      51,
      5_000,
    ),
    ...Object.fromEntries(
      audit.NAMED.map((kind) => [`selectNames (${kind})`, audit.selectNames(W, kind, ["i"])]),
    ),
    selectNamesOfRemovedTags: audit.selectNamesOfRemovedTags(W, ["i"]),
  },
  "resources/unknown-addresses/unknown-statements": {
    selectAskedOften: unknown.selectAskedOften(W, 0, { days: 7, visits: 100 }, 101),
    selectSlugsIn: unknown.selectSlugsIn(W, [["go.acme.example", "a", "b"]], 2_000),
  },
  "resources/reports/report-link-repository": {
    "selectSubjectName (group)": sentReports.selectSubjectName(W, "group", "g"),
    "selectSubjectName (tag)": sentReports.selectSubjectName(W, "tag", "t"),
  },
  "resources/events/event-statements": {
    queueEvents: events.queueEvents(W, [{ kind: "link.created", subject: "l", data: {} }], 1, { many: "b" }),
    queueSum: events.queueSum(W, "link.updated", sql`1`, 1),
    selectIsDue: events.selectIsDue(W, 0),
    selectIsWanted: events.selectIsWanted(W, "link.created"),
    hasReceivers: events.hasReceivers(sql`1`),
  },
  "resources/events/message-repository": {
    selectDueReceivers: sending.selectDueReceivers(0, 20, null),
    "selectDueReceivers (workspace)": sending.selectDueReceivers(0, 5, W),
    claimMessages: sending.claimMessages([1, 2], 0, 1, 10),
    selectClaimed: sending.selectClaimed([1, 2], 1),
    settleMessages: sending.settleMessages([
      {
        ...{ id: 1, claimed: 1, tries: 1, due_at: 0, tried_at: 0, delivered_at: null },
        outcome: "",
        answer: "",
      },
    ]),
    settleReceivers: sending.settleReceivers(
      [
        [1, 0],
        [2, 1],
      ],
      [[3, "u", "gone"]],
      0,
    ),
    moveFollowers: sending.moveFollowers([[1, "l", 2, 3]]),
    trimMessages: sending.trimMessages([1]),
  },
  "resources/events/receiver-repository": {
    updateReceiver: receiving.updateReceiver(W, "r", { is_on: 0 }),
    ensureReceiverUnchanged: receiving.ensureReceiverUnchanged(RECEIVER),
    insertReceiver: receiving.insertReceiver({ ...RECEIVER, secret: "s" }),
    insertClaimed: receiving.insertClaimed({ receiver_id: 1, event: "e", kind: "test", created_at: 0 }),
  },
  "resources/events/visits-repository": {
    tellStatements: telling.tellStatements(
      { id: 1, workspace_id: W, visits_from: 0 },
      [["e", "{}"]],
      [{ ...{ link: "l", domain: "", slug: "s" }, clicks: 1, scans: 0 }],
      { at: 1, until: 1 },
    ),
  },
  "resources/domains/domain-repository": {
    updateClaims: domains.updateClaims(W, "h", 1),
    "endRelease (claims)": domains.endRelease(DOMAIN, 0)[0],
    "endRelease (row)": domains.endRelease(DOMAIN, 0)[1],
    updateDomain: domains.updateDomain(W, "h", { state: "active" }),
    ensureDomainUnchanged: domains.ensureDomainUnchanged(DOMAIN),
  },
  "resources/destinations/destination-statements": {
    selectBrokenAmong: hosts.selectBrokenAmong(W, ["l", "m"]),
    selectBrokenUrls: hosts.selectBrokenUrls(["u", "v"]),
    selectBlockedAmong: hosts.selectBlockedAmong(W, ["l"]),
    selectBrokenLinks: hosts.selectBrokenLinks(undefined, 1_001),
    "selectBrokenLinks (workspace)": hosts.selectBrokenLinks(W, 1_001),
    selectRefusedHosts: hosts.selectRefusedHosts(["h"]),
  },
  "resources/engagement/asset-statements": {
    selectAssetsAfterEnd: assetStatements.selectAssetsAfterEnd(W, 0, { isUnchanged: true, limit: 2_001 }),
  },
  "resources/engagement/asset-repository": {
    ensureLinksTakeAssets: assets.ensureLinksTakeAssets(W, [[1, 1]]),
    ensureAssetsCanLeave: assets.ensureAssetsCanLeave(["a"]),
    ensureAssetsUnchanged: assets.ensureAssetsUnchanged(W, []),
    ensureLinksExist: assets.ensureLinksExist(W, [1]),
    selectAssetsOfLinks: assets.selectAssetsOfLinks(W, ["l", "m"], 200),
    selectAssetByCode: assets.selectAssetByCode(W, NAMED_KEY),
    selectAssetsByIds: assets.selectAssetsByIds(W, ["a"]),
    selectTargetLink: assets.selectTargetLink(W, "l", NAMED_KEY),
    insertAssets: assets.insertAssets(W, 1, [ASSET]),
    updateAssets: assets.updateAssets(W, []),
    selectTargetLinks: assets.selectTargetLinks(W, ["l"]),
    insertCodes: assets.insertCodes([{ code: "s", public_id: "a" }], 0),
    selectSummariesOfLink: assets.selectSummariesOfLink(W, "l", NAMED_KEY, 2_001),
  },
  "resources/imports/import-row-repository": {
    "selectRowPage (all)": importRows.selectRowPage(W, "i", "all", IMPORTED),
    "selectRowPage (changes)": importRows.selectRowPage(W, "i", "changes", IMPORTED),
    "selectRowPage (refused)": importRows.selectRowPage(W, "i", "refused", IMPORTED),
  },
  "resources/imports/import-repository": {
    insertImport: imports.insertImport({
      public_id: "i",
      workspace_id: W,
      name: "n",
      bytes: 1,
      digest: "d",
      about: "{}",
      created_at: 0,
    }),
  },
  "resources/channels/channel-statements": {
    updateSavedChannel: channels.updateSavedChannel(W, "c", SAVED_CHANNEL),
    ensureChannelUnchanged: channels.ensureChannelUnchanged({ ...SAVED_CHANNEL, id: 1 } as never),
  },
  "resources/code-brandings/code-branding-statements": {
    updateCodeBranding: codeBrandings.updateCodeBranding(W, "b", CODE_BRANDING),
    ensureCodeBrandingUnchanged: codeBrandings.ensureCodeBrandingUnchanged(CODE_BRANDING),
  },
  "resources/links/export-repository": {
    selectOldSlugs: exported.selectOldSlugs(W, ["l"]),
  },
  "resources/links/list/search-query": {
    selectOpenedLink: found.selectOpenedLink(W, "s"),
    countWords: found.countWords(W, FILTER, ["sale", "shop"]),
  },
  "resources/audit/audit-statements": {
    selectDoneOperations: auditEntries.selectDoneOperations(["o"]),
    "readEntries (batch)": auditEntries.readEntries(auditEntries.selectBatch(W, "b", "o", 250)),
    "readEntries (import)": auditEntries.readEntries(auditEntries.selectEntriesOfImport(W, "i", "o", 250)),
  },
  "resources/links/link-repository": {
    selectLink: links.selectLink(W, "l"),
    selectLiveAssets: links.selectLiveAssets(W, "l"),
    selectLinkAt: links.selectLinkAt(W, [slugKey("go.acme.example", "s"), slugKey(SHORT_HOST, "s")]),
    countSlugsOfLinkAt: links.countSlugsOfLinkAt(W, [slugKey(SHORT_HOST, "s")]),
    selectLinksByIds: links.selectLinksByIds(W, ["l"]),
  },
  "resources/links/link-outlines-repository": {
    "selectOutlines (batch)": outlines.selectOutlines(auditEntries.selectBatch(W, "b", "o", 251)),
    "selectOutlines (import)": outlines.selectOutlines(auditEntries.selectEntriesOfImport(W, "i", "o", 251)),
    selectSizesByIds: outlines.selectSizesByIds(W, ["l"]),
    selectLinksWithValues: outlines.selectLinksWithValues(W, "utm_source", ["a", "b"], 10),
    "selectLinksWithValues (channel)": outlines.selectLinksWithValues(W, "channel", ["a"], 10),
    selectSizesAfter: outlines.selectSizesAfter(W, "l", 25),
    selectPreviewedByIds: outlines.selectPreviewedByIds(W, ["l"]),
  },
  "resources/links/search-table": {
    indexLinkRange: search.indexLinkRange(1).statement,
  },
  "resources/links/link-day-statements": {
    selectDays: linkDays.selectDays(W),
    countDatedLinks: linkDays.countDatedLinks(W, 1_001),
    selectLinksOnDays: linkDays.selectLinksOnDays(W, [DATED_GROUP], 1_001),
    ensureDays: linkDays.ensureDays(W, [{ starts_on: "2026-05-01", ends_on: null, links: 1 }]),
    moveDays: linkDays.moveDays(W, [DATED_GROUP], 0),
    queueMovedLinks: linkDays.queueMovedLinks(W, 1, 0),
  },
  "resources/links/link-statements": {
    selectLinksTo: linkStatements.selectLinksTo(W, ["u"]),
    selectLinkStates: linkStatements.selectLinkStates(W, ["l"]),
    selectExternalIdOwner: linkStatements.selectExternalIdOwner(W, "e"),
    selectExternalIdOwners: linkStatements.selectExternalIdOwners(W, ["e"]),
  },
  "resources/links/write/derived-rows": {
    "assignmentStatements (moved)": derivedRows.assignmentStatements(W, MOVED, 0),
    moveSearchRows: derivedRows.moveSearchRows(W, MOVED),
    ruleStatements: derivedRows.ruleStatements(W, RULED, new Map(), { config: { resolver: null }, at: 0 }),
    tagStatements: derivedRows.tagStatements(W, MOVED),
  },
  "resources/links/write/link-guards": {
    ensureUnchanged: guards.ensureUnchanged(W, [[1, 1, null]]),
    ensureSlugsFree: guards.ensureSlugsFree(W, [[KEY, 1, 0]]),
    ensureRoomInLinks: guards.ensureRoomInLinks(W, [[KEY, 1]]),
    ensureRoom: guards.ensureRoom(W, 1, 1),
    ensureTagsUnchanged: guards.ensureTagsUnchanged(W, [[1, 1]]),
    ensureGroupsEndNoLinks: guards.ensureGroupsEndNoLinks(W, [1]),
    ensureOnNoLiveAsset: guards.ensureOnNoLiveAsset(W, [1]),
    ensureNotDone: guards.ensureNotDone(["o"]),
  },
  "resources/links/write/remove-tag": {
    "markRemoved (deleted)": removing.markRemoved(W, 1, undefined),
    "markRemoved (merged)": removing.markRemoved(W, 1, 2),
    "takeOffChunk (deleted)": removing.takeOffChunk({ id: 1, workspace_id: W, replaced_by: 0 }),
    "takeOffChunk (merged)": removing.takeOffChunk({ id: 1, workspace_id: W, replaced_by: 2 }),
  },
  "resources/links/write/link-rows": {
    "writeRows (new)": rows.writeRows(W, NEW),
    "writeRows (changed)": rows.writeRows(W, MOVED),
    deleteRows: rows.deleteRows(W, DELETED, 0),
  },
  "resources/links/write/link-slugs": {
    "slugStatements (moved)": linkSlugs.slugStatements(W, MOVED, 0),
    "slugStatements (deleted)": linkSlugs.slugStatements(W, DELETED, 0),
    selectPushedSlugs: [...linkSlugs.selectPushedSlugs(W, [...MOVED, ...DELETED], new Set())].filter(
      (statement) => statement !== undefined,
    ),
  },
  "resources/links/write/link-totals": {
    "totalsStatements (new)": totals.totalsStatements(W, NEW, 1),
    "totalsStatements (moved)": totals.totalsStatements(W, MOVED, 0),
    "totalsStatements (many)": totals.totalsStatements(
      W,
      MANY.map(({ was }, index) => ({ was, will: { ...ROW, tags: [{ ...TAG, id: index + 9 }] } })),
      0,
    ),
  },
  "resources/overview/overview-repository": {
    selectLinkCounts: overview.selectLinkCounts(W, HOURS, HOURS, 10),
    insertActiveLinksOf: overview.insertActiveLinksOf(W, [0, 1]),
  },
  "resources/tags/tag-statements": {
    insertTags: tags.insertTags(W, [NEW_TAG], 0),
    updateTagRow: tags.updateTagRow(W, "t", { name: "t" }),
    selectTagsByIds: tags.selectTagsByIds(W, ["t"]),
    selectTagsByNames: tags.selectTagsByNames(W, ["n"]),
    selectTags: tags.selectTags(W),
    selectTag: tags.selectTag(W, "t"),
    selectIsMerging: tags.selectIsMerging(W),
  },
};
