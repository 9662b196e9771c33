import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createSignInLink, SESSION_MS } from "../../../src/access/sessions";
import { MAX_SESSIONS } from "../../../src/access/sign-in";
import { suspendWorkspace, updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { API, counted, otherInstance, send, serviceContext, testEnv } from "../../harness";
import { runSql, selectRows } from "../../sql";
import { type Browser, makeMember, openBrowser, signInAgain, signInAs, useSignInLink } from "../browser";
import { later } from "../clock";
import { watched } from "../depth";
import { withoutUpdates } from "../failing";

afterEach(() => vi.restoreAllMocks());

const HOUR = 60 * 60 * 1000;
const SESSIONS = "/app/account/sessions";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";
const CHROME = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36";

interface Row {
  public_id: string;
  last_used_at: number;
  expires_at: number;
  device: string | null;
  country: string | null;
}

const rowsOf = (email: string) => selectRows<Row>`select * from sessions where email = ${email}
  order by created_at`;

const isSignedIn = async (browser: Browser) => (await browser.get(SESSIONS)).status === 200;

/** The addresses of the buttons that end a session. */
const endings = (text: string): string[] =>
  [...text.matchAll(/action="(\/app\/account\/sessions\/[^/"]+\/end)"/g)].map(([, path = ""]) => path);

describe("the list of a person's sessions", () => {
  it("shows device, last use and which one this is, and leads there from every page", async () => {
    const { browser, workspace } = await makeMember("viewer");
    await signInAgain(browser.email, { "user-agent": FIREFOX });
    const other = await signInAs(workspace, "owner");
    const page = await browser.get(SESSIONS);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Firefox on Linux");
    expect(page.text).toContain("Unknown device");
    expect(page.text.match(/This one/g)).toHaveLength(1);
    expect(page.text.match(/less than an hour ago/g)).toHaveLength(2);
    expect(endings(page.text)).toHaveLength(1);
    expect(page.text).not.toContain(other.email);
    expect((await browser.get(`/app/${workspace.slug}/members`)).text).toContain(`href="${SESSIONS}"`);
  });

  it("says times in the zone of the first workspace that the person opens", async () => {
    const { browser, workspace } = await makeMember();
    const times = async () => [
      ...(await browser.get(SESSIONS)).text.matchAll(/\d\d:\d\d ([A-Z][A-Za-z ]*)/g),
    ];
    expect((await times()).map(([, zone]) => zone)).toEqual(["UTC"]);
    await updateWorkspace(workspace.ctx, { time_zone: "Asia/Kolkata" });
    expect((await times()).map(([, zone]) => zone)).toEqual(["Kolkata time"]);
    await suspendWorkspace(serviceContext(), workspace.slug);
    expect((await times()).map(([, zone]) => zone)).toEqual(["UTC"]);
  });

  it("shows the country that Cloudflare tells", async () => {
    const { browser } = await makeMember();
    const cookie = `__Host-session=${browser.cookies.get("__Host-session")}`;
    later(HOUR);
    const request = new Request(API + SESSIONS, { headers: { cookie, "user-agent": CHROME } });
    await send(Object.defineProperty(request, "cf", { value: { country: "CH" } }), testEnv);
    expect(await rowsOf(browser.email)).toMatchObject([{ country: "CH", device: "Chrome on Android" }]);
    const { text } = await browser.get(SESSIONS);
    expect([text.includes("Switzerland"), text.includes("Chrome on Android")]).toEqual([true, true]);
  });

  it("is open to a person without a workspace", async () => {
    const { browser, workspace } = await makeMember();
    await runSql`delete from members where workspace_id = ${workspace}`;
    expect((await browser.get(SESSIONS)).status).toBe(200);
  });

  it("is not a page of a workspace with the slug of its address", async () => {
    const { browser, workspace } = await makeMember();
    const { id, rowId } = workspace.ctx.workspace;
    await runSql`update workspaces set slug = 'account' where id = ${rowId}`;
    expect((await browser.get("/app/account/members")).status).toBe(200);
    expect((await browser.get(SESSIONS)).text).toContain("Your sessions");
    await runSql`update workspaces set slug = ${id.toLowerCase()} where id = ${rowId}`;
  });

  it("takes two calls of D1", async () => {
    const { browser } = await makeMember();
    const { env: environment, depth } = watched(otherInstance());
    await browser.get(SESSIONS, {}, environment);
    expect(depth()).toBe(2);
    const { env: counting, trips } = counted();
    await browser.post(`${SESSIONS}/end-others`, {}, {}, counting);
    expect(trips.d1).toBe(3);
  });
});

describe("a session", () => {
  it("is ended by its person, with effect from its next request", async () => {
    const { browser } = await makeMember();
    const other = await signInAgain(browser.email, { "user-agent": FIREFOX });
    const [path = ""] = endings((await browser.get(SESSIONS)).text);
    const answer = await browser.post(path);
    expect([answer.status, answer.location]).toEqual([303, SESSIONS]);
    expect((await browser.get(SESSIONS)).text).toContain("Firefox on Linux: the session has ended.");
    expect([await isSignedIn(other), await isSignedIn(browser)]).toEqual([false, true]);
    expect((await browser.post(path)).status).toBe(404);
    expect((await browser.get(path)).location).toBe(SESSIONS);
    const audit = await selectRows`select actor, change from audit_log
      where action = 'member.end_session' and subject = ${browser.email}`;
    expect(audit).toEqual([{ actor: `member:${browser.email}`, change: '{"sessions":1}' }]);
  });

  it("of another person is not found, whatever their role", async () => {
    const { browser, workspace } = await makeMember("owner");
    const victim = await signInAs(workspace, "viewer");
    const [row] = await rowsOf(victim.email);
    const answer = await browser.post(`${SESSIONS}/${row?.public_id}/end`);
    expect([answer.status, answer.text.includes("Session not found.")]).toEqual([404, true]);
    await browser.post(`${SESSIONS}/end-others`);
    expect(await isSignedIn(victim)).toBe(true);
  });

  it("that ends itself signs out", async () => {
    const { browser } = await makeMember();
    const [row] = await rowsOf(browser.email);
    const answer = await browser.post(`${SESSIONS}/${row?.public_id}/end`);
    expect([answer.status, answer.location]).toEqual([303, "/app/sign-in"]);
    expect(browser.cookies.has("__Host-session")).toBe(false);
    expect(await rowsOf(browser.email)).toEqual([]);
  });

  it("can end all others at once, with the sign-in links that nobody has used", async () => {
    const { browser, workspace } = await makeMember();
    const others = [await signInAgain(browser.email), await signInAgain(browser.email)];
    const colleague = await signInAs(workspace, "editor");
    const { token } = await createSignInLink(serviceContext(), browser.email);
    expect((await browser.get(SESSIONS)).text).toContain(
      "Passkeys stay, also those that these sessions added",
    );
    expect((await browser.post(`${SESSIONS}/end-others`)).location).toBe(SESSIONS);
    expect((await browser.get(SESSIONS)).text).toContain("2 sessions ended.");
    for (const other of others) expect(await isSignedIn(other)).toBe(false);
    expect((await useSignInLink(openBrowser(), token)).status).toBe(403);
    expect([await isSignedIn(browser), await isSignedIn(colleague)]).toEqual([true, true]);
  });

  it("is extended with its cookie at most hourly, behind the response", async () => {
    const { browser, workspace } = await makeMember();
    const path = `/app/${workspace.slug}/members`;
    const start = Date.now();
    const [before] = await rowsOf(browser.email);
    const within = await browser.get(path);
    expect([within.status, within.headers.get("set-cookie")]).toEqual([200, null]);
    expect(await rowsOf(browser.email)).toEqual([before]);

    vi.spyOn(Date, "now").mockImplementation(() => start + 2 * HOUR);
    const { env: environment, depth } = watched(otherInstance());
    await browser.get(path, {}, environment);
    expect(depth()).toBe(2);
    const [extended] = await rowsOf(browser.email);
    expect(extended).toEqual({
      ...before,
      last_used_at: start + 2 * HOUR,
      expires_at: start + 2 * HOUR + SESSION_MS,
    });

    vi.spyOn(Date, "now").mockImplementation(() => start + 4 * HOUR);
    const known = await browser.get(path, {}, environment);
    expect(
      known.headers.getAll("set-cookie").filter((cookie) => /^__Host-session=ses_/.test(cookie)),
    ).toEqual([expect.stringMatching(/; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)]);
    expect(await rowsOf(browser.email)).toMatchObject([{ last_used_at: start + 4 * HOUR }]);
  });

  it("that cannot be extended still opens its pages", async () => {
    const { browser, workspace } = await makeMember();
    const path = `/app/${workspace.slug}/members`;
    const before = await rowsOf(browser.email);
    later(2 * HOUR);
    expect((await browser.get(path, {}, withoutUpdates())).status).toBe(200);
    expect(await rowsOf(browser.email)).toEqual(before);
  });

  it("that has ended is not brought back by a use at the same time", async () => {
    const { browser, workspace } = await makeMember();
    later(2 * HOUR);
    await Promise.all([
      browser.get(`/app/${workspace.slug}/members`),
      browser.post("/app/sign-out"),
      browser.get(`/app/${workspace.slug}/members`),
    ]);
    expect(await rowsOf(browser.email)).toEqual([]);
  });

  it(`is the first to end when a person signs in more than ${MAX_SESSIONS} times`, async () => {
    const { browser } = await makeMember();
    const row = env.DB.prepare(
      "insert into sessions (hash, public_id, email, created_at, expires_at, last_used_at) values (?1, ?1, ?2, ?3, ?4, ?5)",
    );
    const now = Date.now();
    const hashes = Array.from({ length: MAX_SESSIONS }, (_, index) => String(index).padStart(64, "0"));
    await env.DB.batch(
      hashes.map((hash, index) => row.bind(hash, browser.email, now, now + HOUR, now + 1_000 * (index + 1))),
    );
    await signInAgain(browser.email);
    expect(await rowsOf(browser.email)).toHaveLength(MAX_SESSIONS);
    expect(await isSignedIn(browser)).toBe(false);
  });
});
