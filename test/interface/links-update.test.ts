import { afterEach, describe, expect, it, vi } from "vitest";
import { updateActivityGroup } from "../../src/resources/activity-groups/manage-groups";
import type { Link } from "../../src/resources/links/link-schema";
import { makeWorkspace, SHORT, type TestWorkspace, visit } from "../harness";
import { itemsOf } from "./links-rows";
import { refusal } from "./refusals";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const LINKS = "/api/v1/links";
const UNIQUE = () => `u-${crypto.randomUUID()}`;
const NOW = "2031-05-06T07:08:09.123Z";

const patch = (ws: TestWorkspace, id: string, body: object) => ws.call("PATCH", `${LINKS}/${id}`, { body });
const get = (ws: TestWorkspace, id: string) => ws.call<Link>("GET", `${LINKS}/${id}`);

/** Sets the clock to 2031, so that a changed `updated_at` is visible. */
function travel() {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(NOW);
}
afterEach(() => {
  vi.useRealTimers();
});

/** A link with every field set. */
async function makeFullLink(ws: TestWorkspace) {
  const group = await ws.group({ name: "Spring", default_utm_campaign: "spring" });
  const tag = await ws.tag();
  const link = await ws.link({
    slug: UNIQUE(),
    title: "Title",
    channel: "poster",
    activity_group_id: group.id,
    utm_source: "source",
    utm_medium: "medium",
    utm_campaign: "mine",
    tag_ids: [tag.id],
  });
  return { group, tag, link };
}

describe("an update", () => {
  it("sets every field at once, moves the assignment, and changes the redirect", async () => {
    const ws = await makeWorkspace();
    const { link, tag } = await makeFullLink(ws);
    const next = await ws.group({ name: "Autumn", type: "event", status: "completed" });
    const slug = UNIQUE();
    const fields = {
      destination_url: "https://new.example/?utm_source=x",
      slug,
      title: "New",
      channel: "radio",
      external_id: "site:new",
      utm_source: "s2",
      utm_medium: "m2",
      utm_campaign: "c2",
      starts_at: "2020-01-01T00:00:00.000Z",
      ends_at: "2040-01-01T00:00:00.000Z",
      ended_url: "https://over.example/",
    };
    travel();
    const answer = await patch(ws, link.id, { ...fields, status: "archived", activity_group_id: next.slug });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      message: "Link updated successfully.",
      link: {
        ...link,
        ...fields,
        short_url: `${SHORT}/${slug}`,
        status: "archived",
        activity_group: {
          id: next.id,
          name: "Autumn",
          slug: next.slug,
          type: "event",
          status: "completed",
          assignment: { role: "primary", channel: "radio" },
        },
        tags: [tag],
        archived_at: NOW,
        updated_at: NOW,
      },
    });
    expect(Object.keys(answer.body.link)).toEqual(Object.keys(link));
    const read = await get(ws, link.id);
    expect(read.text).toBe(JSON.stringify(answer.body.link));
    expect(read.headers.get("etag")).toBe(answer.headers.get("etag"));
    expect((await visit(`/${slug}`)).headers.get("location")).toBe(
      "https://new.example/?utm_source=s2&utm_medium=m2&utm_campaign=c2",
    );
  });
  it.each(["destination_url", "slug", "status"])("does not clear %s: null is 422", async (field) => {
    const { link } = await makeFullLink(ws);
    const message = `The ${field.replace("_", " ")} field is required.`;
    for (const value of [null, "", "  "]) {
      const answer = await patch(ws, link.id, { [field]: value, title: "changed" });
      expect([answer.status, answer.body]).toEqual([422, refusal(field, message)]);
    }
    expect((await get(ws, link.id)).body).toEqual(link);
  });
});

it("an update that changes nothing leaves updated_at and the ETag unchanged, whichever field it repeats", async () => {
  const { link, group } = await makeFullLink(ws);
  const { etag } = Object.fromEntries((await get(ws, link.id)).headers);
  travel();
  const { destination_url, slug, title, channel, status, utm_source, utm_medium, utm_campaign } = link;
  const all = { destination_url, slug, title, channel, status, utm_source, utm_medium, utm_campaign };
  for (const body of [
    {},
    { unknown: 1 },
    ...Object.entries(all).map(([field, value]) => ({ [field]: value })),
    { activity_group_id: group.id.toLowerCase() },
    { activity_group_id: group.slug },
    { ...all, activity_group_id: group.id },
    { title: ` ${title} ` },
  ]) {
    const answer = await patch(ws, link.id, body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({ message: "Link updated successfully.", link });
    expect(answer.headers.get("etag")).toBe(etag);
  }
  const read = await get(ws, link.id);
  expect(read.body).toEqual(link);
  expect(read.headers.get("etag")).toBe(etag);
  expect(await itemsOf(link.id)).toHaveLength(1);
});

it("updated_at changes only with the link's own fields and its assignment", async () => {
  const ws = await makeWorkspace();
  const { link, group, tag } = await makeFullLink(ws);
  const other = await ws.tag();
  travel();
  await ws.call("POST", `${LINKS}/${link.id}/tags`, { body: { tag_ids: [other.id] } });
  await ws.call("DELETE", `${LINKS}/${link.id}/tags/${tag.id}`);
  await ws.call("PATCH", `/api/v1/tags/${other.id}`, { body: { name: "renamed" } });
  await updateActivityGroup(ws.ctx, group.id, { name: "Renamed" });
  await visit(`/${link.slug}`);
  const read = (await get(ws, link.id)).body;
  expect(read.updated_at).toBe(link.updated_at);
  expect(read.tags[0]?.name).toBe("renamed");
  expect(read.activity_group?.name).toBe("Renamed");
  expect((await patch(ws, link.id, { activity_group_id: null })).body.link.updated_at).toBe(NOW);
});

it("the status of a link can be archived and active again, and a second archiving keeps the first archived_at", async () => {
  const link = await ws.link();
  travel();
  const archived = { ...link, status: "archived", archived_at: NOW, updated_at: NOW };
  expect((await patch(ws, link.id, { status: "archived" })).body.link).toEqual(archived);
  vi.setSystemTime("2032-01-01T00:00:00.000Z");
  expect((await patch(ws, link.id, { status: "archived" })).body.link).toEqual(archived);
  const later = { ...archived, title: "x", updated_at: "2032-01-01T00:00:00.000Z" };
  expect((await patch(ws, link.id, { status: "archived", title: "x" })).body.link).toEqual(later);
  expect((await patch(ws, link.id, { status: "active" })).body.link).toEqual({
    ...later,
    status: "active",
    archived_at: null,
  });
});
