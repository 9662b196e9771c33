import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { restoreFrom } from "../../src/backup/restore";
import { createDatabase } from "../../src/db/client";
import { recountWorkspaces } from "../../src/doctor/service";
import { serviceContext } from "../harness";
import { backUp, furnishSource, sourceOf } from "./backups";
import { emptied, memoryKv } from "./database";

const KEPT = {
  links: "select public_id, clicks, scans, last_visit_at from links where deleted_at is null and visits > 0",
  days: `select public_id, link_days.day, link_days.visits from link_days join links on links.id = link_id
    where deleted_at is null`,
  workspace_hours: `select slug, hour, people, bots, scans, late from workspace_hours
    join workspaces on workspaces.id = workspace_id`,
  workspace_days: `select slug, day, dimension, value, people from workspace_days
    join workspaces on workspaces.id = workspace_id`,
};

/** What a database keeps of visits, in any order. */
async function keptIn(db: D1Database) {
  const kept: Record<string, string[]> = {};
  for (const [name, query] of Object.entries(KEPT)) {
    const { results } = await db.prepare(query).all();
    kept[name] = results.map((row) => JSON.stringify(row)).sort();
  }
  return kept;
}

let lines: string[];
beforeAll(async () => {
  await furnishSource();
  lines = (await backUp(env.BACKED_UP)).lines;
});

async function restored(file: readonly string[]) {
  await emptied(env.RESTORED);
  const ctx = {
    ...serviceContext(),
    db: createDatabase(env.RESTORED),
    kv: memoryKv(new Map()).kv,
  };
  await restoreFrom(ctx, sourceOf(file));
  return { kept: await keptIn(env.RESTORED), repaired: (await recountWorkspaces(ctx)).repaired };
}

describe("a restore", () => {
  it("brings back what links and workspaces keep of their visits", async () => {
    const { kept, repaired } = await restored(lines);
    expect(kept).toEqual(await keptIn(env.BACKED_UP));
    expect(kept["links"]).toHaveLength(4);
    expect(kept["workspace_hours"]).toHaveLength(2);
    expect(repaired).toEqual([]);
  });
});
