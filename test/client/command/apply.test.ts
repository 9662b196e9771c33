import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { fakeService, refused } from "../fake-service";
import { type Fields, textOf } from "../file/setup";
import { cleanUp, DESTINATION, type Shell, shell } from "./setup";

afterAll(cleanUp);

type Links = Record<string, Fields>;

/** A shell with a file of links, and the command line's words that name it. */
function withFile(links: Links, one: Shell = shell()): { one: Shell; file: readonly string[] } {
  return { one, file: ["-f", one.write("waymark.yaml", textOf(links))] };
}

const rewrite = (one: Shell, links: Links) => one.write("waymark.yaml", textOf(links));
const HERO = { slug: "summer", title: "Sale", tags: ["Print"] };

describe("plan", () => {
  it("shows every change, and writes nothing", async () => {
    const { one, file } = withFile({ hero: HERO }, shell(fakeService({ access: "read" })));
    expect(await one.run("plan", ...file)).toEqual({
      code: 0,
      out: '+ tag "Print"\n+ hero  /summer\n    destination  "https://www.example.com/"\n    title        "Sale"\n    tags         "Print"\n\nPlan: 1 to create, 0 to update, 0 to remove, 1 tag to create, 0 unchanged.\n'.replace(
        '"Print"\n\n',
        "Print\n\n",
      ),
      err: "",
    });
    expect(one.service.writes()).toEqual([]);
  });

  it("--detailed-exitcode is 2 with changes and 0 without", async () => {
    const { one, file } = withFile({ hero: HERO });
    expect((await one.run("plan", ...file, "--detailed-exitcode")).code).toBe(2);
    expect((await one.run("plan", ...file)).code).toBe(0);
    await one.run("apply", ...file);
    expect((await one.run("plan", ...file, "--detailed-exitcode")).code).toBe(0);
  });

  it("is JSON or Markdown where asked", async () => {
    const { one, file } = withFile({ hero: HERO });
    expect(await one.json("plan", ...file)).toMatchObject({ changes: true, counts: { create: 1 } });
    expect((await one.run("plan", ...file, "--markdown")).out).toContain("| Key | Slug | Changes |");
  });

  it("every problem of the file is shown with its line, and nothing is sent", async () => {
    const one = shell();
    const path = one.write(
      "bad.yaml",
      "version: 2\nname: site\nlink: {}\nlinks:\n  a: { destination: 'ftp://x' }\n",
    );
    for (const verb of ["plan", "apply", "adopt"]) {
      const words = verb === "adopt" ? [verb, "summer"] : [verb];
      const { code, out, err } = await one.run(...words, "-f", path);
      expect([code, out]).toEqual([3, ""]);
      expect(err.split("\n")[0]).toMatch(new RegExp(`^${path}:1: version must be 1`));
      expect(err).toContain(`${path}:3: "link" is not known. Did you mean links?\n`);
      expect(err).toContain(`${path}:5: `);
    }
    const { err } = await one.run("plan", "-f", path, "--json");
    expect(JSON.parse(err).error.problems[0]).toEqual({ file: path, line: 1, message: expect.any(String) });
    expect(one.service.calls).toEqual([]);
  });

  it("an unknown Activity Group is a problem of the file", async () => {
    const { one, file } = withFile({ hero: { group: "nope" } });
    const { code, err } = await one.run("plan", ...file);
    expect([code, err]).toEqual([3, `${file[1]}:6: The workspace has no Activity Group "nope".\n`]);
    expect((await one.run("apply", ...file)).code).toBe(3);
  });

  it("a conflict is shown, and is exit 1 for plan and apply", async () => {
    const { one, file } = withFile({ hero: HERO, other: {} });
    await one.json("links", "create", "--destination", DESTINATION, "--slug", "Summer");
    const writes = one.service.writes().length;
    for (const verb of ["plan", "apply"]) {
      const { code, out } = await one.run(verb, ...file, ...(verb === "plan" ? ["--detailed-exitcode"] : []));
      expect(code).toBe(1);
      expect(out).toContain("! hero  /summer belongs to the link");
      expect(out).toContain("waymark adopt summer");
    }
    expect((await one.run("plan", ...file, "--out", one.path("plan"))).code).toBe(1);
    expect(existsSync(one.path("plan"))).toBe(false);
    expect(one.service.writes()).toHaveLength(writes);
  });
});

describe("apply", () => {
  it("makes the workspace as the file says, and writes nothing the second time", async () => {
    const { one, file } = withFile({ hero: HERO, other: { slug: "autumn" } });
    const first = await one.run("apply", ...file);
    expect(first).toMatchObject({ code: 0, err: "" });
    // Links are written at once, so they end in any order.
    const [tag, ...lines] = first.out.split("\n");
    expect([tag, ...lines.sort()]).toEqual(['+ tag "Print"', "", "+ hero", "+ other", "Applied: 3 done."]);
    const writes = one.service.writes().length;
    expect(await one.run("apply", ...file)).toEqual({
      code: 0,
      out: "Nothing to do: the workspace is as the file says.\n",
      err: "",
    });
    expect(one.service.writes()).toHaveLength(writes);
  });

  it("--urls and --qr write their files when all is done", async () => {
    const { one, file } = withFile({ hero: HERO, other: { slug: "autumn" } });
    const outputs = ["--urls", one.path("dist/urls.json"), "--qr", one.path("qr"), "--qr-format", "png"];
    const { links } = await one.json("apply", ...file, ...outputs);
    expect(links.hero).toEqual({
      slug: "summer",
      url: "https://go.example.com/summer",
      id: expect.any(String),
    });
    expect(JSON.parse(one.read("dist/urls.json"))).toEqual(links);
    expect(readdirSync(one.path("qr")).sort()).toEqual(["hero.png", "other.png"]);
  });

  it("--urls is not written if anything failed", async () => {
    const { one, file } = withFile({ hero: HERO, other: { slug: "autumn" } });
    one.service.onCall = async (call, answer) => (call.text.includes("autumn") ? refused(500) : answer());
    const { code, out, err } = await one.run("apply", ...file, "--urls", one.path("urls.json"));
    expect(code).toBe(5);
    expect(out).toBe('+ tag "Print"\n+ hero\nApplied: 2 done, 1 failed.\n');
    expect(err).toMatch(/^Failed: other: Server Error Request ID: request-\d+\n$/);
    expect(existsSync(one.path("urls.json"))).toBe(false);
  });

  it("files that cannot be written are a failure, though the links are there", async () => {
    const { one, file } = withFile({ hero: HERO });
    one.write("taken", "");
    const argv = ["apply", ...file, "--urls", one.path("taken/urls.json")];
    const { code, err } = await one.run(...argv);
    expect(code).toBe(5);
    expect(err).toContain("The links are as the file says, but: ");
    expect((await one.run(...argv)).code).toBe(1);
  });

  it("--dry-run shows the plan, and its guards hold", async () => {
    const { one, file } = withFile({ hero: HERO });
    const { code, out, err } = await one.run("apply", ...file, "--dry-run");
    expect([code, err]).toEqual([0, "Dry run: nothing was written.\n"]);
    expect(out).toContain("+ hero  /summer\n");
    expect(one.service.writes()).toEqual([]);
  });

  it("removes at most ten links, unless it is told otherwise", async () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, number) => [`k${number}`, {}]));
    const { one, file } = withFile(many);
    await one.run("apply", ...file);
    rewrite(one, {});
    const writes = one.service.writes().length;
    for (const more of [[], ["--dry-run"], ["--max-removals", "0"]]) {
      const { code, err } = await one.run("apply", ...file, ...more);
      expect(code).toBe(6);
      expect(err).toContain("The plan removes 11 links, more than the");
    }
    expect(one.service.writes()).toHaveLength(writes);
    expect((await one.run("apply", ...file, "--max-removals", "11")).out).toContain("Applied: 11 done.\n");
  });

  it("an interrupt ends it between two requests and says what was done; the next run does the rest", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, number) => [`k${number}`, { slug: `s${number}` }]),
    );
    const { one, file } = withFile(many);
    const interrupt = new AbortController();
    one.service.onCall = async (call, answer) => {
      if (call.method === "POST" && one.service.writes().length === 5) interrupt.abort();
      return answer();
    };
    const argv = ["apply", ...file, "--urls", one.path("urls.json")];
    const { code, out, err } = await one.runUnder({ interrupt }, ...argv);
    const done = one.service.state.links.length;
    expect(code).toBe(5);
    expect(done).toBeLessThan(30);
    expect(out.match(/^\+ k\d+$/gm)).toHaveLength(done);
    expect(out).toContain(`Applied: ${done} done, ${30 - done} skipped.\n`);
    expect(err).toBe("Skipped: Interrupted.\nInterrupted. Run it again to do the rest.\n");
    expect(existsSync(one.path("urls.json"))).toBe(false);

    expect((await one.run(...argv)).out).toContain(`Applied: ${30 - done} done.\n`);
    expect(Object.keys(JSON.parse(one.read("urls.json")))).toHaveLength(30);
  });

  it("with a read-only key it says which key it needs", async () => {
    const { one, file } = withFile({ hero: {} });
    one.service.state.access = "read";
    const { code, err } = await one.run("apply", ...file);
    expect(code).toBe(4);
    expect(err).toContain("This API key is read-only. A read-only key is enough for plan.");
  });

  it("an interrupt after the last write leaves nothing to do", async () => {
    const { one, file } = withFile({ hero: {} });
    const interrupt = new AbortController();
    one.service.onCall = async (call, answer) => {
      if (call.method === "POST") interrupt.abort();
      return answer();
    };
    const { code, out, err } = await one.runUnder({ interrupt }, "apply", ...file);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("Applied: 1 done.");
  });

  it("with --json every step is told", async () => {
    const { one, file } = withFile({ hero: HERO, other: { slug: "autumn" } });
    one.service.onCall = async (call, answer) => (call.text.includes("autumn") ? refused(500) : answer());
    const { code, out, err } = await one.run("apply", ...file, "--json");
    expect([code, err]).toEqual([5, ""]);
    expect(JSON.parse(out)).toEqual({
      name: "site",
      complete: false,
      done: [
        { op: "create_tag", key: "Print" },
        { op: "create", key: "hero" },
      ],
      failed: [expect.objectContaining({ op: "create", key: "other", status: 500, message: "Server Error" })],
      skipped: [],
      links: null,
    });
  });
});

describe("a saved plan", () => {
  it("is applied, whatever the file says by then", async () => {
    const { one, file } = withFile({ hero: HERO });
    const { code, err } = await one.run("plan", ...file, "--out", one.path("plan"));
    expect([code, err]).toEqual([
      0,
      `Saved. To apply exactly this plan: waymark apply --plan ${one.path("plan")}\n`,
    ]);
    rewrite(one, {});
    expect((await one.run("apply", "--plan", one.path("plan"))).out).toContain("Applied: 2 done.\n");
    expect((await one.run("apply", "--plan", one.path("plan"))).out).toContain("Nothing to do");
  });

  it("is stale after a change by hand, and nothing is written", async () => {
    const { one, file } = withFile({ hero: { slug: "summer" } });
    await one.run("apply", ...file);
    rewrite(one, { hero: { slug: "summer", title: "New" } });
    await one.run("plan", ...file, "--out", one.path("plan"));
    await one.run("links", "update", "summer", "--slug", "by-hand");
    const writes = one.service.writes().length;
    const { code, out, err } = await one.run("apply", "--plan", one.path("plan"));
    expect([code, out]).toEqual([6, ""]);
    expect(err).toBe("The workspace has changed since the plan was made. Nothing was written. Plan again.\n");
    expect(one.service.writes()).toHaveLength(writes);
  });

  it("that is none, or for another service, is wrong usage", async () => {
    const { one, file } = withFile({ hero: HERO });
    expect((await one.run("apply", "--plan", file[1] ?? "")).err).toContain(
      "The file is not a plan of this version of waymark.\n",
    );
    await one.run("plan", ...file, "--out", one.path("plan"));
    const text = one.read("plan").replace("go.example.com", "other.example.com");
    writeFileSync(one.path("plan"), text);
    const { code, err } = await one.run("apply", "--plan", one.path("plan"));
    expect([code, err]).toEqual([
      3,
      expect.stringContaining("The plan was made for https://other.example.com"),
    ]);
  });
});

describe("adopt", () => {
  it("solves a conflict", async () => {
    const { one, file } = withFile({ hero: HERO });
    await one.json("links", "create", "--destination", DESTINATION, "--slug", "summer");
    expect(await one.run("adopt", "summer", ...file, "--dry-run")).toEqual({
      code: 0,
      out: "site:hero\n",
      err: "The file would own /summer as hero.\n",
    });
    expect((await one.run("plan", ...file)).code).toBe(1);
    expect(await one.json("adopt", "/summer", ...file)).toMatchObject({
      key: "hero",
      external_id: "site:hero",
      before: null,
      changed: true,
    });
    expect((await one.run("adopt", "summer", ...file)).err).toBe("The file already owns /summer.\n");
    expect((await one.run("apply", ...file)).code).toBe(0);
    expect(await one.json("links", "list")).toMatchObject([{ slug: "summer", title: "Sale" }]);
  });

  it("refuses a link of another owner, unless it is told otherwise", async () => {
    const { one, file } = withFile({ hero: {} });
    const link = ["--destination", DESTINATION, "--slug", "summer", "--external-id", "app:1"];
    await one.json("links", "create", ...link);
    expect((await one.run("adopt", "summer", ...file)).err).toContain('no link with the slug "summer"');
    const { code, err } = await one.run("adopt", "summer", ...file, "--as", "hero");
    expect(code).toBe(1);
    expect(err).toBe(
      '/summer has the external ID "app:1" of another owner. To replace it, give --take-over.\n',
    );
    expect(await one.run("adopt", "summer", ...file, "--as", "hero", "--take-over")).toMatchObject({
      code: 0,
      err: "The file now owns /summer as hero.\n",
    });
  });
});
