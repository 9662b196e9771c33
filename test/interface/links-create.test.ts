import { describe, expect, it } from "vitest";
import { MAX_CAMPAIGN_CHARACTERS, TEXT_FIELDS } from "../../src/lib/link-fields";
import { makeWorkspace, SHORT, visit } from "../harness";
import { itemsOf } from "./links-rows";
import { refusal } from "./refusals";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const LINKS = "/api/v1/links";
const DESTINATION = "https://www.example.com/sale?colour=blue#top";
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const BOUNDS = {
  ...Object.fromEntries(Object.entries(TEXT_FIELDS).map(([name, { max }]) => [name, max])),
  utm_campaign: MAX_CAMPAIGN_CHARACTERS,
};
const unique = () => crypto.randomUUID().slice(0, 8);

describe("a created link", () => {
  it("is returned with 201 and all fields in the documented order, and reads the same later", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group({ name: "Summer", slug: "summer", type: "event", status: "active" });
    const [zebra, apple] = [await ws.tag({ name: "zebra" }), await ws.tag({ name: "Apple", colour: "#f00" })];
    const slug = `Sale_${unique()}`;

    const answer = await ws.call("POST", LINKS, {
      body: {
        destination_url: DESTINATION,
        slug,
        title: "<b>Été</b> 👩‍👩‍👧 =1+1 עברית",
        channel: "newsletter",
        activity_group_id: group.id,
        utm_source: "mail",
        utm_medium: "email",
        utm_campaign: "mine",
        utm_term: " red shoes ",
        utm_content: "button",
        external_id: "site:sale",
        starts_at: "2020-06-01T08:00:00+02:00",
        ends_at: "9999-12-31T23:59:59.999Z",
        ended_url: "https://www.example.com/over",
        tag_ids: [zebra.id, apple.id],
      },
    });

    const link = {
      id: expect.stringMatching(ULID),
      slug,
      short_url: `${SHORT}/${slug}`,
      domain: "s.example",
      destination_url: DESTINATION,
      rules: [],
      title: "<b>Été</b> 👩‍👩‍👧 =1+1 עברית",
      channel: "newsletter",
      status: "active",
      external_id: "site:sale",
      utm_source: "mail",
      utm_medium: "email",
      utm_campaign: "mine",
      utm_campaign_origin: "explicit",
      utm_term: "red shoes",
      utm_content: "button",
      activity_group: {
        id: group.id,
        name: "Summer",
        slug: "summer",
        type: "event",
        status: "active",
        assignment: { role: "primary", channel: "newsletter" },
      },
      tags: [apple, zebra],
      starts_at: "2020-06-01T06:00:00.000Z",
      ends_at: "9999-12-31T23:59:59.999Z",
      ended_url: "https://www.example.com/over",
      archived_at: null,
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
    };
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({ message: "Link created successfully.", link });
    expect(Object.keys(answer.body.link)).toEqual(Object.keys(link));
    expect(Object.keys(answer.body.link.activity_group)).toEqual(Object.keys(link.activity_group));
    expect(answer.body.link.updated_at).toBe(answer.body.link.created_at);

    const read = await ws.call("GET", `${LINKS}/${answer.body.link.id}`);
    expect([read.status, read.text]).toEqual([200, JSON.stringify(answer.body.link)]);
    expect(read.headers.get("etag")).toBe(answer.headers.get("etag"));
    expect((await ws.call("GET", LINKS)).body.links).toEqual([answer.body.link]);
    expect(await itemsOf(read.body.id)).toEqual([{ group: group.id, role: "primary", open: 1 }]);
    expect((await visit(`/${slug}`)).headers.get("location")).toBe(
      "https://www.example.com/sale?colour=blue&utm_source=mail&utm_medium=email&utm_campaign=mine&utm_term=red%20shoes&utm_content=button#top",
    );
  });

  it("needs only a destination, and every other field is null or absent", async () => {
    const ws = await makeWorkspace();
    const answer = await ws.call("POST", LINKS, { body: { destination_url: "HTTPS://WWW.Example.COM" } });
    expect(answer.status, answer.text).toBe(201);
    const { id, slug, created_at, updated_at, ...others } = answer.body.link;
    expect([created_at, updated_at]).toEqual([expect.stringMatching(TIME), created_at]);
    const names = [...Object.keys(BOUNDS), "starts_at", "ends_at", "ended_url", "archived_at"];
    expect(others).toEqual({
      ...Object.fromEntries(names.map((name) => [name, null])),
      short_url: `${SHORT}/${slug}`,
      domain: "s.example",
      destination_url: "HTTPS://WWW.Example.COM",
      rules: [],
      status: "active",
      utm_campaign_origin: "inherited",
      tags: [],
    });
    expect(await itemsOf(id)).toEqual([]);
  });

  it("ignores unknown and read-only fields", async () => {
    const id = "01J00000000000000000000000";
    const answer = await ws.call("POST", LINKS, {
      raw: `{"destination_url":"https://www.example.com/","id":"${id}","status":"bogus","archived_at":7,
        "short_url":"https://evil.example/","tags":["x"],"workspace_id":1,"deleted_at":1,"unknown":"\\u0000",
        "__proto__":{"title":"inherited"},"constructor":{"prototype":{"title":"inherited"}}}`,
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.link).toMatchObject({ status: "active", archived_at: null, tags: [], title: null });
    expect(answer.body.link.id).not.toBe(id);
    expect(answer.body.link.short_url).toBe(`${SHORT}/${answer.body.link.slug}`);
  });
});

it.each(Object.entries(BOUNDS))(
  "the %s of a link has at most %i code points, counted after trimming, on create and update",
  async (field, most) => {
    const ws = await makeWorkspace();
    const longest = "\u{1f600}".repeat(most);
    const link = await ws.link({ [field]: `  ${longest}\n` });
    expect(link).toMatchObject({ [field]: longest });
    const message = `The ${field.replace("_", " ")} field must not be greater than ${most} characters.`;
    for (const [method, path] of [
      ["POST", LINKS],
      ["PATCH", `${LINKS}/${link.id}`],
    ] as const) {
      const body = { destination_url: DESTINATION, [field]: `${longest}x` };
      const answer = await ws.call(method, path, { body });
      expect([answer.status, answer.body]).toEqual([422, refusal(field, message)]);
    }
    expect((await ws.call("GET", LINKS)).body.links).toEqual([link]);
  },
);

describe("the group of a created link", () => {
  it("is given by its public id in any case or by its slug", async () => {
    const group = await ws.group();
    for (const named of [group.id, group.id.toLowerCase(), group.slug, ` ${group.slug} `]) {
      const link = await ws.link({ activity_group_id: named });
      expect(link.activity_group?.id).toBe(group.id);
      expect(link.activity_group?.assignment).toEqual({ role: "primary", channel: null });
    }
  });

  it("can have any status", async () => {
    for (const status of ["draft", "scheduled", "active", "completed", "archived"] as const) {
      const group = await ws.group({ status });
      expect((await ws.link({ activity_group_id: group.id })).activity_group?.status).toBe(status);
    }
  });

  it("is looked up by id before slug", async () => {
    const ws = await makeWorkspace();
    const meant = await ws.group();
    await ws.group({ slug: meant.id.toLowerCase() });
    expect((await ws.link({ activity_group_id: meant.id.toLowerCase() })).activity_group?.id).toBe(meant.id);
  });
});

it("the tags of a created link are deduplicated, with ids in any case, and sorted by name", async () => {
  const ws = await makeWorkspace();
  const tags = [await ws.tag({ name: "École" }), await ws.tag({ name: "b" }), await ws.tag({ name: "C" })];
  const [school, b, c] = tags;
  const ids = tags.flatMap((tag) => [tag.id, tag.id.toLowerCase(), ` ${tag.id} `]);
  expect((await ws.link({ tag_ids: ids })).tags).toEqual([b, c, school]);
  expect((await ws.link({ tag_ids: [] })).tags).toEqual([]);
});

const REACHED = refusal("link_limit", "The workspace has reached its limit of 3 links.");

it("the link limit allows exactly that many links, including archived but not deleted ones", async () => {
  const ws = await makeWorkspace({ linkLimit: 3 });
  const create = () => ws.call("POST", LINKS, { body: { destination_url: DESTINATION } });
  const [first, second] = [await ws.link(), await ws.link(), await ws.link()];
  await ws.call("PATCH", `${LINKS}/${first?.id}`, { body: { status: "archived" } });

  expect(await create()).toMatchObject({ status: 422, body: REACHED });
  expect((await ws.call("PATCH", `${LINKS}/${second?.id}`, { body: { title: "still" } })).status).toBe(200);

  expect((await ws.call("DELETE", `${LINKS}/${first?.id}`)).status).toBe(204);
  expect((await create()).status).toBe(201);
  expect((await create()).body).toEqual(REACHED);
  expect((await ws.call("GET", `${LINKS}?status=all`)).body.meta.total).toBe(3);
});
