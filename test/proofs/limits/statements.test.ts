import { beforeAll, describe, expect, it, vi } from "vitest";
import { createApiKey } from "../../../src/access/keys";
import type { Env } from "../../../src/context";
import { newId } from "../../../src/lib/ids";
import { MINUTE_MS } from "../../../src/lib/time";
import { runSchedule } from "../../../src/operations/schedule";
import { writeDueSlugs } from "../../../src/redirect/slugs/kv-writer";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { createAssets } from "../../../src/resources/engagement/asset-service";
import { continueImport, STATEMENTS_OF_RUN } from "../../../src/resources/imports/continue-import";
import { importLinks } from "../../../src/resources/links/import-links";
import type { Link } from "../../../src/resources/links/link-schema";
import { type Browser, makeMember } from "../../console/browser";
import {
  kvName,
  makeWorkspace,
  otherInstance,
  serviceContext,
  type TestWorkspace,
  testEnv,
  visit,
} from "../../harness";
import { metered } from "../../metered";
import { overriding } from "../../overriding";
import { addGroups, manyTags } from "../../rows";

/** Limits of D1 per invocation. Each statement of a batch counts, since Cloudflare does not document it. */
const FREE_STATEMENTS = 50;
const PAID_STATEMENTS = 1_000;

const TAGS = 50;
const LINKS = 110;

interface Operations {
  statements: number;
  /** The largest number of writes to one key of KV. */
  writesOfKey: number;
  /** The keys that were written, in order. */
  keys: unknown[];
}

/** The calls of D1 and KV of a request, including work after the answer. */
async function operationsOf(
  request: (env: Env) => Promise<{ status: number }>,
  status: number,
): Promise<Operations> {
  const writes = new Map<string, number>();
  const { db, rows } = metered(testEnv.DB);
  const KV = overriding(testEnv.KV, {
    put: (key: string, ...rest: [string]) => {
      writes.set(key, (writes.get(key) ?? 0) + 1);
      return testEnv.KV.put(key, ...rest);
    },
  });
  expect((await request({ ...testEnv, DB: db, KV })).status).toBe(status);
  return {
    statements: rows.statements,
    writesOfKey: Math.max(0, ...writes.values()),
    keys: [...writes.keys()],
  };
}

/** The statements of a cron. */
async function statementsOfCron(cron: string, more: Partial<Env> = {}): Promise<number> {
  const { db, rows } = metered(testEnv.DB);
  await runSchedule(cron, { ...testEnv, DB: db, ...more });
  return rows.statements;
}

let workspace: TestWorkspace;
let browser: Browser;
let group: string;
let tags: string[];
let links: Link[];

beforeAll(async () => {
  ({ workspace, browser } = await makeMember("owner"));
  group = (await workspace.group()).id;
  tags = (await manyTags(workspace, TAGS)).map(({ id }) => id);
  const rows = Array.from({ length: LINKS }, (_, made) => ({
    number: made + 1,
    input: {
      destination_url: "https://www.example.com/",
      activity_group_id: made % 2 === 0 ? group : null,
      tag_ids: tags.slice(0, 10),
    },
  }));
  await importLinks(workspace.ctx, "statements", rows);
  links = (await workspace.call("GET", "/api/v1/links?per_page=100&sort=created_at")).body.links;
});

const linkAt = (index: number): string => links[index]?.id ?? "";

describe("a request stays within the statements that the free plan allows", () => {
  const body = () => ({
    destination_url: "https://www.example.com/2",
    activity_group_id: group,
    tag_ids: tags,
  });

  it.each<[string, string, () => string, (() => object) | undefined, number]>([
    ["that makes a link with all tags", "POST", () => "/api/v1/links", body, 201],
    ["that gives a link all tags", "PATCH", () => `/api/v1/links/${linkAt(1)}`, body, 200],
    ["that deletes that link", "DELETE", () => `/api/v1/links/${linkAt(1)}`, undefined, 204],
    [
      "that attaches all tags",
      "POST",
      () => `/api/v1/links/${linkAt(2)}/tags`,
      () => ({ tag_ids: tags }),
      200,
    ],
    ["that deletes a tag of every link", "DELETE", () => `/api/v1/tags/${tags[9]}`, undefined, 204],
  ])("%s", async (_, method, path, fields, status) => {
    const headers: Record<string, string> =
      method === "POST" ? { "idempotency-key": `statements-${path()}` } : {};
    const request = { ...(fields === undefined ? {} : { body: fields() }), headers };
    const { statements } = await operationsOf(
      (env) => workspace.call(method, path(), { ...request, env }),
      status,
    );
    expect(statements).toBeLessThanOrEqual(FREE_STATEMENTS / 2);
  });

  it("that changes or deletes a link with 200 codes pushes 20 at once, and the sweep the others", async () => {
    const link = await workspace.link({ destination_url: "https://www.example.com/before" });
    const assets = await createAssets(workspace.ctx, {
      link: link.id,
      assets: Array.from({ length: 200 }, (_, index) => ({ name: `Poster ${index}` })),
    });
    // Some of those pushed at once and by each sweep, and the last.
    const codes = assets
      .filter((_, index) => index % 15 === 0 || index === 199)
      .map(({ code }) => code ?? "");
    const path = `/api/v1/links/${link.id}`;
    const targets = async (env: Env) => {
      const seen = new Set<string | null>();
      for (const code of codes) seen.add((await visit(`/${code}`, {}, env)).headers.get("location"));
      return [...seen];
    };
    // KV knows these codes from now on.
    expect(await targets(otherInstance())).toEqual(["https://www.example.com/before"]);
    for (const [method, body, target] of [
      ["PATCH", { destination_url: "https://www.example.com/after" }, "https://www.example.com/after"],
      ["DELETE", undefined, null],
    ] as const) {
      const request = body === undefined ? {} : { body };
      const { statements, keys, writesOfKey } = await operationsOf(
        (env) => workspace.call(method, path, { ...request, env }),
        method === "DELETE" ? 204 : 200,
      );
      expect(statements).toBeLessThanOrEqual(FREE_STATEMENTS / 2);
      expect([keys.length, writesOfKey]).toEqual([20, 1]);
      expect(keys[0]).toBe(kvName(link.slug));
      for (let rounds = 0; rounds < 2; rounds++) await writeDueSlugs(serviceContext());
      expect(await targets(otherInstance())).toEqual([target]);
    }
  });
});

it("the alerts of a cron stay within the statements that the free plan allows", async () => {
  vi.stubGlobal("fetch", async () => new Response(null, { status: 500 }));
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const now = Date.now();
  const insert = (key: string) =>
    testEnv.DB.prepare(
      "insert into alerts (key, kind, text, facts, created_at, due_at) values (?, 'test', 't', '{}', ?, ?)",
    ).bind(key, now, now);
  const insertMessage = (event: string) =>
    testEnv.DB.prepare(
      "insert into messages (receiver_id, event, kind, data, created_at, due_at) values (0, ?, 'alerts', '{}', ?, ?)",
    ).bind(event, now, now);
  await testEnv.DB.batch([
    testEnv.DB.prepare("delete from alerts"),
    ...Array.from({ length: 10 }, (_, number) => insertMessage(`message ${number}`)),
    ...Array.from({ length: 150 }, (_, number) => insert(`waiting ${number}`)),
  ]);
  for (let made = 0; made < 15; made++) {
    const full = await makeWorkspace({ linkLimit: 1 });
    await full.link();
    await createApiKey(full.ctx, { name: "soon", expires_at: now + 60_000 });
    await addDomain(full.ctx, `${full.slug}.acme.example`, true);
  }
  await testEnv.DB.prepare("update domains set state = 'active', failing_since = 1").run();
  await testEnv.DB.prepare("update slugs set push_at = 1 where key = ?").bind(links[0]?.slug).run();
  const statements = await statementsOfCron("1-59/2 * * * *", { ALERT_WEBHOOK: "https://hooks.example/" });
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  const { results } = await testEnv.DB.prepare("select kind from alerts where kind <> 'test'").all();
  expect(results.length).toBe(31);
  expect(statements).toBeGreaterThan(15);
  expect(statements).toBeLessThanOrEqual(FREE_STATEMENTS - 5);
  await testEnv.DB.prepare("delete from alerts").run();
});

it("the clicks of a cron take thirteen statements more if there are some, and all are within those that the free plan allows", async () => {
  const run = () => statementsOfCron("* * * * *");
  let idle = await run();
  for (let last = 0; last !== idle; idle = await run()) last = idle;
  const instance: Env = { ...otherInstance(testEnv), CLICK_PACK_SECONDS: "0.001" };
  const waiting = () => testEnv.DB.prepare("select count(*) as n from visit_queue").first("n");
  await visit(`/${links[0]?.slug}`, { headers: { "user-agent": "Mozilla/5.0 (Windows NT 10.0)" } }, instance);
  expect(await waiting()).toBe(1);
  await testEnv.DB.prepare("update visit_queue set batch = ?")
    .bind(newId(Date.now() - 61 * MINUTE_MS))
    .run();
  expect((await run()) - idle).toBe(13);
  expect(await waiting()).toBe(0);
  expect(idle + 12).toBeLessThanOrEqual(FREE_STATEMENTS);
});

it("the checks and the groups of a cron stay within the statements that the free plan allows", async () => {
  const blocked = { Status: 0, Answer: [{ data: "0.0.0.0" }] };
  vi.stubGlobal("fetch", async () => Response.json(blocked));
  const own = await makeWorkspace();
  for (let made = 0; made < 6; made++) {
    await own.link({ destination_url: `https://h${made}-${own.slug}.example/`, tag_ids: [] });
  }
  const { rowId } = own.ctx.workspace;
  await testEnv.DB.prepare("update links set check_at = 0 where workspace_id = ?").bind(rowId).run();
  const due = [];
  for (let made = 0; made < 3; made++) {
    due.push((await own.group({ status: "draft", starts_at: Date.now() + 60_000, follows_dates: true })).id);
  }
  await testEnv.DB.prepare("update activity_groups set starts_at = 1 where workspace_id = ?")
    .bind(rowId)
    .run();
  const statements = await statementsOfCron("*/2 * * * *", {
    DESTINATION_DNS_CHECK: "on",
    ALERT_WEBHOOK: "https://hooks.example/",
  });
  vi.unstubAllGlobals();
  const { results } = await testEnv.DB.prepare(
    `select (select count(*) from links where workspace_id = ?1 and taken_down_at is not null) as links,
      (select count(*) from activity_groups where workspace_id = ?1 and status = 'active') as groups`,
  )
    .bind(rowId)
    .all();
  expect(results).toEqual([{ links: 3, groups: due.length }]);
  expect(statements).toBeGreaterThan(35);
  expect(statements).toBeLessThanOrEqual(FREE_STATEMENTS);
});

describe("the schedule's part of an import stays within the statements that the free plan allows", () => {
  async function memberWithGroups(groups: number) {
    const member = await makeMember("editor");
    await addGroups(
      member.workspace.ctx,
      Array.from({ length: groups }, (_, made) => `g-${made}`),
    );
    return member;
  }

  /** Imports a file by the schedule, and returns the page of the import. */
  async function imported(
    { workspace: own, browser: member }: Awaited<ReturnType<typeof makeMember>>,
    lines: readonly string[],
    existing: "skip" | "update",
  ): Promise<string> {
    const ofOtherJobs = await statementsOfCron("*/2 * * * *");
    const file = new File([lines.join("\n")], "links.csv");
    const at = (await member.post(`/app/${own.slug}/import`, { file, existing })).location ?? "";
    const ctx = { ...own.ctx, actor: `member:${member.email}` };
    await continueImport(ctx, at.split("/").at(-1) ?? "", 1);
    for (let runs = 0; runs < 10; runs++) {
      const { text } = await member.get(at);
      if (!text.includes("<h2>Importing</h2>")) return text;
      // The schedule begins an import only if its other jobs have left this many.
      const sent = await statementsOfCron("*/2 * * * *");
      expect(sent - ofOtherJobs).toBeLessThanOrEqual(STATEMENTS_OF_RUN);
    }
    throw new Error("The import goes on and on.");
  }

  it.each([
    ["of short rows", (row: number) => `https://www.example.com/${row},,`],
    [
      "of rows with their own groups, tags and old slugs",
      (row: number) => `https://www.example.com/${row},g-${row},"new ${row}, ${row % 7}"`,
    ],
    ["of long rows", (row: number) => `https://www.example.com/${"x".repeat(1_900)}?${row},,`],
  ])("%s", async (_, rowOf) => {
    const member = await memberWithGroups(120);
    const rows = Array.from({ length: 120 }, (_, row) => rowOf(row));
    await imported(member, ["destination_url,group,tags", ...rows], "skip");
    expect((await member.workspace.call("GET", "/api/v1/links?per_page=1")).body.meta.total).toBe(120);
  });

  it("of rows that update every field of their links", async () => {
    const member = await memberWithGroups(60);
    const rows = Array.from({ length: 60 }, (_, number) => ({
      number,
      input: { destination_url: `https://www.example.com/${number}`, external_id: `id-${number}` },
    }));
    await importLinks(member.workspace.ctx, "updated", rows);
    const lines = rows.map(
      ({ number }) =>
        `id-${number},https://other.example/${number},New,g-${number},"new ${number}, ${number % 7}",2026-06-01T08:00:00Z,mail,"[{""destination_url"":""https://www.example.com/ch"",""countries"":[""CH""]}]"`,
    );
    const heading = "external_id,destination_url,title,group,tags,starts_at,utm_source,rules";
    expect(await imported(member, [heading, ...lines], "update")).toContain("60 links were changed");
  });
});

it.each([
  ["of 500 short rows", 500, 20, 30],
  ["of 10 MB", 6_000, 1_650, 50],
  ["of 1,000 hosts of a hundred labels", 1_000, 0, 30],
])(
  "an import stays within the statements that the paid plan allows: %s",
  async (_, rows, width, mostToCheck) => {
    const path = "x".repeat(width);
    const labels = Array.from({ length: 100 }, (_, label) => "abcdefghij"[label % 10]).join(".");
    const host = (number: number) => (width === 0 ? `${labels}.h${number}.example` : "www.example.com");
    const row = (number: number) =>
      `https://${host(number)}/${path}?${number},r${number}-${width}-${workspace.keyId.slice(-8)},${group},Summer`;
    const csv = `destination_url,slug,activity_group,tags\n${Array.from({ length: rows }, (_, number) => row(number)).join("\n")}`;
    let at = "";
    const checked = await operationsOf(async (env) => {
      const file = new File([csv], "links.csv", { type: "text/csv" });
      const page = await browser.post(`/app/${workspace.slug}/import`, { file }, {}, env);
      at = page.location ?? "";
      return page;
    }, 303);
    const gone = await operationsOf((env) => browser.post(`${at}/go-on`, {}, {}, env), 303);
    expect(checked.statements).toBeLessThan(mostToCheck);
    expect(gone.statements).toBeLessThan(PAID_STATEMENTS / 2);
  },
);
