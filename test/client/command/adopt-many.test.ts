import { afterAll, describe, expect, it } from "vitest";
import { gather } from "../../../src/client/api/pages";
import type { CreateLink } from "../../../src/client/api/resources";
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

const planOf = async ({ run, file }: Awaited<ReturnType<typeof withLinks>>) =>
  JSON.parse((await run("plan", "--json", ...file)).out).counts;

describe("export --yaml", () => {
  it("is a links file that adopt --all makes the owner, and an apply then changes nothing", async () => {
    const one = await withLinks({ slug: "Summer", ...FULL }, { slug: "bare" }, {
      slug: "winter",
      status: "archived",
    } as object);
    await one.run("links", "archive", "winter");
    const before = structuredClone(one.service.state.links);
    one.service.calls.length = 0;
    const exported = await one.run("export", "--yaml", "--name", "site");
    expect([exported.code, exported.err]).toEqual([0, "2 links exported.\n"]);
    expect(exported.out).toContain("  Summer:\n    slug: Summer\n");
    expect(exported.out).toContain('    title: "3.10"\n');
    expect(exported.out).not.toContain("domain:");
    expect(one.service.writes()).toEqual([]);
    await one.run("export", "--yaml", "--name", "site", "-o", one.path("waymark.yaml"));
    expect(one.read("waymark.yaml")).toBe(exported.out);

    expect(await planOf(one)).toMatchObject({ conflicts: 2 });
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

  it("says the domain of links on several, and gives a key to each", async () => {
    const one = await withLinks({ slug: "summer" }, { slug: "summer", domain: ACME });
    await one.run("export", "--yaml", "--name", "site", "-o", one.path("waymark.yaml"));
    expect(one.read("waymark.yaml")).toContain(
      "  summer.2:\n    slug: summer\n    domain: go.acme.example\n",
    );
    expect((await one.run("adopt", "--all", ...one.file)).code).toBe(0);
    expect(await planOf(one)).toMatchObject({ unchanged: 2, conflicts: 0 });
  });

  it.each([
    [["--yaml"], "--name is missing"],
    [["--yaml", "--name", "a:b"], "name must not contain a colon."],
    [["--yaml", "--name", "site", "--status", "all"], "a links file has active links."],
    [["--yaml", "--name", "site", "--json"], "--yaml goes with neither --json nor --status"],
  ])("refuses %j", async (argv, message) => {
    const { run, service } = await withLinks();
    const { code, out, err } = await run("export", ...argv);
    expect([code, out, err]).toEqual([3, "", expect.stringContaining(message)]);
    expect(service.writes()).toEqual([]);
  });
});

describe("adopt --add", () => {
  it("writes the entries of 500 links into the file and adopts them, with one command", async () => {
    const one = await withLinks();
    const client = clientOf(one.service);
    for (let number = 0; number < 500; number++) {
      const input = { destination_url: DESTINATION, slug: `link-${number}`, tag_names: ["Web"] };
      await client.links.create(number % 2 === 0 ? { ...input, ...FULL } : input);
    }
    await client.links.create({ destination_url: DESTINATION, slug: "other" });
    const { code, err } = await one.run("adopt", "--tag", "web", "--add", "--name", "site", ...one.file);
    expect([code, err]).toEqual([0, "500 links adopted, 500 of them as new entries.\n"]);
    expect(await planOf(one)).toMatchObject({ create: 0, update: 0, unchanged: 500, conflicts: 0 });
    expect(await client.links.bySlug("other")).toMatchObject({ external_id: null });
  });

  it("leaves what people wrote as it is, and no default of the file changes a link", async () => {
    const one = await withLinks({ slug: "bare" }, { slug: "full", ...FULL }, { slug: "hero" });
    const head =
      "# ours\nversion: 1\nname:   site\ndefaults: { group: summer, tags: [Web], channel: web, utm: { source: s, campaign: c } }\nlinks:\n";
    const entry = `    hero: { slug: hero, destination: "${DESTINATION}", group: null } # by hand\n`;
    const tail = "# the end\non_removed: keep\n";
    one.write("waymark.yaml", head + entry + tail);
    const shown = await one.json("adopt", "--add", "--all", "--dry-run", ...one.file);
    expect(shown.adopt).toMatchObject([
      { key: "hero", external_id: "site:hero", before: null, added: false },
      { key: "bare", added: true },
      { key: "full", added: true },
    ]);
    expect([one.read("waymark.yaml"), one.service.writes()]).toEqual([head + entry + tail, []]);
    expect((await one.run("adopt", "--add", "--all", ...one.file)).err).toBe(
      "3 links adopted, 2 of them as new entries.\n",
    );
    const text = one.read("waymark.yaml");
    expect(text.startsWith(`${head}${entry}    bare:\n      slug: bare\n`)).toBe(true);
    expect(text.endsWith(tail)).toBe(true);
    const { actions } = await one.json("plan", ...one.file);
    expect(actions.map(({ key }: { key: string }) => key)).toEqual(["hero"]);
  });

  it("takes one slug, and leaves archived links and those of other owners", async () => {
    const one = await withLinks({ slug: "a" }, { slug: "b", external_id: "crm:7" }, { slug: "c" });
    await one.run("links", "archive", "c");
    const add = ["adopt", "--add", "--name", "site", ...one.file];
    expect((await one.run(...add, "/a")).out).toBe("a\n");
    const rest = await one.run("adopt", "--all", "--add", ...one.file);
    expect(rest.err).toBe(
      "Another owner has 1 link: --take-over.\n0 links adopted, 0 of them as new entries.\n",
    );
    expect((await one.run("adopt", "--all", "--add", "--take-over", ...one.file)).out).toBe("b\n");
    expect(
      (await gather(clientOf(one.service).links.list({ status: "all" }))).map((link) => link.external_id),
    ).toEqual([null, "site:b", "site:a"]);
  });

  it("a run that was interrupted after the file was written is completed by the next one", async () => {
    const one = await withLinks({ slug: "a" }, { slug: "b" });
    one.service.onCall = async ({ method, body }, answer) =>
      method === "PATCH" && body?.["external_id"] === "site:b"
        ? Response.json({ message: "Server Error" }, { status: 400 })
        : answer();
    const command = ["adopt", "--all", "--add", "--name", "site", ...one.file];
    expect((await one.run(...command)).code).toBe(5);
    one.service.onCall = (_, answer) => answer();
    expect(await one.run(...command)).toMatchObject({ code: 0, out: "b\n" });
    expect(await planOf(one)).toMatchObject({ unchanged: 2, conflicts: 0 });
  });

  it("leaves a link whose key in the file is another link", async () => {
    const one = await withLinks({ slug: "summer" }, { slug: "later", external_id: "site:hero" });
    one.write("waymark.yaml", textOf({ hero: { slug: "summer" } }));
    const { err } = await one.run("adopt", "--all", ...one.file);
    expect(err).toBe(
      'https://go.example.com/summer is left: "hero" is https://go.example.com/later.\n0 links adopted.\n',
    );
  });

  it.each([
    [["adopt"], "Give a SLUG, --all or a filter."],
    [["adopt", "a", "--all"], "Give a SLUG, --all or a filter."],
    [["adopt", "--all", "--add", "--name", "other"], 'has the name "site". Leave --name out.'],
    [["adopt", "--all", "--tag", ""], "--tag is empty."],
  ])("refuses %j", async (argv, message) => {
    const one = await withLinks({ slug: "a" });
    one.write("waymark.yaml", textOf({}));
    const { code, err } = await one.run(...argv, ...one.file);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
  });

  it("refuses a file whose links are in braces, and a missing file without a name", async () => {
    const one = await withLinks({ slug: "a" });
    expect((await one.run("adopt", "--all", "--add", ...one.file)).err).toContain("There is no file");
    one.write("waymark.yaml", `{ version: 1, name: site, links: { x: { destination: "${DESTINATION}" } } }`);
    expect((await one.run("adopt", "--all", "--add", ...one.file)).err).toContain("are in braces");
    expect(one.service.writes()).toEqual([]);
  });
});
