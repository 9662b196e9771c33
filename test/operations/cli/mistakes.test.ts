import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { GetPlatformProxyOptions } from "wrangler";
import { openPlatform } from "../../../src/operations/cli/platform";
import { cleanUp, jsonOf, openLocal, ROOT, runMain, temporaryDirectory } from "./terminal";

let local: Awaited<ReturnType<typeof openLocal>>;
let group: string;
let asset: string;

beforeAll(async () => {
  local = await openLocal();
  const { json } = local;
  await json("demo");
  await json("workspace", "create", "--name", "Other", "--slug", "other");
  const { activity_groups: groups } = await json("group", "list", "--workspace", "demo");
  group = groups.find((one: { slug: string }) => one.slug === "summer-2026").id;
  asset = (await json("asset", "list", "--workspace", "demo")).assets[0].id;
});

afterAll(async () => {
  await local.dispose();
  cleanUp();
});

/** Every change adds one row to the audit log in its batch. */
const changes = () => local.env.DB.prepare("select count(*) as n from audit_log").first("n");

describe("a command that fails says why, and changes nothing", () => {
  const NOBODY = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
  const newGroup = ["group", "create", "--workspace", "demo", "--name", "A"];
  const newKey = ["key", "create", "--workspace", "demo", "--name", "A"];
  const newWorkspace = ["workspace", "create", "--name", "A", "--slug"];
  const newAsset = ["asset", "create", "--workspace", "demo", "--link"];
  const updateGroup = () => ["group", "update", "--id", group];
  const updateAsset = () => ["asset", "update", "--id", asset];
  const slugRule = "Error: --slug: The slug field must only contain lowercase letters, digits and hyphens.\n";
  const timeRule = (option: string, field: string) =>
    `Error: --${option}: The ${field} field must be an ISO 8601 time such as 2026-05-01T09:00:00Z.\n`;

  it.each<[string, () => string[], string]>([
    [
      "workspace: a slug that is taken",
      () => [...newWorkspace, "demo"],
      "Error: --slug: The slug has already been taken.\n",
    ],
    ["workspace: a slug with capitals", () => [...newWorkspace, "Demo2"], slugRule],
    [
      "workspace: a slug of 121",
      () => [...newWorkspace, "a".repeat(121)],
      "Error: --slug: The slug field must not be greater than 120 characters.\n",
    ],
    [
      "workspace: an empty slug",
      () => [...newWorkspace, " "],
      "Error: --slug: The slug field is required.\n",
    ],
    [
      "workspace: a name of 101",
      () => ["workspace", "create", "--slug", "a", "--name", "é".repeat(101)],
      "Error: --name: The name field must not be greater than 100 characters.\n",
    ],
    [
      "workspace: a control character",
      () => ["workspace", "create", "--slug", "a", "--name", "a\u001b[31m"],
      "Error: --name: The name field must not contain control characters.\n",
    ],
    [
      "workspace: a limit below zero",
      () => [...newWorkspace, "a", "--link-limit=-1"],
      "Error: --link-limit: The link limit field must be between 0 and 100000000.\n",
    ],
    [
      "workspace: a limit in words",
      () => [...newWorkspace, "a", "--link-limit", "ten"],
      "Error: --link-limit: The link limit field must be an integer.\n",
    ],
    [
      "workspace: two mistakes",
      () => ["workspace", "create", "--name", "", "--slug", "A"],
      `Error: --name: The name field is required.\n${slugRule}`,
    ],
    [
      "workspace: an unknown one",
      () => ["workspace", "suspend", "--slug", "nobody"],
      "Error: Workspace not found.\n",
    ],
    [
      "workspace: another case",
      () => ["workspace", "resume", "--slug", "DEMO"],
      "Error: Workspace not found.\n",
    ],
    [
      "key: an unknown workspace",
      () => ["key", "create", "--workspace", "nobody", "--name", "A"],
      "Error: Workspace not found.\n",
    ],
    [
      "key: an unknown access",
      () => [...newKey, "--access", "write"],
      "Error: --access: The selected access is invalid.\n",
    ],
    ["key: no time", () => [...newKey, "--expires-at", "tomorrow"], timeRule("expires-at", "expires at")],
    [
      "key: 30 February",
      () => [...newKey, "--expires-at", "2027-02-30"],
      timeRule("expires-at", "expires at"),
    ],
    [
      "key: a time without a zone",
      () => [...newKey, "--expires-at", "2027-02-03T10:00"],
      timeRule("expires-at", "expires at"),
    ],
    ["key: an unknown id", () => ["key", "revoke", "--id", NOBODY], "Error: API key not found.\n"],
    ["key: neither id nor key", () => ["key", "revoke"], "Error: Give either --id or --key.\n"],
    [
      "link: both id and slug",
      () => ["link", "takedown", "--id", NOBODY, "--slug", "summer"],
      "Error: Give either --id or --slug.\n",
    ],
    ["link: an unknown slug", () => ["link", "takedown", "--slug", "nowhere"], "Error: Link not found.\n"],
    ["key: no id at all", () => ["key", "revoke", "--id", "1"], "Error: API key not found.\n"],
    [
      "group: an unknown workspace",
      () => ["group", "list", "--workspace", "nobody"],
      "Error: Workspace not found.\n",
    ],
    [
      "group: a slug that is taken",
      () => [...newGroup, "--slug", "relaunch", "--type", "event"],
      "Error: --slug: The slug has already been taken.\n",
    ],
    [
      "group: an unknown type",
      () => [...newGroup, "--slug", "a", "--type", "party"],
      "Error: --type: The selected type is invalid.\n",
    ],
    [
      "group: an unknown status",
      () => [...newGroup, "--slug", "a", "--type", "event", "--status", "open"],
      "Error: --status: The selected status is invalid.\n",
    ],
    [
      "group: a description of 1,001",
      () => [...newGroup, "--slug", "a", "--type", "event", "--description", "a".repeat(1001)],
      "Error: --description: The description field must not be greater than 1000 characters.\n",
    ],
    [
      "group: a default of 256",
      () => [...newGroup, "--slug", "a", "--type", "event", "--default-utm-campaign", "a".repeat(256)],
      "Error: --default-utm-campaign: The default utm campaign field must not be greater than 255 characters.\n",
    ],
    [
      "group: an end before its start",
      () => [
        ...newGroup,
        "--slug",
        "a",
        "--type",
        "event",
        "--starts-at",
        "2026-02-01",
        "--ends-at",
        "2026-01-31",
      ],
      "Error: --ends-at: The ends at field must be a time after or equal to starts at.\n",
    ],
    [
      "group: a move to a slug that is taken",
      () => [...updateGroup(), "--slug", "relaunch"],
      "Error: --slug: The slug has already been taken.\n",
    ],
    [
      "group: a forbidden status",
      () => [...updateGroup(), "--status", "draft"],
      "Error: --status: An Activity Group cannot go from active to draft.\n",
    ],
    [
      "group: a status that is cleared",
      () => [...updateGroup(), "--status", ""],
      "Error: --status: The status field is required.\n",
    ],
    [
      "group: a name that is cleared",
      () => [...updateGroup(), "--name", ""],
      "Error: --name: The name field is required.\n",
    ],
    [
      "group: an unknown id",
      () => ["group", "update", "--id", NOBODY, "--name", "A"],
      "Error: Activity Group not found.\n",
    ],
    [
      "group: a slug in place of an id",
      () => ["group", "archive", "--id", "summer-2026"],
      "Error: Activity Group not found.\n",
    ],
    [
      "asset: an unknown link",
      () => [...newAsset, NOBODY, "--name", "A"],
      "Error: --link: No link of this workspace has this slug or ID.\n",
    ],
    [
      "asset: none of it",
      () => [...updateAsset(), "--quantity", "0"],
      "Error: --quantity: The quantity field must be between 1 and 100000000.\n",
    ],
    [
      "asset: back to a draft",
      () => [...updateAsset(), "--status", "draft"],
      "Error: --status: An Offline Engagement asset cannot go from live to draft.\n",
    ],
    [
      "key: rotated in another workspace",
      () => ["key", "rotate", "--workspace", "demo", "--id", NOBODY, "--overlap-hours", "1"],
      "Error: API key not found.\n",
    ],
    [
      "key: rotated with an overlap of months",
      () => ["key", "rotate", "--workspace", "demo", "--id", NOBODY, "--overlap-hours", "721"],
      "Error: --overlap-hours: The overlap hours field must be between 0 and 720.\n",
    ],
    [
      "asset: an unknown kind",
      () => [...newAsset, NOBODY, "--name", "A", "--kind", "sticker"],
      "Error: --kind: The selected kind is invalid.\n",
    ],
    [
      "asset: an unknown status",
      () => [...updateAsset(), "--status", "gone"],
      "Error: --status: The selected status is invalid.\n",
    ],
    [
      "asset: an unknown id",
      () => ["asset", "update", "--id", NOBODY, "--status", "live"],
      "Error: Offline Engagement asset not found.\n",
    ],
    [
      "host: no name",
      () => ["host", "block", "--host", "https://bad.example/"],
      "Error: --host: The host field must be a host name.\n",
    ],
    [
      "host: one label",
      () => ["host", "block", "--host", "com"],
      "Error: --host: The host field must be a host name.\n",
    ],
    [
      "host: nothing",
      () => ["host", "unblock", "--host", ""],
      "Error: --host: The host field is required.\n",
    ],
  ])("%s", async (_, argv, message) => {
    const before = await changes();
    for (const more of [[], ["--json"]]) {
      expect(await local.admin(...argv(), ...more)).toEqual({ code: 1, out: "", err: message });
    }
    expect(await changes()).toBe(before);
  });

  it("asset: another workspace's link", async () => {
    const [{ link }] = (await local.json("asset", "list", "--workspace", "demo")).assets;
    const refused = await local.admin(
      "asset",
      "create",
      "--workspace",
      "other",
      "--name",
      "A",
      "--link",
      link.id,
    );
    expect(refused).toEqual({
      code: 1,
      out: "",
      err: "Error: --link: No link of this workspace has this slug or ID.\n",
    });
    expect(await local.json("asset", "list", "--workspace", "other")).toEqual({ assets: [] });
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
    expect(asked).toEqual([{ configPath: ".wrangler.deploy.json", persist: false, remoteBindings: true }]);
    const slugs = jsonOf(listed).workspaces.map((workspace: { slug: string }) => workspace.slug);
    expect(slugs).toEqual(["demo", "other"]);
    expect(dispose).toHaveBeenCalledOnce();
  });

  it("admin --remote prints no sign-in link if the deployment has no address", async () => {
    const refused = await inDeployment(() =>
      runMain(["member", "sign-in", "--email", "owner@demo.example", "--remote"], (options) =>
        openPlatform(options, async () => ({ env: local.env, dispose: async () => undefined })),
      ),
    );
    const err =
      "Error: BASE_URL is empty, so the link would lead nowhere: set it in wrangler.toml and deploy.\n";
    expect(refused).toEqual({ code: 1, out: "", err });
  });

  it.each([
    [
      { ACCESS_TEAM_DOMAIN: "acme", ACCESS_AUD: "tag", BASE_URL: "https://links.example" },
      "Members sign in at https://links.example/app by Cloudflare Access. A sign-in link opens nothing there.",
    ],
    [
      { ACCESS_TEAM_DOMAIN: "acme" },
      "ACCESS_AUD is empty, so the web application is closed: set it or empty the other ACCESS_ variable, and deploy.",
    ],
    [
      { ACCESS_AUD: "tag" },
      "ACCESS_TEAM_DOMAIN is empty, so the web application is closed: set it or empty the other ACCESS_ variable, and deploy.",
    ],
  ])("prints no sign-in link that would not work: %j", async (variables, message) => {
    const refused = await inDeployment(() =>
      runMain(["member", "sign-in", "--email", "owner@demo.example", "--remote"], (options) =>
        openPlatform(options, async () => ({
          env: { ...local.env, ...variables },
          dispose: async () => undefined,
        })),
      ),
    );
    expect(refused).toEqual({ code: 1, out: "", err: `Error: ${message}\n` });
  });

  it("admin --remote closes the bindings after an error too", async () => {
    const dispose = vi.fn(async () => undefined);
    const refused = await inDeployment(() =>
      runMain(["workspace", "suspend", "--slug", "nobody", "--remote"], (options) =>
        openPlatform(options, async () => ({ env: local.env, dispose })),
      ),
    );
    expect(refused).toEqual({ code: 1, out: "", err: "Error: Workspace not found.\n" });
    expect(dispose).toHaveBeenCalledOnce();
  });
});
