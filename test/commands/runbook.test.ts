import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { cleanUp, openState, shellBlocksOf, start } from "../cli/terminal";
import { checkout } from "./server";

vi.setConfig({ testTimeout: 240_000 });
afterAll(cleanUp);

it("the runbook's lines for a leaked key and for a restore work as they stand", async () => {
  const { directory: cwd, env } = checkout();
  const run = async (script: string): Promise<string> => {
    const { code, out, err } = await start("bash", ["-euo", "pipefail", "-c", script], {
      cwd,
      env: { ...env, CI: "true" },
    }).ended;
    expect(code, `${script}\n${out}\n${err}`).toBe(0);
    return out;
  };
  const [, leakedKey = "", restore = ""] = shellBlocksOf("Operate it");
  expect(leakedKey).toContain("key revoke");
  expect(restore).toContain("restore --from");

  await run("npx wrangler d1 migrations apply waymark --local && npm run admin -- demo");
  const created = await run("npm run --silent admin -- key create --workspace demo --name leaked --json");
  const { key, id } = JSON.parse(created);
  await run(`KEY=${key}\n${leakedKey}`);

  const look = async () => {
    const state = await openState(join(cwd, ".wrangler", "state"));
    const { keys } = await state.json("key", "list", "--workspace", "demo");
    const { workspaces } = await state.json("workspace", "list");
    const { doctor } = await state.json("doctor");
    await state.dispose();
    return { keys, workspaces, doctor };
  };
  const before = await look();
  expect(before.keys.find((one: { id: string }) => one.id === id).revoked_at).not.toBeNull();
  expect(before.keys).toHaveLength(2);
  await run(restore);
  expect(await look()).toEqual(before);
});
