import { describe, expect, it } from "vitest";
import { adoptLink, planAdoption } from "../../../src/client/command/adopt";
import { makePlan } from "../../../src/client/file/plan";
import { setup } from "../api/setup";
import { applyAll, DESTINATION, fileOf, writesOf } from "./setup";

const FILE = fileOf({ hero: { slug: "summer", title: "New" }, generated: {} });

async function withLink(fields: { slug: string; external_id?: string | null; title?: string }) {
  const { service, client } = setup();
  const link = await client.links.create({ destination_url: DESTINATION, ...fields });
  service.calls.length = 0;
  return { service, client, link };
}

describe("an adoption", () => {
  it("gives the link its external ID and changes nothing else", async () => {
    const { service, client, link } = await withLink({ slug: "Summer", title: "Old" });
    expect((await makePlan(client, FILE)).conflicts.map(({ key }) => key)).toEqual(["hero"]);
    service.calls.length = 0;
    const adoption = await planAdoption(client, FILE, { slug: "summer" });
    expect(adoption).toEqual({ key: "hero", externalId: "site:hero", link, isNew: true });
    expect(service.writes()).toEqual([]);
    expect(await adoptLink(client, adoption)).toMatchObject({
      ...link,
      external_id: "site:hero",
      updated_at: expect.any(String),
    });
    expect(service.writes().map(({ body }) => body)).toEqual([{ external_id: "site:hero" }]);
    expect(service.calls).toHaveLength(3);
    expect(writesOf(await makePlan(client, FILE))).toEqual(["update hero", "create generated"]);
  });

  it("takes a link of this file whose key is gone", async () => {
    const { client } = await withLink({ slug: "summer", external_id: "site:previous" });
    const adopted = await adoptLink(client, await planAdoption(client, FILE, { slug: "summer" }));
    expect(adopted.external_id).toBe("site:hero");
  });

  it("finds a link by an old slug, to which the next apply renames it", async () => {
    const { client, link } = await withLink({ slug: "summer" });
    await client.links.update(link.id, { slug: "later" });
    await adoptLink(client, await planAdoption(client, FILE, { slug: "summer" }));
    expect((await applyAll(client, FILE)).get("hero")).toMatchObject({ id: link.id, slug: "summer" });
  });

  it("takes a key for a link without a slug in the file", async () => {
    const { client } = await withLink({ slug: "other" });
    const { externalId } = await planAdoption(client, FILE, { slug: "other", key: "generated" });
    expect(externalId).toBe("site:generated");
  });

  it("takes over another owner's link only when told to", async () => {
    const { client } = await withLink({ slug: "summer", external_id: "crm:7" });
    await expect(planAdoption(client, FILE, { slug: "summer" })).rejects.toThrow(
      '/summer has the external ID "crm:7" of another owner. To replace it, give --take-over.',
    );
    const adopted = await adoptLink(
      client,
      await planAdoption(client, FILE, { slug: "summer", takeOver: true }),
    );
    expect(adopted.external_id).toBe("site:hero");
  });

  it("fails if the link changed meanwhile", async () => {
    const { client, link } = await withLink({ slug: "summer" });
    const adoption = await planAdoption(client, FILE, { slug: "summer" });
    await client.links.update(link.id, { title: "Changed" });
    await expect(adoptLink(client, adoption)).rejects.toMatchObject({ status: 412 });
  });

  it.each([
    ["a slug that the file does not have", "other", {}, 'The file has no link with the slug "other".'],
    ["a key that the file does not have", "summer", { key: "x" }, 'The file has no link with the key "x".'],
  ])("refuses %s", async (_, slug, options, message) => {
    const { client } = await withLink({ slug: "summer" });
    await expect(planAdoption(client, FILE, { slug, ...options })).rejects.toThrow(message);
  });

  it("refuses a slug that opens nothing", async () => {
    const { client } = await withLink({ slug: "winter" });
    await expect(planAdoption(client, FILE, { slug: "summer" })).rejects.toThrow(
      "No link of the workspace opens /summer.",
    );
  });

  it("refuses a key that has its link, and a link that has its key", async () => {
    const { client } = await withLink({ slug: "summer", external_id: "site:generated" });
    await expect(planAdoption(client, FILE, { slug: "summer" })).rejects.toThrow(
      '/summer already belongs to "generated" of this file.',
    );
    await client.links.create({ destination_url: DESTINATION, slug: "mine", external_id: "site:hero" });
    await expect(planAdoption(client, FILE, { slug: "summer" })).rejects.toThrow(
      '"hero" is already the link /mine.',
    );
  });
});
