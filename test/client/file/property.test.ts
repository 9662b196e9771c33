import fc from "fast-check";
import { expect, it } from "vitest";
import { WaymarkError } from "../../../src/client/api/error";
import type { Link, Waymark } from "../../../src/client/api/wire-types";
import { EXIT, Refusal } from "../../../src/client/exit";
import type { LinkFile, WantedLink } from "../../../src/client/file/link-file";
import { makePlan, type Plan } from "../../../src/client/file/make-plan";
import { fold } from "../../../src/lib/slug-text";
import { setup } from "../api/setup";
import type { FakeService } from "../fake-service";
import { apply, applyAll, clientOf, type Fields, fileOf, killAt, revive, writesOf } from "./setup";

const RUNS = Number(process.env["RUNS"] ?? 300);

const KEYS = ["a", "b", "c", "d"];
const SLUGS = ["one", "two", "Two", "three", "four", "five"];
const TAGS = ["Print", "print", "Web", "Mail", "Été"];
const GROUPS = ["summer", "winter"];
const TEXTS = ["x", " y ", null, "inherit"];
/** The last two are the same instant. */
const STARTS = ["2026-06-02T00:00Z", "2026-06-01T08:00:00+02:00", "2026-06-01T06:00:00Z", null];
const ENDS = ["2026-08-31T22:00:00.000000Z", "2026-09-01T00:00:00+02:00", "2026-12-31T00:00:00Z", null];
const ONE_MOMENT = [
  { starts_at: null, ends_at: "2026-01-01T00:00:00Z" },
  { starts_at: "2027-01-01T00:00:00Z", ends_at: null },
];
const ENDED_URLS = ["https://www.example.com/over", null];

/** Canonical rules and other spellings of them. */
const RULES = [
  [{ destination: "https://www.example.com/fr", languages: ["fr"] }],
  [{ languages: ["fr", "fr"], countries: [], destination: "https://www.example.com/fr", share: null }],
  [
    { destination: "https://www.example.com/app", devices: ["ios"], share: 50 },
    { destination: "https://www.example.com/ch", countries: ["CH"], starts_at: "2026-06-01T08:00:00+02:00" },
  ],
  [],
  null,
];

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const text = optional(fc.constantFrom(...TEXTS));
const slug = fc.constantFrom(...SLUGS);
const tags = fc.array(fc.constantFrom(...TAGS), { maxLength: 3 });
const group = fc.constantFrom(...GROUPS, null);

const without = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const shared = {
  channel: text,
  group: optional(group),
  tags: optional(fc.oneof(tags, fc.constant(null))),
  ends_at: optional(fc.constantFrom(...ENDS)),
  ended_url: optional(fc.constantFrom(...ENDED_URLS)),
  utm: optional(fc.record({ source: text, medium: text, campaign: text }).map(without)),
};
const fields = fc
  .record({
    slug: optional(slug),
    destination: fc.constantFrom("https://www.example.com/", "https://example.com/2?q=1#x"),
    title: text,
    rules: optional(fc.constantFrom(...RULES)),
    starts_at: optional(fc.constantFrom(...STARTS)),
    ...shared,
  })
  .map(without);

/** These keys are always on the domain of their own, where the slugs of the others are free. */
const KEYS_ON_DOMAIN = new Set(["c", "d"]);
const DOMAIN = "acme.example";

/** A file must not give a slug twice on a domain. */
function withDistinctSlugs(links: Record<string, Fields>): Record<string, Fields> {
  const seen = new Set<string>();
  return Object.fromEntries(
    Object.entries(links).map(([key, { slug: wanted, ...fields }]) => {
      const domain = KEYS_ON_DOMAIN.has(key) ? { domain: DOMAIN } : {};
      const name = `${domain.domain ?? ""}/${String(wanted).toLowerCase()}`;
      if (wanted === undefined || seen.has(name)) return [key, { ...domain, ...fields }];
      seen.add(name);
      return [key, { slug: wanted, ...domain, ...fields }];
    }),
  );
}

const file = (name: string): fc.Arbitrary<LinkFile> =>
  fc
    .record({
      links: fc.dictionary(fc.constantFrom(...KEYS), fields, { maxKeys: KEYS.length }),
      defaults: fc.record(shared).map(without),
      on_removed: fc.constantFrom("archive", "delete", "keep"),
    })
    .map(({ links, ...rest }) => fileOf(withDistinctSlugs(links), { ...rest, name }));

type Step = (client: Waymark, service: FakeService) => Promise<unknown>;

const changeAny = (index: number, change: (client: Waymark, link: Link) => Promise<unknown>): Step => {
  return async (client, { state }) => {
    const link = state.links[index % Math.max(1, state.links.length)];
    if (link !== undefined) await change(client, link);
  };
};

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.oneof(file("site"), file("site"), file("blog")).map(
    (one): Step =>
      (client) =>
        apply(client, one),
  ),
  fc
    .record({ slug, external_id: fc.constantFrom(null, "crm:1", "site:gone"), title: text })
    .map(({ title = null, ...rest }): Step => {
      const input = { destination_url: "https://example.org/", title, ...rest };
      return (client) => client.links.create(input);
    }),
  fc
    .record({
      index: fc.nat(5),
      input: fc
        .record({
          slug: optional(slug),
          title: text,
          rules: fc.constantFrom(undefined, [{ destination_url: "https://example.org/", share: 1 }], null),
          utm_campaign: text,
          activity_group_id: optional(group),
          starts_at: optional(fc.constantFrom(...STARTS)),
          ends_at: optional(fc.constantFrom(...ENDS)),
          ended_url: optional(fc.constantFrom(...ENDED_URLS)),
          status: optional(fc.constantFrom("active", "archived")),
        })
        .map(without),
    })
    .map(({ index, input }) => changeAny(index, (client, { id }) => client.links.update(id, input))),
  fc.nat(5).map((index) => changeAny(index, (client, { id }) => client.links.delete(id))),
);

/** Sets a moment of every link by hand, which the other moment in a file may contradict. */
const byHand = fc.constantFrom(...ONE_MOMENT).map(
  (life): Step =>
    async (client, { state }) => {
      for (const { id } of [...state.links]) await client.links.update(id, life);
    },
);

const history = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc
    .tuple(fc.array(step, { maxLength }), optional(byHand))
    .map(([steps, last]) => (last === undefined ? steps : [...steps, last]));

async function inSomeState(steps: readonly Step[]) {
  const { service, client } = setup({ domains: [DOMAIN] });
  service.addGroup({ slug: "summer", default_utm_campaign: "sale" });
  service.addGroup({ slug: "winter" });
  for (const one of steps) {
    try {
      await one(client, service);
    } catch (error) {
      if (!(error instanceof WaymarkError || error instanceof Refusal)) throw error;
    }
  }
  service.calls.length = 0;
  return { service, client };
}

const ownKey = (link: Link): string | undefined =>
  link.external_id?.startsWith("site:") ? link.external_id.slice("site:".length) : undefined;

/** What the file says about a link, in the words of the link. */
function assertAsWanted(link: Link | undefined, { fields: wanted }: WantedLink): void {
  const { activity_group_id: group, tag_names: tags, utm_campaign: campaign, ...plain } = wanted;
  expect(link).toMatchObject({ status: "active", ...plain });
  if (campaign === null) expect(link?.utm_campaign_origin).toBe("inherited");
  else if (campaign !== undefined) {
    expect(link).toMatchObject({ utm_campaign: campaign, utm_campaign_origin: "explicit" });
  }
  if (group !== undefined) expect(link?.activity_group?.slug ?? null).toBe(group);
  if (tags != null) {
    expect(link?.tags.map(({ name }) => fold(name)).toSorted()).toEqual(tags.map(fold).toSorted());
  }
}

function assertAsTheFileSays(before: readonly Link[], { state }: FakeService, wanted: LinkFile): void {
  const own = new Map(state.links.map((link) => [ownKey(link), link]));
  for (const link of wanted.links) assertAsWanted(own.get(link.key), link);
  for (const was of before) {
    const key = ownKey(was);
    const now = state.links.find(({ id }) => id === was.id);
    if (key === undefined) expect(now).toEqual(was);
    else if (wanted.links.some((link) => link.key === key)) expect(now).toBeDefined();
    else if (wanted.onRemoved === "delete") expect(now).toBeUndefined();
    else if (wanted.onRemoved === "archive") expect(now?.status).toBe("archived");
    else expect(now).toEqual(was);
  }
}

/** The plan; undefined if the file is refused for its problems. */
const planOf = (client: Waymark, wanted: LinkFile): Promise<Plan | undefined> =>
  makePlan(client, wanted).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });

/** Applies a file. False if a slug is taken by an old short URL, since the interface does not tell on which domain those are. */
async function isApplied(client: Waymark, wanted: LinkFile): Promise<boolean> {
  const { links, failed, skipped } = await apply(client, wanted);
  if (links !== undefined) return true;
  const messages = failed.map(({ message }) => message);
  expect(messages, JSON.stringify(skipped)).toEqual(messages.map(() => "The slug has already been taken."));
  return false;
}

it("from any state and any file: after an apply the plan is empty, and a second apply writes nothing", async () => {
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(history(6), file("site"), async (steps, wanted) => {
      const { service, client } = await inSomeState(steps);
      const before = structuredClone(service.state.links);
      const plan = await planOf(client, wanted);
      if (plan === undefined || plan.conflicts.length > 0) {
        const exitCode = plan === undefined ? EXIT.usage : EXIT.failed;
        await expect(apply(client, wanted)).rejects.toMatchObject({ exitCode });
        expect(service.writes()).toEqual([]);
        return;
      }
      if (!(await isApplied(client, wanted))) return;
      applied++;
      assertAsTheFileSays(before, service, wanted);
      expect(writesOf(await makePlan(client, wanted))).toEqual([]);
      service.calls.length = 0;
      await applyAll(client, wanted);
      expect(service.writes()).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  expect(applied).toBeGreaterThan(RUNS / 3);
});

it("killed at any request, the next run ends as one run would", async () => {
  await fc.assert(
    fc.asyncProperty(
      history(4),
      file("site"),
      fc.nat(20),
      fc.boolean(),
      async (steps, wanted, count, hasEffect) => {
        const { service, client } = await inSomeState(steps);
        if ((await planOf(client, wanted))?.conflicts.length !== 0) return;
        const before = structuredClone(service.state.links);
        killAt(service, count, hasEffect);
        await apply(clientOf(service), wanted).catch(() => undefined);
        revive(service);
        // An old short URL that takes a slug is found by the plan, once its link has been moved.
        if ((await makePlan(client, wanted)).conflicts.length > 0) return;
        if (!(await isApplied(client, wanted))) return;
        assertAsTheFileSays(before, service, wanted);
        const keys = service.state.links.map(({ external_id }) => external_id).filter((one) => one !== null);
        expect(new Set(keys).size).toBe(keys.length);
        expect(writesOf(await makePlan(client, wanted))).toEqual([]);
      },
    ),
    { numRuns: RUNS },
  );
});
