import { describe, expect, it } from "vitest";
import { blockHost } from "../../src/resources/destinations/service";
import { addDomain } from "../../src/resources/domains/service";
import type { Link } from "../../src/resources/links/schema";
import { makeWorkspace, serviceContext, type TestWorkspace, testEnv } from "../harness";

const LINKS = "/api/v1/links";
const DESTINATION = "https://www.example.com/";
const IPHONE = { destination_url: "https://apps.example.com/", devices: ["ios"] };
const NONE = { countries: null, devices: null, languages: null, starts_at: null, ends_at: null, share: null };

const post = (ws: TestWorkspace, rules: unknown, headers: Record<string, string> = {}) =>
  ws.call("POST", LINKS, { body: { destination_url: DESTINATION, rules }, headers });
const patch = (ws: TestWorkspace, { id }: Link, rules: unknown) =>
  ws.call("PATCH", `${LINKS}/${id}`, { body: { rules } });

describe("the rules of a link", () => {
  it("come back with every field in its order, and lists without duplicates", async () => {
    const ws = await makeWorkspace();
    const { status, body, text } = await post(ws, [
      {
        share: 50,
        languages: ["fr", "rm", "fr"],
        ends_at: "2026-09-01T00:00+02:00",
        destination_url: " https://fr.example.com/?a=b ",
        countries: ["CH", "XK", "CH"],
        devices: [],
        what: "else",
      },
      IPHONE,
    ]);
    expect(status, text).toBe(201);
    expect(JSON.stringify(body.link.rules)).toBe(
      JSON.stringify([
        {
          destination_url: "https://fr.example.com/?a=b",
          countries: ["CH", "XK"],
          devices: null,
          languages: ["fr", "rm"],
          starts_at: null,
          ends_at: "2026-08-31T22:00:00.000Z",
          share: 50,
        },
        { destination_url: IPHONE.destination_url, ...NONE, devices: ["ios"] },
      ]),
    );
    expect((await ws.call("GET", `${LINKS}/${body.link.id}`)).body).toEqual(body.link);
  });

  it("are replaced as a whole, stay if they are left out or the same, and are removed by null or an empty list", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ rules: [IPHONE] });
    const { body: same, headers } = await patch(ws, link, link.rules);
    expect(same.link).toEqual(link);
    expect(
      (await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { rules: [IPHONE] } })).headers.get("etag"),
    ).toBe(headers.get("etag"));
    const other = { destination_url: "https://other.example.com/", share: 1 };
    expect((await patch(ws, link, [other])).body.link.rules).toEqual([{ ...NONE, ...other }]);
    expect(
      (await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { title: "t" } })).body.link.rules,
    ).toHaveLength(1);
    expect((await patch(ws, link, [])).body.link.rules).toEqual([]);
    await patch(ws, link, [other]);
    expect((await patch(ws, link, null)).body.link.rules).toEqual([]);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ["no list", {}, { rules: "The rules field must be an array." }],
    ["no object", ["a"], { "rules.0": "The rules.0 field must be an object." }],
    [
      "no condition",
      [{ destination_url: DESTINATION }],
      { "rules.0": "The rules.0 field must have at least one condition." },
    ],
    [
      "no condition in an empty list",
      [{ destination_url: DESTINATION, devices: [], countries: null }],
      { "rules.0": "The rules.0 field must have at least one condition." },
    ],
    [
      "no destination",
      [{ share: 5 }],
      { "rules.0.destination_url": "The rules.0.destination_url field is required." },
    ],
    [
      "a destination of another scheme",
      [IPHONE, { destination_url: "ftp://a.example/", share: 5 }],
      { "rules.1.destination_url": "The rules.1.destination_url field must use http or https." },
    ],
    [
      "a destination at the service itself",
      [{ destination_url: "https://s.example/x", share: 5 }],
      {
        "rules.0.destination_url": "The rules.0.destination_url field must not point to this service itself.",
      },
    ],
    [
      "an unknown country",
      [{ ...IPHONE, countries: ["CH", "ZZ"] }],
      { "rules.0.countries.1": "The selected rules.0.countries.1 is invalid." },
    ],
    [
      "a country in lower case",
      [{ ...IPHONE, countries: ["ch"] }],
      { "rules.0.countries.0": "The selected rules.0.countries.0 is invalid." },
    ],
    [
      "an unknown device",
      [{ ...IPHONE, devices: ["tv"] }],
      { "rules.0.devices.0": "The selected rules.0.devices.0 is invalid." },
    ],
    [
      "a language with a region",
      [{ ...IPHONE, languages: ["de", "fr-CH"] }],
      { "rules.0.languages.1": "The selected rules.0.languages.1 is invalid." },
    ],
    [
      "three characters that are no language",
      [{ ...IPHONE, languages: ["FRA"] }],
      { "rules.0.languages.0": "The selected rules.0.languages.0 is invalid." },
    ],
    [
      "a share of everything",
      [{ ...IPHONE, share: 100 }],
      { "rules.0.share": "The rules.0.share field must be between 1 and 99." },
    ],
    [
      "a share as text",
      [{ ...IPHONE, share: "50" }],
      { "rules.0.share": "The rules.0.share field must be an integer." },
    ],
    [
      "an end before its start",
      [{ ...IPHONE, starts_at: "2026-06-02T00:00Z", ends_at: "2026-06-01T00:00Z" }],
      { "rules.0.ends_at": "The rules.0.ends_at field must be a date after rules.0.starts_at." },
    ],
    [
      "eleven of them",
      Array.from({ length: 11 }, () => IPHONE),
      { rules: "The rules field must not have more than 10 items." },
    ],
    [
      "fifty-one countries",
      [{ ...IPHONE, countries: Array.from({ length: 51 }, () => "CH") }],
      { "rules.0.countries": "The rules.0.countries field must not have more than 50 items." },
    ],
  ])("are refused with %s", async (_, rules, errors) => {
    const ws = await makeWorkspace();
    const expected = Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, [message]]));
    for (const answer of [await post(ws, rules), await patch(ws, await ws.link(), rules)]) {
      expect(answer.status, answer.text).toBe(422);
      expect(answer.body.errors).toEqual(expected);
    }
  });

  it("have no unknown field in strict handling", async () => {
    const ws = await makeWorkspace();
    const { status, body } = await post(ws, [IPHONE, { ...IPHONE, device: "ios" }], {
      prefer: "handling=strict",
    });
    expect([status, body.codes]).toEqual([422, { "rules.1.device": ["unknown"] }]);
  });

  it("lead to no blocked host and no domain of a workspace, but for a destination that the link has already", async () => {
    const ws = await makeWorkspace();
    const host = `h${crypto.randomUUID().slice(0, 8)}.example`;
    const rule = { destination_url: `https://www.${host}/`, share: 5 };
    const link = await ws.link({ rules: [rule] });
    await blockHost(serviceContext(), host);
    const refused = await post(ws, [rule]);
    expect(refused.body.errors["rules.0.destination_url"]).toEqual([
      "The rules.0.destination_url field leads to a host that this service does not allow.",
    ]);
    expect((await patch(ws, link, [{ ...rule, share: 6 }])).status).toBe(200);
    const { host: domain } = await addDomain(ws.ctx, `d${crypto.randomUUID().slice(0, 8)}.example`, true);
    await testEnv.DB.prepare("update domains set state = 'active' where host = ?").bind(domain).run();
    expect((await post(ws, [{ destination_url: `https://${domain}/x`, share: 5 }])).status).toBe(422);
  });
});
