import { afterAll, describe, expect, it } from "vitest";
import type { CreateLink } from "../../../src/client/api/wire-types";
import { fakeService } from "../fake-service";
import { clientOf, textOf } from "../file/setup";
import { cleanUp, DESTINATION, type Shell, shell } from "./setup";

afterAll(cleanUp);

const ACME = "go.acme.example";
const RULE = { destination_url: `${DESTINATION}fr`, languages: ["fr"], share: 50 };
/** Every field that a file can say. */
const FULL: Partial<CreateLink> = {
  title: "3.10",
  channel: "poster",
  activity_group_id: "summer",
  utm_source: "fair",
  utm_medium: "# print",
  utm_campaign: "no",
  utm_term: "1e3",
  utm_content: "~",
  starts_at: "2026-06-01T08:00:00+02:00",
  ends_at: "2026-08-31T22:00:00Z",
  ended_url: `${DESTINATION}over`,
  rules: [RULE],
  tag_names: ["Print", "Web"],
};

async function withLinks(
  ...inputs: Partial<CreateLink>[]
): Promise<Shell & { file: string[]; path(name: string): string }> {
  const one = shell(fakeService({ domains: [ACME] }));
  one.service.addGroup({ slug: "summer", default_utm_campaign: "s26" });
  const client = clientOf(one.service);
  for (const name of ["Print", "Web"]) await client.tags.create({ name });
  for (const input of inputs) await client.links.create({ destination_url: DESTINATION, ...input });
  one.service.calls.length = 0;
  return { ...one, file: ["-f", one.path("waymark.yaml")] };
}

const exportTo = async ({ run, path }: Shell) => run("export", "--yaml", "site", "-o", path("waymark.yaml"));

const planOf = async ({ run, file }: Awaited<ReturnType<typeof withLinks>>) =>
  JSON.parse((await run("plan", "--json", ...file)).out).counts;

describe("export --yaml", () => {
  it("is a links file that adopt --all makes the owner, and an apply then changes nothing", async () => {
    const one = await withLinks({ slug: "Summer", ...FULL }, { slug: "bare" }, { slug: "winter" });
    await one.run("links", "archive", "winter");
    const before = structuredClone(one.service.state.links);
    one.service.calls.length = 0;
    const exported = await one.run("export", "--yaml", "site");
    expect([exported.code, exported.err]).toEqual([0, "2 links exported.\n"]);
    expect(exported.out).toContain("  Summer:\n    slug: Summer\n");
    expect(exported.out).toContain('    title: "3.10"\n');
    expect(exported.out).not.toContain("domain:");
    expect(one.service.writes()).toEqual([]);
    await exportTo(one);
    expect(one.read("waymark.yaml")).toBe(exported.out);

    expect(await planOf(one)).toMatchObject({ conflicts: 2 });
    const shown = await one.json("adopt", "--all", "--dry-run", ...one.file);
    expect(shown).toEqual({
      dry_run: true,
      done: ["Summer", "bare"].map((key) => ({ op: "update", key })),
      failed: [],
      skipped: [],
    });
    expect(one.service.writes()).toEqual([]);
    const adopted = await one.run("adopt", "--all", ...one.file);
    expect(adopted).toEqual({ code: 0, out: "Summer\nbare\n", err: "2 links adopted.\n" });
    expect(await planOf(one)).toMatchObject({ create: 0, update: 0, unchanged: 2, conflicts: 0 });
    expect(one.service.writes().map(({ body }) => body)).toEqual([
      { external_id: "site:Summer" },
      { external_id: "site:bare" },
    ]);
    expect(one.service.state.links).toEqual(
      before.map((link) => ({
        ...link,
        external_id: link.slug === "winter" ? null : `site:${link.slug}`,
        updated_at: expect.any(String),
      })),
    );
    expect((await one.run("adopt", "--all", ...one.file)).err).toBe("0 links adopted.\n");
  });

  it("has the entries of 500 links, which one command adopts", async () => {
    const one = await withLinks();
    const client = clientOf(one.service);
    for (let number = 0; number < 500; number++) {
      const input = { destination_url: DESTINATION, slug: `link-${number}`, tag_names: ["Web"] };
      await client.links.create(number % 2 === 0 ? { ...input, ...FULL } : input);
    }
    await client.links.create({ destination_url: DESTINATION, slug: "other" });
    await one.run("export", "--tag", "web", "--yaml", "site", "-o", one.path("waymark.yaml"));
    expect((await one.run("adopt", "--all", ...one.file)).err).toBe("500 links adopted.\n");
    expect(await planOf(one)).toMatchObject({ create: 0, update: 0, unchanged: 500, conflicts: 0 });
    expect(await client.links.bySlug("other")).toMatchObject({ external_id: null });
  });

  it("says the domain of links on several, and gives a key to each", async () => {
    const one = await withLinks({ slug: "summer" }, { slug: "summer", domain: ACME });
    await exportTo(one);
    expect(one.read("waymark.yaml")).toContain(
      "  summer.go.acme.example:\n    slug: summer\n    domain: go.acme.example\n",
    );
    expect((await one.run("adopt", "--all", ...one.file)).code).toBe(0);
    expect(await planOf(one)).toMatchObject({ unchanged: 2, conflicts: 0 });
  });

  it("keeps the keys of links that the file owns", async () => {
    const one = await withLinks({ slug: "hero" }, { slug: "summer", external_id: "site:hero" });
    await exportTo(one);
    await one.run("adopt", "--all", ...one.file);
    expect(await planOf(one)).toMatchObject({ unchanged: 2, conflicts: 0 });
    expect(one.service.state.links.map((link) => link.external_id)).toEqual([
      "site:hero.go.example.com",
      "site:hero",
    ]);
  });

  it.each([
    [["--yaml", "a:b"], "name must not contain a colon."],
    [["--yaml", "site", "--status", "all"], "a links file has active links."],
    [["--yaml", "site", "--json"], "--yaml goes with neither --json nor --status"],
  ])("refuses %j", async (argv, message) => {
    const { run, service } = await withLinks();
    const { code, out, err } = await run("export", ...argv);
    expect([code, out, err]).toEqual([3, "", expect.stringContaining(message)]);
    expect(service.writes()).toEqual([]);
  });
});

describe("adopt --all", () => {
  it("says which links it leaves to another owner, unless it is to take them over", async () => {
    const one = await withLinks({ slug: "a" }, { slug: "b", external_id: "crm:7" });
    await exportTo(one);
    const { code, out, err } = await one.run("adopt", "--all", ...one.file);
    expect([code, out]).toEqual([5, "a\n"]);
    expect(err).toContain('Failed: b: /b has the external ID "crm:7" of another owner.');
    expect((await one.run("adopt", "--all", "--take-over", ...one.file)).out).toBe("b\n");
    expect(await planOf(one)).toMatchObject({ unchanged: 2, conflicts: 0 });
  });

  it("says before which links it would leave, and shows the others", async () => {
    const one = await withLinks({ slug: "a" }, { slug: "b", external_id: "crm:7" }, { slug: "c" });
    await exportTo(one);
    one.service.calls.length = 0;
    const { code, out, err } = await one.run("adopt", "--all", "--dry-run", ...one.file);
    expect([code, out]).toEqual([5, "a\nc\n"]);
    expect(err).toContain('Failed: b: /b has the external ID "crm:7" of another owner.');
    expect(err).toContain("2 links would be adopted");
    const shown = await one.run("adopt", "--all", "--dry-run", "--json", ...one.file);
    expect(JSON.parse(shown.out)).toMatchObject({
      dry_run: true,
      done: [{ key: "a" }, { key: "c" }],
      failed: [{ key: "b", message: expect.stringContaining("another owner") }],
    });
    expect(one.service.writes()).toEqual([]);
  });

  it("leaves a link whose key in the file is another link", async () => {
    const one = await withLinks({ slug: "summer" }, { slug: "later", external_id: "site:hero" });
    one.write("waymark.yaml", textOf({ hero: { slug: "summer" } }));
    const { code, err } = await one.run("adopt", "--all", ...one.file);
    expect([code, err]).toEqual([1, expect.stringContaining('"hero" is already the link /later.')]);
    expect(one.service.writes()).toEqual([]);
  });

  it("leaves a link that only had the slug before", async () => {
    const one = await withLinks({ slug: "summer" });
    await clientOf(one.service).links.update(one.service.state.links[0]?.id ?? "", { slug: "later" });
    one.write("waymark.yaml", textOf({ hero: { slug: "summer" } }));
    one.service.calls.length = 0;
    const { code, err } = await one.run("adopt", "--all", ...one.file);
    expect([code, err]).toEqual([1, expect.stringContaining("/summer is an old slug of /later")]);
    expect(one.service.writes()).toEqual([]);
  });

  it.each([
    [["adopt"]],
    [["adopt", "a", "--all"]],
    [["adopt", "--all", "--as", "a"]],
    [["adopt", "--all", "--domain", ACME]],
  ])("refuses %j", async (argv) => {
    const one = await withLinks({ slug: "a" });
    one.write("waymark.yaml", textOf({}));
    const { code, err } = await one.run(...argv, ...one.file);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining("Give a SLUG, or --all without --as and --domain."),
    ]);
  });
});
