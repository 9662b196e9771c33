import { describe, expect, it } from "vitest";
import { makePlan } from "../../../src/client/file/make-plan";
import { setup } from "../api/setup";
import { applyAll, callsOf, fileOf, many } from "./setup";

describe("the number of calls", () => {
  /** A workspace with this many links of others. */
  const fill = async (others: number) => {
    const { service, client } = setup();
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
    const tagged = file(() => ["One"]);
    expect(await callsOf(service, () => applyAll(client, tagged))).toBe(64);
    expect(await callsOf(service, () => applyAll(client, tagged))).toBe(3);
    const retagged = file((number) => (number < 40 ? ["One", number % 2 === 0 ? "Two" : "Three"] : ["One"]));
    expect(await callsOf(service, () => applyAll(client, retagged))).toBe(45);
  });

  it("is less where the file names no groups or tags", async () => {
    const { service, client } = setup();
    const plain = fileOf({ a: { slug: "a" } });
    await applyAll(client, plain);
    expect(await callsOf(service, () => makePlan(client, plain))).toBe(1);
  });

  it("grows by one for each hundred links and each hundred slugs, and no URL is longer than 8 KB", async () => {
    const { service, client } = setup();
    const wide = fileOf(many(250, (number) => ({ slug: `${number}${"x".repeat(60)}` })));
    await applyAll(client, wide);
    expect(await callsOf(service, () => makePlan(client, wide))).toBe(3);
    expect(Math.max(...service.calls.map(({ url }) => url.href.length))).toBeLessThan(8_192);
  });
});
