import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { blockHost, unblockHost } from "../../src/resources/destinations/blocklist";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { stopClock } from "../clock";
import { withoutD1 } from "../faulty";
import { makeWorkspace, otherInstance, serviceContext, visit } from "../harness";

// Every kind of rule, wherever its link is read from, whatever opens it, and whatever comes before it.

const MINUTE = 60_000;
const OWN = "https://own.example/";
const OVER = "https://over.example/";
const AT_ONCE = "2020-01-01T00:00:00.000Z";

type Visitor = { country?: string; language?: string; agent?: string };
const KINDS: Readonly<Record<string, [conditions: object, led: Visitor, notLed: Visitor | undefined]>> = {
  countries: [{ countries: ["CH"] }, { country: "CH" }, { country: "DE" }],
  devices: [{ devices: ["ios"] }, { agent: "Mozilla/5.0 (iPhone)" }, { agent: "Mozilla/5.0 (X11; Linux)" }],
  languages: [{ languages: ["fr"] }, { language: "de;q=0.5, fr" }, { language: "de, fr;q=0.5" }],
  "a time": [{ starts_at: AT_ONCE, ends_at: "2099-01-01T00:00:00.000Z" }, {}, undefined],
  "a share": [{ share: 99 }, {}, undefined],
};
const WINDOWS = {
  "an open link": {},
  "a link that is not open yet": { starts_at: "2099-01-01T00:00:00.000Z" },
  "a link that has ended": { ends_at: AT_ONCE, ended_url: OVER },
} as const;

const TABLE = Object.entries(KINDS).flatMap(([kind, [conditions, led, notLed]]) =>
  Object.entries(WINDOWS).flatMap(([window, fields]) =>
    (["slug", "code"] as const).flatMap((what) =>
      [false, true].map((isBlocked) => ({ kind, conditions, led, notLed, window, fields, what, isBlocked })),
    ),
  ),
);

async function leads(path: string, { country, language, agent }: Visitor, env = otherInstance()) {
  const headers = { "user-agent": agent ?? "", "accept-language": language ?? "" };
  const init: object = { headers, cf: { country } };
  const response = await visit(path, init, env);
  return response.headers.get("location") ?? response.status;
}

stopClock();
beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
});

it.each(TABLE)(
  "a rule by $kind, of $window, opened by its $what, to a blocked host: $isBlocked",
  async (one) => {
    const ws = await makeWorkspace();
    const host = `${crypto.randomUUID()}.rule.example`;
    const link = await ws.link({
      destination_url: OWN,
      ...one.fields,
      rules: [{ destination_url: `https://${host}/`, ...one.conditions }],
    });
    const code = (await createAsset(ws.ctx, { name: "Poster", link: link.id })).code;
    const path = `/${one.what === "code" ? code : link.slug}`;
    if (one.isBlocked) await blockHost(serviceContext(), host);
    const open = { led: one.isBlocked ? OWN : `https://${host}/`, notLed: OWN };
    const expected = {
      "an open link": open,
      "a link that is not open yet": { led: 404, notLed: 404 },
      "a link that has ended": { led: OVER, notLed: OVER },
    }[one.window];
    const first = otherInstance();
    const seen = async (env: typeof first) => ({
      led: await leads(path, one.led, env),
      notLed: one.notLed === undefined ? expected?.notLed : await leads(path, one.notLed, env),
    });
    expect(await seen(first), "from D1, then memory").toEqual(expected);
    expect(await seen(first), "from memory").toEqual(expected);
    expect(await seen(otherInstance()), "from KV").toEqual(expected);
    vi.setSystemTime(Date.now() + 6 * MINUTE);
    expect(await seen({ ...otherInstance(), DB: withoutD1().DB }), "in an outage").toEqual(expected);
    if (one.isBlocked) await unblockHost(serviceContext(), host);
  },
);

/** A generator of numbers from 0 up to 1 with a seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it("a share of 30 leads so many of 10,000 visits, within five standard deviations", async () => {
  const ws = await makeWorkspace();
  const { slug } = await ws.link({ destination_url: OWN, rules: [{ destination_url: OVER, share: 30 }] });
  vi.spyOn(Math, "random").mockImplementation(seeded(7));
  const instance = otherInstance();
  let led = 0;
  for (let times = 0; times < 10_000; times++) if ((await leads(`/${slug}`, {}, instance)) === OVER) led++;
  expect(Math.abs(led - 3_000)).toBeLessThan(5 * Math.sqrt(10_000 * 0.3 * 0.7));
});

it("ten rules of 2 KB are kept, exported, read from KV and memory, and followed", async () => {
  const ws = await makeWorkspace();
  const long = (number: number) => `https://www.example.com/${number}?${"x".repeat(2_022)}`;
  const rules = Array.from({ length: 10 }, (_, number) => ({
    destination_url: long(number),
    countries: number === 9 ? ["CH"] : ["DE"],
  }));
  expect(rules[9]?.destination_url).toHaveLength(2_048);
  const link = await ws.link({ destination_url: OWN, rules });
  const instance = otherInstance();
  for (const env of [instance, instance, otherInstance()]) {
    expect(await leads(`/${link.slug}`, { country: "CH" }, env)).toBe(long(9));
    expect(await leads(`/${link.slug}`, { country: "FR" }, env)).toBe(OWN);
  }
  const { body } = await ws.call("GET", `/api/v1/links/${link.id}`);
  expect(body.rules.map((rule: { destination_url: string }) => rule.destination_url)).toEqual(
    rules.map((rule) => rule.destination_url),
  );
  const changed = await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { rules: rules.toReversed() } });
  expect(changed.status).toBe(200);
});
