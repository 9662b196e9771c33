import { describe, expect, it } from "vitest";
import type { CheckResult } from "../../../src/operations/health/check-result";
import { MAX_REQUESTS, probe, type Refusal, type Send } from "../../../src/operations/health/probe";
import { freshHost, openNet } from "./net";

/** Asks a page of a new host. Other hosts may be refused. */
async function ask(path: string, refusal?: Refusal) {
  const net = openNet();
  const host = freshHost();
  const send: Send = async (url, method) => {
    if (refusal !== undefined && new URL(url).host !== host) return refusal;
    const signal = AbortSignal.timeout(1_000);
    return net.send(url, { method, redirect: "manual", cache: "no-store", signal });
  };
  const result = await probe(`https://${host}${path}`, send);
  return { result, asked: net.takeAsked() };
}

const found = (status: number): CheckResult => ({ reason: "http", status });
const redirectTo = (url: string): string => `/to?url=${encodeURIComponent(url)}`;

describe("a page", () => {
  it.each<[string, CheckResult, string[]]>([
    ["/status/200", found(200), ["HEAD"]],
    ["/status/404", found(404), ["HEAD", "GET"]],
    ["/status/500", found(500), ["HEAD", "GET"]],
    ["/status/403", found(403), ["HEAD", "GET"]],
    ["/status/429", found(429), ["HEAD"]],
    ["/status/530", { reason: "dns", status: 530 }, ["HEAD", "GET"]],
    ["/head/405", found(200), ["HEAD", "GET"]],
    ["/reset", { reason: "connection", status: null }, ["HEAD", "GET"]],
    ["/endless", found(200), ["HEAD"]],
    ["/endless/405", found(200), ["HEAD", "GET"]],
    ["/no-location", found(302), ["HEAD", "GET"]],
  ])("%s", async (path, result, methods) => {
    const asked = await ask(path);
    expect(asked.result).toEqual(result);
    expect(asked.asked).toEqual(methods.map((method) => `${method} ${path}`));
  });

  it.each([
    ["closed", "connection"],
    ["dns", "dns"],
    ["tls", "unreachable"],
  ])("of a host that cannot be reached fails: %s", async (name, reason) => {
    const { send } = openNet();
    const url = `https://${freshHost(name)}/status/200`;
    const result = await probe(url, (given, method) => send(given, { method, cache: "no-store" }));
    expect(result).toEqual({ reason, status: null });
  });

  it("that never answers HEAD is found by GET", async () => {
    const { result, asked } = await ask("/slow-head");
    expect(result).toEqual(found(200));
    expect(asked).toEqual(["HEAD /slow-head", "GET /slow-head"]);
  });

  it.each([429, 503])("gets no second request after a Retry-After with %i", async (status) => {
    const { result, asked } = await ask(`/status/${status}?retry=120`);
    expect(result).toEqual(found(status));
    expect(asked).toHaveLength(1);
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

  it.each<[string, number, CheckResult, string[]]>([
    ["are not followed again for GET", 0, found(404), ["HEAD /0", "GET /0"]],
    [
      "of GET count together with those of HEAD",
      3,
      { reason: "redirects", status: 302 },
      ["GET /1", "GET /0"],
    ],
  ])("%s, so a destination takes seven requests at most", async (_, last, result, end) => {
    const sent: string[] = [];
    const send: Send = async (url, method) => {
      const left = Number(new URL(url).pathname.slice(1));
      sent.push(`${method} /${left}`);
      if (method === "HEAD" && left === last) return new Response(null, { status: 404 });
      if (left === 0 && last === 0) return new Response(null, { status: 404 });
      return new Response(null, { status: 302, headers: { Location: `/${left - 1}` } });
    };
    expect(await probe("https://a.example/5", send)).toEqual(result);
    expect(sent.slice(-2)).toEqual(end);
    expect(sent).toHaveLength(MAX_REQUESTS);
  });

  // `lib/destination.test.ts` has all that the rules of destinations refuse.
  it.each([
    ["an address", "http://127.0.0.1/"],
    ["an internal name", "http://router.local/"],
    ["a name and a password", "https://user:secret@www.example.com/"],
    ["another scheme", "ftp://www.example.com/"],
    ["nothing that parses", "https://"],
    ["something endless", `https://www.example.com/${"x".repeat(5_000)}`],
  ])("to %s are not followed", async (_, url) => {
    const { result, asked } = await ask(redirectTo(url));
    expect(result).toEqual({ reason: "forbidden", status: 302 });
    expect(asked).toHaveLength(1);
  });

  it("to another scheme of the same host are not followed", async () => {
    const sent: string[] = [];
    const send: Send = async (url) => {
      sent.push(url);
      return new Response(null, { status: 302, headers: { Location: "ftp://a.example/" } });
    };
    expect(await probe("https://a.example/", send)).toEqual({ reason: "forbidden", status: 302 });
    expect(sent).toEqual(["https://a.example/"]);
  });

  it("to another host are followed unless it is refused", async () => {
    const target = redirectTo(`https://${freshHost()}/status/404`);
    const { result, asked } = await ask(target);
    expect(result).toEqual(found(404));
    expect(asked.map((one) => one.split(" ")[0])).toEqual(["HEAD", "HEAD", "GET"]);
    expect((await ask(target, "forbidden")).result).toEqual({ reason: "forbidden", status: 302 });
    const later = await ask(target, "later");
    expect(later.result).toBeUndefined();
    expect(later.asked).toHaveLength(1);
  });
});
