import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/context";
import { bookChecks, checkDestinations } from "../../../src/operations/moderation/checks";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import type { Link } from "../../../src/resources/links/link-schema";
import { makeWorkspace, serviceContext, type TestWorkspace, testEnv, visit } from "../../harness";

const RESOLVER = "https://resolver.example/dns-query";
const CHECKED: Env = { ...testEnv, DESTINATION_DNS_CHECK: RESOLVER };
const WEEK = 7 * 24 * 60 * 60 * 1000;

const ANSWERS = {
  ok: () => Response.json({ Status: 0, Answer: [{ type: 1, data: "192.0.2.1" }] }),
  blocked: () =>
    Response.json({ Status: 0, Answer: [{ type: 1, data: "0.0.0.0" }], Comment: ["EDE(16): Censored"] }),
  broken: () => new Response("no", { status: 500 }),
};

/** The resolver's result for each host, and the requested hosts. */
function resolver(says: (host: string) => Response) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: URL, init: RequestInit) => {
    const url = new URL(input);
    expect(url.origin + url.pathname).toBe(RESOLVER);
    expect(new Headers(init.headers).get("accept")).toBe("application/dns-json");
    const host = url.searchParams.get("name") ?? "";
    asked.push(host);
    return says(host);
  });
  return asked;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const stored = (id: string) =>
  env.DB.prepare("select host_check, check_at, taken_down_by from links where public_id = ?")
    .bind(id)
    .first<{ host_check: string; check_at: number | null; taken_down_by: string | null }>();

let hosts = 0;
const freshHost = () => `h${++hosts}-${crypto.randomUUID().slice(0, 8)}.example`;

/** A link to a host that the resolver was asked about. */
const made = async (ws: TestWorkspace, host: string, path = "/"): Promise<Link> => {
  const body = { destination_url: `https://${host}${path}` };
  return (await ws.call("POST", "/api/v1/links", { body, env: CHECKED })).body.link;
};

describe("the lookup of a destination", () => {
  it.each([
    ["ok", "ok"],
    ["broken", "unknown"],
  ] as const)("that answers %s accepts the link, and stores the result", async (answer, hostCheck) => {
    const asked = resolver(ANSWERS[answer]);
    const ws = await makeWorkspace();
    const host = freshHost();
    const link = await made(ws, host);
    expect(asked).toEqual([host]);
    expect(await stored(link.id)).toMatchObject({ host_check: hostCheck, check_at: expect.any(Number) });
  });

  it("that reports a bad host refuses a new or updated link", async () => {
    const bad = freshHost();
    resolver((host) => (host === bad ? ANSWERS.blocked() : ANSWERS.ok()));
    const ws = await makeWorkspace();
    const link = await ws.link();
    const body = { destination_url: `https://${bad}/` };
    const message = "The destination url field leads to a host that is known to spread malware.";
    for (const [method, path] of [
      ["POST", "/api/v1/links"],
      ["PATCH", `/api/v1/links/${link.id}`],
    ] as const) {
      const answer = await ws.call(method, path, { body, env: CHECKED });
      expect([answer.status, answer.body]).toEqual([
        422,
        { message, errors: { destination_url: [message] } },
      ]);
    }
  });

  it("is not made if it is switched off or the destination stays", async () => {
    const asked = resolver(ANSWERS.blocked);
    const ws = await makeWorkspace();
    const link = await ws.link();
    expect(
      (await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { title: "x" }, env: CHECKED })).status,
    ).toBe(200);
    expect(asked).toEqual([]);
    expect(await stored(link.id)).toEqual({ host_check: "unknown", check_at: null, taken_down_by: null });
  });
});

describe("a destination that becomes bad", () => {
  it("takes its links down at its weekly check, and a new destination restores one", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const host = freshHost();
    let isBad = false;
    const asked = resolver((name) => (isBad && name === host ? ANSWERS.blocked() : ANSWERS.ok()));
    const ws = await makeWorkspace();
    const [first, second] = [await made(ws, host, "/1"), await made(ws, host, "/2")];
    expect((await visit(`/${first.slug}`)).status).toBe(302);
    isBad = true;
    const ctx = serviceContext(CHECKED);
    asked.length = 0;
    await checkDestinations(ctx);
    expect(asked).not.toContain(host);

    vi.setSystemTime(Date.now() + WEEK);
    await checkDestinations(ctx);
    expect(asked.filter((name) => name === host)).toHaveLength(1);
    for (const { id, slug } of [first, second]) {
      expect(await stored(id)).toMatchObject({ host_check: "blocked", taken_down_by: "check" });
      const page = await visit(`/${slug}`);
      expect(page.status).toBe(404);
      const text = await page.text();
      expect(text).toContain("taken down");
      expect(text).toContain("abuse@s.example");
      expect((await ws.call("GET", `/api/v1/links/${id}`)).status).toBe(200);
    }
    expect((await endTakedown(ctx, first.id)).taken_down_at).toBeNull();
    expect((await visit(`/${first.slug}`)).status).toBe(302);
    vi.setSystemTime(Date.now() + WEEK);
    await checkDestinations(ctx);
    expect((await visit(`/${first.slug}`)).status).toBe(302);

    const moved = await ws.call("PATCH", `/api/v1/links/${second.id}`, {
      body: { destination_url: "https://good.example/" },
      env: CHECKED,
    });
    expect(moved.status).toBe(200);
    expect((await visit(`/${second.slug}`)).headers.get("location")).toBe("https://good.example/");
  });

  it("is found for links created before checks were switched on, and unknown ones are checked within an hour", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const host = freshHost();
    const ws = await makeWorkspace();
    const link = await ws.link({ destination_url: `https://${host}/` });
    const ctx = serviceContext(CHECKED);
    await bookChecks(ctx);
    const asked = resolver(() => ANSWERS.broken());
    await checkDestinations(ctx);
    for (let run = 0; run < 20 && !asked.includes(host); run++) await checkDestinations(ctx);
    expect(asked).toContain(host);
    expect(await stored(link.id)).toMatchObject({
      host_check: "unknown",
      check_at: Date.now() + 60 * 60 * 1000,
    });
  });
});

describe("a check", () => {
  it("keeps the operator's takedowns, and takes down other links of the host", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const [ws, host] = [await makeWorkspace(), freshHost()];
    let isBad = false;
    resolver((name) => (isBad && name === host ? ANSWERS.blocked() : ANSWERS.ok()));
    const [first, second] = [await made(ws, host), await made(ws, host)];
    const ctx = serviceContext(CHECKED);
    await takeDown(ctx, second.id);
    isBad = true;
    vi.setSystemTime(Date.now() + WEEK);
    await bookChecks(ctx);
    await checkDestinations(ctx);
    expect((await stored(first.id))?.taken_down_by).toBe("check");
    expect((await stored(second.id))?.taken_down_by).toBe("operator");
  });

  it("takes down no link whose destination changed before the check finished", async () => {
    const [ws, host] = [await makeWorkspace(), freshHost()];
    resolver(ANSWERS.ok);
    const link = await made(ws, host);
    await ws.call("PATCH", `/api/v1/links/${link.id}`, {
      body: { destination_url: "https://good.example/" },
    });
    await expect(takeDown(serviceContext(CHECKED), link.id, host)).rejects.toThrow("led elsewhere");
    expect((await visit(`/${link.slug}`)).status).toBe(302);
  });

  it("is not undone by sending the same destination again while the resolver does not answer", async () => {
    const [ws, host] = [await makeWorkspace(), freshHost()];
    resolver(ANSWERS.ok);
    const link = await made(ws, host);
    await takeDown(serviceContext(CHECKED), link.id, host);
    vi.unstubAllGlobals();
    resolver(ANSWERS.broken);
    const body = { destination_url: link.destination_url, title: "Again" };
    expect((await ws.call("PATCH", `/api/v1/links/${link.id}`, { body, env: CHECKED })).status).toBe(200);
    expect(await stored(link.id)).toMatchObject({
      host_check: "blocked",
      check_at: null,
      taken_down_by: "check",
    });
    expect((await visit(`/${link.slug}`)).status).toBe(404);
  });
});

it("the operator takes a link down and restores it, at once in the same instance, and both are in the audit log", async () => {
  const ws = await makeWorkspace();
  const link = await ws.link();
  expect((await visit(`/${link.slug}`)).status).toBe(302);
  const ctx = serviceContext();
  expect(await takeDown(ctx, link.id.toLowerCase())).toEqual({
    id: link.id,
    slug: link.slug,
    destination_url: link.destination_url,
    host_check: "unknown",
    taken_down_at: expect.stringMatching(/Z$/),
    taken_down_by: "operator",
  });
  expect((await visit(`/${link.slug}`)).status).toBe(404);
  await expect(takeDown(ctx, link.id)).rejects.toThrow("is taken down already");
  const edited = await ws.call("PATCH", `/api/v1/links/${link.id}`, {
    body: { destination_url: "https://other.example/" },
  });
  expect(edited.status).toBe(200);
  expect((await visit(`/${link.slug}`)).status).toBe(404);
  await endTakedown(ctx, link.slug.toUpperCase());
  expect((await visit(`/${link.slug}`)).headers.get("location")).toBe("https://other.example/");
  await expect(endTakedown(ctx, link.id)).rejects.toThrow("is not taken down");
  await expect(takeDown(ctx, "01J00000000000000000000000")).rejects.toThrow("Link not found.");
  const { results } = await env.DB.prepare("select action from audit_log where subject = ? order by id")
    .bind(link.id)
    .all();
  expect(results.map(({ action }) => action)).toEqual([
    "link.create",
    "link.takedown",
    "link.update",
    "link.restore",
  ]);
});
