import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  cleanUp,
  freePort,
  openLocal,
  plainEnvironment,
  ROOT,
  start,
  temporaryDirectory,
  until,
} from "./terminal";

afterAll(cleanUp);

const README = readFileSync(join(ROOT, "README.md"), "utf8");

/** The shell blocks of a part of the README. */
const blocksOf = (heading: string): string[] => {
  const part = README.split(/^## /m).find((text) => text.startsWith(heading)) ?? "";
  return Array.from(part.matchAll(/^```sh\n([\s\S]*?)^```/gm), ([, block = ""]) => block);
};

const shell = (script: string, cwd: string) =>
  start("bash", ["-euo", "pipefail", "-c", script], { cwd, env: plainEnvironment() }).ended;

describe("the README", () => {
  it("shows calls that work as they stand", async () => {
    const state = temporaryDirectory();
    const port = await freePort();
    const dev = start("npm", ["run", "dev", "--", "--port", String(port), "--persist-to", state]);
    const key = await until(
      () => `npm run dev did not greet:\n${dev.said.out}\n${dev.said.err}`,
      60,
      () => /Demo key +(\S+)/.exec(dev.said.out)?.[1],
    );

    const [variables = "", calls = ""] = blocksOf("Use it");
    const files = temporaryDirectory();
    const script = `${variables}${calls}`
      .replace("lnk_…", key)
      .replaceAll("localhost:8787", `localhost:${port}`);
    const used = await shell(script, files);
    expect(used, used.err).toMatchObject({ code: 0 });
    expect(used.out).toContain('"message":"Link created successfully."');
    expect(used.out).toContain('"utm_campaign":"summer_2026"');
    expect(used.out).toContain('"message":"Tags attached successfully."');
    expect(used.out).toContain("302 https://www.example.com/?colour=blue&utm_campaign=summer_2026\n");
    expect(used.out).toContain('"message":"Link updated successfully."');
    expect(used.out.trimEnd()).toMatch(/204$/);
    expect(readFileSync(join(files, "hello.svg"), "utf8")).toContain("<svg");
    expect(readFileSync(join(files, "hello.png")).subarray(1, 4).toString()).toBe("PNG");
  });

  it("shows commands that work as they stand", async () => {
    const local = await openLocal();
    const [commands = ""] = blocksOf("Operate it");
    const lines = commands.trim().split("\n");
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      const argv = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word ?? "");
      expect(argv.splice(0, 4)).toEqual(["npm", "run", "admin", "--"]);
      expect(await local.admin(...argv), line).toMatchObject({ code: 0, err: "" });
    }
    await local.dispose();
  });

  it("names only scripts, files and folders that are there", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    for (const [, script = ""] of README.matchAll(/npm run (?:--silent )?([a-z:]+)/g)) {
      expect(Object.keys(scripts)).toContain(script);
    }
    for (const [, path = ""] of README.matchAll(/`((?:test|src|migrations|\.ci)\/[\w./-]*)`/g)) {
      expect(() => readFileSync(join(ROOT, path))).not.toThrow(/ENOENT/);
    }
  });
});
