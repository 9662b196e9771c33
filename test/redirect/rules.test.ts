import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/context";
import { ruleKey } from "../../src/lib/visitor-rules";
import { checkDestinations } from "../../src/operations/moderation/checks";
import { writeDueSlugs } from "../../src/redirect/slugs/kv-writer";
import { RANKS } from "../../src/redirect/slugs/statements/marks";
import { blockHost, unblockHost } from "../../src/resources/destinations/blocklist";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { updateWorkspace } from "../../src/resources/workspaces/workspace-service";
import { applyNow, ownD1 } from "../analytics/platform";
import { stopClock } from "../clock";
import { kvFails, withKv, withoutD1 } from "../faulty";
import { makeWorkspace, otherInstance, SHORT, send, serviceContext, testEnv, visit } from "../harness";
import { selectRows } from "../sql";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const HOUR = 3_600_000;
const DESTINATION = "https://www.example.com/?a=b#top";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const APPS = { destination_url: "https://apps.example.com/?b=c", devices: ["ios"] };
const FRENCH = { destination_url: "https://fr.example.com/", languages: ["fr"], countries: ["CH", "FR"] };

const visitorFrom = (country: string, language: string, agent = "") => ({
  headers: { "accept-language": language, "user-agent": agent },
  cf: { country },
});

const leads = async (path: string, init: object = {}, environment = otherInstance()) => {
  const response = await visit(path, init as RequestInit, environment);
  return response.headers.get("location") ?? response.status;
};

stopClock();
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("a link with rules", () => {
  it("leads each visitor by the first that holds, with UTM parameters and the visitor's query, from D1, KV and memory", async () => {
    const { slug } = await ws.link({
      destination_url: DESTINATION,
      utm_source: "poster",
      rules: [APPS, FRENCH],
    });
    const instance = otherInstance();
    for (const environment of [instance, instance, otherInstance(), { ...instance, DB: withoutD1().DB }]) {
      expect(await leads(`/${slug}?x=1`, visitorFrom("FR", "fr", IPHONE), environment)).toBe(
        "https://apps.example.com/?b=c&utm_source=poster&x=1",
      );
      expect(await leads(`/${slug}`, visitorFrom("CH", "de;q=0.5, fr-CH"), environment)).toBe(
        "https://fr.example.com/?utm_source=poster",
      );
      for (const other of [visitorFrom("DE", "fr"), visitorFrom("CH", "de, fr;q=0.9"), {}]) {
        expect(await leads(`/${slug}`, other, environment)).toBe(
          "https://www.example.com/?a=b&utm_source=poster#top",
        );
      }
    }
  });

  it("follows a rule from its start to its end, in what memory and KV hold", async () => {
    const start = Date.now();
    const at = (milliseconds: number) => new Date(start + milliseconds).toISOString();
    const rule = { destination_url: "https://fair.example/", starts_at: at(1_000), ends_at: at(2_000) };
    const { slug } = await ws.link({ rules: [rule] });
    const instance = otherInstance();
    expect(await leads(`/${slug}`, {}, instance)).toBe("https://www.example.com/");
    for (const [now, where] of [
      [999, "https://www.example.com/"],
      [1_000, "https://fair.example/"],
      [1_999, "https://fair.example/"],
      [2_000, "https://www.example.com/"],
    ] as const) {
      vi.setSystemTime(start + now);
      expect(await leads(`/${slug}`, {}, instance)).toBe(where);
    }
  });

  const CHECKED: Env = { ...testEnv, DESTINATION_DNS_CHECK: "https://resolver.example/dns-query" };

  /** A link with a rule that the resolver refuses, before another one. */
  async function linkWithBadRule() {
    const host = `h${crypto.randomUUID().slice(0, 8)}.example`;
    const bad = { destination_url: `https://www.${host}/`, devices: ["desktop"] };
    const next = { destination_url: "https://next.example.com/", devices: ["desktop"] };
    const link = await ws.link({ rules: [bad, next] });
    vi.stubGlobal("fetch", async (url: string) =>
      Response.json({ Status: 0, Answer: url.includes(host) ? [{ data: "0.0.0.0" }] : [] }),
    );
    return { ...link, host, bad, next };
  }

  it("skips a rule to a blocked host and one that the resolver refuses", async () => {
    const { slug, host, bad, next } = await linkWithBadRule();
    const later = () => {
      vi.setSystemTime(Date.now() + 6 * 60_000);
      return leads(`/${slug}`);
    };
    expect(await leads(`/${slug}`)).toBe(bad.destination_url);
    await blockHost(serviceContext(), host);
    expect(await later()).toBe(next.destination_url);
    await unblockHost(serviceContext(), host);
    expect(await later()).toBe(bad.destination_url);
    // The rules were made while no resolver was asked, so they are due once one is.
    await checkDestinations(serviceContext(CHECKED));
    await writeDueSlugs(serviceContext());
    expect(await later()).toBe(next.destination_url);
  });

  it("skips a rule that the resolver refuses after an update that keeps it, also while the resolver is down", async () => {
    const { id, slug, bad, next } = await linkWithBadRule();
    const body = { rules: [bad, { ...next, share: 99 }] };
    expect((await ws.call("PATCH", `/api/v1/links/${id}`, { body, env: CHECKED })).status).toBe(200);
    vi.stubGlobal("fetch", async () => new Response("no", { status: 500 }));
    await checkDestinations(serviceContext(CHECKED));
    vi.setSystemTime(Date.now() + 6 * 60_000);
    vi.spyOn(Math, "random").mockReturnValue(0);
    expect(await leads(`/${slug}`)).toBe("https://next.example.com/");
  });
});

it("visits are counted by the content of the rule that led them, in any order and with any share", async () => {
  vi.useRealTimers();
  const ws = await makeWorkspace();
  const { id, slug, rules } = await ws.link({ rules: [APPS, FRENCH] });
  const keys = rules.map((rule) => ruleKey(rule));
  const instance = (): Env => ({ ...otherInstance(), DB: ownD1(), CLICK_PACK_SECONDS: "0.001" });
  const phone = visitorFrom("DE", "de", IPHONE);
  const desktop = visitorFrom("DE", "de", FIREFOX);
  const bot = visitorFrom("DE", "de", "Googlebot/2.1");
  for (const visitor of [phone, phone, desktop, bot]) await leads(`/${slug}`, visitor, instance());
  const changed = [FRENCH, { ...APPS, share: 99 }];
  await ws.call("PATCH", `/api/v1/links/${id}`, { body: { rules: changed } });
  vi.spyOn(Math, "random").mockReturnValue(0);
  await leads(`/${slug}`, phone, instance());
  await leads(`/${slug}`, visitorFrom("CH", "fr", FIREFOX), instance());
  const other = await ws.link();
  await leads(`/${other.slug}`, phone, instance());
  await applyNow();
  const { results } = await env.DB.prepare(
    `select owner_kind, public_id, key as value, value as visits from visit_days join links on links.id = owner_id
      join json_each(origins, '$.rule') where visit_days.workspace_id = ? order by key`,
  )
    .bind(ws.ctx.workspace.rowId)
    .all();
  const ofLink = { owner_kind: "link", public_id: id };
  expect(results).toEqual([
    { ...ofLink, value: "", visits: 1 },
    ...[
      { ...ofLink, value: keys[0], visits: 3 },
      { ...ofLink, value: keys[1], visits: 1 },
    ].toSorted((one, two) => String(one.value).localeCompare(String(two.value))),
  ]);
});

it("a slash at the end of a short URL is forgiven for slugs alone", async () => {
  const { slug } = await (await makeWorkspace()).link({ destination_url: DESTINATION });
  expect(await leads(`/${slug}/?x=1`)).toBe("https://www.example.com/?a=b&x=1#top");
  for (const path of [`/${slug}/x`, "/health/", "/unknown-slug/"]) {
    expect(await leads(path), path).toBe(404);
  }
  expect((await send(new Request("https://api.example/api/v1/tags/"))).status).toBe(404);
});

describe("the preview of a link", () => {
  const preview = async (path: string, init: object = {}) => {
    const response = await visit(path, init as RequestInit);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it("shows where it leads this visitor, and a way on, and counts no visit", async () => {
    const { slug } = await ws.link({
      destination_url: "https://www.example.com/<b>",
      rules: [APPS, { destination_url: "https://half.example/", share: 50 }],
    });
    const { status, headers, text } = await preview(`/${slug}+?x=%22%3E`);
    expect([status, headers.get("x-robots-tag"), headers.get("cache-control")]).toEqual([
      200,
      "noindex",
      "private, no-store",
    ]);
    expect(text).toContain("<code>https://half.example/?x=%22%3E</code>");
    expect(text).toContain("<code>https://www.example.com/&#60;b&#62;?x=%22%3E</code>");
    expect(text).not.toContain("apps.example.com");
    expect(text).toContain(`href="/${slug}?x=%22%3E"`);
    const onPhone = await preview(`/${slug}+`, { headers: { "user-agent": IPHONE } });
    expect(onPhone.text).toContain("<code>https://apps.example.com/?b=c</code>");
    expect(onPhone.text).not.toContain("half.example");
    expect((await visit(`/${slug}+`, { method: "HEAD" })).status).toBe(200);
    expect((await visit(`/${slug}+`, { method: "POST" })).status).toBe(405);
    for (const path of [`/${slug}+/`, `/${slug}%2B`, `/${slug}++`, "/+"]) {
      expect((await preview(path)).status, path).toBe(404);
    }
  });

  it("shows the page of a link that is not open", async () => {
    const over = await ws.link({ ends_at: "2020-01-01T00:00Z", ended_url: "https://over.example.com/" });
    const ended = await preview(`/${over.slug}+`);
    expect(ended.status).toBe(410);
    expect(ended.text).toContain("https://over.example.com/");
    const early = await ws.link({ starts_at: new Date(Date.now() + HOUR).toISOString() });
    expect((await preview(`/${early.slug}+`)).status).toBe(404);
    expect((await preview("/unknown-slug+")).status).toBe(404);
    const elsewhere = { ...otherInstance(), NOT_FOUND_REDIRECT_URL: "https://www.example.com/missing" };
    expect((await visit("/unknown-slug+", {}, elsewhere)).status).toBe(404);
  });
});

it("a scan tells the destination's analytics the asset, where the workspace wants that", async () => {
  const ws = await makeWorkspace();
  const link = await ws.link({
    utm_source: "fair",
    rules: [{ destination_url: "https://apps.example.com/?utm_content=own", devices: ["ios"] }],
  });
  const { code } = await createAsset(ws.ctx, { name: "Poster 7, Zürich HB", link: link.id, kind: "poster" });
  expect(await leads(`/${code}`)).toBe("https://www.example.com/?utm_source=fair");
  await updateWorkspace(ws.ctx, { scans_name_asset: true });
  vi.setSystemTime(Date.now() + 6 * 60_000);
  expect(await leads(`/${code}`)).toBe(
    "https://www.example.com/?utm_source=fair&utm_content=poster-7-zurich-hb",
  );
  expect(await leads(`/${code}`, { headers: { "user-agent": IPHONE } })).toBe(
    "https://apps.example.com/?utm_content=own&utm_source=fair",
  );
  expect(await leads(`/${link.slug}`)).toBe("https://www.example.com/?utm_source=fair");
});

it("the switch for it marks the codes of assets alone, after all single changes", async () => {
  const ws = await makeWorkspace();
  const link = await ws.link();
  const { id } = await createAsset(ws.ctx, { name: "Poster", link: link.id, kind: "poster" });
  const { KV: kv } = withKv({ put: kvFails, delete: kvFails });
  await updateWorkspace({ ...ws.ctx, kv }, { scans_name_asset: true });
  expect(
    await selectRows`select asset, push_at from slugs where workspace_id = ${ws} and push_at is not null`,
  ).toEqual([{ asset: id, push_at: RANKS.bulkEdit }]);
});

it("a local service takes the country of `X-Country`, since wrangler invents one", async () => {
  const { slug } = await ws.link({ rules: [{ destination_url: "https://ch.example/", countries: ["CH"] }] });
  const local = { ...testEnv, BASE_URL: "" };
  const from = (headers: Record<string, string>) =>
    send(
      new Request(`${SHORT}/${slug}`, { headers, cf: { country: "CH" }, redirect: "manual" } as RequestInit),
      local,
    );
  expect((await from({})).headers.get("location")).toBe("https://www.example.com/");
  expect((await from({ "x-country": "CH" })).headers.get("location")).toBe("https://ch.example/");
});
