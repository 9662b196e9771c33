import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchAllowed, fetchPublic, isPublic } from "../../../src/operations/cli/fetch-public";
import { resultOfError } from "../../../src/operations/health/check-result";
import { cleanUp, openLocal } from "../cli/terminal";

let local: Awaited<ReturnType<typeof openLocal>>;

beforeAll(async () => {
  local = await openLocal();
  await local.json("demo");
});

afterAll(async () => {
  await local.dispose();
  cleanUp();
});

it("link broken lists broken links, as a table or as JSON", async () => {
  const { out: whileOff } = await local.admin("link", "broken");
  expect(whileOff).toContain("health check  off");
  expect(whileOff).toContain('DESTINATION_HEALTH_CHECK = "on": set it in wrangler.toml');
  // The demo workspace has one.
  expect(await local.json("link", "broken")).toMatchObject({
    broken_links: [{ slug: "partner-offer" }],
    health_check: "off",
  });
  await local.env.DB.prepare(
    `insert into destination_health (url, host, domain, due_at, asked_at, state, reason, http_status, failing_since)
      select distinct destination_url, destination_host, destination_host, 0, 86400000, 'broken', 'http', 410, 0 from links where slug_key = 'summer'`,
  ).run();
  const { broken_links: links } = await local.json("link", "broken", "--workspace", "demo");
  expect(links).toContainEqual(
    expect.objectContaining({
      workspace: "demo",
      slug: "summer",
      status: "active",
      reason: "410 Gone",
      http_status: 410,
      failing_since: "1970-01-01T00:00:00.000Z",
      asked_at: "1970-01-02T00:00:00.000Z",
    }),
  );
  const { out } = await local.admin("link", "broken");
  expect(out).toMatch(/workspace +id +slug +destination url +status +live assets +reason/);
  expect(out).toContain("410 Gone");
  expect((await local.admin("link", "broken", "--workspace", "nobody")).code).toBe(1);
});

it("cron run asks no destination while DESTINATION_HEALTH_CHECK is off", async () => {
  const { jobs } = await local.json("cron", "run");
  expect(jobs).toContainEqual({ job: "probeDestinations", did: { found: 0, asked: 0, broken: 0 } });
});

it.each([
  ["93.184.215.14", true],
  ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", true],
  ["127.0.0.1", false],
  ["10.1.2.3", false],
  ["172.31.0.1", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["0.0.0.0", false],
  ["255.255.255.255", false],
  ["::1", false],
  ["::", false],
  ["fd00::1", false],
  ["fe80::1", false],
  ["::ffff:10.0.0.1", false],
  ["64:ff9b::a00:1", false],
  ["64:ff9b:1::a00:1", false],
  ["2002:a00:1::1", false],
  ["fec0::1", false],
])("the commands ask %s: %s", (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});

const INIT = { cache: "no-store", redirect: "manual" } as const;

describe("the commands' fetch", () => {
  const onServer = async <T>(
    answer: RequestListener,
    ask: (port: number) => Promise<T>,
  ): Promise<{ result: T; asked: string[] }> => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.headers.host?.split(":")[0]} ${request.headers["user-agent"]}`);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      return { result: await ask((server.address() as AddressInfo).port), asked };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };

  it("returns the status and the headers, and does not follow a redirect", async () => {
    const { result, asked } = await onServer(
      (_, response) => response.writeHead(302, { location: "https://example.com/" }).end("moved"),
      (port) =>
        fetchAllowed(() => true)(`http://localhost:${port}/`, {
          ...INIT,
          method: "HEAD",
          headers: { "User-Agent": "Test/1.0" },
        }),
    );
    expect([result.status, result.headers.get("location")]).toEqual([302, "https://example.com/"]);
    expect(asked).toEqual(["HEAD localhost Test/1.0"]);
  });

  it("connects to the address that was checked, and to none that is refused", async () => {
    const checked: string[] = [];
    const refuse = (address: string) => {
      checked.push(address);
      return false;
    };
    const { asked } = await onServer(
      (_, response) => response.end(),
      async (port) => {
        for (const host of ["localhost", "127.0.0.1"]) {
          const answer = fetchAllowed(refuse)(`http://${host}:${port}/`, INIT);
          await expect(answer).rejects.toThrow("not public");
        }
      },
    );
    expect(checked).toContain("127.0.0.1");
    expect(asked).toEqual([]);
  });

  it("ends with its time limit, as a time-out", async () => {
    const { result } = await onServer(
      () => undefined,
      (port) =>
        fetchAllowed(() => true)(`http://localhost:${port}/`, {
          ...INIT,
          signal: AbortSignal.timeout(50),
        }).then(() => undefined, resultOfError),
    );
    expect(result).toEqual({ reason: "timeout", status: null });
  });

  it("says that nothing listens", async () => {
    const answer = fetchAllowed(() => true)("http://localhost:1/", INIT);
    expect(await answer.catch(resultOfError)).toEqual({ reason: "connection", status: null });
  });
});

it("the commands ask no name that resolves to the computer or its network", async () => {
  await expect(fetchPublic("http://localhost:1/", { cache: "no-store" })).rejects.toThrow("not public");
});
