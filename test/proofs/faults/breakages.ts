// Breakages of the protocol. `bite.ts` applies each to a copy of the project.

export interface Breakage {
  name: string;
  file: string;
  find: string;
  replace: string;
}

export const BREAKAGES: readonly Breakage[] = [
  {
    name: "no second push",
    file: "src/redirect/slugs/sync.ts",
    find: "const SECOND_PUSH_MS = 35_000;",
    replace: "const SECOND_PUSH_MS = 1e15;",
  },
  {
    name: "the second push is booked for now, so that it overwrites nothing",
    file: "src/redirect/slugs/sync.ts",
    find: "const secondPushAt = ctx.now() + SECOND_PUSH_MS;",
    replace: "const secondPushAt = 0;",
  },
  {
    name: "a late first push counts as the second",
    file: "src/redirect/slugs/sync.ts",
    find: "updatePushedSlugs(revisions, readAt,",
    replace: "updatePushedSlugs(revisions, 1e15,",
  },
  {
    name: "settled without checking the revision",
    file: "src/redirect/slugs/push-queue.ts",
    find: ".where(and(eq(slugs.key, listed()), eq(slugs.rev, listed(1))))",
    replace: ".where(eq(slugs.key, listed()))",
  },
  {
    name: "lease ignored",
    file: "src/redirect/handle.ts",
    find: "if (cached !== undefined && now < cached.expiresAt && !isInDoubt(",
    replace: "if (cached !== undefined && !isInDoubt(",
  },
  {
    name: "lease stamped after the read",
    file: "src/redirect/handle.ts",
    find: "if (entry !== undefined) {\n    remember(",
    replace:
      "if (entry !== undefined) {\n    Object.assign(entry, { refreshAt: Date.now() + 60_000, expiresAt: Date.now() + 300_000 });\n    remember(",
  },
  {
    name: "sliding memory age",
    file: "src/redirect/slugs/memory.ts",
    find: "now < found.entry.expiresAt) return found.entry;",
    replace: "now < found.entry.expiresAt) {\n    found.readAt = now;\n    return found.entry;\n  }",
  },
  {
    name: "tombstone not written",
    file: "src/redirect/slugs/sync.ts",
    find: "await writeEntry(ctx.kv, row.key, toCacheEntry(row, readAt));",
    replace: "if (row.link !== null) await writeEntry(ctx.kv, row.key, toCacheEntry(row, readAt));",
  },
  {
    name: "unknown slug written to KV",
    file: "src/redirect/handle.ts",
    find: "  return entry;\n}",
    replace:
      "  else {\n    const nothing = { rev: 0, target: null, link: null, refreshAt: readAt + 60_000, expiresAt: readAt + 300_000 };\n    execution.waitUntil(writeEntry(env.KV, key, nothing));\n  }\n  return entry;\n}",
  },
  {
    name: "the writer does not forget its memory",
    file: "src/redirect/slugs/memory.ts",
    find: "memory.changes++;\n  forget(memory, key);",
    replace: "memory.changes++;",
  },
  {
    name: "the writer believes KV before its push is there",
    file: "src/redirect/handle.ts",
    find: "const canReadKv = !isKvOutdated(memory, key, now);",
    replace: "const canReadKv = !isKvOutdated(memory, key, now) || true;",
  },
  {
    name: "a read from before a change is remembered after it",
    file: "src/redirect/slugs/memory.ts",
    find: "if (memory.changes !== changes) return;",
    replace: "if (memory.changes < changes) return;",
  },
  {
    name: "a failed push is settled",
    file: "src/redirect/slugs/sync.ts",
    find: "await writeEntry(ctx.kv, row.key, toCacheEntry(row, readAt));",
    replace: "await writeEntry(ctx.kv, row.key, toCacheEntry(row, readAt)).catch(() => undefined);",
  },
  {
    name: "a repeated batch does not know that it took effect",
    file: "src/db/client.ts",
    find: "if (isAlreadyDone(error)) return",
    replace: "if (isAlreadyDone(error) && answers.length > 9) return",
  },
  {
    name: "a value in KV is named by the slug alone",
    file: "src/redirect/slugs/cache.ts",
    find: "kv.put(key, serialiseEntry(entry)",
    replace: 'kv.put(key.slice(key.indexOf("/") + 1), serialiseEntry(entry)',
  },
  {
    name: "a visit of a domain is looked up on the short host",
    file: "src/redirect/handle.ts",
    find: "slugKey(domain, slug), now)",
    replace: "slugKey(SHORT_HOST, slug), now)",
  },
];
