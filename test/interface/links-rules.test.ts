import { describe, expect, it } from "vitest";
import { blockHost } from "../../src/resources/destinations/blocklist";
import { addDomain } from "../../src/resources/domains/domain-service";
import type { Link } from "../../src/resources/links/link-schema";
import { makeWorkspace, serviceContext, type TestWorkspace, testEnv } from "../harness";

const LINKS = "/api/v1/links";
const DESTINATION = "https://www.example.com/";
const IPHONE = { destination_url: "https://apps.example.com/", devices: ["ios"] };
const NONE = { countries: null, devices: null, languages: null, starts_at: null, ends_at: null, share: null };

const post = (ws: TestWorkspace, rules: unknown, headers: Record<string, string> = {}) =>
  ws.call("POST", LINKS, { body: { destination_url: DESTINATION, rules }, headers });
const patch = (ws: TestWorkspace, { id }: Link, rules: unknown) =>
  ws.call("PATCH", `${LINKS}/${id}`, { body: { rules } });

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

describe("the rules of a link", () => {
  it("come back with every field in its order, and lists without duplicates", async () => {
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

  it.each<[string, unknown, string, string]>([
    ["no list", {}, "rules", "must be an array"],
    ["no object", ["a"], "rules.0", "must be an object"],
    [
      "no condition",
      [{ ...IPHONE, devices: [], countries: null }],
      "rules.0",
      "must have at least one condition",
    ],
    ["no destination", [{ share: 5 }], "rules.0.destination_url", "is required"],
    [
      "a destination of another scheme",
      [IPHONE, { ...IPHONE, destination_url: "ftp://a.example/" }],
      "rules.1.destination_url",
      "must use http or https",
    ],
    [
      "a destination at the service itself",
      [{ ...IPHONE, destination_url: "https://s.example/x" }],
      "rules.0.destination_url",
      "must not point to this service itself",
    ],
    ["a share of everything", [{ ...IPHONE, share: 100 }], "rules.0.share", "must be between 1 and 99"],
    ["a share as text", [{ ...IPHONE, share: "50" }], "rules.0.share", "must be an integer"],
    [
      "an end before its start",
      [{ ...IPHONE, starts_at: "2026-06-02T00:00Z", ends_at: "2026-06-01T00:00Z" }],
      "rules.0.ends_at",
      "must be a date after rules.0.starts_at",
    ],
    ["eleven of them", Array(11).fill(IPHONE), "rules", "must not have more than 10 items"],
    [
      "fifty-one countries",
      [{ ...IPHONE, countries: Array(51).fill("CH") }],
      "rules.0.countries",
      "must not have more than 50 items",
    ],
  ])("are refused with %s", async (_, rules, field, problem) => {
    const errors = { [field]: [`The ${field} field ${problem}.`] };
    for (const answer of [await post(ws, rules), await patch(ws, await ws.link(), rules)])
      expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  });

  it.each<[string, object, string]>([
    ["an unknown country", { countries: ["CH", "ZZ"] }, "countries.1"],
    ["a country in lower case", { countries: ["ch"] }, "countries.0"],
    ["an unknown device", { devices: ["tv"] }, "devices.0"],
    ["a language with a region", { languages: ["de", "fr-CH"] }, "languages.1"],
    ["three characters that are no language", { languages: ["FRA"] }, "languages.0"],
  ])("have no %s", async (_, conditions, item) => {
    const { status, body } = await post(ws, [{ ...IPHONE, ...conditions }]);
    const message = `The selected rules.0.${item} is invalid.`;
    expect([status, body.errors]).toEqual([422, { [`rules.0.${item}`]: [message] }]);
  });

  it("have no unknown field in strict handling", async () => {
    const { status, body } = await post(ws, [IPHONE, { ...IPHONE, device: "ios" }], {
      prefer: "handling=strict",
    });
    expect([status, body.codes]).toEqual([422, { "rules.1.device": ["unknown"] }]);
    expect(body.message).toBe("The rules.1.device field is not known.");
  });

  it("lead to no blocked host and no domain of a workspace, but for a destination that the link has already", async () => {
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
