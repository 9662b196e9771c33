import { afterAll, describe, expect, it } from "vitest";
import { fakeService, refused } from "../fake-service";
import { clientOf } from "../file/setup";
import { addCopies, cleanUp, DESTINATION, type Shell, shell, words } from "./setup";

afterAll(cleanUp);

const create = (one: Shell, slug: string, ...more: string[]) =>
  one.json("links", "create", "--destination", DESTINATION, "--slug", slug, ...more);

async function withTags(...names: string[]): Promise<Shell> {
  const one = shell();
  one.service.addGroup({ slug: "summer-2026", default_utm_campaign: "summer_2026" });
  for (const name of names) await one.json("tags", "create", name);
  return one;
}

describe("whoami", () => {
  it("shows the workspace and the access of the key", async () => {
    expect(await shell().run("whoami")).toEqual({
      code: 0,
      out: "url\thttps://go.example.com\nworkspace\tacme\nname\tAcme\naccess\tfull\n",
      err: "",
    });
    expect(await shell(fakeService({ access: "read" })).json("whoami")).toEqual({
      url: "https://go.example.com",
      workspace: { name: "Acme", slug: "acme" },
      access: "read",
    });
  });
});

describe("links create", () => {
  it("prints the short URL, so that a script can keep it", async () => {
    const one = shell();
    const argv = ["links", "create", "--destination", DESTINATION, "--slug", "summer"];
    const printed = { code: 0, out: "https://go.example.com/summer\n", err: "Created /summer.\n" };
    expect(await one.run(...argv)).toEqual(printed);
  });

  it("sends every field", async () => {
    const one = await withTags("Print", "Partner");
    const fields = words("--title Sale --channel poster --group summer-2026 --external-id a:1");
    const utm = words("--utm-source s --utm-medium m --utm-campaign c --tag PRINT --tag partner");
    const moments = words("--starts-at 2026-06-01T08:00:00+02:00 --ends-at 2026-08-31T22:00Z");
    const life = [...moments, "--ended-url", "https://www.example.com/over"];
    expect(await create(one, "summer", ...fields, ...utm, ...life)).toMatchObject({
      slug: "summer",
      title: "Sale",
      channel: "poster",
      activity_group: { slug: "summer-2026" },
      external_id: "a:1",
      utm_source: "s",
      utm_medium: "m",
      utm_campaign: "c",
      starts_at: "2026-06-01T06:00:00.000Z",
      ends_at: "2026-08-31T22:00:00.000Z",
      ended_url: "https://www.example.com/over",
      tags: [{ name: "Partner" }, { name: "Print" }],
    });
  });

  it("--dry-run foretells the refusals, and writes nothing", async () => {
    const one = await withTags("Print");
    await create(one, "summer", "--external-id", "a:1");
    const writes = one.service.writes().length;
    const dry = (...more: string[]) =>
      one.run("links", "create", "--dry-run", "--destination", DESTINATION, ...more);

    expect(await dry("--slug", "autumn", "--tag", "print")).toEqual({
      code: 0,
      out: `destination_url\t${DESTINATION}\nslug\tautumn\ntags\tprint\n`,
      err: "Would create this link.\n",
    });
    const { code, err } = await dry("--slug", "Summer", "--external-id", "a:1");
    expect(code).toBe(1);
    expect(err).toMatch(/^slug: The slug has already been taken. In the way: 01JZ\w+\nexternal_id: /);
    expect(JSON.parse((await dry("--slug", "Summer", "--json")).err)).toMatchObject({
      error: { message: "Another link is in the way.", codes: {}, exit_code: 1 },
    });
    expect((await dry("--slug", "api")).err).toBe(
      'slug: The slug field must not be "api", which is reserved by the service.\n',
    );
    const times = ["--starts-at", "2026-06-01T08:00:00", "--ends-at", "2026-06-01T08:00:00Z"];
    expect((await dry(...times, "--ended-url", "http://localhost/")).err).toBe(
      "starts_at: The starts at field must be an ISO 8601 time with a zone, such as 2026-05-01T09:00:00Z.\n" +
        "ended_url: The ended url field must not point to a host of an internal network.\n",
    );
    expect((await dry(...times, "--starts-at", "2026-06-01T10:00:00+02:00")).err).toBe(
      "ends_at: The ends at field must be a date after starts at.\n",
    );
    expect((await dry("--group", "nope")).err).toContain('no Activity Group "nope"');
    expect((await dry("--tag", "pritn")).err).toContain('Did you mean "Print"?');
    expect((await one.run("links", "create", "--dry-run", "--destination", "ftp://a.example")).err).toBe(
      "destination_url: The destination url field must use http or https.\n",
    );
    expect(one.service.writes()).toHaveLength(writes);
  });

  it("a refusal shows the service's sentences with their fields, what is in the way, and the request ID", async () => {
    const one = shell();
    const { id } = await create(one, "summer", "--external-id", "a:1");
    const taken = ["links", "create", "--destination", DESTINATION, "--slug", "SUMMER"];
    const { code, out, err } = await one.run(...taken, "--external-id", "a:1");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(
      `slug: The slug has already been taken. In the way: ${id}\n` +
        `external_id: The external id has already been taken. In the way: ${id}\n`,
    );
    expect(err).toMatch(/Request ID: request-\d+\n$/);
    const { err: json } = await one.run(...taken, "--json");
    expect(JSON.parse(json)).toEqual({
      error: {
        message: "The slug has already been taken.",
        status: 422,
        errors: { slug: ["The slug has already been taken."] },
        codes: { slug: ["taken"] },
        conflicts: { slug: id },
        request_id: expect.stringMatching(/^request-\d+$/),
        retry_after: null,
        exit_code: 1,
      },
    });
  });
});

describe("a link is named by", () => {
  it("slug, old slug, short URL, ID and external ID", async () => {
    const one = shell();
    const { id } = await create(one, "summer");
    await one.json("links", "update", "summer", "--slug", "sale", "--external-id", "site:hero");
    for (const name of [
      "sale",
      "SALE",
      "summer",
      "https://go.example.com/sale?a=b",
      id,
      id.toLowerCase(),
      "site:hero",
    ]) {
      expect((await one.json("links", "get", name)).id, name).toBe(id);
    }
    const { code, err } = await one.run("links", "get", "site:nothing");
    expect([code, err]).toEqual([1, 'The workspace has no link "site:nothing".\n']);
  });

  it("a short URL of this service only", async () => {
    const one = shell();
    await create(one, "summer");
    const writes = one.service.writes().length;
    for (const url of ["https://go.example.org/summer", "https://go.example.com:8443/summer"]) {
      const err = `The workspace has no link "${url}".\n`;
      expect(await one.run("links", "update", url, "--title", "New")).toEqual({ code: 1, out: "", err });
    }
    expect(one.service.writes()).toHaveLength(writes);
    expect((await one.run("links", "get", "https://GO.example.com/summer")).code).toBe(0);
  });

  it("a slug that looks like an ID", async () => {
    const one = shell();
    const { id } = await create(one, "01jz0000000000000000000zzz");
    expect((await one.json("links", "get", "01JZ0000000000000000000ZZZ")).id).toBe(id);
  });
});

describe("links update", () => {
  it("changes what is given, and clears with an empty text", async () => {
    const one = await withTags();
    await create(one, "summer", "--title", "Sale", "--channel", "poster", "--group", "summer-2026");
    const change = ["--title", "", "--group", "", "--channel", "web"];
    const link = await one.json("links", "update", "summer", ...change);
    expect(link).toMatchObject({ title: null, channel: "web" });
    expect(link).not.toHaveProperty("activity_group");
  });

  it("sends a named campaign and group even if the link has them, since the group's default may have changed", async () => {
    const one = await withTags("Print");
    await create(one, "summer", "--group", "summer-2026");
    await one.json("links", "update", "summer", "--utm-campaign", "", "--group", "summer-2026");
    expect(one.service.writes().at(-1)).toMatchObject({
      method: "PATCH",
      body: { utm_campaign: null, activity_group_id: "summer-2026" },
    });
  });

  it("sets when a link is open, sees equal instants, and clears with an empty text", async () => {
    const one = shell();
    await create(one, "summer", "--starts-at", "2026-06-01T08:00:00+02:00", "--ended-url", DESTINATION);
    const same = ["--starts-at", "2026-06-01T06:00Z"];
    expect((await one.run("links", "update", "summer", "--dry-run", ...same)).err).toBe(
      "Nothing would change.\n",
    );
    const change = ["--starts-at", "", "--ends-at", "2026-09-01T00:00:00+02:00", "--ended-url", ""];
    expect((await one.run("links", "update", "summer", "--dry-run", ...change)).out).toBe(
      "starts_at\t2026-06-01T06:00:00.000Z → none\nends_at\tnone → 2026-09-01T00:00:00+02:00\n" +
        `ended_url\t${DESTINATION} → none\n`,
    );
    expect(await one.json("links", "update", "summer", ...change)).toMatchObject({
      starts_at: null,
      ends_at: "2026-08-31T22:00:00.000Z",
      ended_url: null,
    });
    const { out } = await one.run("links", "get", "summer");
    expect(out).toContain("starts_at\t\nends_at\t2026-08-31T22:00:00.000Z\nended_url\t\n");
  });

  it("shows the rules of a link as a line, as JSON and in an export", async () => {
    const one = await withTags();
    const rules = [{ destination_url: `${DESTINATION}/fr`, languages: ["fr"] }];
    await clientOf(one.service).links.create({ destination_url: DESTINATION, slug: "summer", rules });
    expect((await one.run("links", "get", "summer")).out).toContain(`rules\tfr → ${DESTINATION}/fr\n`);
    expect(await one.json("links", "get", "summer")).toMatchObject({ rules });
    expect((await one.run("export")).out).toContain(`"[{""destination_url"":""${DESTINATION}/fr"",`);
  });

  it("adds and takes off tags in one request, whatever others do meanwhile", async () => {
    const one = await withTags("A", "B", "C");
    await create(one, "summer", "--tag", "A");
    let isFirst = true;
    one.service.onCall = async (call, answer) => {
      if (call.method === "PATCH" && isFirst) {
        isFirst = false;
        const [link] = one.service.state.links;
        const tag = one.service.state.tags.find(({ name }) => name === "C");
        if (link !== undefined && tag !== undefined) link.tags = [...link.tags, tag];
      }
      return answer();
    };
    const { tags } = await one.json("links", "update", "summer", "--tag", "b", "--untag", "a");
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(["B", "C"]);
    expect(await one.json("links", "update", "summer", "--no-tags", "--tag", "A")).toMatchObject({
      tags: [{ name: "A" }],
    });
    expect(await one.run("links", "update", "summer", "--no-tags", "--tag", "A")).toMatchObject({
      code: 0,
      err: "/summer is already as asked.\n",
    });
  });

  it("--dry-run shows each field before and after", async () => {
    const one = await withTags("A", "B");
    await create(one, "summer", "--tag", "A", "--title", "Sale");
    const change = ["--title", "", ...words("--channel web --group summer-2026 --tag B --untag A")];
    const writes = one.service.writes().length;
    expect(await one.run("links", "update", "summer", "--dry-run", ...change)).toEqual({
      code: 0,
      out: "title\tSale → none\nchannel\tnone → web\ngroup\tnone → summer-2026\ntags\tA → B\n",
      err: "Would update /summer.\n",
    });
    expect(await one.json("links", "update", "summer", "--dry-run", "--title", "New")).toMatchObject({
      dry_run: true,
      update: { title: "New" },
    });
    expect((await one.run("links", "update", "summer", "--dry-run", "--title", "Sale")).err).toBe(
      "Nothing would change.\n",
    );
    expect(one.service.writes()).toHaveLength(writes);
  });
});

describe("links archive, restore and delete", () => {
  it("take several links", async () => {
    const one = shell();
    for (const slug of ["a", "b", "c"]) await create(one, slug);
    const archived = { code: 0, out: "a\nb\n", err: "2 links archived.\n" };
    expect(await one.run("links", "archive", "a", "b")).toEqual(archived);
    expect(await one.json("links", "list", "--status", "archived")).toHaveLength(2);
    expect((await one.run("links", "restore", "a")).err).toBe("1 link restored.\n");
    expect(await one.json("links", "delete", "a", "b")).toEqual({
      done: [
        { op: "delete", key: "a" },
        { op: "delete", key: "b" },
      ],
      failed: [],
      skipped: [],
    });
    expect(await one.json("links", "list", "--status", "all")).toMatchObject([{ slug: "c" }]);
  });

  it.each(["archive", "restore", "delete"])("%s --dry-run writes nothing", async (verb) => {
    const one = shell();
    await create(one, "summer");
    const writes = one.service.writes().length;
    expect(await one.run("links", verb, "summer", "--dry-run")).toEqual({
      code: 0,
      out: `summer\t${DESTINATION}\n`,
      err: `Would ${verb} 1 link.\n`,
    });
    expect(one.service.writes()).toHaveLength(writes);
  });

  it("what fails is said, and the rest is done", async () => {
    const one = shell();
    await create(one, "summer");
    expect(await one.run("links", "delete", "summer", "winter")).toEqual({
      code: 5,
      out: "summer\n",
      err: 'Failed: winter: The workspace has no link "winter".\n1 link deleted, 1 failed.\n',
    });
  });
});

describe("links list", () => {
  async function filled(): Promise<Shell> {
    const one = await withTags("Print", "Late Summer");
    const fields = words("--tag Print --title Sale --channel poster --external-id site:a");
    await create(one, "summer", ...fields);
    await create(one, "autumn", "--tag", "Late Summer", "--group", "summer-2026", "--external-id", "app:b");
    await create(one, "winter");
    await one.run("links", "archive", "winter");
    return one;
  }

  it("sends every filter, with tags and groups by their IDs", async () => {
    const one = await filled();
    const filters = words(
      "--channel poster --domain go.example.com --status all --slug summer --slug winter --external-id site:a --external-id app:b --external-id-prefix site: --q sale --sort title",
    );
    await one.run(
      "links",
      "list",
      "--tag",
      "print",
      "--tag",
      "Late Summer",
      "--group",
      "summer-2026",
      ...filters,
    );
    const { tags, groups } = one.service.state;
    const sent = one.service.calls.at(-1)?.url.searchParams ?? new URLSearchParams();
    expect([...sent.entries()].sort()).toEqual(
      [
        ["tag", tags.find(({ name }) => name === "Print")?.id],
        ["tag", tags.find(({ name }) => name === "Late Summer")?.id],
        ["activity_group_id", groups[0]?.id],
        ["channel", "poster"],
        ["domain", "go.example.com"],
        ["status", "all"],
        ["slug", "summer"],
        ["slug", "winter"],
        ["external_id", "site:a"],
        ["external_id", "app:b"],
        ["external_id_prefix", "site:"],
        ["q", "sale"],
        ["sort", "title"],
        ["per_page", "100"],
      ].sort(),
    );
  });

  it.each([
    ["--status all --sort slug", ["autumn", "summer", "winter"]],
    ["--limit 1", ["autumn"]],
    ["--limit 0", []],
  ])("%s", async (filter, slugs) => {
    const links = await (await filled()).json("links", "list", ...words(filter));
    expect(links.map(({ slug }: { slug: string }) => slug)).toEqual(slugs);
  });

  it("an unknown tag or group is an error, where the service gives an empty list", async () => {
    const one = await filled();
    for (const command of ["links list", "links list --json", "export"]) {
      for (const unknown of ["--tag prnt", "--group nope"]) {
        const { code, out } = await one.run(...words(`${command} ${unknown}`));
        expect([code, out], `${command} ${unknown}`).toEqual([1, ""]);
      }
    }
    const nothing = { code: 0, out: "", err: "No links.\n" };
    expect(await one.run("links", "list", "--q", "nothing")).toEqual(nothing);
    expect(await one.json("links", "list", "--q", "nothing")).toEqual([]);
  });

  it("a tag is meant by its name before another tag's slug", async () => {
    const one = shell();
    await one.json("tags", "create", "Flyer", "--slug", "print");
    await one.json("tags", "create", "Print", "--slug", "paper");
    await create(one, "on-flyer", "--tag", "Flyer");
    await create(one, "in-print", "--tag", "Print");
    for (const command of [["links", "list"], ["export"]]) {
      expect(await one.json(...command, "--tag", "print")).toMatchObject([{ slug: "in-print" }]);
      expect(await one.json(...command, "--tag", "paper")).toMatchObject([{ slug: "in-print" }]);
    }
  });

  it("the limit also limits the pages that are read", async () => {
    const one = shell();
    await create(one, "summer");
    addCopies(one.service, 200);
    const before = one.service.calls.length;
    expect(await one.json("links", "list", "--limit", "100")).toHaveLength(100);
    expect(one.service.calls.length - before).toBe(1);
    expect(await one.json("links", "list")).toHaveLength(201);
    expect(one.service.calls.length - before).toBe(4);
  });

  it("a service that is down fails after the last try", async () => {
    const one = shell();
    one.service.onCall = async () => refused(503, { "Retry-After": "5" });
    const { code, err } = await one.run("links", "list");
    expect(code).toBe(1);
    expect(err).toMatch(
      /^(?:Service temporarily unavailable. Trying again in 5 s.\n){4}Service temporarily unavailable.\nTry again in 5 s.\nRequest ID: /,
    );
    expect(one.service.calls).toHaveLength(5);
  });
});
