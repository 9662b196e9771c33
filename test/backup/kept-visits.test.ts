import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { withSeal } from "../../src/backup/format";
import { restoreFrom } from "../../src/backup/restore";
import { keepVisits } from "../../src/clicks/keep";
import { createDatabase } from "../../src/db/client";
import { recountWorkspaces } from "../../src/doctor/service";
import { serviceContext } from "../harness";
import { backUp, furnishSource, newHash, sourceOf } from "./backups";
import { emptied, memoryKv } from "./database";

const NEW_TABLES = ["workspace_hours", "workspace_days", "active_link_days"];
const NEW_COLUMNS = ["clicks", "scans", "last_visit_at"];

/** The file as the release before would have written it. */
async function asBefore(lines: readonly string[]): Promise<string[]> {
  async function* older() {
    let section = { table: "", columns: [] as string[] };
    for (const line of lines.slice(0, -1)) {
      const value = JSON.parse(line);
      if (value.table !== undefined) section = value;
      const isLeftOut = (index: number) =>
        section.table === "links" && NEW_COLUMNS.includes(section.columns[index] ?? "");
      if (Array.isArray(value)) {
        if (!NEW_TABLES.includes(section.table))
          yield JSON.stringify(value.filter((_, index) => !isLeftOut(index)));
      } else if (value.table === undefined) yield line;
      else if (!NEW_TABLES.includes(section.table)) {
        const columns = section.columns.filter((_, index) => !isLeftOut(index));
        yield JSON.stringify({ ...value, columns });
      }
    }
  }
  const sealed: string[] = [];
  for await (const line of withSeal(older(), newHash())) sealed.push(line);
  return sealed;
}

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

  it("of a backup from before computes them, with the hour of the last visit", async () => {
    const before = await keptIn(env.BACKED_UP);
    const { kept, repaired } = await restored(await asBefore(lines));
    expect(kept).toEqual({
      ...before,
      links: before["links"]?.map((row) => row.replace("3700000", "3600000")),
    });
    expect(repaired).toEqual([]);
  });

  it("of a backup from before counts folded months once", async () => {
    const { kept } = await restored(await asBefore(lines));
    for (const table of ["click_hours", "click_days"])
      await env.RESTORED.prepare(`update ${table} set folded = 1`).run();
    const ctx = { db: createDatabase(env.RESTORED), now: () => Date.UTC(2026, 10, 22) };
    for (let runs = 0; runs < 6; runs++) await keepVisits(ctx);
    expect(await keptIn(env.RESTORED)).toEqual(kept);
  });
});
