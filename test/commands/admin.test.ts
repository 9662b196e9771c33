import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp, openLocal, plainEnvironment, ROOT, start, temporaryDirectory } from "../cli/terminal";
import { checkout } from "./server";

let local: Awaited<ReturnType<typeof openLocal>>;
let here: { cwd: string; env: NodeJS.ProcessEnv };

beforeAll(async () => {
  local = await openLocal();
  const { directory: cwd, env } = checkout();
  here = { cwd, env };
});
afterAll(async () => {
  await local.dispose();
  cleanUp();
});

describe("npm run admin", () => {
  it("--json prints one JSON object and nothing else, and an error exits with 1", async () => {
    const name = `Tom's "quoted" $HOME; Ünï`;
    const npmAdmin = (...argv: string[]) =>
      start("npm", ["run", "--silent", "admin", "--", ...argv, "--json", "--persist-to", local.state], here)
        .ended;
    const created = await npmAdmin("workspace", "create", "--name", name, "--slug", "spawned");
    const refused = await npmAdmin("workspace", "suspend", "--slug", "nobody");
    expect(created, created.err).toMatchObject({ code: 0 });
    const { workspace } = JSON.parse(created.out);
    expect(workspace).toMatchObject({ name, slug: "spawned" });
    expect((await local.json("workspace", "list")).workspaces).toContainEqual(workspace);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("Error: Workspace not found.\n");
  });

  it("errors that workerd reports are shown only if the command fails", async () => {
    const reported = [
      "workerd/util/sqlite.c++:1672: failed: database is locked: SQLITE_BUSY",
      "stack: /workerd@1 /workerd@2",
    ];
    const fromMiniflare = createRequire(createRequire(import.meta.url).resolve("miniflare"));
    const reporting = join(temporaryDirectory(), "workerd");
    const lines = ["#!/bin/sh", ...reported.map((line) => `echo '${line}' >&2`)];
    writeFileSync(reporting, [...lines, `exec '${fromMiniflare("workerd").default}' "$@"`].join("\n"), {
      mode: 0o755,
    });
    const run = (...argv: string[]) =>
      start("node_modules/.bin/tsx", ["src/cli/admin.ts", ...argv, "--persist-to", local.state], {
        cwd: here.cwd,
        env: { ...here.env, MINIFLARE_WORKERD_PATH: reporting },
      }).ended;
    expect(await run("host", "list")).toEqual({ code: 0, out: "No hosts yet.\n", err: "" });
    expect(await run("workspace", "suspend", "--slug", "nobody")).toEqual({
      code: 1,
      out: "",
      err: [...reported, "Error: Workspace not found.", ""].join("\n"),
    });
  });

  it("--remote ends after a minute if the session is not opened, with the API's words if it is refused", async () => {
    const directory = temporaryDirectory();
    const database = { binding: "DB", database_name: "waymark", database_id: "waymark", remote: true };
    writeFileSync(
      join(directory, ".wrangler.deploy.json"),
      JSON.stringify({ name: "waymark", compatibility_date: "2026-05-03", d1_databases: [database] }),
    );
    let isSilent = false;
    const errors = [{ code: 10000, message: "Authentication error" }];
    const api = createServer((_, response) => {
      if (isSilent) return;
      response.writeHead(403, { "content-type": "application/json" });
      response.end(JSON.stringify({ success: false, errors, messages: [], result: null }));
    });
    await new Promise<void>((resolve) => api.listen(0, "localhost", resolve));
    const address = api.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const env = plainEnvironment({
      ...{ HOME: directory, XDG_CONFIG_HOME: directory, CLOUDFLARE_API_TOKEN: "token" },
      ...{ CLOUDFLARE_ACCOUNT_ID: "acme", CLOUDFLARE_API_BASE_URL: `http://localhost:${port}` },
    });
    const command = [join(ROOT, "src/cli/admin.ts"), "workspace", "list", "--remote"];
    const list = () => start(join(ROOT, "node_modules/.bin/tsx"), command, { cwd: directory, env }).ended;
    const refused = await list();
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("failed. Authentication error [code: 10000]");
    isSilent = true;
    const startedAt = Date.now();
    const silent = await list();
    api.closeAllConnections();
    api.close();
    expect([silent.code, silent.out]).toEqual([1, ""]);
    expect(silent.err).toContain("Error: wrangler has opened no session with the deployed Worker's data");
    expect(Date.now() - startedAt).toBeLessThan(90_000);
  });

  it("--remote without an account fails, and wrangler's progress stays off standard output", async () => {
    const directory = temporaryDirectory();
    const database = { binding: "DB", database_name: "waymark", database_id: "waymark", remote: true };
    writeFileSync(
      join(directory, ".wrangler.deploy.json"),
      JSON.stringify({ name: "waymark", compatibility_date: "2026-05-03", d1_databases: [database] }),
    );
    const home = { HOME: directory, XDG_CONFIG_HOME: directory };
    const { ended } = start(
      join(ROOT, "node_modules/.bin/tsx"),
      [join(ROOT, "src/cli/admin.ts"), "workspace", "list", "--remote", "--json"],
      {
        cwd: directory,
        env: plainEnvironment(home),
      },
    );
    const { code, out, err } = await ended;
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^Error: .*set a CLOUDFLARE_API_TOKEN environment variable/);
  });
});
