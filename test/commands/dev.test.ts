import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cleanUp, npmRun, openState, shellBlocksOf, start, temporaryDirectory, until } from "../cli/terminal";
import { freePort } from "../free-port";
import { checkout, type Greeting, sh, startDev } from "./server";

const END_WITHIN_SECONDS = 30;

// A server takes seconds to start, and longer on a busy machine.

afterAll(cleanUp);

const isUp = (port: number): Promise<boolean> =>
  fetch(`http://localhost:${port}/health`).then(
    () => true,
    () => false,
  );

/** Whether a process exists, or with a negative id one of its group. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The command lines of a process group. */
const argsOf = (group: number): string[] =>
  execFileSync("ps", ["-A", "-o", "pgid=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pgid, args = ""] = /^ *(\d+) (.*)$/.exec(line) ?? [];
      return Number(pgid) === group ? [args] : [];
    });

/** Waits until nothing of the process group is left. */
const untilGone = (pid = 0) =>
  until(
    () => "a process of npm run dev is still there",
    END_WITHIN_SECONDS,
    () => !isThere(-pid) || undefined,
  );

const untilDown = (port: number): Promise<true> =>
  until(
    () => `port ${port} still answers`,
    END_WITHIN_SECONDS,
    async () => ((await isUp(port)) ? undefined : true),
  );

const get = async (greeting: Greeting, path: string) => {
  const response = await fetch(`${greeting.base}${path}`, {
    headers: { authorization: `Bearer ${greeting.key}` },
  });
  return { status: response.status, body: (await response.json()) as { meta?: { total: number } } };
};

const visit = (greeting: Greeting, slug: string) => fetch(`${greeting.base}/${slug}`, { redirect: "manual" });

describe("npm run dev", () => {
  // The printed commands must quote the space.
  const state = join(temporaryDirectory(), "its state");
  let firstKey: string;

  it("npm run dev moves an old state aside, takes a free port, creates tables and demo, and runs the README's commands", async () => {
    // On a machine where 8787 is in use already, this one cannot listen, which is as good.
    const other = createServer((_, response) => response.end()).on("error", () => undefined);
    other.listen(8787, "localhost");
    const before = await openState(state);
    await before.env.DB.batch([
      before.env.DB.prepare("create table d1_migrations (id integer primary key, name text)"),
      before.env.DB.prepare("insert into d1_migrations (name) values ('0000_first_00000000.sql')"),
    ]);
    await before.dispose();
    const { dev, greeting } = await startDev(undefined, state);
    other.close();
    const port = Number(/^http:\/\/localhost:(\d+)$/.exec(greeting.base)?.[1]);
    expect(port).toBeGreaterThan(8787);
    expect(greeting.text).toContain(`Waymark is running on port ${port}, since 8787 is in use.`);
    expect(greeting.text).toContain('The workspace "demo" is new');
    const [, aside = ""] =
      /was made with other migrations: it is now (.+), and a new one begins/.exec(greeting.text) ?? [];
    expect(existsSync(join(aside, "v3"))).toBe(true);
    firstKey = greeting.key;

    const made = await sh(greeting.curl, state);
    const { link } = JSON.parse(made.out);
    expect(made.code).toBe(0);
    expect(link).toMatchObject({ status: "active", activity_group: { slug: "summer-2026" } });
    expect(link.short_url).toBe(`${greeting.base}/${link.slug}`);
    expect((await visit(greeting, link.slug)).headers.get("location")).toBe(
      "https://www.example.com/?utm_campaign=summer_2026",
    );

    const poster = await visit(greeting, "summer");
    expect(poster.status).toBe(302);
    expect(poster.headers.get("location")).toBe(
      "https://www.example.com/summer?colour=blue&utm_source=poster&utm_medium=print&utm_campaign=summer_2026#top",
    );

    const [onDomain = ""] = /http:\/\/go\.localhost:\d+\/summer/.exec(greeting.text) ?? [];
    // curl resolves names below localhost by itself, as browsers do.
    const look = `curl -s -o /dev/null -w '%{http_code} %{redirect_url}' ${onDomain}`;
    expect((await sh(look, state)).out).toBe(`302 ${poster.headers.get("location")}`);

    // The README's commands work unchanged, also when they are pasted a second time.
    const [variables = "", calls = ""] = shellBlocksOf("README.md", "Use it");
    const files = temporaryDirectory();
    const script = `${variables}${calls}`
      .replace("lnk_…", greeting.key)
      .replaceAll("localhost:8787", `localhost:${port}`);
    const ids: string[] = [];
    for (const time of ["first", "second"]) {
      const used = await sh(script, files);
      expect(used, `${time}: ${used.err}`).toMatchObject({ code: 0 });
      expect(used.out).toContain('"message":"Link created successfully."');
      ids.push(/"id":"(\w{26})"/.exec(used.out)?.[1] ?? "");
      expect(used.out).toContain('"utm_campaign":"summer_2026"');
      expect(used.out).toContain('"message":"Tags attached successfully."');
      expect(used.out).toContain("302 https://www.example.com/?colour=blue&utm_campaign=summer_2026\n");
      expect(used.out).toContain('"message":"Link updated successfully."');
      expect(used.out.trimEnd()).toMatch(/204$/);
      expect(readFileSync(join(files, "hello.svg"), "utf8")).toContain("<svg");
      expect(readFileSync(join(files, "hello.png")).subarray(1, 4).toString()).toBe("PNG");
    }
    expect(ids[1]).not.toBe(ids[0]);

    const [onCloudflare = ""] = shellBlocksOf("src/docs/deploy.md", "The first redirect");
    const own = onCloudflare
      .replace("lnk_…", greeting.key)
      .replace("https://waymark.acme.workers.dev", greeting.base);
    const first = await sh(own, files);
    expect(first, first.err).toMatchObject({ code: 0 });
    expect(first.out).toMatch(
      /"message":"Link created successfully\.".*302 https:\/\/www\.example\.com\/\?colour=blue\n$/,
    );
    const smoke = await npmRun(["smoke", "--", "--url", greeting.base, "--key", greeting.key]);
    expect(smoke, `${smoke.out}\n${smoke.err}`).toMatchObject({ code: 0, err: "" });
    expect(smoke.out).toMatch(/^create a link +201 {2}\d+ ms, d1 \d+ ms$/m);
    expect(smoke.out).toMatch(/^follow it after the change +302 {2}\d+ ms, X-Cache (?:hit|miss)$/m);
    const [, slug = ""] = /its slug (smoke-[0-9a-f]{8}) /.exec(smoke.out) ?? [];
    expect((await get(greeting, `/api/v1/links?status=all&slug=${slug}`)).body.meta?.total).toBe(0);
    const refused = await npmRun(["smoke", "--", "--url", greeting.base, "--key", "lnk_wrong"]);
    expect(refused, refused.err).toMatchObject({ code: 1, err: "" });
    expect(refused.out).toContain("\n- The service refuses the key: ");

    const options = ["--workspace", "demo", "--name", "Autumn", "--slug", "autumn", "--type", "campaign"];
    const { json: admin, dispose } = await openState(state);
    const { activity_group: group } = await admin("group", "create", ...options);
    const found = await get(greeting, "/api/v1/activity-groups?slug=autumn");
    expect(found).toMatchObject({ status: 200, body: { activity_groups: [group], meta: { total: 1 } } });
    await admin("workspace", "suspend", "--slug", "demo");
    expect((await get(greeting, "/api/v1/tags")).status).toBe(404);
    await admin("workspace", "resume", "--slug", "demo");
    expect((await get(greeting, "/api/v1/tags")).status).toBe(200);

    await dispose();
    const second = await npmRun(["dev", "--", "--port", String(port), "--persist-to", temporaryDirectory()]);
    expect([second.code, second.out]).toEqual([1, ""]);
    expect(second.err).toContain(`Port ${port} is in use.`);

    // npm passes it on to the shell that it has started, and to nothing else.
    dev.child.kill("SIGTERM");
    await untilDown(port);
    await dev.ended;
  });

  it("npm run dev on the same state keeps demo and key, runs the crons, passes other options on, and ends with Ctrl-C", async () => {
    const port = await freePort();
    const before = await openState(state);
    await before.env.DB.batch([
      before.env.DB.prepare("update slugs set push_at = 1 where key = 'summer'"),
      before.env.DB.prepare(
        "insert into sessions (hash, public_id, email, created_at, last_used_at, expires_at) values ('lapsed', 'lapsed', 'a@b.example', 0, 0, 1)",
      ),
    ]);
    await before.dispose();
    const { dev, greeting } = await startDev(port, state, [
      "--var",
      "ROOT_REDIRECT_URL:https://www.example.com/home",
    ]);
    expect(greeting.base).toBe(`http://localhost:${port}`);
    expect(greeting.text).not.toContain("is new");
    expect(greeting.key).toBe(firstKey);
    expect((await get(greeting, "/api/v1/links")).body.meta?.total).toBeGreaterThan(1);
    const { json: admin, env, dispose } = await openState(state);
    const left = () =>
      env.DB.prepare(
        "select (select count(*) from slugs where push_at = 1) + (select count(*) from sessions where hash = 'lapsed') as count",
      ).first<number>("count");
    await until(
      () => `the crons did nothing:\n${dev.said.err}`,
      30,
      async () => (await left()) === 0 || undefined,
    );
    expect(dev.said.err).not.toContain("failed");
    expect(dev.said.out + dev.said.err).not.toMatch(/Scheduled Workers|trigger a scheduled event/);
    expect((await admin("workspace", "list")).workspaces).toHaveLength(1);
    expect((await admin("key", "list", "--workspace", "demo")).keys).toHaveLength(1);
    await dispose();
    const hint = /another: (npm run .*)$/m.exec(greeting.text)?.[1] ?? "";
    const hinted = await sh(hint, checkout().directory);
    expect(hinted, hinted.err).toMatchObject({ code: 0 });
    expect(hinted.out).toContain(`${greeting.base}/app/sign-in?token=`);
    const root = await visit(greeting, "");
    expect([root.status, root.headers.get("location")]).toEqual([302, "https://www.example.com/home"]);

    // A terminal sends SIGINT to the whole process group.
    const { pid = 0 } = dev.child;
    process.kill(-pid, "SIGINT");
    await untilDown(port);
    await dev.ended;
    await untilGone(pid);
  });

  it.each([
    [
      "SIGTERM",
      "has just started it",
      (pid: number) => argsOf(pid).some((args) => /^\S*node .*dev\.ts/.test(args)),
    ],
    ["SIGTERM", "prepares a new state", (_: number, folder: string) => existsSync(folder)],
    ["SIGKILL", "prepares a new state", (_: number, folder: string) => existsSync(folder)],
  ] as const)("npm run dev ends with npm, which gets %s when it %s", async (signal, _, isSoFar) => {
    const folder = join(temporaryDirectory(), "new");
    const { child } = start("npm", ["run", "dev", "--", "--persist-to", folder]);
    const { pid = 0 } = child;
    await until(
      () => "npm run dev prepares nothing",
      END_WITHIN_SECONDS,
      () => isSoFar(pid, folder) || undefined,
    );
    child.kill(signal);
    await untilGone(pid);
  });

  it("npm run dev refuses an invalid port", async () => {
    const { code, out, err } = await start("node_modules/.bin/tsx", ["src/cli/dev.ts", "--port", "65536"])
      .ended;
    expect({ code, out, err }).toEqual({ code: 1, out: "", err: "--port must be between 1 and 65535.\n" });
  });
});
