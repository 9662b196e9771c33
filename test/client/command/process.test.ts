import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { waymark } from "../../../src/client/api/client";
import { gather } from "../../../src/client/api/pages";
import type { Link } from "../../../src/client/api/wire-types";
import { cleanUp, type Outcome, temporaryDirectory } from "../../cli/terminal";
import { sh } from "../../commands/server";
import { type Service, startService } from "../../service/start";
import { type Fields, textOf } from "../file/setup";
import { buildBin, startBin } from "./bin";
import { type Exchange, type Fate, startProxy, type TestProxy } from "./proxy";

let service: Service;
let proxy: TestProxy;
let bin: string;
const folder = temporaryDirectory();

beforeAll(async () => {
  [service, bin] = await Promise.all([startService(), buildBin()]);
  proxy = await startProxy(service.base);
});
beforeEach(() => proxy.reset());
afterAll(async () => {
  proxy?.close();
  await service?.stop();
  cleanUp();
});

/** Runs the built command through the proxy. */
const begin = (...argv: string[]) => startBin(bin, { ...service, url: proxy.url }, argv);
const run = (...argv: string[]): Promise<Outcome> => begin(...argv).ended;
const writes = (): number => proxy.exchanges.filter(({ write }) => write > 0).length;

const DESTINATION = "https://www.example.com/sale";
const COUNT = 8;
/** More than are sent at once. */
const MANY = 14;
/** Enough for a signal to arrive. */
const TIME_TO_INTERRUPT_MS = 500;

/** Each request fails twice, each in its own way, before it passes. */
function failTwice(): (exchange: Exchange) => Fate {
  const FATES: readonly Fate[] = ["request-lost", "answer-lost", "cut", 429, "answer-lost", 503, "cut"];
  const tries = new Map<string, number>();
  const firsts = new Map<string, number>();
  return ({ request }) => {
    const count = (tries.get(request) ?? 0) + 1;
    tries.set(request, count);
    const first = firsts.get(request) ?? firsts.size;
    firsts.set(request, first);
    return count > 2 ? "pass" : (FATES[(first + count) % FATES.length] ?? "pass");
  };
}

/** The links of a file, whose slugs begin with its name. */
const linksOf = (name: string, fields: Fields = {}, count = COUNT): Record<string, Fields> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, number) => [
      `k${number}`,
      { slug: `${name}-${number}`, tags: [`${name} one`, `${name} two`], ...fields },
    ]),
  );

function write(name: string, links: Record<string, Fields>): string {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, textOf(links, { name }));
  return path;
}

/** All links and tags of a file, as the service has them. Fails if there is anything twice. */
async function stateOf(name: string): Promise<{ links: Link[]; tags: string[] }> {
  const client = waymark({ url: service.base, key: service.key });
  const links = await gather(client.links.list({ q: `${name}-`, status: "all", sort: "slug" }));
  expect(links.map(({ external_id: id }) => id).sort()).toEqual(
    [...new Set(links.map(({ external_id: id }) => id))].sort(),
  );
  const tags = (await client.tags.list()).map((tag) => tag.name).filter((tag) => tag.startsWith(`${name} `));
  return { links, tags };
}

/** The state is that of the file, with nothing twice, and a plan is empty. */
async function expectApplied(name: string, path: string, count = COUNT): Promise<void> {
  const { links, tags } = await stateOf(name);
  expect([links.length, tags]).toEqual([count, [`${name} one`, `${name} two`]]);
  proxy.reset();
  const { code, out } = await run("plan", "-f", path, "--detailed-exitcode");
  expect([code, out]).toEqual([0, `Plan: 0 to create, 0 to update, 0 to remove, ${count} unchanged.\n`]);
  expect(writes()).toBe(0);
}

describe("the built command", () => {
  it("tells who it is, creates and lists", async () => {
    expect(await run("whoami")).toMatchObject({
      code: 0,
      out: expect.stringContaining("access\tfull\n"),
      err: "",
    });
    const fields = ["--destination", DESTINATION, "--slug", "by-command", "--group", "summer-2026"];
    expect(await run("links", "create", ...fields)).toEqual({
      code: 0,
      out: expect.stringMatching(/\/by-command\n$/),
      err: "Created /by-command.\n",
    });
    expect((await run("links", "list", "--group", "summer-2026", "--q", "by-comm")).out).toMatch(
      /^by-command\thttps:\/\/www\.example\.com\/sale\t/,
    );
    const stranger = { url: service.base, key: "lnk_wrong" };
    const { code, out, err } = await startBin(bin, stranger, ["links", "list"]).ended;
    expect([code, out]).toEqual([4, ""]);
    expect(err).toMatch(/^Unauthenticated\.\nThe service refuses the key\..*\nRequest ID: [\da-f-]{36}\n$/);
  });

  it("ends quietly where its reader does", async () => {
    const env = `WAYMARK_URL=${service.base} WAYMARK_KEY=${service.key}`;
    const { code, out, err } = await sh(`${env} ${process.execPath} ${bin} --help | head -1`, folder);
    expect([code, out, err]).toEqual([0, "Usage: waymark [options] [command]\n", ""]);
  });
});

describe("a file of links", () => {
  it("is planned and applied, and the second time nothing is written", async () => {
    const path = write("twice", linksOf("twice"));
    expect((await run("plan", "-f", path, "--detailed-exitcode")).code).toBe(2);
    expect(writes()).toBe(0);
    const urls = join(folder, "urls.json");
    expect(await run("apply", "-f", path, "--urls", urls)).toMatchObject({ code: 0, err: "" });
    expect(writes()).toBe(COUNT + 2);
    expect(JSON.parse(readFileSync(urls, "utf8")).k0).toMatchObject({ slug: "twice-0" });

    proxy.reset();
    expect(await run("apply", "-f", path)).toMatchObject({ code: 0, err: "" });
    expect([writes(), proxy.exchanges.length]).toEqual([0, 2]);
  });

  it("killed after some links are made: the next run ends in the same state", async () => {
    const name = "killed";
    const path = write(name, linksOf(name));
    const urls = join(folder, `${name}.json`);
    const { child, ended } = begin("apply", "-f", path, "--urls", urls);
    proxy.onAnswer = ({ write: number }) => {
      if (number === 7) child.kill("SIGKILL");
    };
    expect((await ended).code).toBe(null);
    expect(existsSync(urls)).toBe(false);

    proxy.reset();
    expect((await run("apply", "-f", path, "--urls", urls)).code).toBe(0);
    expect(Object.keys(JSON.parse(readFileSync(urls, "utf8")))).toHaveLength(COUNT);
    await expectApplied(name, path);
  });

  it("interrupted, by a signal that comes twice as with npx: it ends between two requests and says what was done", async () => {
    const path = write("interrupted", linksOf("interrupted", {}, MANY));
    const { child, ended } = begin("apply", "-f", path);
    proxy.onAnswer = ({ write: number }) => {
      if (number !== 3) return;
      child.kill("SIGINT");
      setTimeout(() => child.kill("SIGINT"), 50);
    };
    proxy.decide = async ({ write: number }) => {
      if (number > 3) await sleep(TIME_TO_INTERRUPT_MS);
      return "pass" as const;
    };
    const { code, out, err } = await ended;
    expect(code).toBe(5);
    const done = Number(/Applied: (\d+) done, \d+ skipped\./.exec(out)?.[1]);
    expect(err).toContain("Interrupted. Run it again to do the rest.\n");
    const { links, tags } = await stateOf("interrupted");
    expect(links.length + tags.length).toBe(done);
    expect(links.length).toBeLessThan(MANY);

    proxy.reset();
    expect((await run("apply", "-f", path)).code).toBe(0);
    await expectApplied("interrupted", path, MANY);
  });

  it("interrupted again, while a request is under way: it ends at once", async () => {
    const { child, ended } = begin("apply", "-f", write("again", linksOf("again")));
    const isUnderWay = new Promise<void>((resolve) => {
      proxy.decide = async ({ write: number }) => {
        if (number === 0) return "pass";
        resolve();
        await ended;
        return "request-lost";
      };
    });
    await isUnderWay;
    child.kill("SIGINT");
    await sleep(2 * TIME_TO_INTERRUPT_MS);
    child.kill("SIGINT");
    expect((await ended).code).toBe(null);
  });

  it("through a network that loses and cuts answers, and a service that refuses: nothing twice", async () => {
    const path = write("faults", linksOf("faults"));
    proxy.decide = failTwice();
    const first = await run("apply", "-f", path);
    // On a slow machine a request is tried a third time, after a pause that the command announces.
    const failures = (err: string) => err.replaceAll(/^.*Trying again in .*\n/gm, "");
    expect([first.code, failures(first.err)]).toEqual([0, ""]);
    await expectApplied("faults", path);

    write("faults", linksOf("faults", { title: "New", tags: ["faults one"] }));
    proxy.decide = failTwice();
    const second = await run("apply", "-f", path);
    expect([second.code, failures(second.err)]).toEqual([0, ""]);
    const { links } = await stateOf("faults");
    expect(links.map(({ title, tags }) => [title, tags.length])).toEqual(links.map(() => ["New", 1]));

    write("faults", {});
    proxy.decide = failTwice();
    expect((await run("apply", "-f", path, "--max-removals", String(COUNT))).code).toBe(0);
    expect(new Set((await stateOf("faults")).links.map(({ status }) => status))).toEqual(
      new Set(["archived"]),
    );
  });
});
