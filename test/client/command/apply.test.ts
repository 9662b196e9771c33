import { existsSync, readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { fakeService, refused } from "../fake-service";
import { type Fields, textOf } from "../file/setup";
import { cleanUp, type Shell, shell } from "./setup";

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
      out: '+ tag "Print"\n+ hero  /summer\n    destination  "https://www.example.com/"\n    title        "Sale"\n    tags         Print\n\nPlan: 1 to create, 0 to update, 0 to remove, 1 tag to create, 0 unchanged.\n',
      err: "",
    });
    expect(one.service.writes()).toEqual([]);
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
});

describe("apply", () => {
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
    expect(err).toMatch(
      /^(?:Server Error\. Trying again in \d s\.\n){2}Failed: other: Server Error Request ID: request-\d+\n$/,
    );
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

  it("exits with 1 if everything failed", async () => {
    const { one, file } = withFile({ hero: HERO });
    one.service.onCall = async ({ method }, answer) => (method === "GET" ? answer() : refused(500));
    expect((await one.run("apply", ...file)).code).toBe(1);
  });

  it("exits with 6 if its only link was changed after it was read", async () => {
    const { one, file } = withFile({ hero: {} });
    await one.run("apply", ...file);
    rewrite(one, { hero: { title: "By file" } });
    one.service.onCall = async ({ method }, answer) => {
      if (method === "PATCH") Object.assign(one.service.state.links[0] ?? {}, { title: "By hand" });
      return answer();
    };
    expect((await one.run("apply", ...file)).code).toBe(6);
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
});
