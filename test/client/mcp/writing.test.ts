import { describe, expect, it } from "vitest";
import { gather } from "../../../src/client/api/pages";
import { failNext } from "../api/setup";
import { connect } from "./connect";

const DESTINATION = "https://www.example.com/sale";

describe("create_link", () => {
  it("creates a link with a group and tags, once, though the answer is lost", async () => {
    const { client, service, call } = await connect({ write: true });
    service.addGroup({ slug: "summer-2026", default_utm_campaign: "summer_2026" });
    await client.tags.create({ name: "Print" });
    const input = { destination_url: DESTINATION, slug: "summer", activity_group_id: "summer-2026" };
    failNext(service, "the response is lost after the call took effect");

    const { data } = await call("create_link", { ...input, tag_names: ["print"] });
    expect(data).toMatchObject({
      link: { slug: "summer", tags: ["Print"], utm_campaign: "summer_2026", etag: expect.any(String) },
    });
    expect(service.state.links).toHaveLength(1);
  });

  it("says when to try again, and never shows the key", async () => {
    const { service, refused } = await connect({ write: true });
    const headers = { "Retry-After": "7" };
    service.onCall = async () => Response.json({ message: "Too Many Attempts." }, { status: 429, headers });
    const refusal = await refused("create_link", { destination_url: DESTINATION });
    expect(refusal).toMatchObject({ message: "Too Many Attempts.", status: 429, retry_after: 7 });
    expect(JSON.stringify(refusal)).not.toContain(service.key);
  });
});

it("unknown tags are refused by their names, and none of them is kept", async () => {
  const { client, refused } = await connect({ write: true });
  await client.tags.create({ name: "Print" });
  const { id } = await client.links.create({ destination_url: DESTINATION });
  const tag_names = ["Print", "Prnt", "Web"];
  const message = 'The workspace has no tag "Prnt". Did you mean "Print"? The workspace has no tag "Web".';
  expect(await refused("create_link", { destination_url: DESTINATION, tag_names })).toMatchObject({
    message,
  });
  expect(await refused("set_tags", { id, tag_names })).toMatchObject({ message });
  expect(await gather(client.links.list())).toMatchObject([{ id, tags: [] }]);
});

describe("update_link", () => {
  it("changes the given fields and no other", async () => {
    const { client, service, call } = await connect({ write: true });
    const input = { destination_url: DESTINATION, title: "Sale", channel: "poster" };
    const { id } = await client.links.create(input);

    const { data } = await call("update_link", { id, destination_url: `${DESTINATION}/new`, title: null });
    expect(service.writes().at(-1)?.body).toEqual({ destination_url: `${DESTINATION}/new`, title: null });
    expect(data).toMatchObject({
      link: { destination_url: `${DESTINATION}/new`, title: null, channel: "poster" },
    });
  });

  it("gives a link rules, shows them, and removes them", async () => {
    const { client, call } = await connect({ write: true });
    const rule = { destination_url: `${DESTINATION}/fr`, languages: ["fr"] };
    await call("create_link", { destination_url: DESTINATION, slug: "sale", rules: [rule] });
    const [{ id = "" } = {}] = await gather(client.links.list());

    expect((await call("get_link", { id })).data).toMatchObject({
      link: { rules: [{ ...rule, share: null }] },
    });
    expect((await call("update_link", { id, rules: null })).data).toMatchObject({ link: { rules: [] } });
  });

  it("is refused with the etag of a link that has changed since", async () => {
    const { client, call, refused } = await connect({ write: true });
    const { id } = await client.links.create({ destination_url: DESTINATION });
    const { link } = (await call("get_link", { id })).data as { link: { etag: string } };
    await client.links.update(id, { title: "By hand" });

    expect(await refused("update_link", { id, etag: link.etag, title: "By agent" })).toMatchObject({
      message: "The link has changed since it was read.",
      status: 412,
    });
    expect(await client.links.get(id)).toMatchObject({ title: "By hand" });
  });

  it("creates a link on a domain, and moves it to another", async () => {
    const { call, refused } = await connect({ write: true, service: { domains: ["acme.example"] } });
    const input = { destination_url: DESTINATION, slug: "summer", domain: "acme.example" };
    const { data } = await call("create_link", input);
    const { link } = data as { link: { id: string } };
    expect(link).toMatchObject({ short_url: "https://acme.example/summer" });
    const moved = await call("update_link", { id: link.id, domain: "go.example.com" });
    expect(moved.data).toMatchObject({ link: { short_url: "https://go.example.com/summer" } });
    expect(await refused("update_link", { id: link.id, domain: "other.example" })).toMatchObject({
      codes: { domain: ["unknown"] },
    });
  });

  it("archives, and restores", async () => {
    const { client, call } = await connect({ write: true });
    const { id } = await client.links.create({ destination_url: DESTINATION });
    for (const status of ["archived", "active"]) {
      expect((await call("update_link", { id, status })).data).toMatchObject({ link: { status } });
    }
  });
});

it("a link that a file owns is marked, and is changed only by force", async () => {
  const { client, call, refused } = await connect({ write: true });
  const { id } = await client.links.create({
    destination_url: DESTINATION,
    slug: "hero",
    external_id: "site:hero",
  });
  expect((await call("find_links")).data).toMatchObject({ links: [{ id, owner: "site" }] });
  for (const [name, input] of [
    ["update_link", { title: "Sale" }],
    ["set_tags", { tag_names: [] }],
  ] as const) {
    expect(await refused(name, { id, ...input })).toMatchObject({
      status: 409,
      message:
        '/hero belongs to "site" (external ID site:hero), a links file or a program, which may undo this. Change it there, or set force.',
    });
    expect((await call(name, { id, ...input, force: true })).data).toMatchObject({ link: { owner: "site" } });
  }
  expect(await client.links.get(id)).toMatchObject({ title: "Sale", tags: [] });
});

describe("set_tags", () => {
  it("replaces all tags, and takes them off", async () => {
    const { client, call } = await connect({ write: true });
    for (const name of ["Print", "Web", "Partner"]) await client.tags.create({ name });
    const { id } = await client.links.create({ destination_url: DESTINATION, tag_names: ["Print"] });

    const set = async (tag_names: string[]) => (await call("set_tags", { id, tag_names })).data;
    expect(await set(["partner", "web"])).toMatchObject({ link: { tags: ["Partner", "Web"] } });
    expect(await set([])).toMatchObject({ link: { tags: [] } });
  });
});
