// Breakages of the protocol. `bite.ts` applies each to a copy of the project.

export interface Breakage {
  name: string;
  file: string;
  find: string;
  replace: string;
}

const SYNC = "src/redirect/slugs/sync.ts";
const OUTBOX = "src/redirect/slugs/statements/outbox.ts";
const MARKS = "src/redirect/slugs/statements/marks.ts";
const DOUBTS = "src/redirect/slugs/doubts.ts";
const CACHE = "src/redirect/slugs/cache.ts";
const MEMORY = "src/redirect/slugs/slug-memory.ts";
const FIND = "src/redirect/find-entry.ts";
const BEHIND = "src/redirect/slugs/behind.ts";

export const BREAKAGES: readonly Breakage[] = [
  {
    name: "no second write",
    file: SYNC,
    find: "const SECOND_WRITE_MS = 45_000;",
    replace: "const SECOND_WRITE_MS = 1e15;",
  },
  {
    name: "the second write is queued for now, so that it overwrites nothing",
    file: SYNC,
    find: "const SECOND_WRITE_MS = 45_000;",
    replace: "const SECOND_WRITE_MS = 0;",
  },
  {
    name: "a late first write counts as the second",
    file: SYNC,
    find: "const times = { readAt, ",
    replace: "const times = { readAt: 1e15, ",
  },
  {
    name: "written without checking the revision",
    file: OUTBOX,
    find: " and slugs.rev = listed.value ->> 1 and",
    replace: " and",
  },
  {
    name: "a failed write is recorded",
    file: SYNC,
    find: "await deleteEntry(cache, row.key);",
    replace: "await deleteEntry(cache, row.key).catch(() => undefined);",
  },
  {
    name: "what KV refuses is not deleted",
    file: SYNC,
    find: "await deleteEntry(cache, row.key);\n    return 2;",
    replace: 'throw new Error("refused");',
  },
  {
    name: "tombstone not written",
    file: SYNC,
    find: "await writeEntry(cache, row.key, entry);",
    replace: "if (entry.link !== null) await writeEntry(cache, row.key, entry);",
  },
  {
    name: "a change opens no doubt",
    file: MARKS,
    find: "const OPEN_DOUBT_MS = 1e14;",
    replace: "const OPEN_DOUBT_MS = -1e14;",
  },
  {
    name: "the doubt ends with the first write",
    file: OUTBOX,
    find: " or push_at > ?2, doubt_until, ?4)",
    replace: " or push_at > ?2, ?4, ?4)",
  },
  {
    name: "the doubt ends before KV shows the second write everywhere",
    file: SYNC,
    find: "const SPREAD_MS = 120_000;",
    replace: "const SPREAD_MS = 0;",
  },
  {
    name: "the list is never asked for",
    file: DOUBTS,
    find: "if (Math.abs(now - memory.listAskedAt) < LIST_MS) return false;",
    replace: "if (now > 0) return false;",
  },
  {
    name: "the list is asked for once",
    file: DOUBTS,
    find: "const LIST_MS = 60_000;",
    replace: "const LIST_MS = 1e15;",
  },
  {
    name: "a change is not on the list of the instance that made it",
    file: DOUBTS,
    find: "doubts.set(name, { state: name === key ? state : null, change, workspace });",
    replace: "",
  },
  {
    name: "an arriving list drops what its instance changed meanwhile",
    file: DOUBTS,
    find: "change > changes);",
    replace: "change > changes + 1e9);",
  },
  {
    name: "a workspace in doubt as a whole is not looked at",
    file: DOUBTS,
    find: 'entry && doubts.get(doubtName("workspace", entry.workspace)),',
    replace: "",
  },
  {
    name: "a list that is too long is cut",
    file: DOUBTS,
    find: "if (isAll || listed.length > MAX_DOUBTS)",
    replace: "if (isAll && changes < 0)",
  },
  {
    name: "a host in doubt is not looked for",
    file: DOUBTS,
    find: "entry && memory.hasHosts ? findHost(memory, entry) : undefined,",
    replace: "",
  },
  {
    name: "what is suspended is forgotten in an outage",
    file: FIND,
    find: 'if (doubt?.state === "taken_down") return { entry: TAKEN_DOWN, cache: "hit" };',
    replace: "",
  },
  {
    name: "what is in doubt by its key is served from KV in an outage",
    file: FIND,
    find: "const found = isListed\n",
    replace: "const found = isListed && Date.now() < 0\n",
  },
  {
    name: "a check finds nothing",
    file: BEHIND,
    find: "isNothing : isSame(found.entry, entry)",
    replace: "isNothing : isSame(entry, entry)",
  },
  {
    name: "a check does not look at the doubt",
    file: BEHIND,
    find: "if (found !== undefined && found.doubtUntil > now) return;",
    replace: "",
  },
  {
    name: "a value is never written again",
    file: BEHIND,
    find: "const RENEWAL_MS = 25 * 86_400_000;",
    replace: "const RENEWAL_MS = 1e15;",
  },
  {
    name: "values of all epochs are read",
    file: "src/config.ts",
    find: 'parseText(CACHE_EPOCH) ?? "1"',
    replace: 'parseText(CACHE_EPOCH?.slice(0, 0)) ?? "1"',
  },
  {
    name: "sliding memory age",
    file: MEMORY,
    find: "if (age >= 0 && age < MEMORY_MS) return found.entry;",
    replace: "if (age >= 0 && age < MEMORY_MS) {\n    found.readAt = now;\n    return found.entry;\n  }",
  },
  {
    name: "a read from before a change is remembered after it",
    file: MEMORY,
    find: "if (memory.changes !== changes) return;",
    replace: "if (memory.changes < changes) return;",
  },
  {
    name: "the writer does not forget its memory",
    file: DOUBTS,
    find: "  forget(memory, key);\n  memory.pendingLookups",
    replace: "  memory.pendingLookups",
  },
  {
    name: "unknown slug written to KV",
    file: FIND,
    find: "if (entry === undefined) return undefined;",
    replace:
      "if (entry === undefined) {\n    execution.waitUntil(writeEntry(cacheOf(env), key, { ...TAKEN_DOWN, link: null }));\n    return undefined;\n  }",
  },
  {
    name: "a slug in doubt can be given to another workspace",
    file: "src/redirect/slugs/release-slug.ts",
    find: "if (slug.doubt_until !== null && slug.link_id === null) {",
    replace: "if (slug.doubt_until !== null && slug.rev < 0) {",
  },
  {
    name: "a repeated batch does not know that it took effect",
    file: "src/db/client.ts",
    find: "if (isAlreadyDone(error)) return",
    replace: "if (isAlreadyDone(error) && reads.length > 9) return",
  },
  {
    name: "a value in KV is named by the slug alone",
    file: CACHE,
    find: "cache.kv.put(nameOf(cache, key),",
    replace: 'cache.kv.put(nameOf(cache, key.slice(key.indexOf("/") + 1) as SlugKey),',
  },
  {
    name: "a visit of a domain is looked up on the short host",
    file: "src/redirect/handle.ts",
    find: "slugKey(domain, slug), now)",
    replace: "slugKey(SHORT_HOST, slug), now)",
  },
];
