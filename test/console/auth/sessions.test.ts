import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addMember, removeMember } from "../../../src/access/members";
import { createSignInLink, SESSION_SECONDS, signOutEverywhere } from "../../../src/access/sessions";
import { sha256Hex } from "../../../src/lib/hash";
import { runSchedule } from "../../../src/operations/schedule";
import { resumeWorkspace, suspendWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { OVERLOADED, withCommit, withoutD1 } from "../../faulty";
import { makeWorkspace, serviceContext, testEnv } from "../../harness";
import { type Browser, makeMember, openBrowser, signInAgain, signInAs } from "../browser";
import { later } from "../clock";
import { withoutUpdates } from "../failing";
import { hiddenIn } from "../form-fields";

afterEach(() => vi.restoreAllMocks());

const members = ({ slug }: { slug: string }): string => `/app/${slug}/members`;
const isSignedOut = ({ status, location }: Awaited<ReturnType<Browser["get"]>>): boolean =>
  status === 303 && location?.split("?")[0] === "/app/sign-in";

const rows = async (table: "sessions" | "sign_in_links", email: string) =>
  (await env.DB.prepare(`select * from ${table} where email = ?`).bind(email).all()).results;

describe("a session", () => {
  it("is stored only as a hash, and so is a sign-in link", async () => {
    const { browser, workspace } = await makeMember();
    const session = browser.cookies.get("__Host-session") ?? "";
    expect(await rows("sessions", browser.email)).toEqual([
      {
        hash: await sha256Hex(session),
        email: browser.email,
        created_at: expect.any(Number),
        expires_at: expect.any(Number),
        public_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        last_used_at: expect.any(Number),
        device: null,
        country: null,
        workspaces: null,
        closed: "",
      },
    ]);
    const { token } = await createSignInLink(workspace.ctx, browser.email);
    expect(await rows("sign_in_links", browser.email)).toMatchObject([{ hash: await sha256Hex(token) }]);
  });

  it("is not opened by its stored hash", async () => {
    const { browser, workspace } = await makeMember();
    const hash = await sha256Hex(browser.cookies.get("__Host-session") ?? "");
    for (const value of [hash, `ses_${hash}`, "ses_", `SES_${hash}`, "' or 1=1 --"]) {
      const thief = openBrowser();
      thief.cookies.set("__Host-session", value);
      expect(isSignedOut(await thief.get(members(workspace)))).toBe(true);
    }
  });

  it("lasts 30 days since its last use", async () => {
    const { browser, workspace } = await makeMember();
    expect(SESSION_SECONDS).toBe(2_592_000);
    const day = 24 * 60 * 60 * 1000;
    const start = Date.now();
    const at = (time: number) => vi.spyOn(Date, "now").mockImplementation(() => start + time);
    for (const use of [29 * day, 58 * day, 87 * day]) {
      at(use);
      expect((await browser.get(members(workspace))).status).toBe(200);
    }
    at(117 * day - 60_000);
    expect((await browser.get(members(workspace), {}, withoutUpdates())).status).toBe(200);
    at(117 * day);
    expect(isSignedOut(await browser.get(members(workspace)))).toBe(true);
    expect((await browser.post(`/app/${workspace.slug}/workspace`, { name: "Late" })).status).toBe(401);
  });

  it("that has ended loses nothing that was typed: the form is shown as text and can be sent again", async () => {
    const { browser, workspace } = await makeMember();
    const path = `/app/${workspace.slug}/tags`;
    const typed = { name: "<b>Été</b>", colour: "#15803d", description: '"quoted"' };
    later(SESSION_SECONDS * 1000);
    const page = await browser.post(path, typed);
    expect(page.status).toBe(401);
    expect(page.text).toContain("<dt>Name</dt><dd><bdi>&lt;b&gt;Été&lt;/b&gt;</bdi></dd>");
    expect(page.text).toContain(`<form class="stack card" method="post" action="${path}"`);
    expect(page.text).toContain('<a href="/app" target="_blank" rel="noopener">Sign in in another tab</a>');
    const [, form = ""] = /(<form class="stack card".*?<\/form>)/s.exec(page.text) ?? [];
    const [name, colour, description] = Object.values(typed).map((value) => [value]);
    expect(hiddenIn(form)).toEqual({ name, colour, description });
    expect((await (await signInAgain(browser.email)).post(path, typed)).status).toBe(303);
  });

  it("that cannot be read, or a change that cannot be written, keeps what was typed", async () => {
    const { browser, workspace } = await makeMember();
    const path = `/app/${workspace.slug}/links/new`;
    const typed = { destination_url: "https://www.example.com/", title: "Typed <i>for long</i>" };
    const busy = withCommit(() => () => Promise.reject(new Error(OVERLOADED)));
    for (const env of [withoutD1(), busy]) {
      const page = await browser.post(path, typed, {}, env);
      expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(page.text).toContain("Typed &lt;i&gt;for long&lt;/i&gt;");
      expect(page.text).toContain("Send it again");
      expect(page.text).not.toContain("Sign in in another tab");
    }
    expect((await browser.post(path, typed)).status).toBe(303);

    const stranger = openBrowser();
    stranger.cookies.set("__Host-session", `ses_${"0".repeat(64)}`);
    const limited = { ...testEnv, AUTH_FAILURE_RATE: { limit: async () => ({ success: false }) } };
    const headers = { "CF-Connecting-IP": "192.0.2.7" };
    const page = await stranger.post(path, typed, { headers }, limited);
    expect(page.status).toBe(429);
    expect(page.text).toContain("Typed &lt;i&gt;for long&lt;/i&gt;");
  });

  it("does not start by resending a token, and another site's form is not shown again", async () => {
    const { browser, workspace } = await makeMember();
    const token = "tok_secret";
    const door = await browser.post("/app/sign-in", { token }, {}, withoutD1());
    expect(door.text).not.toContain(token);
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const foreign = await openBrowser().post(`/app/${workspace.slug}/tags`, { name: "Evil" }, { headers });
    expect(foreign.status).toBe(403);
    expect(foreign.text).not.toContain("Evil");
  });

  it("ends with all other sessions of the person when the operator signs them out", async () => {
    const { browser, workspace } = await makeMember();
    const other = await signInAs(workspace, "viewer");
    const second = await signInAgain(browser.email);
    expect((await second.get(members(workspace))).status).toBe(200);
    await signOutEverywhere(serviceContext(), browser.email);
    for (const one of [browser, second]) expect(isSignedOut(await one.get(members(workspace)))).toBe(true);
    expect((await other.get(members(workspace))).status).toBe(200);
  });

  it("that started before a removal does not open the workspace when the person is added again", async () => {
    const [{ browser, workspace }, other] = [await makeMember("editor"), await makeWorkspace()];
    const again = { email: browser.email, role: "editor" } as const;
    await addMember(other.ctx, again);
    const idle = await signInAgain(browser.email);
    await removeMember(workspace.ctx, browser.email);
    await addMember(workspace.ctx, again);

    for (const old of [browser, idle]) {
      const page = await old.get(members(workspace));
      expect(page.status).toBe(404);
      expect(page.text).toContain("Workspace not found. You have been removed and added again");
      expect(page.text).not.toContain(workspace.ctx.workspace.name);
      expect((await old.post(`/app/${workspace.slug}/workspace`, { name: "Mine" })).status).toBe(404);
      expect((await old.get(members(other))).status).toBe(200);
      expect((await old.get("/app")).location).toBe(`/app/${other.slug}`);
    }
    await removeMember(other.ctx, browser.email);
    const home = await browser.get("/app");
    expect(home.text).toContain("sign out, and sign in again");
    expect(home.text).not.toContain("Nobody has added");

    expect((await (await signInAgain(browser.email)).get(members(workspace))).status).toBe(200);
    expect((await browser.get(members(workspace))).status).toBe(404);

    await removeMember(workspace.ctx, browser.email);
    const left = await browser.get(members(workspace));
    expect([left.status, left.text.includes("sign in again")]).toEqual([404, false]);
  });

  it("is ordered against a removal by the database, not by clocks", async () => {
    const { browser, workspace } = await makeMember();
    const again = { email: browser.email, role: "owner" } as const;
    await addMember(workspace.ctx, { email: "stays@people.example", role: "owner" });
    const { now } = Date;
    const moment = now();
    for (const drift of [0, -5_000, 5_000]) {
      const before = await signInAgain(browser.email);
      vi.spyOn(Date, "now").mockImplementation(() => moment + drift);
      await removeMember({ ...workspace.ctx, now: () => moment + drift }, browser.email);
      await addMember(workspace.ctx, again);
      vi.spyOn(Date, "now").mockImplementation(() => moment);
      const after = await signInAgain(browser.email);
      expect([drift, (await before.get(members(workspace))).status]).toEqual([drift, 404]);
      expect([drift, (await after.get(members(workspace))).status]).toEqual([drift, 200]);
    }
  });

  it("opens no suspended workspace, and still opens the others", async () => {
    const [{ browser, workspace }, other] = [await makeMember(), await makeWorkspace()];
    await addMember(other.ctx, { email: browser.email, role: "viewer" });
    await suspendWorkspace(serviceContext(), workspace.slug);
    expect((await browser.get(members(workspace))).status).toBe(404);
    expect((await browser.post(`/app/${workspace.slug}/workspace`, { name: "Mine" })).status).toBe(404);
    expect((await browser.get(members(other))).status).toBe(200);
    expect((await browser.get("/app")).location).toBe(`/app/${other.slug}`);
    await removeMember(other.ctx, browser.email);
    const home = await browser.get("/app");
    expect(home.text).toContain(`“\u2068${workspace.ctx.workspace.name}\u2069” is suspended.`);
    expect(home.text).not.toContain("Nobody has added");
    await resumeWorkspace(serviceContext(), workspace.slug);
    expect((await browser.get(members(workspace))).status).toBe(200);
  });

  it("that has expired is deleted within a minute, and so is an expired link", async () => {
    const { browser, workspace } = await makeMember();
    await createSignInLink(workspace.ctx, browser.email);
    await runSchedule("* * * * *", testEnv);
    const counts = async () => [
      (await rows("sessions", browser.email)).length,
      (await rows("sign_in_links", browser.email)).length,
    ];
    expect(await counts()).toEqual([1, 1]);
    later((SESSION_SECONDS + 1) * 1000);
    await runSchedule("* * * * *", testEnv);
    expect(await counts()).toEqual([0, 0]);
  });
});
