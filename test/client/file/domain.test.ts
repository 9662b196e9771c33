import { describe, expect, it } from "vitest";
import { makePlan } from "../../../src/client/file/make-plan";
import { setup } from "../api/setup";
import { problemsOf, withField } from "./problems";
import { apply, applyAll, DESTINATION, fileOf, parsed, writesOf } from "./setup";

const SHORT = "go.example.com";
const ACME = "acme.example";
const OTHER = "go.acme.example";

const withDomains = (primary?: string) => setup({ domains: [ACME, OTHER], primary });

describe("the domain in a file", () => {
  it("may come from the defaults, and a link replaces it, also by null", () => {
    const file = fileOf(
      { plain: {}, own: { domain: OTHER }, chosen: { domain: null } },
      { defaults: { domain: ACME } },
    );
    expect(file.links.map(({ fields }) => fields.domain)).toEqual([ACME, OTHER, undefined]);
  });

  it.each([
    ["ACME.example.", ACME],
    ["münchen.example", "xn--mnchen-3ya.example"],
    ["localhost", "localhost"],
  ])("is read as the service writes it: %s", (written, domain) => {
    expect(parsed(withField(`domain: ${written}`)).links[0]?.fields.domain).toBe(domain);
  });

  it.each(["https://acme.example", "acme.example/summer", "acme.example:8787", "a b"])(
    "is a host alone: %s",
    (written) => {
      expect(problemsOf(withField(`domain: "${written}"`))).toEqual([
        "f:6: a: domain must be a host, such as go.example.com.",
      ]);
    },
  );

  it("may be another one for the same slug, but not the same", () => {
    const links = (domain: string) => `version: 1
name: site
links:
  a: { slug: x, domain: ${ACME}, destination: "${DESTINATION}" }
  b: { slug: X, domain: ${domain}, destination: "${DESTINATION}" }
  c: { slug: x, destination: "${DESTINATION}" }
`;
    expect(problemsOf(links(OTHER))).toEqual([]);
    expect(problemsOf(links("Acme.Example"))).toEqual([
      'f:5: b: slug "X" is already used in line 4, without regard to case.',
    ]);
  });
});

describe("a plan", () => {
  it.each<[primary: string | undefined]>([[undefined], [ACME]])(
    "of a file without domains is empty after its apply, wherever the service puts links (%s)",
    async (primary) => {
      const { client } = withDomains(primary);
      const file = fileOf({ a: { slug: "a" }, b: {} });
      const links = await applyAll(client, file);
      expect(links.get("a")?.domain).toBe(primary ?? SHORT);
      expect(writesOf(await makePlan(client, file))).toEqual([]);
    },
  );
});

describe("the same slug on three domains", () => {
  const FILE = fileOf({
    short: { slug: "summer", domain: SHORT },
    acme: { slug: "summer", domain: ACME },
    other: { slug: "Summer", domain: OTHER },
  });

  it("is three links, which a second apply leaves alone, and each moves and is renamed by itself", async () => {
    const { client, service } = withDomains();
    const made = await applyAll(client, FILE);
    expect([...made.values()].map(({ short_url: url }) => url).sort()).toEqual([
      `https://${ACME}/summer`,
      `https://${OTHER}/Summer`,
      `https://${SHORT}/summer`,
    ]);
    service.calls.length = 0;
    await applyAll(client, FILE);
    expect(service.writes()).toEqual([]);

    const moved = fileOf({
      short: { slug: "winter", domain: SHORT },
      acme: { slug: "winter", domain: ACME },
      other: { slug: "winter", domain: OTHER },
    });
    const after = await applyAll(client, moved);
    for (const [key, { id }] of after) expect(id).toBe(made.get(key)?.id);
    expect(writesOf(await makePlan(client, moved))).toEqual([]);
    // Each link may return to its own previous slug, and to no other's.
    expect(writesOf(await makePlan(client, FILE))).toEqual(["update short", "update acme", "update other"]);
  });

  it("is no conflict with the file's own link on a domain, whichever was made first", async () => {
    const { client } = withDomains();
    const acme = { slug: "summer", domain: ACME };
    await applyAll(client, fileOf({ acme }));
    const made = await applyAll(client, fileOf({ acme, plain: { slug: "summer" } }));
    expect(made.get("plain")?.domain).toBe(SHORT);
  });

  it("is a conflict on the domain that has it alone", async () => {
    const { client } = withDomains();
    const theirs = await client.links.create({ destination_url: DESTINATION, slug: "summer", domain: ACME });
    const { conflicts, actions } = await makePlan(client, FILE);
    expect(actions.map(({ key }) => key)).toEqual(["short", "other"]);
    expect(conflicts).toEqual([
      {
        key: "acme",
        line: 8,
        slug: "summer",
        id: theirs.id,
        message: `${ACME}/summer belongs to the link ${theirs.id}, which is not of this file. To let the file own it: waymark adopt summer --domain ${ACME}`,
      },
    ]);
  });
});

describe("an apply", () => {
  it("moves a link whose domain changes, and the service keeps its previous address taken", async () => {
    const { client } = withDomains();
    const made = await applyAll(client, fileOf({ a: { slug: "x" } }));
    const file = fileOf({ a: { slug: "x", domain: ACME }, b: { slug: "x", domain: SHORT } });
    expect((await makePlan(client, file)).conflicts.map(({ message }) => message)).toEqual([
      `${SHORT}/x belongs to "a" of this file. A renamed link keeps its old slugs, so links cannot swap slugs.`,
    ]);
    await applyAll(client, fileOf({ a: { slug: "x", domain: ACME } }));
    const { failed } = await apply(client, file);
    expect(failed).toMatchObject([{ key: "b", error: { conflicts: { slug: made.get("a")?.id } } }]);
    expect((await client.links.get(made.get("a")?.id ?? "")).short_url).toBe(`https://${ACME}/x`);
  });
});
