import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { GetPlatformProxyOptions } from "wrangler";
import { openPlatform, openProxy, proxyOptions } from "../../src/cli/platform";
import { localOfFile } from "./local";
import { jsonOf, ROOT, runMain, temporaryDirectory } from "./terminal";

const local = localOfFile(async ({ json }) => {
  await json("demo");
  await json("workspace create --name Other --slug other");
});

/** Every change adds one row to the audit log in its batch. */
const changes = () => local.env.DB.prepare("select count(*) as n from audit_log").first("n");

describe("a command that fails says why, and changes nothing", () => {
  const slugRule = "--slug: The slug field must only contain lowercase letters, digits and hyphens.";

  it.each([
    ["workspace create --name A --slug demo", "--slug: The slug has already been taken."],
    ['workspace create --name "" --slug A', `--name: The name field is required.\nError: ${slugRule}`],
    ["workspace suspend --slug nobody", "Workspace not found."],
    ["key revoke", "Give either --id or --key."],
    [
      "link takedown --id 01JZ8Q4V6T3K9M2N5P7R8S0W1X --slug summer",
      "Give either --id, --slug, --from, --created-by or --destination-prefix.",
    ],
    ["group update --id 01JZ8Q4V6T3K9M2N5P7R8S0W1X --name A", "Activity Group not found."],
    ["asset update --id 01JZ8Q4V6T3K9M2N5P7R8S0W1X --status live", "Offline Engagement asset not found."],
    ["host block --host https://bad.example/", "--host: The host field must be a host name."],
  ])("%s", async (line, message) => {
    const before = await changes();
    for (const more of ["", " --json"]) {
      expect(await local.admin(line + more)).toEqual({ code: 1, out: "", err: `Error: ${message}\n` });
    }
    expect(await changes()).toBe(before);
  });

  it("a database without tables: the error says how to create them", async () => {
    const refused = await runMain(["workspace", "list", "--json", "--persist-to", temporaryDirectory()]);
    expect(refused).toEqual({
      code: 1,
      out: "",
      err: "Error: the database has no tables yet. Run `npm run dev` once with the same --persist-to (local) or `npm run deploy` (remote).\n",
    });
  });

  it("a platform that fails to open is reported with wrangler's error", async () => {
    const opened = runMain(["workspace", "list"], () =>
      Promise.reject(new Error("Failed to start.\n\nYou must be logged in.")),
    );
    expect(await opened).toEqual({
      code: 1,
      out: "",
      err: "Error: Failed to start.\n\nYou must be logged in.\n",
    });
  });
});

describe("admin --remote", () => {
  /** A directory with the config of a deployment. */
  async function inDeployment<T>(run: () => Promise<T>): Promise<T> {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, ".wrangler.deploy.json"), "{}");
    process.chdir(directory);
    try {
      return await run();
    } finally {
      process.chdir(ROOT);
      rmSync(directory, { recursive: true });
    }
  }

  it("admin --remote is refused before a deployment", async () => {
    const empty = temporaryDirectory();
    process.chdir(empty);
    try {
      const refused = await runMain(["workspace", "list", "--remote", "--json"]);
      const err = "Error: Nothing is deployed from here yet: run `npm run deploy` first.\n";
      expect(refused).toEqual({ code: 1, out: "", err });
    } finally {
      process.chdir(ROOT);
    }
  });

  it("admin --remote has the variables of the deployment, not those of .dev.vars or .env", async () => {
    const env = await inDeployment(async () => {
      writeFileSync(".wrangler.deploy.json", JSON.stringify({ name: "waymark", vars: { CREATIONS: "" } }));
      for (const name of [".dev.vars", ".env"]) writeFileSync(name, "CREATIONS=off\nHEALTH_TOKEN=secret");
      const options = proxyOptions({ remote: true, persistTo: "" });
      const opened = await openProxy({ ...options, remoteBindings: false });
      await opened.dispose();
      return opened.env;
    });
    expect(env).toEqual({ CREATIONS: "" });
  });

  it("admin --remote opens and closes the deployed bindings of the saved config", async () => {
    const asked: GetPlatformProxyOptions[] = [];
    const dispose = vi.fn(async () => undefined);
    const listed = await inDeployment(() =>
      runMain(["workspace", "list", "--remote", "--json"], (options) =>
        openPlatform(options, async (proxyOptions) => {
          asked.push(proxyOptions);
          return { env: local.env, dispose };
        }),
      ),
    );
    expect(asked).toEqual([
      {
        configPath: ".wrangler.deploy.json",
        persist: false,
        remoteBindings: true,
        envFiles: [expect.any(String)],
      },
    ]);
    expect(existsSync(join(ROOT, asked[0]?.envFiles?.[0] ?? ""))).toBe(false);
    const slugs = jsonOf(listed).workspaces.map((workspace: { slug: string }) => workspace.slug);
    expect(slugs).toEqual(["demo", "other"]);
    expect(dispose).toHaveBeenCalledOnce();
  });

  it.each([
    [31_400, "the clock of this machine is 31 seconds off D1's"],
    [-61_000, "the clock of this machine is 61 seconds off D1's"],
  ])("a clock that is off by %s ms is refused, and nothing is written", async (off, words) => {
    const before = await changes();
    const dispose = vi.fn(async () => undefined);
    const usual = Date.now;
    const shifted = vi.spyOn(Date, "now").mockImplementation(() => usual() + off);
    const refused = await inDeployment(() =>
      runMain(["workspace suspend --slug other --remote"], (options) =>
        openPlatform(options, async () => ({ env: local.env, dispose })),
      ),
    );
    shifted.mockRestore();
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining(words) });
    expect(dispose).toHaveBeenCalledOnce();
    expect(await changes()).toBe(before);
  });

  it("a clock that is off by less is not refused", async () => {
    const usual = Date.now;
    const shifted = vi.spyOn(Date, "now").mockImplementation(() => usual() + 25_000);
    const listed = await inDeployment(() =>
      runMain(["workspace", "list", "--remote", "--json"], (options) =>
        openPlatform(options, async () => ({ env: local.env, dispose: async () => undefined })),
      ),
    );
    shifted.mockRestore();
    expect(listed.code, listed.err).toBe(0);
  });

  it.each([
    [
      "of wrangler's error and its notes",
      Object.assign(new Error("A request to the Cloudflare API (/accounts/acme) failed."), {
        notes: [{ text: "Authentication error [code: 10000]" }],
      }),
      "A request to the Cloudflare API (/accounts/acme) failed. Authentication error [code: 10000]",
    ],
    ["of an error that is no Error", { code: 10000, reason: "no" }, '{"code":10000,"reason":"no"}'],
  ])("a session that cannot be opened is reported in the API's words: %s", async (_, cause, words) => {
    for (const error of [new Error("Failed", { cause: { cause } }), new Error("Failed", { cause })]) {
      const refused = await runMain(["workspace", "list"], () => Promise.reject(error));
      if (cause instanceof Error || error.cause !== cause)
        expect(refused).toEqual({ code: 1, out: "", err: `Error: ${words}\n` });
      expect(refused.err).not.toContain("[object Object]");
    }
  });

  it.each([
    [{}, "BASE_URL is empty, so the link would lead nowhere: set it in wrangler.toml and deploy."],
    [
      { ACCESS_TEAM_DOMAIN: "acme", ACCESS_AUD: "tag", BASE_URL: "https://links.example" },
      "Members sign in at https://links.example/app by Cloudflare Access. A sign-in link opens nothing there.",
    ],
    ...(["ACCESS_AUD", "ACCESS_TEAM_DOMAIN"] as const).map((missing): [object, string] => [
      { ACCESS_AUD: "tag", ACCESS_TEAM_DOMAIN: "acme", [missing]: "" },
      `${missing} is empty, so the web application is closed: set it or empty the other ACCESS_ variable, and deploy.`,
    ]),
  ])(
    "prints no sign-in link that would not work, and closes the bindings: %j",
    async (variables, message) => {
      const dispose = vi.fn(async () => undefined);
      const refused = await inDeployment(() =>
        runMain(["member sign-in --email owner@demo.example --remote"], (options) =>
          openPlatform(options, async () => ({ env: { ...local.env, ...variables }, dispose })),
        ),
      );
      expect(refused).toEqual({ code: 1, out: "", err: `Error: ${message}\n` });
      expect(dispose).toHaveBeenCalledOnce();
    },
  );
});
