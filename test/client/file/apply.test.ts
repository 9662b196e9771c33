import { describe, expect, it } from "vitest";
import { EXIT } from "../../../src/client/exit";
import { applyPlan } from "../../../src/client/file/apply-plan";
import { makePlan } from "../../../src/client/file/make-plan";
import { setup } from "../api/setup";
import { apply, applyAll, clientOf, fileOf, many, writesOf } from "./setup";

describe("an apply", () => {
  it("makes tags, then links, then removes", async () => {
    const { service, client } = setup();
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
    const { service, client } = setup();
    await applyAll(client, fileOf({ a: {}, b: {} }));
    await applyAll(client, fileOf({ a: { title: "x" } }, { on_removed: "delete" }));
    const changes = service.writes().filter(({ method }) => method !== "POST");
    expect(changes.map(({ method }) => method)).toEqual(["PATCH", "DELETE"]);
    expect(changes.every(({ headers }) => headers.get("If-Match")?.startsWith('"'))).toBe(true);
  });

  it.each([
    ["problems", EXIT.usage, { a: { group: "none" } }],
    ["conflicts", EXIT.failed, { a: { slug: "theirs" } }],
    ["too many removals", EXIT.refused, {}],
  ])("that has %s writes nothing", async (_, exitCode, links) => {
    const { service, client } = setup();
    await applyAll(client, fileOf(many(3, () => ({}))));
    await client.links.create({ destination_url: "https://example.com/", slug: "theirs" });
    service.calls.length = 0;
    const refusal = { name: "Refusal", exitCode };
    await expect(apply(client, fileOf(links), { maxRemovals: 2 })).rejects.toMatchObject(refusal);
    expect(service.writes()).toEqual([]);
  });

  it("removes ten links at most by default", async () => {
    const { client } = setup();
    await applyAll(client, fileOf(many(11, () => ({}))));
    const all = await makePlan(client, fileOf({}));
    await expect(applyPlan(client, all)).rejects.toMatchObject({ exitCode: EXIT.refused });
    const { failed } = await applyPlan(client, await makePlan(client, fileOf({ "key-0": {} })));
    expect(failed).toEqual([]);
  });

  it("removes nothing if anything failed, and goes on with the rest", async () => {
    const { service, client } = setup();
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
    const { service, client } = setup();
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
    const { service, client } = setup({ access: "read" });
    const result = await apply(client, fileOf(many(30, () => ({}))));
    expect(result.done).toEqual([]);
    expect(result.failed.every(({ error }) => error?.status === 403)).toBe(true);
    expect(service.writes().length).toBeLessThanOrEqual(8);
    expect(result.failed.length + result.skipped.length).toBe(30);
  });

  it("fails for a link that was changed after the plan", async () => {
    const { service, client } = setup();
    const links = await applyAll(client, fileOf({ a: { title: "x" }, gone: {} }));
    const plan = await makePlan(client, fileOf({ a: { title: "y" } }));
    await client.links.update(links.get("a")?.id ?? "", { slug: "by-hand" });
    const result = await applyPlan(client, plan);
    expect(result.failed).toMatchObject([{ key: "a", error: { status: 412 } }]);
    expect(result.skipped.map(({ key }) => key)).toEqual(["gone"]);
    expect(service.state.links.map(({ title }) => title)).toContain("x");
  });

  it.each(["archive", "delete"])(
    "takes a removal for done that somebody else made: %s",
    async (on_removed) => {
      const { service, client } = setup();
      const links = await applyAll(client, fileOf({ a: {}, b: {} }));
      const plan = await makePlan(client, fileOf({}, { on_removed }));
      const id = links.get("a")?.id ?? "";
      await (on_removed === "archive" ? client.links.archive(id) : client.links.delete(id));
      const { done, failed } = await applyPlan(client, plan);
      expect([done.map(({ key }) => key).sort(), failed]).toEqual([["a", "b"], []]);
      expect(service.state.links.filter(({ status }) => status === "active")).toEqual([]);
    },
  );

  it.each(["archive", "delete"])(
    "removes nothing that was changed after the plan: %s",
    async (on_removed) => {
      const { service, client } = setup();
      const links = await applyAll(client, fileOf({ a: {} }));
      const plan = await makePlan(client, fileOf({}, { on_removed }));
      await client.links.update(links.get("a")?.id ?? "", { title: "by hand" });
      expect((await applyPlan(client, plan)).failed).toMatchObject([{ key: "a", error: { status: 412 } }]);
      expect(service.state.links.map(({ status }) => status)).toEqual(["active"]);
    },
  );

  it("may run twice at once: all is done once", async () => {
    const { service, client } = setup();
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
