// What statements may read and sort. A statement without a line finds rows by an equality that few rows have, or those of a
// workspace in a small table, and sorts only these. A chunk is at most 5,000 rows, a range at most 25 months.

/** The bound, then what is read: an index with the columns that narrow it, or `scan` and `sort` with their table or index. */
type Rule = readonly [bound: string, ...reads: string[]];

// Tables without row ids have the names that statements give them.
const HOURS = "counted(owner_kind, owner_id, hour>, hour<)";
const DAYS = "counted(owner_kind, owner_id, day>, day<)";
const OLD_HOURS = "hours(owner_kind, owner_id, hour>, hour<)";
const VISITED = "links_counted(workspace_id, last_counted_day>)";
const VISITED_IN_GROUP = "links_group_counted(workspace_id, activity_group_id, last_counted_day>)";
const IN_GROUP = "links_list_group(workspace_id, activity_group_id)";
const DATED = "links_dated(workspace_id)";
const TAGGED = "link_tags_list(workspace_id, tag_id)";
const DUE = "slugs_push_at(push_at<)";
const ASSETS = "offline_assets_workspace_row(workspace_id)";

const FIVE_RECEIVERS: Rule = ["five receivers", "receivers_own(workspace_id)"];

/** By file and function, and by the variant of a row in QUERIES that reads otherwise than the others. */
export const RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  "access/key-repository": {
    deleteOldestEnded: ["the day's requests of keys that have ended", "idempotency_keys(api_key_id)"],
  },
  "access/member-repository": {
    selectDueReports: [
      "the members whose report is due",
      "members_report_due(report_due_at<)",
      "sort members_report_due",
    ],
  },
  "access/session-repository": {
    deleteSentMailsBefore: ["a chunk", "sent_mails_sent(sent_at<)"],
  },
  "access/workspace-statements": {
    selectWorkspaces: ["the operator's complete list", "scan workspaces_slug_unique"],
    selectRoom: ["20,000 assets", ASSETS],
  },
  "analytics/names-repository": {
    selectAssetsOfLink: ["the hours of 200 assets in a range", HOURS, "sort counted"],
    selectCode: ["the hours of an asset in a range", OLD_HOURS],
    selectLinksInGroup: ["1,001 links", IN_GROUP],
    selectVisitsBrought: [
      "2,001 links",
      "activity_group_items_brought(workspace_id, activity_group_id, visits_before>)",
    ],
  },
  "analytics/queue-repository": {
    insertBatch: ["the runs since it was counted", "visit_runs(rowid>)"],
    selectBatches: ["1,000 batches", "visit_queue(batch>)", "sort visit_queue"],
  },
  "analytics/queue-statements": {
    selectQueueState: ["1,000 batches", "scan visit_queue"],
  },
  "analytics/unknown-repository": {
    addUnknown: [
      "200 rows of each domain and day that is added to, and 2,000 of each workspace",
      ...["own(domain, day)", "sort own", "unknown_addresses_day(day, workspace_id)"],
      "sort unknown_addresses_day",
    ],
  },
  "analytics/origin-repository": {
    selectDaysFrom: ["the days of an owner in a range", DAYS],
    "selectDaysFrom (tag)": [
      "the days in a range of 2,001 visited links",
      ...[VISITED, DAYS, "sort links_counted"],
    ],
    selectMostVisitedFrom: [
      "10,000 rows of the days of a range, and the days of 15 links",
      ...["visit_days_most(day, workspace_id, owner_kind)", DAYS, "sort counted"],
    ],
    "selectLinksFrom (group)": [
      "the days in a range of 2,001 visited links",
      ...[VISITED_IN_GROUP, DAYS, "sort links_group_counted"],
    ],
    "selectLinksFrom (tag)": [
      "the days in a range of 2,001 visited links",
      ...[VISITED, DAYS, "sort links_counted"],
    ],
  },
  "analytics/report-repository": {
    "selectCountsByKey (assets of a group)": [
      "the hours in a range of 500 assets of 10,000 links",
      ...[IN_GROUP, HOURS, "sort links_list_group"],
    ],
    "selectCountsByKey (channels of a group)": [
      "the hours in a range of 2,001 visited links",
      ...[VISITED_IN_GROUP, HOURS, "sort links_group_counted"],
    ],
    "selectCountsByKey (links by id)": ["the hours of links in a range", HOURS, "sort counted"],
    "selectCountsByKey (links of a group)": [
      "the hours in a range of 2,001 visited links",
      ...[VISITED_IN_GROUP, HOURS, "sort links_group_counted"],
    ],
    "selectCountsByKey (links of a tag)": [
      "the hours in a range of 2,001 visited links",
      ...[VISITED, HOURS, "sort links_counted"],
    ],
    "selectIsTooMany (group)": ["2,001 visited links", VISITED_IN_GROUP],
    "selectIsTooMany (workspace)": ["2,001 visited links", VISITED],
    selectMostVisited: [
      "10,000 rows of the days of a range, and the hours of 15 links",
      ...["visit_days_most(day, workspace_id, owner_kind)", HOURS, "sort counted"],
    ],
    selectOrigins: ["the days of an owner in a range", DAYS, "sort counted"],
    "selectOrigins (tag)": [
      "the days in a range of 2,001 visited links",
      ...[VISITED, DAYS, "sort links_counted"],
    ],
    selectOriginsByDay: ["the days of an owner in a range", DAYS, "sort counted"],
    selectTimeSeries: ["the hours of an owner in a range", HOURS, "sort counted"],
    "selectTimeSeries (tag)": [
      "the hours in a range of 2,001 visited links",
      ...[VISITED, HOURS, "sort links_counted"],
    ],
    selectVisitsOfTags: [
      "the hours in a range of 2,001 visited links",
      ...[HOURS, VISITED, "sort links_counted"],
    ],
  },
  "analytics/apply-repository": {
    selectTold: ["the receivers that hear of visits", "receivers_counting(visits_from>)"],
    selectOwners: [
      "the days of each owner from that of the first visit to that of the last",
      ...["begun(owner_kind, owner_id, day>, day<)", "visit_days(owner_kind, owner_id, day>, day<)"],
    ],
  },
  "analytics/count-statements": {
    deleteCountsBefore: [
      "a chunk, and the next day of each",
      ...["visit_days_most(day<)", OLD_HOURS, "later(owner_kind, owner_id, day>)"],
    ],
    deleteRunsBefore: ["a chunk", "visit_runs(rowid<)"],
  },
  "db/answer-count-statements": {
    deleteAnswersBefore: ["what is older than an hour", "answer_counts(rowid<)"],
    sumAnswers: ["six minutes", "answer_counts(rowid>)"],
  },
  "operations/alerts/alert-repository": {
    deleteAlertsBefore: ["a chunk", "alerts_created(created_at<)"],
    selectAssetsToReport: [
      "the links of the destinations of a run",
      "links_destination(destination_url)",
      "sort links_destination",
    ],
    selectExpiringKeys: ["the keys that expire soon", "api_keys_expires(expires_at>, expires_at<)"],
    selectFailingDomains: ["the domains that do not answer", "domains_failing(failing_since>)"],
    selectLastAlerts: ["the last 100", "scan own"],
    selectWithoutMessage: ["100 alerts that wait", "alerts_due(due_at>)"],
    selectNearlyFull: ["the workspaces near their limit, by a partial index", "scan workspaces_nearly_full"],
  },
  "operations/backup/backup-repository": {
    selectChangedRows: [
      "once a backup, if something has changed since it began: what was changed, and three tables",
      ...["audit_log(rowid>)", TAGGED, "scan activity_group_items", "scan domains", "scan slugs"],
      ...["sort activity_group_items", "sort audit_log", "sort domains", "sort slugs"],
    ],
    selectSubjectsSince: ["a page", "audit_log(rowid>)"],
  },
  "operations/backup/missing-repository": {
    selectRecovered: ["a page", "audit_log_operation_id_unique(operation_id>, operation_id<)"],
  },
  "operations/backup/restore-repository": {
    insertRows: [
      "the alerts of 30 days, and messages, at a restore",
      ...["scan alerts", "scan messages_created", "scan untold_visits"],
    ],
    selectFirstLink: ["the first row", "links_workspace_row(workspace_id)"],
  },
  "operations/consistency/doctor-statements": {
    recountStatements: ["a workspace, by the doctor", "sort link_tags_list"],
    selectWrongCopies: ["a workspace, by the doctor", "sort link_tags_list"],
    selectWrongTotals: ["a workspace, by the doctor", "sort link_tags_list", "sort link_totals"],
  },
  "operations/cron-statements": {
    selectMigrations: ["each migration", "scan d1_migrations"],
    selectRuns: ["five rows", "scan cron_runs"],
    selectSchema: ["the last row, and one by its name", "scan d1_migrations"],
  },
  "operations/health/health-repository": {
    queueDomains: ["the first row", "destination_health_due(domain)"],
    selectLinksToTell: [
      "the links of a newly broken destination, and the receivers until the first that is on",
      ...["link_rules_destination(destination_url)", "links_destination(destination_url)"],
      ...["receivers_own(workspace_id)", "scan receivers", "sort link_rules_destination", "sort receivers"],
    ],
    selectDueDestinations: [
      "8 destinations of a domain, and 10,000 links of each",
      "destination_health_due(domain, due_at<)",
      "link_rules_destination(destination_url)",
      "links_destination(destination_url)",
    ],
    selectDueDomains: [
      "the workspaces, every three minutes, and 36 due domains of each",
      "scan workspaces_slug_unique",
      "destination_domains_due(workspace_id, due_at<)",
      "sort workspaces_slug_unique",
    ],
    selectMissing: ["500 links", "links(rowid>, rowid<)", "sort links"],
  },
  "operations/moderation/moderation-repository": {
    selectLinkAnywhere: FIVE_RECEIVERS,
    queueMissingChecks: ["once a day, if destinations are checked", "scan links"],
    selectDueChecks: [
      "the last 1,000 that are due, and their hours of a week",
      "links_check(check_at<)",
      "visit_hours(owner_kind, owner_id, hour>)",
      "sort links_check",
    ],
    selectDueRules: ["the first 1,000 that are due", "link_rules_check(check_at<)"],
    selectLinksCreatedBy: ["every link, a page at a time, for the operator", "links(rowid>)"],
    selectLinksTo: ["every link, a page at a time, for the operator", "links(rowid>)", "scan link_rules"],
  },
  "operations/retention/retention-repository": {
    deleteEmptyTotals: ["a chunk, by a partial index", "link_totals_empty(kind>)"],
    deleteExpired: [
      "a chunk of each table",
      ...["idempotency_keys_started(started_at<)", "reports_end(ends_at<)", "sessions_expires(expires_at<)"],
      ...["messages_created(created_at<)", "sign_in_links_expires(expires_at<)"],
      ...["used_challenges_expires(expires_at<)"],
    ],
    deleteLinksPermanently: [
      "a chunk",
      "visit_days(owner_kind, owner_id)",
      "visit_hours(owner_kind, owner_id)",
    ],
    selectLinksDeletedBefore: ["a chunk", "links_deleted(deleted_at>, deleted_at<)"],
  },
  "redirect/slugs/statements/doubt-statements": {
    clearDoubts: [
      "a row of each workspace with slugs in doubt, and 1,000 slugs whose doubt has ended",
      "slugs_doubt(workspace_id, doubt_until<)",
      "slugs_doubt(workspace_id>)",
    ],
    countDoubts: ["the first 1,000 of both", "doubts(kind)", "scan slugs_doubt"],
    countOutdated: ["the first 1,000 of a week, which are usually none", "doubts(kind)"],
    deleteWritten: ["what is in doubt as a whole, and what waits for its first write", "scan doubts", DUE],
    selectDoubts: [
      "a row of each workspace with slugs in doubt, and 21 slugs of each",
      "slugs_doubt(workspace_id, doubt_until>)",
      "slugs_doubt(workspace_id>)",
    ],
    selectLastDoubted: ["a row of each workspace with slugs in doubt", "slugs_doubt(workspace_id>)"],
    selectWideDoubts: ["the first 1,001 wholes in doubt", "doubts(kind)"],
  },
  "redirect/slugs/statements/marks": {
    markSlugs: ["the links of a group with which they begin to end", IN_GROUP],
    markSettingsTo: [
      "all groups, domains and workspaces, when a host is blocked",
      "scan activity_groups",
      "scan domains_proved_host",
      "scan workspaces",
    ],
  },
  "redirect/slugs/statements/outbox": {
    countDue: ["the first 1,000 that are due", DUE],
    selectDue: ["the first 800 that are due", DUE, "slugs_push_at(push_at>, push_at<)", "sort slugs_push_at"],
  },
  "redirect/slugs/statements/wide": {
    markChunk: [
      "a chunk of 1,000 rows, and where it ends",
      "domains_released(released_at>)",
      ...["links(rowid>)", "links(rowid>, rowid<)"],
      ...["slugs_domain(domain, key>)", "slugs_domain(domain, key>, key<)"],
      "slugs_workspace_link(workspace_id, link_id>)",
      "slugs_workspace_link(workspace_id, link_id>, link_id<)",
    ],
    selectUnmarked: ["what is in doubt as a whole", "scan doubts", "sort doubts"],
  },
  "resources/activity-groups/group-repository": {
    countGroups: [
      "10,000 groups",
      "activity_groups_workspace_row(workspace_id)",
      "activity_groups_workspace_slug(workspace_id)",
    ],
    selectGroupPage: [
      "a page in the index's order; with a filter 10,000 groups",
      "activity_groups_workspace_name(workspace_id)",
    ],
    "selectGroupPage (after)": [
      "a page in the index's order; with a filter 10,000 groups",
      "activity_groups_workspace_name(workspace_id, (name_key,public_id)>)",
    ],
    selectListedGroups: [
      "a page in the index's order; with a filter 10,000 groups",
      "activity_groups_workspace_name(workspace_id)",
    ],
    "selectListedGroups (past end)": [
      "the groups past their end, by a partial index",
      "activity_groups_overdue(workspace_id, ends_at>, ends_at<)",
      "sort activity_groups_overdue",
    ],
    selectEndedGroups: [
      "the groups that are due, by a partial index",
      "activity_groups_ending(ends_at>, ends_at<)",
      "receivers_own(workspace_id)",
      "sort activity_groups_ending",
    ],
    selectSimilarSlugs: [
      "the slugs with a number behind",
      "activity_groups_workspace_slug(workspace_id, slug>, slug<)",
    ],
    selectStartedGroups: [
      "the groups that are due, by a partial index",
      "activity_groups_starting(starts_at>, starts_at<)",
      "receivers_own(workspace_id)",
      "sort activity_groups_starting",
    ],
  },
  "resources/activity-groups/group-statements": {
    ensureDatedGroups: ["its count, by a partial index", "activity_groups_dated(workspace_id)"],
    selectDatedGroups: [
      "the groups of a workspace that have days, by a partial index",
      "activity_groups_dated(workspace_id)",
    ],
  },
  "resources/audit/audit-repository": {
    selectAuditPage: [
      "the next 5,000 entries, of which 51 are sorted",
      ...["audit_log_heads(workspace_id)", "sort audit_log_heads"],
    ],
    "selectAuditPage (batch)": ["the entries of a batch"],
    "selectAuditPage (behind)": [
      "the next 5,000 entries, of which 51 are sorted",
      ...["audit_log_heads(workspace_id, at<)", "sort audit_log_heads"],
    ],
    "selectAuditPage (subject)": ["the entries of a subject"],
    "selectAuditPage (time)": [
      "the next 5,000 entries, of which 51 are sorted",
      ...["audit_log_heads(workspace_id, at>, at<)", "sort audit_log_heads"],
    ],
    selectChangesOfGroup: [
      "1,000 active links, 1,000 archived ones and the assets of 10,000",
      ...[IN_GROUP, "links_list_group(workspace_id, activity_group_id, archived)", "sort links_list_group"],
    ],
  },
  "resources/audit/audit-statements": {
    "readEntries (import)": ["a page", "audit_log_operation_id_unique(operation_id>, operation_id<)"],
  },
  "resources/code-brandings/code-branding-statements": {
    selectSlugsByLength: [
      "the active links of a workspace, for a form",
      "links_list_slug(workspace_id, archived)",
    ],
  },
  "resources/destinations/destination-statements": {
    selectAllBlockedHosts: ["the operator's complete list", "scan blocked_hosts"],
    selectBrokenLinks: [
      "the first 1,001 links to broken destinations",
      ...["scan destination_health_broken", "links_destination(destination_url)"],
    ],
    "selectBrokenLinks (workspace)": [
      "the first 1,001 links to broken destinations",
      ...["scan destination_health_broken", "links_destination(destination_url, workspace_id)"],
    ],
  },
  "resources/domains/domain-repository": {
    endRelease: ["the slugs of a host that is released", "slugs_domain(domain)"],
    ensureUnused: [
      "the first link of a host, and 20,000 assets",
      "links_list_domain(workspace_id, domain)",
      ASSETS,
    ],
    selectLeastChecked: ["the domains of a run, in the index's order", "scan domains_checked"],
    selectReleased: ["the first row, by a partial index", "domains_released(released_at>)"],
    selectUnused: [
      "the first link of a host, and 20,000 assets",
      "links_list_domain(workspace_id, domain)",
      ASSETS,
    ],
    updateClaims: ["the slugs of a host that is proved or released", "slugs_domain(domain)"],
  },
  "resources/engagement/asset-repository": {
    selectAssets: ["20,000 assets", ASSETS],
    selectSummaries: ["the newest 10,000 assets", ASSETS],
    selectSummariesOfGroup: ["the assets of 10,000 links", IN_GROUP, "sort links_list_group"],
  },
  "resources/events/event-statements": {
    hasReceivers: FIVE_RECEIVERS,
    queueEvents: [
      "five receivers, what waits for them, and 501 entries of an import",
      ...["audit_log_operation_id_unique(operation_id>, operation_id<)"],
      ...["receivers_own(workspace_id)", "sort receivers_own"],
    ],
    queueSum: FIVE_RECEIVERS,
    selectIsDue: FIVE_RECEIVERS,
    selectIsWanted: FIVE_RECEIVERS,
  },
  "resources/events/message-repository": {
    selectDueReceivers: ["the receivers that something waits for", "messages_due(receiver_id>)"],
  },
  "resources/events/receiver-repository": {
    selectLastDeliveries: FIVE_RECEIVERS,
    selectReceivers: FIVE_RECEIVERS,
  },
  "resources/events/visits-repository": {
    selectReceiversToTell: [
      "the receivers that were not told for an hour",
      "receivers_counting(visits_from>, visits_from<)",
    ],
  },
  "resources/engagement/asset-statements": {
    selectAssetsAfterEnd: ["20,000 assets", "offline_assets_after_end(workspace_id, last_after_end>)"],
    selectAssetsOfEnded: ["2,001 live assets", "offline_assets_live(workspace_id)"],
    selectUnscannedAssets: [
      "2,001 live assets, and an hour of each",
      "offline_assets_live(workspace_id, live_at<)",
      "visit_hours(owner_kind, owner_id, hour>)",
    ],
  },
  "resources/imports/import-repository": {
    deleteImportsBefore: ["the oldest 20 imports", "imports_created(created_at<)"],
    selectRunningImports: [
      "500 running imports, by a partial index",
      "imports_running(started_at>)",
      "sort imports_running",
    ],
  },
  "resources/links/export-repository": {
    selectLinkAt: ["the links before a file of the export, once a file", "links_list_all(workspace_id)"],
  },
  "resources/links/list/search-query": {
    countWords: ["1,001 matches of a word", "link_search(match, rowid>, rowid<)"],
    selectGroupNames: ["2,000 groups", "activity_groups_workspace_slug(workspace_id)"],
  },
  "resources/links/list/list-query": {
    countSet: [
      "the links with the text, and those with the prefix, up to the smallest stored size",
      "link_search(match, rowid>, rowid<)",
      "links_list_external_id(workspace_id, archived, external_id>, external_id<)",
    ],
    selectSizes: ["20 domains", "link_totals(workspace_id, kind)"],
  },
  "resources/links/link-outlines-repository": {
    "selectOutlines (import)": ["a page", "audit_log_operation_id_unique(operation_id>, operation_id<)"],
    selectLinksWithValues: [
      "250 links",
      "links_list_channel(workspace_id, channel)",
      "links_list_utm_source(workspace_id, utm_source)",
    ],
    selectSizesAfter: ["10,000 links of an export", "links_list_all(workspace_id, public_id>)"],
  },
  "resources/links/link-day-statements": {
    countDatedLinks: ["the first 1,001 links with days", DATED],
    ensureDays: ["100,000 links with days, when the zone changes", DATED],
    queueMovedLinks: FIVE_RECEIVERS,
    selectDays: ["100,000 links with days, when the zone changes", DATED],
  },
  "resources/links/link-statements": {
    selectLinksTo: ["the first link of each destination", "links_destination(destination_url, workspace_id)"],
  },
  "resources/links/search-table": {
    indexLinkRange: ["1,000 links", "links(rowid>, rowid<)"],
  },
  "resources/links/utm-values-repository": {
    selectNewestCampaigns: ["the newest 200 links", "links_list_all(workspace_id)"],
    selectValues: ["the first 1,001 values", "link_totals(workspace_id, kind)"],
  },
  "resources/links/write/remove-tag": {
    markRemoved: ["the links of a tag that is merged, once", TAGGED, "sort link_tags_list"],
    selectRemovedTags: [
      "the tags that are being taken off their links",
      "tags_replaced(replaced_by>)",
      "sort tags_replaced",
    ],
    takeOffChunk: ["500 links", TAGGED],
  },
  "resources/overview/overview-repository": {
    deleteActiveLinksBefore: ["a chunk", "active_link_days_day(day<)"],
    selectSwitchedOffReceivers: ["five receivers", "receivers_own(workspace_id)", "sort receivers_own"],
    insertActiveLinks: ["once a day, until 5,000 workspaces lack the day", "scan workspaces"],
    selectGroupsPastEnd: [
      "the first hundred, by a partial index",
      "activity_groups_overdue(workspace_id, ends_at>, ends_at<)",
    ],
    selectLinkCounts: [
      "10,000 links of each time",
      "links_list_created(workspace_id, archived, public_id>, public_id<)",
    ],
    selectLinksWithBrokenDestination: [
      "2,000 broken destinations, 2,000 newest links and 2,000 links to them",
      ...[
        "scan destination_health_broken",
        "destination_health_broken(host)",
        "links_list_all(workspace_id)",
      ],
      ...["links_destination(destination_url, workspace_id)"],
      ...["sort destination_health_broken", "sort links_list_all"],
    ],
    selectTakenDownLinks: ["the first hundred, by a partial index", "links_taken_down(workspace_id)"],
  },
  "resources/unknown-addresses/unknown-statements": {
    deleteUnknownBefore: ["a chunk", "unknown_addresses_day(day<)"],
    ...Object.fromEntries(
      ["selectAskedOften", "selectUnknown"].map((name) => [
        name,
        ["2,000 rows", "unknown_addresses_day(day, workspace_id)", "sort unknown_addresses_day"] as const,
      ]),
    ),
    selectSlugsIn: ["2,000 slugs", "slugs_domain(domain, key>, key<)"],
  },
  "resources/tags/tag-statements": {
    insertTags: ["no row: SQLite looks for rows that refer to the new one", TAGGED],
    selectIsMerging: ["the tags that are being taken off their links", "tags_replaced(replaced_by>)"],
  },
};

/** They read whole workspaces, and may do so by any index, but neither scan nor sort more than a line here says. */
export const READ_WORKSPACES = new Set([
  // Pages of each table in the order of its primary key.
  "operations/backup/backup-repository.selectTablePage",
  // SQLite plans to look for rows that refer to a new one, and does not while all references are met.
  "operations/backup/restore-repository.insertRows",
  // The doctor.
  ...["recountStatements", "selectWrongCopies", "selectWrongTotals", "selectWrongWorkspaceTotals"].map(
    (name) => `operations/consistency/doctor-statements.${name}`,
  ),
  "operations/consistency/doctor-statements.updateWorkspaceTotals",
  ...["selectStrayCounts", "updateStrayCounts"].map((name) => `analytics/count-statements.${name}`),
]);
