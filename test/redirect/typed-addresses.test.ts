import { expect, it } from "vitest";
import { reportClicks } from "../../src/analytics/command-report";
import { rangeOfDays } from "../../src/lib/range";
import { setDomainAddresses } from "../../src/resources/domains/domain-addresses";
import { addDomain } from "../../src/resources/domains/domain-service";
import { applyNow, ownD1 } from "../analytics/platform";
import addresses from "../corpora/typed-addresses.json";
import { API, counted, makeWorkspace, otherInstance, SHORT, send, testEnv } from "../harness";
import { limiter } from "../limiter";

const TARGET = "https://www.example.com/";
const SLUGS = ["summer", "summer-", "summer_", "summer--sale", "0"];

const ws = await makeWorkspace();
const { host } = await addDomain(ws.ctx, `t${crypto.randomUUID().slice(0, 8)}.example`, true);
const ON_DOMAIN = `https://${host}`;
for (const slug of SLUGS) await ws.link({ slug, domain: host, destination_url: TARGET + slug });
const unique = () => `t${crypto.randomUUID().slice(0, 8)}`;
const NO_TRIPS = { d1: 0, kvReads: 0, kvWrites: 0 };

/** Sends a URL as it is, as workerd does. The constructor of Request would serialise it. */
const visitRaw = (url: string, environment = otherInstance(), init: RequestInit = {}) =>
  send(
    new Proxy(new Request(SHORT, { redirect: "manual", ...init }), {
      get(target, name) {
        const value: unknown = name === "url" ? url : Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    }),
    environment,
  );

it.each(addresses.cases)("$typed opens $opens", async ({ typed, opens, query = "" }) => {
  const cost = counted(otherInstance());
  const response = await visitRaw(ON_DOMAIN + typed, cost.env);
  if (opens === null) {
    // The short page of `/` has the settings of the domain.
    expect(response.status).toBe(typed === "/" ? 200 : 404);
    if (typed !== "/") expect([response.headers.get("x-cache"), cost.trips]).toEqual([null, NO_TRIPS]);
  } else if (opens.endsWith("+")) {
    const page = await response.text();
    expect([response.status, page.includes(`<code>${TARGET}${opens.slice(0, -1)}${query}</code>`)]).toEqual([
      200,
      true,
    ]);
    expect(page).toContain(`href="/${opens.slice(0, -1)}${query}"`);
  } else {
    expect([response.status, response.headers.get("location")]).toEqual([302, TARGET + opens + query]);
    expect(["hit", "miss"]).toContain(response.headers.get("x-cache"));
  }
});

it("works on the short host, the main host and a former one, for links and codes", async () => {
  const { slug } = await ws.link({ domain: "s.example", destination_url: TARGET });
  const instance = { ...otherInstance(), FORMER_HOSTS: "old.example" };
  for (const origin of [SHORT, API, "https://old.example"]) {
    for (const typed of [`/${slug}.`, `//${slug}`, `/(${slug})`]) {
      const response = await visitRaw(origin + typed, instance);
      expect([response.status, response.headers.get("location")], origin + typed).toEqual([302, TARGET]);
    }
  }
  // No address of another host is opened.
  expect((await visitRaw(`https://${unique()}.example/${slug}.`)).status).toBe(404);
  expect((await visitRaw(`${SHORT}/${host}/summer.`)).status).toBe(404);
});

it("is one look-up if the slug is unknown, which is limited as any", async () => {
  const plain = counted(otherInstance());
  await visitRaw(`${SHORT}/${unique()}`, plain.env);
  const typed = counted(otherInstance());
  expect((await visitRaw(`${SHORT}/${unique()}.`, typed.env)).status).toBe(404);
  expect(typed.trips).toEqual(plain.trips);
  const { asked, binding } = limiter(0);
  const refusing = { ...otherInstance(), UNKNOWN_SLUG_RATE: binding };
  const from = { headers: { "cf-connecting-ip": "192.0.2.9" } };
  expect((await visitRaw(`${SHORT}/${unique()}.`, refusing, from)).status).toBe(429);
  expect(asked).toEqual(["waymark:192.0.2.9"]);
});

it("an unknown one leads to the not-found address of its domain, what cannot be a slug does not", async () => {
  const { host: own } = await addDomain(ws.ctx, `${unique()}.example`, true);
  await setDomainAddresses(ws.ctx, own, { root_url: null, not_found_url: "https://help.example/" });
  const typed = await visitRaw(`https://${own}/nobody.`);
  expect([typed.status, typed.headers.get("location")]).toEqual([302, "https://help.example/"]);
  expect((await visitRaw(`https://${own}/no/body.`)).status).toBe(404);
});

it("other methods are 405 without a look-up, as for any slug", async () => {
  const cost = counted(otherInstance());
  const response = await visitRaw(`${ON_DOMAIN}/summer.`, cost.env, { method: "POST" });
  expect([response.status, cost.trips]).toEqual([405, NO_TRIPS]);
});

it("counts as a click, and the preview of one does not", async () => {
  const link = await ws.link({ domain: "s.example" });
  const counting = { ...otherInstance(testEnv), DB: ownD1(), CLICK_PACK_SECONDS: "0.001" };
  await visitRaw(`${SHORT}/${link.slug}.`, counting);
  await visitRaw(`${SHORT}/${link.slug}.+`, counting);
  await applyNow();
  const day = Math.floor(Date.now() / 86_400_000);
  const found = await reportClicks(ws.ctx, { link: link.id }, rangeOfDays("UTC", day, day + 1));
  expect(found.people + found.bots).toBe(1);
});
