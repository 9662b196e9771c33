import { afterAll, describe, expect, it } from "vitest";
import { LINK_COLUMNS } from "../../../src/client/command/link-fields";
import { failNext } from "../api/setup";
import { dropped, refused } from "../fake-service";
import { addCopies, cleanUp, DESTINATION, type Shell, shell, words } from "./setup";

afterAll(cleanUp);

async function filled(): Promise<Shell> {
  const one = shell();
  const create = ["links", "create", "--destination"];
  await one.json(...create, DESTINATION, "--slug", "summer", "--title", "日本 😀 e\u0301");
  await one.json(...create, `${DESTINATION}/${"x".repeat(200)}`, "--slug", "autumn");
  return one;
}

const ESCAPE = "\u001b";

describe("on a terminal", () => {
  it("a list is a table that fits, in columns", async () => {
    const one = await filled();
    const { out } = await one.runUnder({ isTerminal: true, columns: 90 }, "links", "list");
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(
      /^SLUG {4}DESTINATION URL +TITLE +CHANNEL {2}GROUP {2}TAGS {2}STATUS(?: {2}OWNER)?$/,
    );
    expect(lines[1]).toMatch(/^autumn {2}https:\/\/www\.example\.com\/salex*.*… /);
    expect(lines[2]).toContain("日本 😀 e\u0301");
    for (const line of lines.slice(0, 2)) expect(line.length).toBeLessThanOrEqual(90);
    // The title is 8 units of UTF-16 and 9 columns.
    expect((lines[0] ?? "").indexOf("STATUS")).toBe((lines[2] ?? "").indexOf("active") + 1);
  });

  it("a character that changes the direction of the text is shown as its code", async () => {
    const one = shell();
    await one.json("links", "create", "--destination", DESTINATION, "--slug", "s", "--title", "a\u202eb");
    expect((await one.runUnder({ isTerminal: true }, "links", "get", "s")).out).toContain("a\\u{202e}b");
    expect((await one.run("links", "get", "s")).out).toContain("a\u202eb");
  });

  it("what is said on standard error shows such characters as codes too", async () => {
    const one = shell();
    const { code, err } = await one.run("links", "create", "--destination", DESTINATION, "--slug", "s");
    expect([code, err]).toEqual([0, "Created /s.\n"]);
    const path = one.path("a\u202e\u001b[2J.csv");
    expect((await one.run("export", "-o", path)).err).toContain("a\\u{202e}\\u{1b}[2J.csv.\n");
  });

  it("a plan has colours, unless NO_COLOR is set or the terminal is dumb", async () => {
    const one = shell();
    const path = one.write(
      "w.yaml",
      `version: 1\nname: site\nlinks: { a: { destination: "${DESTINATION}" } }\n`,
    );
    const plan = (env: Record<string, string>, isTerminal = true) =>
      one.runUnder({ isTerminal, env }, "plan", "-f", path);
    expect((await plan({})).out).toContain(`${ESCAPE}[32m+ a`);
    expect((await plan({ NO_COLOR: "" })).out).toContain(ESCAPE);
    expect((await plan({ NO_COLOR: "1" })).out).not.toContain(ESCAPE);
    expect((await plan({ TERM: "dumb" })).out).not.toContain(ESCAPE);
    expect((await plan({}, false)).out).not.toContain(ESCAPE);
  });

  it("progress is shown, and erased at the end", async () => {
    const one = await filled();
    const { err } = await one.runUnder({ isTerminal: true }, "export", "-o", one.path("a.csv"));
    expect(err).toContain(`\r${ESCAPE}[K1 link read`);
    expect((await one.run("export", "-o", one.path("a.csv"))).err).not.toContain("\r");
    const dumb = await one.runUnder({ isTerminal: true, env: { TERM: "dumb" } }, "links", "list");
    expect(dumb.err).toBe("");
  });
});

describe("elsewhere", () => {
  it("a list is tab-separated lines with whole values", async () => {
    const { out } = await (await filled()).run("links", "list");
    const [autumn, summer] = out.split("\n").map((line) => line.split("\t"));
    expect(autumn?.[1]).toHaveLength(DESTINATION.length + 201);
    expect(summer?.slice(0, 3)).toEqual(["summer", DESTINATION, "日本 😀 e\u0301"]);
    expect(new Set([autumn?.length, summer?.length])).toEqual(new Set([LINK_COLUMNS.length]));
  });

  it.each([[[]], [["--json"]]])("reading ends where nobody reads on, as with head (%j)", async (json) => {
    const one = shell();
    await one.json("links", "create", "--destination", DESTINATION);
    addCopies(one.service, 150);
    const before = one.service.calls.length;
    const { code } = await one.runUnder({ linesRead: 3 }, "links", "list", ...json);
    expect(code).toBe(0);
    expect(one.service.calls.length - before).toBe(1);
  });

  it("a command says that it waits, why and for how long, once for all calls that wait together", async () => {
    const one = shell();
    for (const slug of ["a", "b", "c"])
      await one.json("links", "create", "--destination", DESTINATION, "--slug", slug);
    const refuseFirst = (): void => {
      const calls = new Set<string>();
      one.service.onCall = async ({ method, path }, answer) => {
        const isFirst = method === "PATCH" && !calls.has(path);
        calls.add(path);
        return isFirst ? refused(429, { "Retry-After": "60" }) : answer();
      };
    };
    refuseFirst();
    const { code, err } = await one.run(...words("links archive a b c"));
    expect([code, err]).toEqual([0, "Too Many Attempts. Trying again in 60 s.\n3 links archived.\n"]);
    refuseFirst();
    expect((await one.run(...words("links restore a b c --json"))).err).toBe("");
    refuseFirst();
    const shown = await one.runUnder({ isTerminal: true }, ...words("links archive a b c"));
    expect(shown.err).toContain(`\r\u001b[KToo Many Attempts. Trying again in 60 s.\n`);
  });

  it("a failure that is over within a second is not said", async () => {
    const one = shell();
    failNext(one.service, "the response is truncated", "502 from the network's edge");
    expect(await one.run("tags", "list")).toMatchObject({ code: 0, err: "No tags.\n" });
    one.service.onCall = async () => dropped();
    expect((await one.run("tags", "list")).err).toMatch(
      /^No response from https:\/\/go\.example\.com: .*ECONNRESET\. Trying again in 1 s\.\n/,
    );
  });

  it("with --json standard output is one JSON value, and there is no talk", async () => {
    const one = await filled();
    for (const line of ["links get summer", "links list", "tags list", "export", "whoami"]) {
      const { out, err } = await one.run(...words(line), "--json");
      expect(() => JSON.parse(out)).not.toThrow();
      expect(err).toBe("");
    }
  });
});
