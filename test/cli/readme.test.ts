import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cleanUp, openLocal, README, ROOT, shellBlocksOf } from "./terminal";

afterAll(cleanUp);

describe("the README", () => {
  it("shows commands that work as they stand", async () => {
    const local = await openLocal();
    const [commands = ""] = shellBlocksOf("Operate it");
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
