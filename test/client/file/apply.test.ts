import { describe, expect, it } from "vitest";
import { applyPlan } from "../../../src/client/file/apply";
import { makePlan } from "../../../src/client/file/plan";
import {
  apply,
  applyAll,
  callsOf,
  clientOf,
  type Fields,
  fileOf,
  killAt,
  revive,
  workspace,
  writesOf,
} from "./setup";

const many = (count: number, fields: (number: number) => Fields): Record<string, Fields> =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`key-${number}`, fields(number)]));

describe("an apply", () => {
  it("makes tags, then links, then removes", async () => {
    const { service, client } = workspace();
    await applyAll(client, fileOf({ a: { slug: "a" }, old: {} }));
    const file = fileOf({ a: { slug: "a", tags: ["One"] }, b: { slug: "b", tags: ["Two"] } });
    service.calls.length = 0;
    const links = await applyAll(client, file);
    const order = service
      .writes()
      .map(({ method, path }) => `${method} ${path.replace(/[0-9A-Z]{26}/, "ID")}`);
    expect(order.slice(0, 2)).toEqual(["POST /tags", "POST /tags"]);
    expect(order.slice(2, 4).toSorted()).toEqual(["PATCH /links/ID", "POST /links"]);
    expect(order.slice(4)).toEqual(["PATCH /links/ID"]);
    expect([...links].map(([key, { slug }]) => [key, slug]).toSorted()).toEqual([
      ["a", "a"],
      ["b", "b"],
    ]);
    expect(service.state.links.map(({ external_id, status }) => [external_id, status])).toEqual([
      ["site:a", "active"],
      ["site:old", "archived"],
      ["site:b", "active"],
    ]);
  });

  it("sends If-Match with every update and removal", async () => {
    const { service, client } = workspace();
    await applyAll(client, fileOf({ a: {}, b: {} }));
    await applyAll(client, fileOf({ a: { title: "x" } }, { on_removed: "delete" }));
    const changes = service.writes().filter(({ method }) => method !== "POST");
    expect(changes.map(({ method }) => method)).toEqual(["PATCH", "DELETE"]);
    expect(changes.every(({ headers }) => headers.get("If-Match")?.startsWith('"'))).toBe(true);
  });

  it("writes nothing the second time", async () => {
    const { service, client } = workspace();
    service.addGroup({ slug: "summer", default_utm_campaign: "sale" });
    const file = fileOf({
      a: { slug: "a", group: "summer", tags: ["One"], utm: { campaign: "inherit" } },
      b: { title: " x ", channel: "web", utm: { campaign: "own" } },
    });
    await applyAll(client, file);
    service.calls.length = 0;
    await applyAll(client, file);
    expect(service.writes()).toEqual([]);
  });

  it("restores an archived link whose key is in the file again", async () => {
    const { service, client } = workspace();
    const file = fileOf({ a: { slug: "a" } });
    await applyAll(client, file);
    await applyAll(client, fileOf({}));
    expect(service.state.links.map(({ status }) => status)).toEqual(["archived"]);
    await applyAll(client, file);
    expect(service.state.links.map(({ status }) => status)).toEqual(["active"]);
  });

  it.each([
    ["problems", { a: { group: "none" } }],
    ["conflicts", { a: { slug: "theirs" } }],
    ["removals", {}],
  ])("that has %s writes nothing", async (reason, links) => {
    const { service, client } = workspace();
    await applyAll(client, fileOf(many(3, () => ({}))));
    await client.links.create({ destination_url: "https://example.com/", slug: "theirs" });
    service.calls.length = 0;
    const plan = await makePlan(client, fileOf(links));
    await expect(applyPlan(client, plan, { maxRemovals: 2 })).rejects.toMatchObject({
      name: "PlanError",
      reason,
    });
    expect(service.writes()).toEqual([]);
  });

  it("removes ten links at most by default", async () => {
    const { client } = workspace();
    await applyAll(client, fileOf(many(11, () => ({}))));
    const all = await makePlan(client, fileOf({}));
    await expect(applyPlan(client, all)).rejects.toMatchObject({ reason: "removals" });
    const { failed } = await applyPlan(client, await makePlan(client, fileOf({ "key-0": {} })));
    expect(failed).toEqual([]);
  });

  it("removes nothing if anything failed, and goes on with the rest", async () => {
    const { service, client } = workspace();
    await applyAll(client, fileOf({ gone: {} }));
    service.state.slugs.set("foreign", null);
    const file = fileOf({ a: { slug: "foreign" }, b: { slug: "b" } });
    const result = await apply(client, file);
    expect(result.done.map(({ key }) => key)).toEqual(["b"]);
    expect(result.failed).toMatchObject([
      { op: "create", key: "a", message: "The slug has already been taken.", error: { status: 422 } },
    ]);
    expect(result.skipped).toEqual([
      {
        op: "archive",
        key: "gone",
        outcome: "skipped",
        message: "Nothing is removed before everything else is done.",
      },
    ]);
    expect(result.links).toBeUndefined();
    expect(service.state.links.find(({ external_id }) => external_id === "site:gone")?.status).toBe("active");
  });

  it("leaves out the links of a tag that could not be made", async () => {
    const { service, client } = workspace();
    const file = fileOf({ a: { tags: ["Bad"] }, b: {} });
    service.onCall = async ({ path, method }, answer) =>
      method === "POST" && path === "/tags"
        ? Response.json({ message: "No.", errors: { tag_limit: ["No."] } }, { status: 422 })
        : answer();
    const result = await apply(client, file);
    expect(result.failed.map(({ op, key }) => [op, key])).toEqual([["create_tag", "Bad"]]);
    expect(result.skipped).toMatchObject([{ key: "a", message: 'The tag "Bad" was not created.' }]);
    expect(result.done.map(({ key }) => key)).toEqual(["b"]);
  });

  it("stops at a key that may only read", async () => {
    const { service, client } = workspace({ access: "read" });
    const result = await apply(client, fileOf(many(30, () => ({}))));
    expect(result.done).toEqual([]);
    expect(result.failed.every(({ error }) => error?.status === 403)).toBe(true);
    expect(service.writes().length).toBeLessThanOrEqual(8);
    expect(result.failed.length + result.skipped.length).toBe(30);
  });

  it("begins nothing more after an interruption", async () => {
    const { service, client } = workspace();
    const abort = new AbortController();
    const onStep = () => abort.abort();
    const result = await apply(client, fileOf(many(30, () => ({}))), { signal: abort.signal, onStep });
    expect(service.state.links).toHaveLength(result.done.length);
    expect(result.done.length).toBeLessThanOrEqual(8);
    expect(result.skipped.length).toBe(30 - result.done.length);
  });

  it("fails for a link that was changed after the plan", async () => {
    const { service, client } = workspace();
    const links = await applyAll(client, fileOf({ a: { title: "x" }, gone: {} }));
    const plan = await makePlan(client, fileOf({ a: { title: "y" } }));
    await client.links.update(links.get("a")?.id ?? "", { slug: "by-hand" });
    const result = await applyPlan(client, plan);
    expect(result.failed).toMatchObject([{ key: "a", error: { status: 412 } }]);
    expect(result.skipped.map(({ key }) => key)).toEqual(["gone"]);
    expect(service.state.links.map(({ title }) => title)).toContain("x");
  });

  it("may run twice at once: all is done once", async () => {
    const { service, client } = workspace();
    await applyAll(client, fileOf({ "key-0": { title: "before" }, gone: {} }));
    const file = fileOf(
      many(20, (number) => ({ slug: `s-${number}`, title: "x", tags: [`Tag ${number % 3}`] })),
    );
    const other = clientOf(service);
    const plans = await Promise.all([makePlan(client, file), makePlan(other, file)]);
    const results = await Promise.all([applyPlan(client, plans[0]), applyPlan(other, plans[1])]);
    expect(results.flatMap(({ failed, skipped }) => [...failed, ...skipped])).toEqual([]);
    expect(service.state.links).toHaveLength(21);
    expect(service.state.tags).toHaveLength(3);
    expect(writesOf(await makePlan(client, file))).toEqual([]);
  });
});

describe("an apply that is killed", () => {
  const BEFORE = fileOf({
    stays: { slug: "stays", tags: ["Print"] },
    renamed: { slug: "first" },
    changed: { slug: "changed", title: "Old", group: "summer" },
    "gone-1": { slug: "gone-1" },
    "gone-2": { slug: "gone-2" },
  });
  const links = {
    stays: { slug: "stays", tags: ["Print"] },
    renamed: { slug: "second" },
    changed: { slug: "changed", title: "New", group: "winter", tags: ["New 1"] },
    "new-1": { slug: "new-1", tags: ["New 1", "New 2"], utm: { campaign: "inherit" } },
    "new-2": { slug: "new-2", group: "summer" },
    generated: { title: "x" },
  };

  async function prepared() {
    const { service, client } = workspace();
    service.addGroup({ slug: "summer", default_utm_campaign: "sale" });
    service.addGroup({ slug: "winter" });
    await applyAll(client, BEFORE);
    await client.links.create({ destination_url: "https://example.com/", slug: "theirs" });
    service.calls.length = 0;
    return service;
  }

  /** The state without what depends on time and order. */
  const shown = ({ state }: Awaited<ReturnType<typeof prepared>>) => ({
    tags: state.tags.map(({ name }) => name),
    slugs: [...state.slugs.keys()].filter((slug) => !/^s\d+$/.test(slug)).toSorted(),
    links: state.links
      .map(
        ({ id: _, created_at: _c, updated_at: _u, archived_at: _a, slug, short_url: _s, tags, ...rest }) => ({
          ...rest,
          slug: rest.external_id === "site:generated" ? "generated" : slug,
          tags: tags.map(({ name }) => name),
        }),
      )
      .toSorted((one, other) => ((one.external_id ?? "") < (other.external_id ?? "") ? -1 : 1)),
  });

  it.each(["archive", "delete"])(
    "at any request ends in the same state, with on_removed: %s",
    async (on_removed) => {
      const file = fileOf(links, { on_removed });
      const whole = await prepared();
      await applyAll(clientOf(whole), file);
      const total = whole.calls.length;
      expect(total).toBe(4 + 2 + 5 + 2);
      for (const hasEffect of [false, true]) {
        for (let count = 0; count < total; count++) {
          const service = await prepared();
          killAt(service, count, hasEffect);
          await apply(clientOf(service), file).catch(() => undefined);
          revive(service);
          await applyAll(clientOf(service), file);
          expect(shown(service)).toEqual(shown(whole));
          expect(writesOf(await makePlan(clientOf(service), file))).toEqual([]);
        }
      }
    },
  );
});

describe("the number of calls", () => {
  /** A workspace with this many links of others. */
  const fill = async (others: number) => {
    const { service, client } = workspace();
    service.addGroup({ slug: "summer" });
    const other = await client.links.create({ destination_url: "https://example.com/" });
    for (let number = 0; number < others; number++) {
      const slug = `other-${number}`;
      const id = `01KA${String(number).padStart(22, "0")}`;
      service.state.links.push({ ...other, id, slug, external_id: `crm:${number}` });
      service.state.slugs.set(slug, id);
    }
    return { service, client };
  };
  const file = (tags: (number: number) => string[], count = 60) =>
    fileOf(
      many(count, (number) => ({
        slug: `a-slug-of-usual-length-${number}`,
        group: "summer",
        tags: tags(number),
      })),
    );

  it("is 3 where nothing changed, 45 for 40 links with new tags, 64 for 60 new links, beside 100,000 others", async () => {
    const { service, client } = await fill(100_000);
    await client.tags.create({ name: "One" });
    expect(
      await callsOf(service, () =>
        applyAll(
          client,
          file(() => ["One"]),
        ),
      ),
    ).toBe(64);
    expect(
      await callsOf(service, () =>
        applyAll(
          client,
          file(() => ["One"]),
        ),
      ),
    ).toBe(3);
    const retagged = file((number) => (number < 40 ? ["One", number % 2 === 0 ? "Two" : "Three"] : ["One"]));
    expect(await callsOf(service, () => applyAll(client, retagged))).toBe(45);
  });

  it("is less where the file names no groups or tags", async () => {
    const { service, client } = workspace();
    const plain = fileOf({ a: { slug: "a" } });
    await applyAll(client, plain);
    expect(await callsOf(service, () => makePlan(client, plain))).toBe(1);
  });

  it("grows by one for each hundred links and each hundred slugs, and no URL is longer than 8 KB", async () => {
    const { service, client } = workspace();
    const wide = fileOf(many(250, (number) => ({ slug: `${number}${"x".repeat(60)}` })));
    await applyAll(client, wide);
    expect(await callsOf(service, () => makePlan(client, wide))).toBe(3);
    expect(Math.max(...service.calls.map(({ url }) => url.href.length))).toBeLessThan(8_192);
  });
});
