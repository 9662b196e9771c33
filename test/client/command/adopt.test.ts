import { afterAll, describe, expect, it } from "vitest";
import type { CreateLink } from "../../../src/client/api/wire-types";
import { fakeService } from "../fake-service";
import { clientOf, type Fields, textOf } from "../file/setup";
import { cleanUp, DESTINATION, shell } from "./setup";

afterAll(cleanUp);

const [SHORT, ACME, OTHER] = ["go.example.com", "acme.example", "go.acme.example"];
const FILE = { hero: { slug: "summer", title: "New" }, generated: {} };

/** A workspace with these links, and a file. */
async function withLinks(inputs: readonly Partial<CreateLink>[], links: Record<string, Fields> = FILE) {
  const one = shell(fakeService({ domains: [ACME, OTHER] }));
  const client = clientOf(one.service);
  for (const input of inputs) await client.links.create({ destination_url: DESTINATION, ...input });
  one.service.calls.length = 0;
  const file = ["-f", one.write("waymark.yaml", textOf(links))];
  const adopt = (...argv: string[]) => one.run("adopt", ...argv, ...file);
  const owned = (key: string) => client.links.byExternalId(`site:${key}`);
  return { ...one, client, file, adopt, owned };
}

describe("adopt", () => {
  it("gives the link its external ID, changes nothing else, and so solves a conflict", async () => {
    const { run, adopt, service, file, owned, json } = await withLinks([{ slug: "Summer", title: "Old" }]);
    const [link] = service.state.links;
    expect((await run("plan", ...file)).code).toBe(1);
    const shown = { code: 0, out: "site:hero\n", err: "The file would own /Summer as hero.\n" };
    expect(await adopt("summer", "--dry-run")).toEqual(shown);
    expect(service.writes()).toEqual([]);
    expect(await json("adopt", "/summer", ...file)).toEqual({
      key: "hero",
      slug: "Summer",
      id: link?.id,
      external_id: "site:hero",
      before: null,
      changed: true,
    });
    expect(await owned("hero")).toEqual({
      ...link,
      external_id: "site:hero",
      updated_at: expect.any(String),
    });
    expect((await adopt("summer")).err).toBe("The file already owns /Summer.\n");
    expect(service.writes().map(({ body }) => body)).toEqual([{ external_id: "site:hero" }]);
    expect((await run("apply", ...file)).code).toBe(0);
    expect(await owned("hero")).toMatchObject({ id: link?.id, slug: "summer", title: "New" });
  });

  it("takes a link of this file whose key is gone", async () => {
    const { adopt, owned } = await withLinks([{ slug: "summer", external_id: "site:previous" }]);
    expect((await adopt("summer")).err).toBe("The file now owns /summer as hero.\n");
    expect(await owned("hero")).toBeDefined();
  });

  it("finds a link by an old slug, to which the next apply renames it", async () => {
    const { adopt, run, file, client, service, owned } = await withLinks([{ slug: "summer" }]);
    const id = service.state.links[0]?.id ?? "";
    await client.links.update(id, { slug: "later" });
    await adopt("summer");
    await run("apply", ...file);
    expect(await owned("hero")).toMatchObject({ id, slug: "summer" });
  });

  it("takes a key for a link without a slug in the file", async () => {
    const { adopt } = await withLinks([{ slug: "other" }]);
    expect((await adopt("other", "--as", "generated")).out).toBe("site:generated\n");
  });

  it("takes over another owner's link only when told to", async () => {
    const { adopt, owned } = await withLinks([{ slug: "summer", external_id: "crm:7" }]);
    expect((await adopt("summer")).err).toBe(
      '/summer has the external ID "crm:7" of another owner. To replace it, give --take-over.\n',
    );
    await adopt("summer", "--take-over");
    expect(await owned("hero")).toBeDefined();
  });

  it("fails if the link changed meanwhile", async () => {
    const { adopt, service } = await withLinks([{ slug: "summer" }]);
    service.onCall = async ({ method }, answer) => {
      if (method === "PATCH") Object.assign(service.state.links[0] ?? {}, { title: "Changed" });
      return answer();
    };
    expect((await adopt("summer")).err).toContain("The link has changed since it was read.");
  });

  const MINE = { slug: "mine", external_id: "site:hero" };
  it.each<[name: string, argv: string[], links: Partial<CreateLink>[], message: string]>([
    ["a slug that the file does not have", ["other"], [], 'The file has no link with the slug "other".'],
    [
      "a key that the file does not have",
      ["summer", "--as", "x"],
      [],
      'The file has no link with the key "x".',
    ],
    [
      "a slug that opens nothing",
      ["summer"],
      [{ slug: "winter" }],
      "No link of the workspace opens /summer.",
    ],
    [
      "a link that has its key",
      ["summer"],
      [{ slug: "summer", external_id: "site:generated" }],
      '/summer already belongs to "generated" of this file.',
    ],
    ["a key that has its link", ["summer"], [{ slug: "summer" }, MINE], '"hero" is already the link /mine.'],
  ])("refuses %s", async (_, argv, links, message) => {
    const { adopt, service } = await withLinks(links);
    const { code, err } = await adopt(...argv);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(service.writes()).toEqual([]);
  });
});

describe("the same slug on several domains is adopted only where the domain is said", () => {
  const ON_BOTH = [ACME, OTHER].map((domain) => ({ slug: "summer", domain }));

  it("if the file has it on several", async () => {
    const links = { short: { slug: "summer", domain: SHORT }, acme: { slug: "summer", domain: ACME } };
    const { adopt, owned } = await withLinks(ON_BOTH, links);
    expect((await adopt("summer")).err).toContain(
      'The file has the slug "summer" on several domains. Give --domain.',
    );
    expect((await adopt("summer", "--domain", "x.example")).err).toContain(
      'The file has no link with the slug "summer" on x.example.',
    );
    await adopt("summer", "--domain", "ACME.example.");
    expect(await owned("acme")).toMatchObject({ domain: ACME });
  });

  it("if the file does not say where", async () => {
    const { adopt, owned } = await withLinks(ON_BOTH, { hero: {}, summer: { slug: "summer" } });
    expect((await adopt("summer")).err).toContain("is that of several links");
    await adopt("summer", "--domain", OTHER, "--as", "hero");
    expect(await owned("hero")).toMatchObject({ domain: OTHER });
  });
});
