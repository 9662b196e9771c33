import { describe, expect, it } from "vitest";
import { addMember } from "../../src/workspaces/members";
import { createSignInLink } from "../../src/workspaces/sessions";
import { makeWorkspace } from "../harness";
import { makeMember, openBrowser } from "./browser";

describe("a sign-in link", () => {
  it("begins a session, once", async () => {
    const workspace = await makeWorkspace();
    await addMember(workspace.ctx, { email: "ada@people.example", role: "owner" });
    const { token } = await createSignInLink(workspace.ctx, "ada@people.example");
    const browser = openBrowser();
    const first = await browser.get(`/app/sign-in?token=${token}`);
    expect([first.status, first.location]).toEqual([303, "/app"]);
    expect(first.headers.get("set-cookie")).toMatch(
      /^__Host-session=ses_[0-9a-f]{64}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const home = await browser.get("/app");
    expect([home.status, home.location]).toEqual([303, `/app/${workspace.slug}/links`]);

    const again = await openBrowser().get(`/app/sign-in?token=${token}`);
    expect(again.status).toBe(403);
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  it("is not used up by what only looks ahead", async () => {
    const workspace = await makeWorkspace();
    await addMember(workspace.ctx, { email: "bob@people.example", role: "viewer" });
    const { token } = await createSignInLink(workspace.ctx, "bob@people.example");
    const browser = openBrowser();
    await browser.head(`/app/sign-in?token=${token}`);
    await browser.get(`/app/sign-in?token=${token}`, { headers: { "sec-purpose": "prefetch" } });
    expect((await browser.get(`/app/sign-in?token=${token}`)).status).toBe(303);
  });
});

describe("a session", () => {
  it("ends when its member signs out", async () => {
    const { workspace, browser } = await makeMember();
    const kept = new Map(browser.cookies);
    const out = await browser.post("/app/sign-out");
    expect([out.status, out.location]).toEqual([303, "/app/sign-in"]);
    expect(browser.cookies.has("__Host-session")).toBe(false);
    const thief = openBrowser();
    for (const [name, value] of kept) thief.cookies.set(name, value);
    const page = await thief.get(`/app/${workspace.slug}/links`);
    expect([page.status, page.location]).toEqual([303, "/app/sign-in"]);
  });
});

describe("a form", () => {
  it("is refused where it comes from another site", async () => {
    const { browser } = await makeMember();
    const answer = await browser.post(
      "/app/sign-out",
      {},
      { headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } },
    );
    expect(answer.status).toBe(403);
    expect((await browser.get("/app")).location).not.toBe("/app/sign-in");
  });
});
