import { execFileSync, spawnSync } from "node:child_process";
import { afterAll, expect, it } from "vitest";
import { cleanUp, shell, words } from "./setup";

afterAll(cleanUp);

/** What bash offers after the words, the last of which is being typed. */
async function offered(...given: string[]): Promise<string[]> {
  const { out } = await shell().run("completion", "bash");
  const typed = ["waymark", ...given].map((word) => `'${word}'`).join(" ");
  const script = `${out}\nCOMP_WORDS=(${typed}); COMP_CWORD=${given.length}; _waymark; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
}

it.each([
  ["wh", "whoami"],
  ["links ", "list get create update archive restore delete"],
  ["links create --ti", "--title"],
  ["links get summer --j", "--json"],
  ["move --from a --un", "--untag"],
  ["links list --status ", "active archived all"],
  ["qr summer --ecc H", "H"],
  ["plan -f ", ""],
  ["completion f", "fish"],
  ["nothing ", "whoami links tags groups"],
])("bash completes %j with %j", async (typed, expected) => {
  const first = words(expected);
  expect((await offered(...words(typed))).slice(0, first.length)).toEqual(first);
});

it.each(["zsh", "fish"])("the script for %s is understood by it, where it is installed", async (name) => {
  const { run, write } = shell();
  const { code, out } = await run("completion", name);
  expect(code).toBe(0);
  expect(out).toContain("waymark");
  const { error, status, stderr } = spawnSync(name, ["-n", write("script", out)], { encoding: "utf8" });
  if (error === undefined) expect([status, stderr]).toEqual([0, ""]);
});
