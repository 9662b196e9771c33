import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openPlatform, type PlatformOptions, toConfig } from "../../src/cli/platform";
import type { Env } from "../../src/context";
import { deliverAlerts } from "../../src/operations/alerts/deliver";
import { JOBS } from "../../src/operations/schedule";
import { localOfFile } from "./local";
import { jsonOf, type Outcome, runMain, until } from "./terminal";

const local = localOfFile();
let server: Server;
let url: string;
let answer = 204;
const texts: string[] = [];

const usualTimeout = globalThis.setTimeout;
/** Between two looks of the command, which waits for the Worker's cron. */
const POLL_MS = 2_000;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      texts.push(JSON.parse(body).text);
      response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`;
});

beforeEach(async () => {
  texts.length = 0;
  answer = 204;
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.stubGlobal("setTimeout", (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    usualTimeout(run, ms === POLL_MS ? 10 : ms, ...args),
  );
  await local.env.DB.prepare("delete from alerts").run();
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

const opening =
  (variables: Partial<Env>) =>
  ({ persistTo }: PlatformOptions) =>
    openPlatform({ remote: false, persistTo }, async () => ({
      env: { ...local.env, ...variables },
      dispose: async () => undefined,
    }));

const testWith = (variables: Partial<Env>): Promise<Outcome> =>
  runMain(["alert", "test", "--json"], opening(variables));

describe("alert test", () => {
  it("sends a message at once, and reports the receiver's answer", async () => {
    expect(jsonOf(await testWith({ ALERT_WEBHOOK: url }))).toEqual({
      delivered_at: expect.stringMatching(/^\d{4}-/),
      outcome: "HTTP 204",
    });
    expect(texts).toEqual([expect.stringMatching(/^This is a test message of Waymark at localhost:\d+\.$/)]);
    const { alerts } = await local.json("alert list");
    expect(alerts).toEqual([
      {
        at: expect.any(String),
        kind: "test",
        workspace: null,
        state: "delivered",
        tries: 1,
        next_try_at: null,
        outcome: "HTTP 204",
        text: texts[0],
      },
    ]);
  });

  it.each<[string, Partial<Env>, string]>([
    ["ALERT_WEBHOOK is unset", { ALERT_WEBHOOK: "" }, "ALERT_WEBHOOK is not set."],
    [
      "ALERT_SECRET is malformed",
      { ALERT_WEBHOOK: "https://hooks.example/", ALERT_SECRET: "whsec_short" },
      'ALERT_SECRET is not "whsec_" and the base64 of 24 to 64 bytes.',
    ],
    ["nothing listens", { ALERT_WEBHOOK: "http://127.0.0.1:9/" }, "not reachable"],
  ])("fails and says why: %s", async (_, variables, reason) => {
    const { code, out, err } = await testWith(variables);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`Error: The message was not delivered: ${reason}`);
    expect(err).not.toContain("whsec_short");
  });

  it("fails with the receiver's status, and is not tried again", async () => {
    answer = 404;
    const { code, err } = await testWith({ ALERT_WEBHOOK: url });
    expect([code, err]).toEqual([1, "Error: The message was not delivered: HTTP 404\n"]);
    const { out } = await runMain(["cron", "run", "--json"], opening({ ALERT_WEBHOOK: url }));
    expect(JSON.parse(out).jobs.map(({ job }: { job: string }) => job)).toEqual(
      expect.arrayContaining(Object.keys(JOBS.alerts)),
    );
    expect(texts).toHaveLength(1);
    expect((await local.json("alert list")).alerts).toMatchObject([{ state: "given up", tries: 1 }]);
  });

  /** Opens the local database as if it was deployed. Its webhook is in the environment. */
  const openDeployed = async (options: PlatformOptions) => {
    const { ctx, close } = await opening({})(options);
    const env = { ...local.env, BASE_URL: "https://links.example", ALERT_WEBHOOK: "https://not.example/" };
    return { ctx: { ...ctx, config: toConfig(options, env) }, close };
  };

  /** Runs the command for a deployment, and the Worker's job once the message waits. */
  async function testRemotely(ofWorker: Partial<Env>): Promise<Outcome> {
    const run = runMain(["alert", "test", "--remote", "--json"], openDeployed);
    await until(
      () => "no message waits",
      30,
      async () =>
        (await local.env.DB.prepare("select id from messages where due_at = 0").first()) ?? undefined,
    );
    const { ctx } = await opening(ofWorker)({ remote: false, persistTo: local.state });
    await deliverAlerts(ctx);
    return run;
  }

  it("with --remote lets the deployed Worker send, and waits for its result", async () => {
    expect(jsonOf(await testRemotely({ ALERT_WEBHOOK: url }))).toMatchObject({ outcome: "HTTP 204" });
    expect(texts).toEqual(["This is a test message of Waymark at links.example."]);
    answer = 500;
    expect(await testRemotely({ ALERT_WEBHOOK: url })).toMatchObject({
      code: 1,
      err: "Error: The message was not delivered: HTTP 500\n",
    });
  });

  it("with --remote says that the deployed Worker has no webhook", async () => {
    expect(await testRemotely({})).toMatchObject({
      code: 1,
      err: "Error: The message was not delivered: ALERT_WEBHOOK is not set.\n",
    });
    expect(texts).toEqual([]);
  });

  it("with --remote gives up after four minutes", async () => {
    const platform = await opening({})({ remote: false, persistTo: local.state });
    let now = Date.now();
    const ctx = {
      ...platform.ctx,
      now: () => {
        now += 90_000;
        return now;
      },
    };
    const open = async () => ({ ctx, close: async () => undefined });
    const { code, err } = await runMain(["alert", "test", "--remote"], open);
    expect(code).toBe(1);
    expect(err).toContain("the Worker has not tried it within four minutes");
    expect((await local.json("alert list")).alerts).toMatchObject([{ state: "given up", tries: 0 }]);
  });
});

it("a command for a deployment never uses a webhook of its own", async () => {
  const variables = { ALERT_WEBHOOK: url, ALERT_SECRET: "whsec_" };
  const { alertWebhook, alertSecret } = toConfig(
    { remote: true, persistTo: local.state },
    { ...local.env, ...variables },
  );
  expect([alertWebhook, alertSecret]).toEqual([null, null]);
});
