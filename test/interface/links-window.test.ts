import { describe, expect, it, vi } from "vitest";
import { updateActivityGroup } from "../../src/resources/activity-groups/manage-groups";
import type { Link } from "../../src/resources/links/link-schema";
import { makeWorkspace, type TestWorkspace, testEnv } from "../harness";
import { refusal } from "./refusals";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const LINKS = "/api/v1/links";
const DESTINATION = "https://www.example.com/";
const STRICT = { headers: { prefer: "handling=strict" } };
const NOT_A_MOMENT = (field: string) =>
  `The ${field} field must be an ISO 8601 time with a zone, such as 2026-05-01T09:00:00Z.`;
const TOO_EARLY = "The ends at field must be a date after starts at.";

const coded = (field: string, message: string, code: string) => ({
  ...refusal(field, message),
  codes: { [field]: [code] },
});

const post = (ws: TestWorkspace, body: object) =>
  ws.call("POST", LINKS, { body: { destination_url: DESTINATION, ...body }, ...STRICT });
const patch = (ws: TestWorkspace, { id }: Link, body: object, headers: Record<string, string> = {}) =>
  ws.call("PATCH", `${LINKS}/${id}`, { body, headers: { ...STRICT.headers, ...headers } });
const get = (ws: TestWorkspace, { id }: Link) => ws.call<Link>("GET", `${LINKS}/${id}`);

/** Creates a link with the fields, and updates another one to them. */
const both = async (ws: TestWorkspace, body: object) => [
  await post(ws, body),
  await patch(ws, await ws.link(), body),
];

describe.each(["starts_at", "ends_at"] as const)("%s", (field) => {
  const label = field.replace("_", " ");

  it("given in another zone and precision is shown in UTC, on create and update", async () => {
    for (const answer of await both(ws, { [field]: " 2026-06-01T00:30:00.123456+02:00\t" })) {
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(answer.body.link[field]).toBe("2026-05-31T22:30:00.123Z");
      expect((await get(ws, answer.body.link)).body).toEqual(answer.body.link);
    }
  });

  it.each([
    ["2026-06-01T08:00:00", NOT_A_MOMENT(label), "format"],
    [1780300800000, `The ${label} field must be a string.`, "type"],
  ])("%j is 422, on create and update", async (value, message, code) => {
    for (const answer of await both(ws, { [field]: value })) {
      expect([answer.status, answer.body]).toEqual([422, coded(field, message, code)]);
    }
  });
});

describe("the end of a link", () => {
  const AT = "2026-06-01T08:00:00.000Z";
  const BEFORE = "2026-06-01T07:59:59.999Z";
  const AFTER = "2026-06-01T08:00:00.001Z";

  it.each([
    ["a millisecond after the start, in another zone", "2026-06-01T10:00:00+02:00", AFTER, true],
    ["at the start, in another zone", "2026-06-01T10:00:00+02:00", AT, false],
    ["before the start", AT, BEFORE, false],
  ])("%s: accepted or refused on create and update", async (_, starts_at, ends_at, accepted) => {
    for (const answer of await both(ws, { starts_at, ends_at })) {
      if (accepted) expect(answer.status, answer.text).toBeLessThan(300);
      else {
        expect([answer.status, answer.body]).toEqual([422, coded("ends_at", TOO_EARLY, "range")]);
      }
    }
  });

  it.each<[string, object, object, boolean]>([
    ["a start after the end it has", { ends_at: AT }, { starts_at: AFTER }, false],
    ["an end before the start it has", { starts_at: AT }, { ends_at: BEFORE }, false],
    ["an end before the start that it loses", { starts_at: AT }, { starts_at: null, ends_at: BEFORE }, true],
    ["a start after the end that it loses", { ends_at: AT }, { starts_at: AFTER, ends_at: null }, true],
    [
      "both, in order, before those it has",
      { starts_at: AT, ends_at: AFTER },
      { starts_at: "2020-01-01T00:00:00Z", ends_at: "2020-01-02T00:00:00Z" },
      true,
    ],
    ["another title", { starts_at: AT, ends_at: AFTER }, { title: "b" }, true],
  ])("is checked with the link as it will be: an update to %s", async (_, has, gets, accepted) => {
    const link = await ws.link(has);
    const answer = await patch(ws, link, gets);
    if (accepted) expect(answer.status, answer.text).toBe(200);
    else {
      expect([answer.status, answer.body.errors]).toEqual([422, { ends_at: [TOO_EARLY] }]);
      expect((await get(ws, link)).body).toEqual(link);
    }
  });

  it("of its group does not limit a link's start", async () => {
    const group = await ws.group({ ends_at: Date.parse(AT), ends_links: true });
    const link = await ws.link({ activity_group_id: group.id, starts_at: AFTER });
    expect(link).toMatchObject({ starts_at: AFTER, ends_at: null });
  });
});

it("ended_url is looked up at the resolver beside the destination, where that is switched on", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: URL) => {
    const name = new URL(input).searchParams.get("name") ?? "";
    asked.push(name);
    const address = name.startsWith("bad.") ? "0.0.0.0" : "192.0.2.1";
    return Response.json({ Status: 0, Answer: [{ data: address }] });
  });
  const env = { ...testEnv, DESTINATION_DNS_CHECK: "https://dns.example/query" };
  const call = (method: string, path: string, body: object) =>
    ws.call(method, path, { body, env, ...STRICT });
  const message = "The ended url field leads to a host that is known to spread malware.";
  const refused = coded("ended_url", message, "forbidden_host");
  const bad = { destination_url: DESTINATION, ended_url: "https://bad.example/" };
  expect((await call("POST", LINKS, bad)).body).toEqual(refused);
  expect(asked.splice(0).sort()).toEqual(["bad.example", "www.example.com"]);

  const path = `${LINKS}/${(await ws.link()).id}`;
  for (const [body, answered, names] of [
    [{ ended_url: "https://bad.example/" }, 422, ["bad.example"]],
    [{ ended_url: "https://good.example/" }, 200, ["good.example"]],
    [{ title: "b", ended_url: null }, 200, []],
  ] as const) {
    expect((await call("PATCH", path, body)).status).toBe(answered);
    expect(asked.splice(0)).toEqual(names);
  }
  vi.unstubAllGlobals();
});

it("begin and end of a link: another spelling of the same moment changes nothing", async () => {
  const link = await ws.link({ starts_at: "2026-06-01T08:00:00.000Z" });
  expect((await patch(ws, link, { starts_at: "2026-06-01T10:00+02:00" })).body.link).toEqual(link);
});

it("a group's start, end and its address are not fields of the interface's Activity Group, and a group's change changes no link", async () => {
  const own = await makeWorkspace();
  const group = await own.group();
  const link = await own.link({ activity_group_id: group.id });
  await updateActivityGroup(own.ctx, group.id, {
    ends_at: Date.parse("2026-06-01T00:00:00.000Z"),
    ended_url: "https://www.example.com/over",
    ends_links: true,
  });
  const lookup = await own.call("GET", "/api/v1/activity-groups");
  expect(lookup.body.activity_groups).toEqual([{ ...group, ends_at: "2026-06-01T00:00:00.000Z" }]);
  expect((await get(own, link)).body).toEqual(link);
});
