import { InMemoryTransport } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { readReport } from "../../../src/client/api/report";
import { serveMcp } from "../../../src/client/mcp/server";
import { setup } from "../api/setup";
import { REPORT, REPORT_URL, reportService } from "../report";
import { connect } from "./connect";

const READING = ["find_links", "get_link", "list_labels", "qr_code", "get_report"];
const WRITING = ["create_link", "update_link", "set_tags"];
const DESTINATION = "https://www.example.com/sale";

describe("the list of tools", () => {
  it("has no tool that writes, unless it was started with write", async () => {
    const { mcp, call, service } = await connect();
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toEqual(READING);
    for (const name of WRITING) await expect(call(name, {})).rejects.toThrow(`Tool ${name} not found`);
    expect(service.calls).toEqual([]);
  });

  it("says of each tool what it may do, what it takes and what it gives", async () => {
    const { mcp } = await connect({ write: true });
    const { tools } = await mcp.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...READING, ...WRITING]);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(title, name).toBeTruthy();
      expect(description?.length, name).toBeLessThan(420);
      expect(inputSchema, name).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema, name).toMatchObject({ type: "object" });
      expect(annotations, name).toMatchObject({
        readOnlyHint: READING.includes(name),
        destructiveHint: ["update_link", "set_tags"].includes(name),
        idempotentHint: name !== "create_link",
        // The address of a report may be that of another service.
        openWorldHint: name === "get_report",
      });
    }
    expect(mcp.getServerVersion()).toMatchObject({ name: "waymark", version: "1.2.3" });
    expect(mcp.getInstructions()).toContain("archive a link instead");
  });

  it("refuses fields that a tool does not know, before anything is sent", async () => {
    const { mcp, failed, service } = await connect({ write: true });
    for (const { name } of (await mcp.listTools()).tools) {
      expect(await failed(name, { tittle: "Sale" }), name).toContain('Unrecognized key: "tittle"');
    }
    expect(service.calls).toEqual([]);
  });
});

describe("find_links", () => {
  it("answers which poster links point to a page, in one call of the service", async () => {
    const { client, service, call } = await connect();
    const poster = { channel: "poster", destination_url: "https://www.example.com/summer" };
    const link = await client.links.create({ ...poster, title: "Summer" });
    await client.links.create({ ...poster, channel: "newsletter" });
    await client.links.create({ ...poster, destination_url: DESTINATION });
    service.calls.length = 0;

    const { data } = await call("find_links", { q: "/summer", channel: "poster" });
    const { archived_at: _, ...shown } = link;
    expect(data).toEqual({
      links: [{ ...shown, activity_group: null, owner: null }],
      has_more: false,
      next_cursor: null,
    });
    expect(service.calls).toHaveLength(1);
  });

  it("finds the link of a pasted short URL, also by an old slug and archived", async () => {
    const { client, call } = await connect({ service: { domains: ["acme.example"] } });
    const input = { destination_url: DESTINATION, slug: "summer" };
    await client.links.create({ ...input, domain: "acme.example" });
    const { id } = await client.links.create(input);
    await client.links.update(id, { slug: "later", status: "archived" });
    const urls = [
      "https://go.example.com/summer",
      "go.example.com/later?utm_source=x",
      "HTTPS://GO.EXAMPLE.COM/later+",
    ];
    for (const url of urls) {
      expect((await call("find_links", { q: url })).data, url).toMatchObject({
        links: [{ id }],
        has_more: false,
      });
      expect((await call("get_link", { slug: url })).data, url).toMatchObject({ link: { id } });
    }
    expect((await call("find_links", { q: urls[0], channel: "poster" })).data).toMatchObject({ links: [] });
    expect((await call("find_links", { q: DESTINATION })).data).toMatchObject({
      links: [{ slug: "summer" }],
    });
  });

  it("goes on where the answer before ended, and refuses another cursor", async () => {
    const { client, call, failed } = await connect();
    for (let count = 0; count < 5; count++) await client.links.create({ destination_url: DESTINATION });
    const found: string[] = [];
    let cursor: unknown;
    for (const _ of [1, 2, 3]) {
      const { data } = await call("find_links", { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...(data["links"] as { id: string }[]).map(({ id }) => id));
      cursor = data["next_cursor"];
    }
    expect(cursor).toBeNull();
    expect(found).toHaveLength(5);
    expect(new Set(found).size).toBe(5);
    expect(await failed("find_links", { cursor: "abc" })).toContain("The cursor is not one of this list.");
  });

  it("takes tags by name and groups by slug, and refuses unknown ones", async () => {
    const { client, service, call, refused } = await connect();
    service.addGroup({ slug: "summer-2026", name: "Summer 2026" });
    await client.tags.create({ name: "Summer sale" });
    const input = { destination_url: DESTINATION, activity_group_id: "summer-2026" };
    await client.links.create({ ...input, tag_names: ["Summer sale"] });
    await client.links.create(input);

    const filter = { tag_names: [" summer SALE"], activity_group_id: "summer-2026" };
    const group = { slug: "summer-2026", name: "Summer 2026" };
    expect((await call("find_links", filter)).data).toMatchObject({
      links: [{ tags: ["Summer sale"], activity_group: group }],
    });
    expect(await refused("find_links", { tag_names: ["Sumer sale"] })).toMatchObject({
      message: 'The workspace has no tag "Sumer sale". Did you mean "Summer sale"?',
    });
    expect(await refused("find_links", { tag_names: ["Sumer sale", "Web"] })).toMatchObject({
      message:
        'The workspace has no tag "Sumer sale". Did you mean "Summer sale"? The workspace has no tag "Web".',
    });
    expect(await refused("find_links", { activity_group_id: "winter" })).toMatchObject({
      message: 'The workspace has no Activity Group "winter". list_labels shows them.',
    });
  });

  it("shows at most as many links as it was asked for, and says if there are more", async () => {
    const { client, call, failed } = await connect();
    for (let count = 0; count < 21; count++) await client.links.create({ destination_url: DESTINATION });
    const found = async (input: object) => {
      const { data } = await call("find_links", { ...input });
      return [(data["links"] as unknown[]).length, data["has_more"]];
    };
    expect(await found({})).toEqual([20, true]);
    expect(await found({ limit: 21 })).toEqual([21, false]);
    expect(await failed("find_links", { limit: 101 })).toContain("limit");
  });

  it("shows fields that a later service adds", async () => {
    const { client, service, call } = await connect();
    await client.links.create({ destination_url: DESTINATION });
    service.onCall = async (_, answer) => {
      const body = (await (await answer()).json()) as { links: object[] };
      return Response.json({ ...body, links: [{ ...body.links[0], clicks: 7 }] });
    };
    expect((await call("find_links")).data).toMatchObject({ links: [{ clicks: 7 }] });
  });
});

describe("get_link", () => {
  it("finds a link by id, by an old slug and by external id, archived or not", async () => {
    const { client, call } = await connect();
    const input = { destination_url: DESTINATION, slug: "summer", external_id: "site:hero" };
    const { id } = await client.links.create(input);
    await client.links.update(id, { slug: "summer-sale", status: "archived" });

    for (const selected of [{ id }, { slug: "summer" }, { external_id: "site:hero" }]) {
      const { data } = await call("get_link", selected);
      expect(data).toMatchObject({ link: { id, slug: "summer-sale", etag: expect.stringMatching(/^"/) } });
    }
  });

  it("asks for exactly one of them, and says if there is no such link", async () => {
    const { failed, refused, service } = await connect();
    for (const input of [{}, { id: "a", slug: "b" }]) {
      expect(await failed("get_link", input)).toContain("Give exactly one of");
    }
    expect(service.calls).toEqual([]);
    expect(await refused("get_link", { slug: "none" })).toMatchObject({
      message: "There is no link with the slug none.",
    });
    expect(await refused("get_link", { id: "none" })).toMatchObject({
      message: "Link not found.",
      status: 404,
      request_id: expect.stringMatching(/^request-\d+$/),
    });
  });
});

describe("a domain", () => {
  it("tells apart links with the same slug, as a filter and beside the slug", async () => {
    const { client, call, refused } = await connect({ service: { domains: ["acme.example"] } });
    const input = { destination_url: DESTINATION, slug: "summer" };
    await client.links.create(input);
    const { id } = await client.links.create({ ...input, domain: "acme.example" });

    const selected = { slug: "summer", domain: "acme.example" };
    expect((await call("get_link", selected)).data).toMatchObject({ link: { id, domain: "acme.example" } });
    expect((await call("find_links", { domain: "acme.example" })).data).toMatchObject({ links: [{ id }] });
    expect(await refused("get_link", { slug: "summer" })).toMatchObject({
      message: expect.stringContaining('The slug "summer" is that of several links: https://'),
    });
  });
});

describe("list_labels", () => {
  it("lists tags and groups, or those whose name has a part", async () => {
    const { client, service, call } = await connect();
    for (const name of ["Print", "Summer sale"]) await client.tags.create({ name });
    const group = service.addGroup({ slug: "summer-2026", name: "Summer 2026", default_utm_campaign: "s26" });
    service.addGroup({ slug: "newsletter" });

    const { data } = await call("list_labels");
    expect(data).toMatchObject({ tags: [{ name: "Print" }, { name: "Summer sale", slug: "summer-sale" }] });
    expect(data["activity_groups"]).toHaveLength(2);
    expect((await call("list_labels", { q: "SUMMER" })).data).toEqual({
      tags: [{ name: "Summer sale", slug: "summer-sale", description: null }],
      activity_groups: [
        {
          id: group.id,
          slug: "summer-2026",
          name: "Summer 2026",
          type: "campaign",
          status: "active",
          default_utm_campaign: "s26",
        },
      ],
      has_more: false,
    });
  });
});

describe("qr_code", () => {
  it("gives an image that a client can show", async () => {
    const { client, service, call } = await connect();
    const { short_url } = await client.links.create({ destination_url: DESTINATION, slug: "summer" });
    const file = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]);
    service.onCall = (request, answer) =>
      request.url.pathname.endsWith("/qr")
        ? Promise.resolve(new Response(file, { headers: { "Content-Type": "image/png" } }))
        : answer();

    const { content, data } = await call("qr_code", { slug: "summer", size: 1024 });
    const image = { type: "image", mimeType: "image/png", data: Buffer.from(file).toString("base64") };
    expect(content).toEqual([image]);
    expect(data).toEqual({ slug: "summer", short_url, mime_type: "image/png" });
    expect(service.calls.at(-1)?.url.search).toBe("?format=png&size=1024");
  });
});

it("the QR code of an archived link is refused with its reason", async () => {
  const { client, refused } = await connect();
  const { id } = await client.links.create({ destination_url: DESTINATION, slug: "summer" });
  await client.links.archive(id);
  expect(await refused("qr_code", { slug: "summer" })).toMatchObject({
    message: "/summer is archived. Archived links have no QR file.",
    status: 404,
  });
});

describe("the connection", () => {
  it("ends for the caller when the other end closes it", async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const served = serveMcp({ client: setup().client, version: "1", transport: far });
    await near.start();
    await near.close();
    await served;
  });
});

describe("get_report", () => {
  it("answers which poster worked by the report's address alone, without a key", async () => {
    const { fetch, asked } = reportService();
    const { call, service } = await connect({ readReport: (address) => readReport(address, { fetch }) });
    const { data, text } = await call("get_report", { address: REPORT_URL });
    expect(data).toEqual(REPORT);
    expect(JSON.parse(text)).toEqual(REPORT);
    expect(asked.map((one) => [one.url, one.headers.get("authorization")])).toEqual([
      [`${REPORT_URL}.json`, null],
    ]);
    expect(service.calls).toEqual([]);
  });

  it("shows a table that the report does not show as null, and fields of a later service", async () => {
    const later = { ...REPORT, totals: null, days: null, links: null, posters: null, regions: [] };
    const { fetch } = reportService(() => Response.json(later));
    const { call } = await connect({ readReport: (address) => readReport(address, { fetch }) });
    expect((await call("get_report", { address: REPORT_URL })).data).toEqual(later);
  });

  it("says what is wrong with an address, and of a report that has ended", async () => {
    const { fetch } = reportService();
    const { failed, refused } = await connect({ readReport: (address) => readReport(address, { fetch }) });
    expect(await failed("get_report", { address: "summer" })).toContain(
      "The address must be that of a report",
    );
    const ended = REPORT_URL.replace("3kq9", "none");
    expect(await refused("get_report", { address: ended })).toMatchObject({ message: "Report not found." });
  });
});
