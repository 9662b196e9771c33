import { describe, expect, it } from "vitest";
import { smoke } from "../../src/cli/smoke-steps";
import { type Fault, KEY, type Reply, type Step, startStandIn } from "./smoke-service";

/** Generous, so that no test fails on a busy machine. */
const PATIENCE_MS = 60_000;
/** For a request that has no answer. The others of the test have to be answered within it. */
const HANGING_MS = 2_000;

/** Runs the command's steps against a stand-in, with a clock that only its pauses move. */
async function run(fault?: Fault, key = KEY, timeoutMs = PATIENCE_MS) {
  const service = await startStandIn(fault);
  const lines: string[] = [];
  let time = 0;
  const problems = await smoke({
    base: service.base,
    key,
    slug: "smoke-test",
    timeoutMs,
    now: () => time,
    sleep: async (ms) => {
      time += ms;
    },
    print: (line) => lines.push(line),
  });
  service.close();
  return { problems, lines, seconds: time / 1000, seen: service.seen, isLeft: service.isLeft() };
}

/** A fault in one step. */
const at =
  (step: Step, change: (right: Reply) => Reply | "hang"): Fault =>
  (current, right) =>
    current === step ? change(right) : right;

const withHeader = (name: string, value: string | null) => (right: Reply) => ({
  ...right,
  headers: { ...right.headers, [name]: value },
});

/** A fault in the JSON of one step. */
// biome-ignore lint/suspicious/noExplicitAny: any body
const jsonAt = (step: Step, change: (json: any) => unknown): Fault =>
  at(step, (right) => ({ ...right, json: change(right.json) }));

const HTML = "<!doctype html><title>Just a moment</title>";
const OLD =
  "https://www.example.com/waymark-smoke-1?a=b%20c&utm_source=smoke&flag&utm_campaign=smoke%20test#top";

describe("a right service", () => {
  it("is called right, with the figures of every answer, and is left without the link", async () => {
    const { problems, lines, seconds, seen, isLeft } = await run();
    expect(problems).toEqual([]);
    expect({ seconds, isLeft }).toEqual({ seconds: 0, isLeft: false });
    expect(seen).toEqual([
      ...["health", "wrong key", "unknown", "invalid", "create", "find", "follow"],
      ...["stale version", "change", "follow changed", "delete", "read deleted", "follow deleted"],
    ]);
    expect(lines.find((line) => line.startsWith("create a link "))).toMatch(/ 201 {2}\d+ ms, d1 12 ms$/);
    expect(lines.find((line) => line.startsWith("follow it "))).toMatch(/ 302 {2}\d+ ms, X-Cache hit$/);
    expect(lines).toContain(
      "(The link 01JZ8Q4V6T3K9M2N5P7R8S0W1X, once deleted, its slug smoke-test and rows of the audit log stay.)",
    );
  });

  it("may be seen changed late, and says from where Cloudflare answers", async () => {
    let visits = 0;
    const fault: Fault = (step, right) => {
      const late = { ...right.headers, Location: OLD, "CF-Ray": "8a1b2c3d4e5f6789-ZRH" };
      return step === "follow changed" && ++visits < 20 ? { ...right, headers: late } : right;
    };
    const { problems, lines, seconds } = await run(fault);
    expect({ problems, seconds }).toEqual({ problems: [], seconds: 95 });
    expect(lines.filter((line) => / 302 .*, ZRH$/.test(line))).toHaveLength(19);
  });
});

describe("a wrong service is found out", () => {
  it.each<[string, Fault, RegExp]>([
    [
      "health of another release",
      jsonAt("health", (json) => ({ ...json, schema_version: "0000_other.sql" })),
      /^read the health: schema_version is "0000_other\.sql"\. Right would be: "\d{4}_/,
    ],
    [
      "another version",
      jsonAt("health", (json) => ({ ...json, version: "0.9.0" })),
      /^read the health: version is "0\.9\.0"\. Right would be: "\d+\./,
    ],
    [
      "a wrong key that is let in",
      at("wrong key", () => ({ status: 200, json: { links: [] } })),
      /^use a wrong key: the answer has the status 200\. Right would be: 401\./,
    ],
    [
      "a 422 without its field",
      jsonAt("invalid", ({ message }) => ({ message, errors: {} })),
      /^send an empty object: errors\.destination_url is missing\./,
    ],
    [
      "HTML in place of JSON",
      at("create", () => ({ status: 201, text: HTML })),
      /^create a link: the answer is no JSON\. It begins with "<!doctype html>/,
    ],
    [
      "a link without a field of the interface",
      jsonAt("create", ({ link: { tags: _, ...link }, ...rest }) => ({ ...rest, link })),
      /^create a link: link\.tags is missing\. Right would be: /,
    ],
    [
      "a redirect elsewhere",
      at("follow", withHeader("Location", "https://evil.example/")),
      /^follow it: the header Location is https:\/\/evil\.example\/\. Right would be: https:\/\/www\.example\.com\//,
    ],
    [
      "a write over another version",
      at("stale version", () => ({ status: 200, json: {} })),
      /^change another version: the answer has the status 200\. Right would be: 412\./,
    ],
    [
      "a change that visitors never see",
      at("follow changed", withHeader("Location", OLD)),
      /^follow it after the change: the header Location is .*smoke-1.* So it is after 300 s\.$/,
    ],
    [
      "a deletion that visitors never see",
      at("follow deleted", () => ({ status: 302, headers: { Location: OLD } })),
      /^follow it after its deletion: the answer has the status 302\. Right would be: 404\. .* So it is after 300 s\.$/,
    ],
  ])("%s", async (_, fault, words) => {
    const { problems, isLeft } = await run(fault);
    expect(
      problems.filter((problem) => words.test(problem)),
      problems.join("\n"),
    ).toHaveLength(1);
    expect(isLeft).toBe(false);
  });

  it("all waiting ends after six minutes", async () => {
    const fault: Fault = (step, right) => {
      if (step === "follow changed") return withHeader("Location", OLD)(right);
      return step === "follow deleted" ? { status: 302 } : right;
    };
    const { problems, seconds } = await run(fault);
    expect(seconds).toBe(360);
    expect(problems).toEqual([
      expect.stringMatching(/^follow it after the change: .* after 300 s\.$/),
      expect.stringMatching(/^follow it after its deletion: .* after 60 s\.$/),
    ]);
  });

  it("a key that is refused ends the command, which has nothing to delete", async () => {
    const { problems, seen } = await run(undefined, "lnk_revoked");
    expect(problems).toEqual([
      expect.stringMatching(/^read an unknown link: .* status 401\. Right would be: 404\. .*Unauthenticated/),
      expect.stringMatching(/^The service refuses the key: /),
    ]);
    expect(seen).toEqual(["health", "wrong key", "wrong key"]);
  });

  it("a key that only reads ends the command", async () => {
    const json = { message: "This API key is read-only." };
    const { problems, seen } = await run(at("invalid", () => ({ status: 403, json })));
    expect(problems).toEqual([
      expect.stringMatching(/^send an empty object: .* status 403\. Right would be: 422\. .*read-only/),
      expect.stringMatching(/^The key is read-only: give one with full access\./),
    ]);
    expect(seen.at(-1)).toBe("invalid");
  });

  it.each<[string, Reply]>([
    ["a page", { status: 404, text: HTML }],
    ["other JSON", { status: 200, json: { status: "UP" } }],
  ])("another service, whose health is %s, ends the command", async (_, reply) => {
    const { problems, seen } = await run(at("health", () => reply));
    expect(problems.at(-1)).toMatch(/^There is no Waymark service at this address: check --url\./);
    expect(seen).toEqual(["health"]);
  });
});

describe("a hostile service", () => {
  it("steers no terminal with its headers, names and values", async () => {
    // With another health the command would end at once.
    const { problems, lines } = await run((step, { status, headers, json }) => ({
      status,
      headers: { ...headers, "X-Cache": "\u009b2J", "Cache-Control": "\u009d0;title" },
      json: step === "health" ? json : { message: "\u009b31m", "\u001b[2J\u0007": 1, "\u202e": 2 },
    }));
    expect(problems.join()).toContain("Unrecognized key");
    expect([...lines, ...problems].join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it("is not read to the end of an endless answer", async () => {
    const { problems } = await run(at("health", () => ({ status: 200, text: "x".repeat(5_000_000) })));
    expect(problems).toEqual([
      expect.stringMatching(/^read the health: GET http.* has no answer \(it is too long to be one\)/),
    ]);
  });

  it("that names a short link of another host gets visits there without the key", async () => {
    const elsewhere = await startStandIn();
    const { problems } = await run(
      jsonAt("find", ({ links: [link] }) => ({ links: [{ ...link, short_url: `${elsewhere.base}/api/x` }] })),
    );
    elsewhere.close();
    // Below /api the stand-in tells a request with the key apart.
    expect(new Set(elsewhere.seen)).toEqual(new Set(["wrong key"]));
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe("a service that hangs", () => {
  it.each<[Step, string]>([
    ["health", "read the health"],
    ["create", "create a link"],
  ])("at the step %s is found out, and the link deleted all the same", async (step, name) => {
    let hangs = 0;
    const fault: Fault = (current, right) => (current === step && ++hangs === 1 ? "hang" : right);
    const { problems, isLeft, seen } = await run(fault, KEY, HANGING_MS);
    expect(problems).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${name}: \\w+ http.* has no answer \\(.*timeout\\)\\. What comes after it was left out\\.$`,
        ),
      ),
    ]);
    expect(isLeft).toBe(false);
    expect(seen.includes("delete")).toBe(step !== "health");
  });

  it("that cannot be deleted either is said so", async () => {
    const { problems, isLeft } = await run(at("delete", () => ({ status: 500, text: "" })));
    expect(problems.map((problem) => problem.split(":")[0])).toEqual(
      expect.arrayContaining(["delete it", "delete it all the same"]),
    );
    expect(isLeft).toBe(true);
  });

  it("that is not there is said so", async () => {
    const gone = await startStandIn();
    gone.close();
    const problems = await smoke({
      base: gone.base,
      key: KEY,
      slug: "smoke-test",
      timeoutMs: PATIENCE_MS,
      now: () => 0,
      sleep: async () => undefined,
      print: () => undefined,
    });
    expect(problems).toEqual([
      expect.stringMatching(/^read the health: GET http.* has no answer \(.*ECONNREFUSED/),
    ]);
  });
});
