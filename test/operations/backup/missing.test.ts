import { env } from "cloudflare:test";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Env, ServiceContext } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { HOUR_MS } from "../../../src/lib/time";
import { restoreFrom } from "../../../src/operations/backup/restore";
import { restoreMissing } from "../../../src/operations/backup/restore-missing";
import { findProblems } from "../../../src/operations/consistency/deep-check";
import { recountWorkspaces } from "../../../src/operations/consistency/doctor";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { createLink } from "../../../src/resources/links/create-link";
import { SHORT, send, serviceContext, testEnv } from "../../harness";
import { figures, type Interruption, interrupted, interruptions, KILLED, WHOLE_MS } from "../../interruption";
import { overriding } from "../../overriding";
import { backUp, backUpDuringChanges, furnishSource, sealed, sourceOf } from "./backups";
import { contents, emptied, memoryKv } from "./database";
import { CHANGES } from "./source";

const AT = Date.UTC(2026, 10, 1);
const HOST = "go.late.example";

let old: string[];
/** The same database later, and what it then has. */
let evidence: string[];
let then: { links: string[]; keys: string[]; rows: string[]; owners: string[]; visits: unknown[] };
/** A link that ends with a day. */
let dated: string;
/** With changes before every read, so that it has void rows. */
let disturbed: string[];

beforeAll(async () => {
  const made = await furnishSource();
  old = (await backUp(env.BACKED_UP)).lines;
  const known = await column(env.BACKED_UP, "select public_id as row from links");
  for (const change of Object.values(CHANGES)) for (const one of made) await change(one);
  const [acme] = made;
  if (acme === undefined) throw new Error("Nothing was made.");
  await addDomain(acme.ctx, HOST, true);
  await acme.link("on-its-host", { domain: HOST });
  dated = await (
    await createLink(acme.ctx, { destination_url: "https://www.example.com/dated", ends_at: "2026-12-24" })
  ).id;
  const ruled = await acme.link("ruled", {
    rules: [{ countries: ["CH"], destination_url: "https://www.example.com/ch" }],
  });
  await env.BACKED_UP.prepare(
    `insert into visit_hours select workspace_id, 'link', id, ${HOUR_MS}, 3, 0, 0, 0 from links where public_id = ?1`,
  )
    .bind(ruled)
    .run();
  evidence = (await backUp(env.BACKED_UP)).lines;
  const links = (await column(env.BACKED_UP, LIVE)).filter((id) => !known.includes(id));
  const keys = await column(env.BACKED_UP, slugsOf(links));
  then = {
    ...{ links, keys },
    rows: await contents(env.BACKED_UP),
    owners: await column(env.BACKED_UP, OWNERS),
    visits: await visitAll(env.BACKED_UP, keys),
  };
  disturbed = (await backUpDuringChanges(made)).lines;
}, WHOLE_MS);
afterEach(() => void vi.useRealTimers());

/** Restores the older state, then what it lacks with one interruption. */
async function goBack(file: readonly string[], interruption?: Interruption) {
  vi.useFakeTimers({ toFake: ["Date"], now: AT });
  await emptied(env.RESTORED);
  const { kv } = memoryKv(new Map());
  const ctxOf = (process: object): ServiceContext => ({ ...serviceContext(), kv, ...process, now: () => AT });
  const ctx = ctxOf({ db: createDatabase(env.RESTORED) });
  await restoreFrom(ctx, sourceOf(old));
  let calls = 0;
  for (let run = 0; ; run++) {
    const process = interrupted(env.RESTORED, kv, run === 0 ? interruption : undefined);
    try {
      const found = await restoreMissing(ctxOf(process), sourceOf(file), {});
      return { ctx, found, calls: calls || process.seen.calls };
    } catch (error) {
      if (!(error instanceof Error && error.message === KILLED)) throw error;
      calls = process.seen.calls;
    }
  }
}

/** Without what says when slugs were opened, which an interruption divides, and whether KV took a write, else the job's. */
const rowsOf = async (db: D1Database): Promise<string[]> =>
  (await contents(db))
    .filter((row) => !row.includes("workspace.open_slugs"))
    .map((row) => row.replace(/"push_at":\d+/, '"push_at":"due"'))
    .sort();

const visitAll = async (db: D1Database, keys: readonly string[]) => {
  const visitors: Env = { ...testEnv, DB: db, KV: overriding(memoryKv(new Map()).kv, {}) };
  const visits: unknown[] = [];
  for (const key of keys) {
    const answer = await send(new Request(`${SHORT}/${key}`, { redirect: "manual" }), visitors);
    visits.push([key, answer.status, answer.headers.get("location")]);
  }
  return visits;
};

/** Of a link that was deleted since the older backup, and another one got its slug. */
const REUSED = ["acme-reused", "beta-reused"];
const LIVE = `select public_id as row from links where deleted_at is null and slug not in ('${REUSED.join("', '")}')`;
const slugsOf = (
  links: readonly string[],
) => `select key as row from slugs join links on links.id = slugs.link_id
  where links.public_id in (${links.map((id) => `'${id}'`)}) and slugs.domain = '' order by key`;
const OWNERS = `select key || ' ' || workspaces.slug as row from slugs join workspaces on workspaces.id = workspace_id
  where instr(key, ':') = 0 order by key`;
const column = async (db: D1Database, query: string): Promise<string[]> =>
  (await db.prepare(query).all<{ row: string }>()).results.map(({ row }) => row);

describe("what a database lacks", { timeout: WHOLE_MS }, () => {
  it("is added whole: every slug has its owner, new links are as they were, and what was there stays", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: AT });
    await emptied(env.RESTORED);
    const early: ServiceContext = { ...serviceContext(), db: createDatabase(env.RESTORED), now: () => AT };
    await restoreFrom(early, sourceOf(old));
    const former = await contents(env.RESTORED);

    const { ctx, found } = await goBack(evidence);
    expect(found).toMatchObject({ taken_slugs: [], workspaces: 0, domains: 1, links: then.links.length });
    // Their slugs open the links that had them before.
    expect(found.not_added.toSorted()).toEqual(REUSED.map((slug) => `links: ${slug}`));
    expect(found.left_to_you.some((one) => one.startsWith("members: late-"))).toBe(true);
    expect(found.left_to_you.some((one) => one.startsWith("api keys: late"))).toBe(true);

    const owners = await column(env.RESTORED, OWNERS);
    expect(then.owners.length).toBeGreaterThan(30);
    expect(then.owners.filter((row) => !owners.includes(row))).toEqual([]);
    const parts =
      /^\["(links|link_tags|link_rules|activity_group_items|visit_hours|offline_assets|link_search)"/;
    const theirs = (rows: readonly string[]) =>
      rows.filter((row) => parts.test(row) && then.links.some((id) => row.includes(id)));
    const now = await contents(env.RESTORED);
    expect(theirs(now)).toEqual(theirs(then.rows));
    for (const table of ["link_rules", "visit_hours", "link_tags", "activity_group_items"])
      expect(theirs(now).some((row) => row.startsWith(`["${table}"`))).toBe(true);
    const kept = former.filter((row) => !/^\["(workspaces|link_totals)"/.test(row));
    expect(kept.filter((row) => !now.includes(row))).toEqual([]);
    expect(await visitAll(env.RESTORED, then.keys)).toEqual(then.visits);
    expect(await recountWorkspaces(ctx)).toMatchObject({ repaired: [] });
    expect((await findProblems(ctx, [])).problems).toEqual([]);
    expect((await env.RESTORED.prepare("pragma foreign_key_check").all()).results).toEqual([]);
  });

  it("is the same after an interruption, and after a repeat", async () => {
    const { calls, ctx } = await goBack(disturbed);
    const rows = await rowsOf(env.RESTORED);
    const again = await restoreMissing(ctx, sourceOf(disturbed), {});
    expect(again).toMatchObject({ slugs: 0, links: 0, opened_slugs: 0 });
    expect(await rowsOf(env.RESTORED)).toEqual(rows);
    const wrong: unknown[] = [];
    // Each run takes seconds: of the ends of the process a third.
    const cases = interruptions(calls).filter(({ at, way }) => way !== "killed" || at % 3 === 0);
    for (const interruption of cases) {
      try {
        await goBack(disturbed, interruption);
        const now = await rowsOf(env.RESTORED);
        if (JSON.stringify(now) !== JSON.stringify(rows))
          wrong.push([
            interruption,
            now.filter((row) => !rows.includes(row)),
            rows.filter((row) => !now.includes(row)),
          ]);
      } catch (error) {
        wrong.push([interruption, String(error)]);
      }
    }
    expect(wrong).toEqual([]);
    figures(`restore --missing: ${calls} calls, ${cases.length} interrupted runs`);
  });
});

describe("what the database itself says was taken away", { timeout: WHOLE_MS }, () => {
  const later = (more: object = {}) => ({ ...serviceContext({ ...testEnv, DB: env.RESTORED }), ...more });

  /** The older file, of which the restored database then loses something by `change`, is compared with it. */
  async function compared(change: string, file = old) {
    await emptied(env.RESTORED);
    await restoreFrom(later(), sourceOf(file));
    await env.RESTORED.exec(change.replaceAll(/\s*\n\s*/g, " "));
    return restoreMissing(later(), sourceOf(file), {});
  }
  const logged = (
    action: string,
    subject: string,
    change = "null",
    column = "public_id",
    at = "created_at",
  ) =>
    `insert into audit_log (operation_id, workspace_id, actor, action, subject, change, at)
      select 'op', workspace_id, 'operator', '${action}', ${column}, ${change}, ${at} from ${subject};`;
  const removed = (id: string) =>
    ["link_tags", "link_rules", "activity_group_items"]
      .map((table) => `delete from ${table} where link_id = (${id});`)
      .join(" ");
  const PLAIN = "select id from links where slug = 'acme-banned'";
  const gone = `update slugs set link_id = null where link_id = (${PLAIN});
    delete from offline_assets where link_id = (${PLAIN}); ${removed(PLAIN)} delete from links where id = (${PLAIN});`;

  it("is not brought back: a deleted link keeps only its slug", async () => {
    const found = await compared(`${logged("link.delete", "links where slug = 'acme-banned'")} ${gone}`);
    expect(found).toMatchObject({ links: 0, offline_assets: 0, opened_slugs: 0, not_added: [] });
  });

  it("is brought back if a row went without a word in the audit log", async () => {
    const found = await compared(gone);
    expect(found).toMatchObject({ links: 1, offline_assets: 1, opened_slugs: 2, not_added: [] });
    expect((await findProblems(later(), [])).problems).toEqual([]);
  });

  it("a host that was removed and added again is no removed one", async () => {
    const removal = (at: string) =>
      `${logged("domain.remove", "domains", "null", "host", at)} delete from domains;`;
    expect(await compared(removal("created_at"), evidence)).toMatchObject({ domains: 0, not_added: [] });
    expect(await compared(removal("created_at - 1"), evidence)).toMatchObject({ domains: 1, not_added: [] });
  });

  it("a slug that was dropped from its link stays closed", async () => {
    const first = "update slugs set link_id = null where key = 'acme-first';";
    const drop = logged(
      "link.drop_slug",
      "links where title = 'Renamed' and slug like 'acme-%'",
      `'{"dropped_slug":"acme-first"}'`,
    );
    expect(await compared(drop + first)).toMatchObject({ opened_slugs: 0 });
    expect(await compared(first)).toMatchObject({ opened_slugs: 1 });
  });

  it("a tag of the same name is kept, and the file's is listed", async () => {
    const found = await compared("update tags set public_id = '01ANOTHER' || id where name = 'Unused';");
    expect(found.not_added).toEqual(["tags: Unused", "tags: Unused"]);
  });
});

it("a link with a day ends by the clocks of the zone that its workspace has now", {
  timeout: WHOLE_MS,
}, async () => {
  await emptied(env.RESTORED);
  const ctx = { ...serviceContext(), kv: memoryKv(new Map()).kv, db: createDatabase(env.RESTORED) };
  await restoreFrom(ctx, sourceOf(old));
  await env.RESTORED.prepare("update workspaces set time_zone = 'Asia/Kathmandu'").run();
  await restoreMissing(ctx, sourceOf(evidence), {});
  const found = await env.RESTORED.prepare("select ends_on, ends_at from links where public_id = ?")
    .bind(dated)
    .first();
  expect(found).toEqual({ ends_on: "2026-12-24", ends_at: Date.parse("2026-12-24T18:14:59.999Z") });
});

it("a backup of an earlier schema is refused, and says what is right", async () => {
  await emptied(env.RESTORED);
  const service = serviceContext({ ...testEnv, DB: env.RESTORED });
  const before = JSON.parse(old[0] ?? "");
  await env.RESTORED.prepare("insert into d1_migrations (name) values ('9999_later.sql')").run();
  try {
    await expect(restoreMissing(service, sourceOf(old), {})).rejects.toMatchObject({
      body: {
        errors: { from: [expect.stringContaining(`the migration ${before.schema}, which is not the last`)] },
      },
    });
  } finally {
    await env.RESTORED.prepare("delete from d1_migrations where name = '9999_later.sql'").run();
  }
  const other = await sealed([JSON.stringify({ ...before, schema: "0001_other.sql" }), ...old.slice(1, -1)]);
  await expect(restoreMissing(service, sourceOf(other), {})).rejects.toMatchObject({ status: 422 });
});
