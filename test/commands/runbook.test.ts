import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, inject, it } from "vitest";
import { cleanUp, DOCUMENTS, openState, shellBlocksOf, start } from "../cli/terminal";
import { checkout } from "./server";

afterAll(cleanUp);

const RUNBOOK = "src/docs/runbook.md";

const blockUnder = (heading: string): string => {
  const [block] = shellBlocksOf(RUNBOOK, heading);
  if (block === undefined) throw new Error(`The runbook has no lines under ${heading}.`);
  return block;
};

it("the runbook's commands for the audit log, a leaked key and a restore work unchanged", async () => {
  const { directory: cwd, env } = checkout();
  const directory = join(cwd, ".wrangler", "state");
  cpSync(inject("service").state, directory, { recursive: true });
  const run = async (command: string, args: readonly string[], what: string): Promise<string> => {
    const { code, out, err } = await start(command, args, { cwd, env }).ended;
    expect(code, `${what}\n${out}\n${err}`).toBe(0);
    return out;
  };
  const sh = (script: string) => run("bash", ["-euo", "pipefail", "-c", script], script);
  /** Pastes all lines into a terminal at once. A prompt would read the next line as its answer. */
  const paste = (lines: string) => {
    writeFileSync(join(cwd, "lines"), `set -eu\n${lines}\nexit\n`);
    const inTerminal = "timeout 600 script --quiet --return --command 'bash --noprofile --norc' /dev/null";
    return process.platform === "linux" ? run("bash", ["-c", `${inTerminal} < lines`], lines) : sh(lines);
  };

  const leaking = await openState(directory);
  const { key, id } = await leaking.json("key", "create", "--workspace", "demo", "--name", "leaked");
  await leaking.dispose();
  await paste(`KEY=${key}\n${blockUnder("A leaked key")}`);

  const question = blockUnder("Ask the audit log")
    .replace("--remote --config .wrangler.deploy.json", "--local")
    .replace(/2026-\S+ \S+(?=')/, "2026-01-01");
  expect(await paste(question)).toContain("key.revoke");

  const look = async () => {
    const state = await openState(directory);
    const { keys } = await state.json("key", "list", "--workspace", "demo");
    const { workspaces } = await state.json("workspace", "list");
    const { doctor } = await state.json("doctor");
    await state.dispose();
    return { keys, workspaces, doctor };
  };
  const before = await look();
  expect(before.keys.find((one: { id: string }) => one.id === id).revoked_at).not.toBeNull();
  expect(before.keys.map(({ name }: { name: string }) => name)).toContain("after the leak");
  await paste(blockUnder("A restore"));
  expect(await look()).toEqual(before);

  const [, lookUp = ""] = /`(grep [^`]* )evidence\.backup`/.exec(DOCUMENTS[RUNBOOK] ?? "") ?? [];
  expect(await sh(`${lookUp} waymark.backup`)).toContain(id);

  const { key: stolen, id: stolenId } = await (async () => {
    const state = await openState(directory);
    const made = await state.json("key", "create", "--workspace", "demo", "--name", "stolen");
    await state.dispose();
    return made;
  })();
  const sql = blockUnder("Commands do not reach the service")
    .replace("--remote --config .wrangler.deploy.json", "--local")
    .replaceAll("'acme'", "'demo'")
    .replace("'Ab12'", `'${stolen.slice(-4)}'`);
  await paste(sql);
  const after = await look();
  expect(after.keys.find((one: { id: string }) => one.id === stolenId).revoked_at).not.toBeNull();
  expect(after.workspaces.find((one: { slug: string }) => one.slug === "demo").suspended_at).not.toBeNull();
  const state = await openState(directory);
  expect((await state.json("host", "list")).hosts).toMatchObject([{ host: "evil.example" }]);
  expect((await state.json("cache", "status")).cache.due).toBeGreaterThan(0);
  await state.dispose();

  const locally = (text: string) => text.replaceAll("--remote --config .wrangler.deploy.json", "--local");
  const plan = await paste(question.replace('"select', '"explain query plan select'));
  expect(plan).toContain("SEARCH audit_log USING INTEGER PRIMARY KEY");
  expect(plan).not.toContain("SCAN audit_log");

  const now = Date.now();
  await paste(
    `npx wrangler d1 execute DB --local --command "insert into imports (public_id, workspace_id, name, row_count, digest, about, created_at, started_at) select 'HANGS', id, 'links.csv', 3, '', '{}', ${now}, ${now} from workspaces where slug = 'demo'"`,
  );
  const [waiting = "", end = ""] = shellBlocksOf(RUNBOOK, "An import hangs").map(locally);
  expect(await paste(waiting)).toContain("HANGS");
  await paste(end.replace("01J…", "HANGS"));
  expect(await paste(waiting)).not.toContain("HANGS");

  const damaging = await openState(directory);
  const link = await damaging.env.DB.prepare("select public_id from links where slug = 'summer'").first(
    "public_id",
  );
  await damaging.env.DB.batch(
    [
      "update slugs set link_id = (select id from links where slug <> 'summer' and workspace_id = slugs.workspace_id) where key = 'summer'",
      "drop index links_check",
    ].map((statement) => damaging.env.DB.prepare(statement)),
  );
  await damaging.dispose();
  const examine = async () => {
    const opened = await openState(directory);
    const { out } = await opened.admin("doctor", "--deep", "--json");
    await opened.dispose();
    return JSON.parse(out).doctor.problems.flatMap(({ problem, such_as: ids }: Record<string, unknown>) => [
      problem,
      ids,
    ]);
  };
  expect(String(await examine())).toMatch(/links_check[\s\S]*slug opens something else/);
  await paste(locally(blockUnder("The doctor finds something")).replaceAll("01J…", String(link)));
  expect(await examine()).toEqual([]);

  await paste(locally(blockUnder("A token or the account is compromised")));
  const { keys } = await look();
  expect(keys.length).toBeGreaterThan(0);
  for (const { revoked_at } of keys) expect(revoked_at).not.toBeNull();

  await paste(
    blockUnder("The database is nearly full").replace("--remote --config .wrangler.deploy.json", "--local"),
  );
  expect(await paste(question)).not.toContain("key.revoke");
});
