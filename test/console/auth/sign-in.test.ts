import { describe, expect, it } from "vitest";
import type { Role } from "../../../src/access/member-repository";
import { addMember } from "../../../src/access/members";
import { createSignInLink, signOutEverywhere } from "../../../src/access/sessions";
import { makeWorkspace, type TestWorkspace, testEnv } from "../../harness";
import { type Browser, makeMember, openBrowser, useSignInLink } from "../browser";

/** The link of a new member of a new workspace. */
async function makeLink(role: Role = "owner") {
  const workspace = await makeWorkspace();
  const email = `${workspace.slug}@people.example`;
  await addMember(workspace.ctx, { email, role });
  return { workspace, email, ...(await createSignInLink(workspace.ctx, email)) };
}

describe("a sign-in link", () => {
  it("names the address on its page, and only the button uses it", async () => {
    const { email, token } = await makeLink("viewer");
    const path = `/app/sign-in?token=${token}`;
    const scanner = openBrowser();
    for (const headers of [
      {},
      { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
      { "sec-fetch-site": "cross-site" },
      { "sec-purpose": "prefetch" },
      { "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" },
    ]) {
      const page = await scanner.get(path, { headers });
      expect([page.status, page.headers.get("set-cookie")]).toEqual([200, null]);
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.text).toContain(`<strong><bdi>${email}</bdi></strong>`);
      expect(page.text.match(/<button/g)).toHaveLength(1);
      expect(page.text).toMatch(
        new RegExp(
          `<form method="post" action="/app/sign-in"[^>]*>.*<input type="hidden" name="token" value="${token}"`,
        ),
      );
    }
    const head = await scanner.head(path);
    expect([head.status, head.headers.get("set-cookie"), head.text]).toEqual([200, null, ""]);

    const answer = await openBrowser().post("/app/sign-in", { token });
    expect([answer.status, answer.location]).toEqual([303, "/app"]);
    for (const used of [await openBrowser().get(path), await openBrowser().post("/app/sign-in", { token })]) {
      expect([used.status, used.headers.get("set-cookie")]).toEqual([403, null]);
      expect(used.text).not.toContain(email);
    }
  });

  it("warns in a browser in which another person is signed in", async () => {
    const { workspace, browser } = await makeMember();
    const email = `${workspace.slug}-guest@people.example`;
    await addMember(workspace.ctx, { email, role: "viewer" });
    const { token } = await createSignInLink(workspace.ctx, email);
    const own = await createSignInLink(workspace.ctx, browser.email);
    const page = async (from: Browser, link: string) => (await from.get(`/app/sign-in?token=${link}`)).text;
    expect(await page(browser, token)).toContain(`you are signed in as <bdi>${browser.email}</bdi>`);
    expect(await page(browser, own.token)).not.toContain("you are signed in as");
    expect(await page(openBrowser(), token)).not.toContain("you are signed in as");
    expect((await browser.get(`/app/${workspace.slug}/members`)).status).toBe(200);
  });

  it("is not used by a form of another site", async () => {
    const { token } = await makeLink();
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await openBrowser().post("/app/sign-in", { token }, { headers })).status).toBe(403);
    expect((await useSignInLink(openBrowser(), token)).status).toBe(303);
  });

  it("is used once if its button is pressed several times at once", async () => {
    const { token } = await makeLink();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => openBrowser().post("/app/sign-in", { token })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 403, 403, 403, 403]);
  });

  it("ends the previous session", async () => {
    const { workspace, browser } = await makeMember();
    const before = new Map(browser.cookies);
    await addMember(workspace.ctx, { email: `${workspace.slug}@people.example`, role: "viewer" });
    const { token } = await createSignInLink(workspace.ctx, `${workspace.slug}@people.example`);
    await useSignInLink(browser, token);
    const old = openBrowser();
    for (const [name, value] of before) old.cookies.set(name, value);
    expect((await old.get("/app")).location).toBe("/app/sign-in");
  });

  it("is invalid once the person is signed out everywhere", async () => {
    const { workspace, email, token } = await makeLink();
    await signOutEverywhere(workspace.ctx, email);
    expect((await useSignInLink(openBrowser(), token)).status).toBe(403);
  });
});

it("an invalid token is counted for the IP address, and refused above the limit", async () => {
  const asked: unknown[] = [];
  const limited = {
    ...testEnv,
    AUTH_FAILURE_RATE: {
      limit: async (input: unknown) => {
        asked.push(input);
        return { success: false };
      },
    },
  };
  const browser = openBrowser(limited);
  const headers = { "cf-connecting-ip": "192.0.2.7" };
  expect((await browser.get("/app", { headers })).status).toBe(303);
  expect((await browser.get(`/app/sign-in?token=sgn_${"0".repeat(64)}`, { headers })).status).toBe(429);
  browser.cookies.set("__Host-session", `ses_${"0".repeat(64)}`);
  expect((await browser.get("/app", { headers })).status).toBe(429);
  // The second is refused from memory.
  expect(asked).toEqual([{ key: "waymark:192.0.2.7" }]);
});

it("a session ends when its member signs out", async () => {
  const { workspace, browser } = await makeMember();
  const kept = new Map(browser.cookies);
  const out = await browser.post("/app/sign-out");
  expect([out.status, out.location]).toEqual([303, "/app/sign-in"]);
  expect(browser.cookies.has("__Host-session")).toBe(false);
  expect((await browser.get("/app/sign-in")).text).toContain("You are signed out.");
  expect((await browser.get("/app/sign-in")).text).not.toContain("You are signed out.");
  const address = await browser.get("/app/sign-out");
  expect([address.status, address.location]).toEqual([303, "/app"]);
  const thief = openBrowser();
  for (const [name, value] of kept) thief.cookies.set(name, value);
  const page = await thief.get(`/app/${workspace.slug}/links`);
  expect([page.status, page.location]).toEqual([
    303,
    `/app/sign-in?to=${encodeURIComponent(`/app/${workspace.slug}/links`)}`,
  ]);
});

describe("the return URL", () => {
  /** Signs in a new member of a workspace. Returns the redirect. */
  async function entered(browser: Browser, workspace: TestWorkspace): Promise<string | null> {
    const email = `${crypto.randomUUID()}@people.example`;
    await addMember(workspace.ctx, { email, role: "owner" });
    const { token } = await createSignInLink(workspace.ctx, email);
    const { location } = await useSignInLink(browser, token);
    expect(browser.cookies.has("__Host-return-url")).toBe(false);
    return location;
  }

  it("is opened by the sign-in link, with its query, and not by the next one", async () => {
    const [workspace, browser] = [await makeWorkspace(), openBrowser()];
    const wanted = `/app/${workspace.slug}/links?q=caf%C3%A9&tag=a&tag=b`;
    const door = await browser.get(wanted);
    expect((await browser.get(door.location ?? "")).status).toBe(200);
    expect(await entered(browser, workspace)).toBe(wanted);
    expect(await entered(browser, workspace)).toBe("/app");
  });

  it.each([
    "//evil.example/app/",
    "/\\evil.example/app/",
    "/app/../api/v1/links",
    "/app/%2e%2e/%2e%2e//evil.example/",
    "/app/sign-in",
    "/app/sign%2Din?token=x",
    "/app/x/../sign-in?token=x",
    `/app/x/links?q=${"x".repeat(4_000)}`,
    `/app/x/links?q=${"%20".repeat(1_000)}`,
  ])("is not %s", async (to) => {
    const browser = openBrowser();
    await browser.get(`/app/sign-in?to=${encodeURIComponent(to)}`);
    expect(await entered(browser, await makeWorkspace())).toBe("/app");
    browser.cookies.set("__Host-return-url", encodeURIComponent(to));
    expect(await entered(browser, await makeWorkspace())).toBe("/app");
  });
});

describe("a form", () => {
  it("of more than 64 KiB is refused before it is read to its end", async () => {
    const { workspace, browser } = await makeMember();
    const answer = await browser.post(`/app/${workspace.slug}/tags`, { name: "x".repeat(70_000) });
    expect(answer.status).toBe(413);
  });

  it("that is no form is refused with a message", async () => {
    const { workspace, browser } = await makeMember();
    const answer = await browser.post(
      `/app/${workspace.slug}/tags`,
      {},
      { body: '{"name":"x"}', headers: { "content-type": "application/json" } },
    );
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("The body must be sent as a form.");
  });
});
