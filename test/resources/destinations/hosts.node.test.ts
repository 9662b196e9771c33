import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkHosts, hostCheckIn, nextCheck } from "../../../src/resources/destinations/hosts";

const HOUR = 3_600_000;
const resolver = "https://dns.example/dns-query?ct=1";

it.each([
  ["an address", { Status: 0, Answer: [{ data: "192.0.2.1" }] }, "ok"],
  ["no address", { Status: 0 }, "ok"],
  ["no such name", { Status: 3, Answer: [] }, "ok"],
  ["a null address", { Status: 0, Answer: [{ data: "0.0.0.0" }] }, "blocked"],
  ["a null address among others", { Status: 0, Answer: [{ data: "192.0.2.1" }, { data: "::" }] }, "blocked"],
  ["blocked", { Status: 3, Comment: ["EDE(15): Blocked"] }, "blocked"],
  ["censored", { Status: 3, Comment: "EDE(16): Censored" }, "blocked"],
  ["filtered, besides other comments", { Status: 2, Comment: ["a", "EDE(17)"] }, "blocked"],
  ["another extended error", { Status: 0, Comment: ["EDE(18): Prohibited"] }, "ok"],
  ["other numbers", { Status: 0, Comment: ["EDE(1)", "EDE 15", "EDE(157)"] }, "ok"],
  ["a failure", { Status: 2 }, "unknown"],
  ["a refusal", { Status: 5, Answer: [{ data: "192.0.2.1" }] }, "unknown"],
  ["no status", {}, "unknown"],
  ["a status that is a string", { Status: "0" }, "unknown"],
  ["records that are not a list", { Status: 0, Answer: "0.0.0.0" }, "ok"],
  ["records without data", { Status: 0, Answer: [null, {}, 1] }, "ok"],
  ["nothing", null, "unknown"],
  ["a string", "0.0.0.0", "unknown"],
  ["undefined", undefined, "unknown"],
])("the result in a DNS response: %s: %j is %s", (_, answer, hostCheck) => {
  expect(hostCheckIn(answer)).toBe(hostCheck);
});

it.each([
  ["ok", 7 * 24 * HOUR + 5],
  ["unknown", HOUR + 5],
  ["blocked", null],
] as const)("the next lookup of a host that is %s is at %s", (hostCheck, at) => {
  expect(nextCheck({ resolver }, hostCheck, 5)).toBe(at);
  expect(nextCheck({ resolver: null }, hostCheck, 5)).toBeNull();
});

describe("a lookup", () => {
  let asked: { url: string; init: RequestInit | undefined }[] = [];
  const checked = async (of: string | null = resolver) =>
    (await checkHosts({ resolver: of }, ["a.example"])).get("a.example");
  const answering = (answer: () => Promise<Response>) =>
    vi.stubGlobal("fetch", (url: URL, init?: RequestInit) => {
      asked.push({ url: String(url), init });
      return answer();
    });
  beforeEach(() => {
    asked = [];
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("queries the resolver for the host's address, with a timeout of two seconds", async () => {
    answering(async () => Response.json({ Status: 0, Answer: [{ data: "0.0.0.0" }] }));
    const timeout = vi.spyOn(AbortSignal, "timeout");
    expect(await checked()).toBe("blocked");
    expect(timeout.mock.calls).toEqual([[2_000]]);
    expect(asked).toEqual([
      {
        url: `${resolver}&name=a.example&type=A`,
        init: {
          headers: { Accept: "application/dns-json" },
          redirect: "manual",
          cache: "no-store",
          signal: expect.any(AbortSignal),
        },
      },
    ]);
  });

  it("of several hosts asks about each once", async () => {
    answering(async () => Response.json({ Status: 0 }));
    const checks = await checkHosts({ resolver }, ["a.example", "b.example", "a.example"]);
    expect([...checks]).toEqual([
      ["a.example", "ok"],
      ["b.example", "ok"],
    ]);
    expect(asked.map(({ url }) => url)).toEqual([
      `${resolver}&name=a.example&type=A`,
      `${resolver}&name=b.example&type=A`,
    ]);
  });

  it("is unknown if the resolver fails, does not return JSON or times out", async () => {
    const good = { Status: 0 };
    for (const answer of [
      async () => Response.json(good, { status: 500 }),
      async () => new Response("<html>"),
      async () => new Response(" ".repeat(2e6) + JSON.stringify(good)),
      async () => Response.redirect("https://dns.example/other", 302),
      async () => Promise.reject(new Error("too slow")),
    ]) {
      answering(answer);
      expect(await checked()).toBe("unknown");
    }
    answering(async () => Response.json(good));
    expect(await checked()).toBe("ok");
  });

  it("sends nothing to a resolver over plain http", async () => {
    answering(async () => Response.json({ Status: 0 }));
    expect(await checked("http://dns.example/dns-query")).toBe("unknown");
    expect(asked).toEqual([]);
  });

  it("makes no request without a resolver", async () => {
    answering(async () => Response.json({ Status: 0 }));
    expect(await checked(null)).toBe("unknown");
    expect(asked).toEqual([]);
  });
});
