import { afterEach, describe, expect, it, vi } from "vitest";
import type { CheckResult } from "../../../src/operations/health/check-result";
import {
  type Admission,
  type Fetch,
  MAX_FETCHES,
  type Prober,
  probe,
} from "../../../src/operations/health/probe";
import { freshHost, GIVEN_UP_MS, openNet } from "./net";

afterEach(() => void vi.restoreAllMocks());

function makeProber(send: Fetch, turn: (host: string) => Admission = () => "now") {
  const pauses: [string, number][] = [];
  const turns: string[] = [];
  const prober: Prober = {
    fetch: send,
    userAgent: "Test/1.0",
    admit: async (host) => {
      turns.push(host);
      return turn(host);
    },
    onFetch: () => undefined,
    onRetryAfter: (host, ms) => void pauses.push([host, ms]),
  };
  return { prober, pauses, turns };
}

/** Asks a page of a new host. */
async function ask(path: string, turn?: (host: string) => Admission) {
  const net = openNet();
  const host = freshHost();
  const { prober, pauses, turns } = makeProber(net.send, turn);
  const result = await probe(`https://${host}${path}`, prober);
  return { result, host, pauses, turns, asked: net.takeAsked() };
}

const found = (status: number): CheckResult => ({ reason: "http", status });
const redirectTo = (url: string): string => `/to?url=${encodeURIComponent(url)}`;

describe("a page", () => {
  it.each<[string, CheckResult, string[]]>([
    ["/status/200", found(200), ["HEAD"]],
    ["/status/404", found(404), ["HEAD", "GET"]],
    ["/status/410", found(410), ["HEAD", "GET"]],
    ["/status/500", found(500), ["HEAD", "GET"]],
    ["/status/503", found(503), ["HEAD", "GET"]],
    ["/status/401", found(401), ["HEAD", "GET"]],
    ["/status/403", found(403), ["HEAD", "GET"]],
    ["/status/429", found(429), ["HEAD"]],
    ["/status/530", { reason: "dns", status: 530 }, ["HEAD", "GET"]],
    ["/head/405", found(200), ["HEAD", "GET"]],
    ["/head/404", found(200), ["HEAD", "GET"]],
    ["/head/500", found(200), ["HEAD", "GET"]],
    ["/reset", { reason: "connection", status: null }, ["HEAD", "GET"]],
    ["/endless", found(200), ["HEAD"]],
    ["/endless/405", found(200), ["HEAD", "GET"]],
    ["/no-location", found(302), ["HEAD", "GET"]],
  ])("%s", async (path, result, methods) => {
    const asked = await ask(path);
    expect(asked.result).toEqual(result);
    expect(asked.asked).toEqual(methods.map((method) => `${method} ${path}`));
    expect(asked.turns).toEqual([]);
  });

  it("is asked without cookies, by a named agent, past every cache", async () => {
    const net = openNet();
    let init: RequestInit & { cache?: string } = {};
    const send: Fetch = (url, given) => {
      init = given;
      return net.send(url, given);
    };
    await probe(`https://${freshHost()}/status/200`, makeProber(send).prober);
    expect(init).toMatchObject({ redirect: "manual", cache: "no-store" });
    expect(init.headers).toEqual({ "User-Agent": "Test/1.0", Accept: "*/*" });
  });

  it("is read no further than its headers", async () => {
    const cancelled: unknown[] = [];
    const body = () => new ReadableStream({ pull: () => undefined, cancel: () => void cancelled.push(1) });
    const send: Fetch = async (_, { method }) =>
      new Response(body(), { status: method === "HEAD" ? 500 : 200 });
    const result = await probe("https://a.example/", makeProber(send).prober);
    expect(result).toEqual(found(200));
    expect(cancelled).toEqual([1, 1]);
  });

  it("of a host that cannot be reached fails", async () => {
    for (const [name, reason] of [
      ["closed", "connection"],
      ["dns", "dns"],
      ["tls", "unreachable"],
    ]) {
      const net = openNet();
      const { prober } = makeProber(net.send);
      expect(await probe(`https://${freshHost(name)}/status/200`, prober)).toEqual({
        reason,
        status: null,
      });
    }
  });

  it("takes at most ten seconds, three of them for HEAD", async () => {
    const spy = vi.spyOn(AbortSignal, "timeout");
    expect((await ask("/slow")).result).toEqual({ reason: "timeout", status: null });
    const timeouts = spy.mock.calls.map(([ms]) => ms).filter((ms) => ms !== GIVEN_UP_MS);
    expect(timeouts).toEqual([3_000, 7_000]);
  });

  it("that never answers HEAD is found by GET", async () => {
    const { result, asked } = await ask("/slow-head");
    expect(result).toEqual(found(200));
    expect(asked).toEqual(["HEAD /slow-head", "GET /slow-head"]);
  });

  it("gets no second request after a Retry-After", async () => {
    for (const [status, retry, ms] of [
      [429, "120", 120_000],
      [503, "99999999", 86_400_000],
    ] as const) {
      const { result, pauses, host, asked } = await ask(`/status/${status}?retry=${retry}`);
      expect(result).toEqual(found(status));
      expect(pauses).toEqual([[host, ms]]);
      expect(asked).toHaveLength(1);
    }
  });
});

describe("redirects", () => {
  it("are followed five times", async () => {
    const { result, asked } = await ask("/chain/5");
    expect(result).toEqual(found(200));
    expect(asked).toHaveLength(6);
  });

  it("beyond five, and in a circle, cannot be checked", async () => {
    const six = await ask("/chain/6");
    expect(six.result).toEqual({ reason: "redirects", status: 302 });
    expect(six.asked).toHaveLength(6);
    const loop = await ask("/loop");
    expect(loop.result).toEqual({ reason: "redirects", status: 302 });
    expect(loop.asked).toEqual(["HEAD /loop"]);
  });

  it("are not followed again for GET, so a destination takes seven fetches at most", async () => {
    const send: Fetch = async (url) => {
      const left = Number(new URL(url).pathname.slice(1));
      if (left > 0) return new Response(null, { status: 302, headers: { Location: `/${left - 1}` } });
      return new Response(null, { status: 404 });
    };
    const fetched: string[] = [];
    const { prober } = makeProber((url, init) => {
      fetched.push(`${init.method} ${new URL(url).pathname}`);
      return send(url, init);
    });
    expect(await probe("https://a.example/5", prober)).toEqual(found(404));
    expect(fetched).toEqual([...[5, 4, 3, 2, 1, 0].map((left) => `HEAD /${left}`), "GET /0"]);
    expect(fetched).toHaveLength(MAX_FETCHES);
  });

  it("of GET count together with those of HEAD", async () => {
    let fetches = 0;
    const send: Fetch = async (url, { method }) => {
      fetches++;
      const left = Number(new URL(url).pathname.slice(1));
      if (method === "HEAD" && left === 3) return new Response(null, { status: 405 });
      return new Response(null, { status: 302, headers: { Location: `/${left - 1}` } });
    };
    const result = await probe("https://a.example/5", makeProber(send).prober);
    expect(result).toEqual({ reason: "redirects", status: 302 });
    expect(fetches).toBe(MAX_FETCHES);
  });

  it.each([
    ["an address", "http://127.0.0.1/"],
    ["an address in another spelling", "http://0x7f.1/"],
    ["an IPv6 address", "http://[::1]/"],
    ["an internal name", "http://router.local/"],
    ["a name without a domain", "http://intranet/"],
    ["a name that hides an address", "http://10.0.0.1.nip.io/"],
    ["a name and a password", "https://user:secret@www.example.com/"],
    ["another scheme", "ftp://www.example.com/"],
    ["a script", "javascript:alert(1)"],
    ["a shortener", "https://bit.ly/abc"],
    ["nothing that parses", "https://"],
    ["something endless", `https://www.example.com/${"x".repeat(5_000)}`],
  ])("to %s are not followed", async (_, url) => {
    const { result, asked, turns } = await ask(redirectTo(url));
    expect(result).toEqual({ reason: "forbidden", status: 302 });
    expect(asked).toHaveLength(1);
    expect(turns).toEqual([]);
  });

  it("to another host wait for its turn, once", async () => {
    const other = freshHost();
    const { result, turns, asked } = await ask(redirectTo(`https://${other}/status/404`));
    expect(result).toEqual(found(404));
    expect(turns).toEqual([other]);
    expect(asked.map((one) => one.split(" ")[0])).toEqual(["HEAD", "HEAD", "GET"]);
  });

  it("to a host that is forbidden or has no turn are not followed", async () => {
    const target = redirectTo(`https://${freshHost()}/status/200`);
    expect((await ask(target, () => "forbidden")).result).toEqual({ reason: "forbidden", status: 302 });
    const later = await ask(target, () => "later");
    expect(later.result).toBeUndefined();
    expect(later.asked).toHaveLength(1);
  });
});
