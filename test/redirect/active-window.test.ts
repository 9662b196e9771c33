import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { endTakedown, takeDown } from "../../src/operations/moderation/takedown";
import type { ChangedActivityGroup } from "../../src/resources/activity-groups/group-schema";
import { updateActivityGroup } from "../../src/resources/activity-groups/manage-groups";
import { blockHost, unblockHost } from "../../src/resources/destinations/blocklist";
import { resumeWorkspace, suspendWorkspace } from "../../src/resources/workspaces/workspace-service";
import { elapse, start, stopClock } from "../clock";
import { overtakenBy, withoutD1 } from "../faulty";
import { counted, makeWorkspace, otherInstance, serviceContext, testEnv, visit } from "../harness";
import { limiter } from "../limiter";
import { PAGE_HEADERS } from "./page-headers";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const JSON_ONLY = { headers: { accept: "application/json" } };
const DESTINATION = "https://www.example.com/sale";
const OVER = "https://www.example.com/over";
const GROUPS_OVER = "https://www.example.com/group-over";
const EARLY = "This link is not open yet";
const ENDED = "This link has ended";
const TAKEN_DOWN = "This link was taken down";

const at = (milliseconds: number) => new Date(start + milliseconds).toISOString();
stopClock();

const host = () => `h${crypto.randomUUID().slice(0, 8)}.example`;

/** Status, X-Cache, and where a visitor is sent or the title of the page. */
async function seen(slug: string, environment = otherInstance()) {
  const response = await visit(`/${slug}`, {}, environment);
  const page = await response.text();
  const title = /<h1>(.*)<\/h1>/.exec(page)?.[1] ?? null;
  return [response.status, response.headers.get("x-cache"), response.headers.get("location") ?? title];
}

type Workspace = Awaited<ReturnType<typeof makeWorkspace>>;
const patch = async (ws: Workspace, { id }: { id: string }, body: object) => {
  const answer = await ws.call("PATCH", `/api/v1/links/${id}`, { body });
  expect(answer.status, answer.text).toBe(200);
};

describe("a link is open from its start to its end", () => {
  it("opens and ends at the second in what memory and KV hold, without D1 or a write", async () => {
    const { slug } = await ws.link({
      destination_url: DESTINATION,
      starts_at: at(1_000),
      ends_at: at(2_000),
      ended_url: OVER,
    });
    const instance = otherInstance();
    expect(await seen(slug, instance)).toEqual([404, "miss", EARLY]);
    const { env: other, trips } = counted(instance);
    for (const [now, status, where] of [
      [999, 404, EARLY],
      [1_000, 302, DESTINATION],
      [1_999, 302, DESTINATION],
      [2_000, 302, OVER],
    ] as const) {
      elapse(now);
      // Memory, then KV.
      expect(await seen(slug, instance)).toEqual([status, "hit", where]);
      expect(await seen(slug, { ...other, KV: otherInstance(other).KV })).toEqual([status, "hit", where]);
    }
    // Each new instance asks for the list of doubts behind its answer, and reads the brand for a page.
    expect(trips).toEqual({ d1: 4, kvReads: 5, kvWrites: 0 });
  });

  it("opens and ends while the database does not answer", async () => {
    const { slug } = await ws.link({
      destination_url: DESTINATION,
      starts_at: at(10 * MINUTE),
      ends_at: at(20 * MINUTE),
      ended_url: OVER,
    });
    expect(await seen(slug)).toEqual([404, "miss", EARLY]);
    for (const [now, status, where] of [
      [10 * MINUTE - 1, 404, EARLY],
      [10 * MINUTE, 302, DESTINATION],
      [20 * MINUTE - 1, 302, DESTINATION],
      [20 * MINUTE, 302, OVER],
    ] as const) {
      elapse(now);
      expect(await seen(slug, otherInstance(withoutD1()))).toEqual([status, "hit", where]);
    }
  });
});

describe("after the end", () => {
  const own = host();
  const groups = host();

  it.each<[string, { own?: string; group?: string; blocked?: string[] }, [number, string]]>([
    ["with neither address", {}, [410, ENDED]],
    ["with a blocked own address", { own: `https://${own}/`, blocked: [own] }, [410, ENDED]],
    ["with an own address below a blocked host", { own: `https://a.${own}/`, blocked: [own] }, [410, ENDED]],
    [
      "with a blocked own address, its group's does not take its place",
      { own: `https://${own}/`, group: GROUPS_OVER, blocked: [own] },
      [410, ENDED],
    ],
    ["with a blocked address of its group", { group: `https://${groups}/`, blocked: [groups] }, [410, ENDED]],
    [
      "with an own address, while its group's is blocked",
      { own: OVER, group: `https://${groups}/`, blocked: [groups] },
      [302, OVER],
    ],
  ])("a visitor of a link %s", async (_, given, [status, where]) => {
    const group = await ws.group({ ended_url: given.group ?? null });
    const link = await ws.link({
      destination_url: DESTINATION,
      activity_group_id: group.id,
      ends_at: at(0),
      ended_url: given.own ?? null,
    });
    for (const name of given.blocked ?? []) await blockHost(serviceContext(), name);
    try {
      for (let time = 0; time < 2; time++) {
        const [seenStatus, , seenWhere] = await seen(link.slug);
        expect([seenStatus, seenWhere]).toEqual([status, where]);
      }
    } finally {
      for (const name of given.blocked ?? []) await unblockHost(serviceContext(), name);
    }
  });

  it("neither UTM parameters nor the visitor's query are added, and every byte of the address is kept", async () => {
    const ended = "HTTPS://EXAMPLE.com/a%20b?flag&q=%E9&utm_source=own#top";
    const { slug } = await ws.link({
      destination_url: DESTINATION,
      utm_source: "s",
      utm_campaign: "c",
      ends_at: at(1_000),
      ended_url: ended,
    });
    const asked = `/${slug}?x=1&utm_source=evil`;
    const open = await visit(asked);
    expect(open.headers.get("location")).toBe(`${DESTINATION}?utm_source=s&utm_campaign=c&x=1`);
    elapse(1_000);
    const headers = Object.fromEntries((await visit(asked)).headers);
    expect(headers).toEqual({
      location: ended,
      "cache-control": "private, no-store",
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-robots-tag": "noindex",
      "x-cache": "hit",
      "x-request-id": expect.any(String),
    });
  });
});

const LIVES: [string, () => object][] = [
  ["not open yet", () => ({ starts_at: at(HOUR) })],
  ["open", () => ({ starts_at: at(-HOUR), ends_at: at(HOUR), ended_url: OVER })],
  ["ended", () => ({ ends_at: at(-HOUR), ended_url: OVER })],
];

it.each(LIVES)(
  "a link that must not redirect at all shows the takedown page, whether it is %s: taken down, suspended or blocked",
  async (_, activeWindow) => {
    const ws = await makeWorkspace();
    const name = host();
    const link = await ws.link({ destination_url: `https://${name}/`, ...activeWindow() });
    const before = await seen(link.slug);
    // In the instance that made the change, and in a new one.
    const later = async () => {
      const [[status, , where], other] = [await seen(link.slug, testEnv), await seen(link.slug)];
      expect(other).toEqual([status, "hit", where]);
      return [status, where];
    };
    await takeDown(ws.ctx, link.id);
    expect(await later()).toEqual([404, TAKEN_DOWN]);
    await endTakedown(ws.ctx, link.id);
    expect(await later()).toEqual([before[0], before[2]]);
    await blockHost(serviceContext(), name);
    expect(await later()).toEqual([404, TAKEN_DOWN]);
    await unblockHost(serviceContext(), name);
    expect(await later()).toEqual([before[0], before[2]]);
    await suspendWorkspace(ws.ctx, ws.slug);
    expect(await later()).toEqual([404, TAKEN_DOWN]);
    await resumeWorkspace(ws.ctx, ws.slug);
    expect(await later()).toEqual([before[0], before[2]]);
  },
);

describe("a link in a group", () => {
  it("follows the group, which changes no row of a link once links end with it", async () => {
    const group = await ws.group();
    const { slug, id } = await ws.link({ destination_url: DESTINATION, activity_group_id: group.id });
    const row = () =>
      env.DB.prepare(
        "select version, updated_at, rev from links join slugs on link_id = links.id where public_id = ?",
      )
        .bind(id)
        .first<{ version: number; rev: number }>();
    expect(await seen(slug, testEnv)).toEqual([302, "miss", DESTINATION]);
    const follow = async (fields: ChangedActivityGroup, status: number, where: string) => {
      await updateActivityGroup(ws.ctx, group.id, fields);
      for (const instance of [testEnv, otherInstance()]) {
        const answer = await seen(slug, instance);
        expect([answer[0], answer[2]], JSON.stringify(fields)).toEqual([status, where]);
      }
    };
    await follow({ ends_at: start, ends_links: true, ended_url: GROUPS_OVER }, 302, GROUPS_OVER);
    const named = await row();
    expect(named).toMatchObject({ version: 1, rev: 2 });
    await follow({ ended_url: null }, 410, ENDED);
    await follow({ ends_at: start + HOUR }, 302, DESTINATION);
    await follow({ ends_at: start, ended_url: OVER }, 302, OVER);
    await follow({ ends_links: false }, 302, DESTINATION);
    expect((await row())?.version).toBe(1);
  });

  it.each<[string, (group: string) => object, number, string]>([
    ["is moved into a group that has ended", (group) => ({ activity_group_id: group }), 302, GROUPS_OVER],
    ["gets an end", () => ({ ends_at: at(0) }), 410, ENDED],
    ["gets an end and an address", () => ({ ends_at: at(0), ended_url: OVER }), 302, OVER],
    ["gets a start", () => ({ starts_at: at(HOUR) }), 404, EARLY],
  ])(
    "that %s shows it at once in the instance that wrote it, and in KV",
    async (_, change, status, where) => {
      const ended = await ws.group({ ends_at: start, ends_links: true, ended_url: GROUPS_OVER });
      const link = await ws.link({ destination_url: DESTINATION });
      await visit(`/${link.slug}`, {}, testEnv);
      await patch(ws, link, change(ended.id));
      expect(await seen(link.slug, testEnv)).toEqual([status, "miss", where]);
      expect(await seen(link.slug)).toEqual([status, "hit", where]);
    },
  );

  it("that joins the group while links begin to end with it ends too", async () => {
    const group = await ws.group();
    const link = await ws.link({ destination_url: DESTINATION });
    await visit(`/${link.slug}`);
    const overtaken = overtakenBy(() =>
      updateActivityGroup(ws.ctx, group.id, { ends_at: start, ends_links: true }),
    );
    const body = { activity_group_id: group.id };
    const answer = await ws.call("PATCH", `/api/v1/links/${link.id}`, { body, env: overtaken });
    expect(answer.status).toBe(200);
    expect(await seen(link.slug)).toEqual([410, "hit", ENDED]);
  });

  it("that moves between groups of one kind is not pushed", async () => {
    const [one, other] = [await ws.group(), await ws.group({ ends_at: start })];
    const link = await ws.link({ destination_url: DESTINATION, activity_group_id: one.id });
    await visit(`/${link.slug}`);
    await patch(ws, link, { activity_group_id: other.id });
    const row = await env.DB.prepare("select rev from slugs where key = ?").bind(link.slug).first();
    expect(row).toEqual({ rev: 1 });
  });
});

describe("the pages of a link that leads nowhere", () => {
  const PAGES: [string, () => object, number, string, string][] = [
    ["early", () => ({ starts_at: at(HOUR) }), 404, EARLY, "This link is not open yet."],
    ["ended", () => ({ ends_at: at(-HOUR) }), 410, ENDED, "This link has ended."],
  ];

  it.each(PAGES)(
    "%s: HTML for browsers, JSON where only JSON is accepted",
    async (_, activeWindow, status, title, message) => {
      const ws = await makeWorkspace();
      const { slug } = await ws.link(activeWindow());
      await visit(`/${slug}`);
      const page = await visit(`/${slug}`, { headers: { accept: "text/html,application/json,*/*" } });
      const text = await page.text();
      expect([page.status, text.includes(`<h1>${title}</h1>`), text.includes(ws.slug)]).toEqual([
        status,
        true,
        false,
      ]);
      const { "x-request-id": id, ...headers } = Object.fromEntries(page.headers);
      expect([typeof id, headers]).toEqual([
        "string",
        { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8", "x-cache": "hit" },
      ]);
      const json = await visit(`/${slug}`, JSON_ONLY);
      expect([json.status, json.headers.get("content-type"), await json.json()]).toEqual([
        status,
        "application/json",
        { message },
      ]);
    },
  );

  it("are not counted as unknown slugs", async () => {
    const { asked, binding: UNKNOWN_SLUG_RATE } = limiter(0);
    const down = await ws.link();
    await takeDown(ws.ctx, down.id);
    const [early, ended] = [await ws.link({ starts_at: at(HOUR) }), await ws.link({ ends_at: at(-HOUR) })];
    for (const { slug } of [early, ended, down]) {
      for (const cache of ["miss", "hit"]) {
        const response = await visit(`/${slug}`, {}, otherInstance({ ...testEnv, UNKNOWN_SLUG_RATE }));
        expect([cache, response.status === 429]).toEqual([cache, false]);
      }
    }
    expect(asked).toEqual([]);
  });
});
