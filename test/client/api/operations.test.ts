import { expect, it } from "vitest";
import { etagOf } from "../../../src/lib/etag";
import { failNext, failureOf, setup } from "./setup";

const DESTINATION = "https://www.example.com/sale";

it("a link is created, read, updated, tagged, archived, restored and deleted", async () => {
  const { client, service } = setup();
  service.addGroup({ slug: "summer", default_utm_campaign: "summer_2026" });
  await client.tags.create({ name: "Print" });
  const input = { destination_url: DESTINATION, slug: "summer", activity_group_id: "summer" };
  const link = await client.links.create({ ...input, tag_names: ["print"] });

  expect(link).toMatchObject({ utm_campaign: "summer_2026", tags: [{ name: "Print" }], status: "active" });
  expect(await client.links.get(link.id)).toEqual(link);
  expect(await client.links.update(link.id, { title: "Sale" })).toMatchObject({ title: "Sale" });
  expect(await client.links.setTags(link.id, [])).toMatchObject({ tags: [] });
  expect(await client.links.archive(link.id)).toMatchObject({ status: "archived" });
  expect(await client.links.restore(link.id)).toMatchObject({ status: "active", archived_at: null });
  await client.links.delete(link.id);
  expect(await failureOf(client.links.get(link.id))).toMatchObject({ status: 404 });
});

it("a tag is created, updated, listed and deleted", async () => {
  const { client } = setup();
  const tag = await client.tags.create({ name: "Print", colour: "#f00" });

  expect(tag).toEqual({ id: tag.id, name: "Print", slug: "print", colour: "#f00", description: null });
  const changed = await client.tags.update(tag.id, { name: "Poster", slug: null });
  expect(changed).toMatchObject({ name: "Poster", slug: "poster" });
  expect(await client.tags.list()).toEqual([changed]);
  await client.tags.delete(tag.id, { ifMatch: await etagOf(changed) });
  expect(await client.tags.list()).toEqual([]);
});

it("a write with an outdated ETag fails and changes nothing", async () => {
  const { client } = setup();
  const link = await client.links.create({ destination_url: DESTINATION });
  const ifMatch = await etagOf(link);
  await client.links.update(link.id, { title: "Theirs" });

  for (const write of [
    () => client.links.update(link.id, { title: "Ours" }, { ifMatch }),
    () => client.links.setTags(link.id, [], { ifMatch }),
    () => client.links.archive(link.id, { ifMatch }),
    () => client.links.delete(link.id, { ifMatch }),
  ]) {
    expect(await failureOf(write())).toMatchObject({ status: 412 });
  }
  expect((await client.links.get(link.id)).title).toBe("Theirs");
});

it("a QR file is returned as bytes, also after a failed try", async () => {
  const { client, service } = setup();
  const { id } = await client.links.create({ destination_url: DESTINATION });
  failNext(service, "the connection ends before the call took effect");

  expect(new TextDecoder().decode(await client.links.qr(id))).toBe("<svg/>");
  expect(
    [...(await client.links.qr(id, { format: "png", size: 300, margin: 4, ecc: "H" }))].slice(-3),
  ).toEqual([...new TextEncoder().encode("PNG")]);
  expect(service.calls.at(-1)?.url.search).toBe("?format=png&size=300&margin=4&ecc=H");
});

it.each(["full", "read"] as const)(
  "whoami returns the workspace and the key's access: %s",
  async (access) => {
    const { client, service } = setup({ access });

    expect(await client.whoami()).toEqual({ workspace: { name: "Acme", slug: "acme" }, access });
    expect(service.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /activity-groups?per_page=1",
      "POST /tags",
    ]);
    expect(service.state.tags).toEqual([]);
  },
);

it("whoami fails with a wrong key", async () => {
  const { client, service } = setup();
  service.onCall = async () => Response.json({ message: "Unauthenticated." }, { status: 401 });
  expect(await failureOf(client.whoami())).toMatchObject({ status: 401, message: "Unauthenticated." });
});
