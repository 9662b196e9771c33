import { afterEach, describe, expect, it, vi } from "vitest";
import { addMember, listMembers, removeMember } from "../../../src/access/members";
import { createSignInLink } from "../../../src/access/sessions";
import { API, makeWorkspace, serviceContext, type TestWorkspace, testEnv } from "../../harness";
import { runSql, selectRows, selectValue } from "../../sql";
import {
  type Browser,
  makeMember,
  openBrowser,
  type Page,
  signInAgain,
  signInAs,
  useSignInLink,
} from "../browser";
import { later } from "../clock";
import { watched } from "../depth";
import { withoutUpdates } from "../failing";

afterEach(() => vi.restoreAllMocks());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SESSIONS = "/app/account/sessions";

const peopleOf = ({ slug }: { slug: string }): string => `/app/${slug}/members`;

/** The token of the sign-in link that a page shows. */
const tokenIn = ({ text }: Page): string | undefined =>
  new RegExp(`<pre[^>]*>${API}/app/sign-in\\?token=(sgn_[0-9a-f]{64})</pre>`).exec(text)?.[1];

/** Sends the form, and opens the page that follows. */
async function inviteAs(owner: Browser, workspace: TestWorkspace, email: string, role = "editor") {
  expect((await owner.post(peopleOf(workspace), { email, role })).status).toBe(303);
  return owner.get(peopleOf(workspace));
}

/** The token of a new invitation. */
async function invited(owner: Browser, workspace: TestWorkspace, email: string): Promise<string> {
  const token = tokenIn(await inviteAs(owner, workspace, email));
  if (token === undefined) throw new Error("The page shows no sign-in link");
  return token;
}

/** The token of a new link for a member. */
async function renewed(owner: Browser, workspace: TestWorkspace, email: string): Promise<string> {
  const path = `${peopleOf(workspace)}/${encodeURIComponent(email)}/link`;
  expect((await owner.post(path)).location).toBe(peopleOf(workspace));
  return tokenIn(await owner.get(peopleOf(workspace))) ?? "";
}

const signInWith = async (token: string, browser = openBrowser()): Promise<Browser> => {
  expect((await useSignInLink(browser, token)).status).toBe(303);
  return browser;
};

const opens = async (browser: Browser, workspace: TestWorkspace): Promise<boolean> =>
  (await browser.get(peopleOf(workspace))).status === 200;

const links = (email: string) => selectRows`select * from sign_in_links where email = ${email}`;

describe("an invitation", () => {
  it("shows its link once, which signs the person in once", async () => {
    const { workspace, browser } = await makeMember();
    const page = await inviteAs(browser, workspace, "new@team.example", "viewer");
    const token = tokenIn(page) ?? "";
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).toContain(`data-copy="${API}/app/sign-in?token=${token}"`);

    const again = await browser.get(peopleOf(workspace));
    expect([again.text.includes("sgn_"), again.text.includes("sign-in link valid until")]).toEqual([
      false,
      true,
    ]);
    expect(await links("new@team.example")).toHaveLength(1);

    const person = await signInWith(token);
    expect((await person.get("/app")).location).toContain(`/app/${workspace.slug}`);
    expect(await opens(person, workspace)).toBe(true);
    expect((await useSignInLink(openBrowser(), token)).status).toBe(403);
  });

  it("is made once if its form is sent again, and its link is not shown a second time", async () => {
    const { workspace, browser } = await makeMember();
    const form = /name="form" value="([0-9A-Z]{26})"/.exec(
      (await browser.get(peopleOf(workspace))).text,
    )?.[1];
    const fields = { email: "twice@team.example", role: "editor", form: form ?? "" };
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(peopleOf(workspace), fields)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const cookies = answers.flatMap(({ headers }) => headers.getAll("set-cookie"));
    expect(cookies.filter((cookie) => cookie.startsWith("__Host-invitation=sgn_"))).toHaveLength(1);
    expect(await listMembers(workspace.ctx)).toHaveLength(2);
    expect(await links("twice@team.example")).toHaveLength(1);

    // Another person in the same form is another person.
    const other = await browser.post(peopleOf(workspace), { ...fields, email: "other@team.example" });
    expect(other.status).toBe(303);
    expect(await listMembers(workspace.ctx)).toHaveLength(3);
    // Another form with the same person is refused.
    const refused = await browser.post(peopleOf(workspace), { ...fields, form: "" });
    expect([refused.status, refused.text.includes("has already been added")]).toEqual([422, true]);
  });

  it("lasts seven days, and is replaced by a new link", async () => {
    const { workspace, browser } = await makeMember();
    const first = await invited(browser, workspace, "late@team.example");
    const second = await renewed(browser, workspace, "late@team.example");
    expect((await useSignInLink(openBrowser(), first)).status).toBe(403);
    expect(await links("late@team.example")).toHaveLength(1);
    later(7 * DAY - MINUTE);
    expect((await openBrowser().get(`/app/sign-in?token=${second}`)).status).toBe(200);
    later(MINUTE);
    expect((await useSignInLink(openBrowser(), second)).status).toBe(403);
    const { text } = await browser.get(peopleOf(workspace));
    expect(text).toContain("Not seen yet<span");
    expect(text).toContain("no valid sign-in link");
    expect(
      await opens(await signInWith(await renewed(browser, workspace, "late@team.example")), workspace),
    ).toBe(true);
  });

  it("ends with the person's removal", async () => {
    const { workspace, browser } = await makeMember();
    const token = await invited(browser, workspace, "gone@team.example");
    await removeMember(workspace.ctx, "gone@team.example");
    expect((await useSignInLink(openBrowser(), token)).status).toBe(403);
  });

  it("whose cookie is not of this workspace is not shown", async () => {
    const [one, other] = [await makeMember(), await makeMember()];
    await one.browser.post(peopleOf(one.workspace), { email: "x@team.example", role: "viewer" });
    other.browser.cookies.set("__Host-invitation", one.browser.cookies.get("__Host-invitation") ?? "");
    const { text } = await other.browser.get(peopleOf(other.workspace));
    expect(text).not.toMatch(/sgn_|x@team\.example/);
    expect(other.browser.cookies.has("__Host-invitation")).toBe(false);
  });

  it("is in the audit trail without its token", async () => {
    const { workspace, browser } = await makeMember();
    await invited(browser, workspace, "told@team.example");
    await renewed(browser, workspace, "told@team.example");
    const { text } = await browser.get(`/app/${workspace.slug}/audit?action=member`);
    expect(text).toContain("made a sign-in link for the member");
    expect(text).not.toContain("sgn_");
  });
});

describe("an owner who uses an invitation themselves", () => {
  it("opens no other workspace of the person, neither now nor later", async () => {
    const [{ workspace, browser }, victim, third] = [
      await makeMember("owner"),
      await makeMember("owner"),
      await makeMember("owner"),
    ];
    const { email } = victim.browser;
    const attacker = await signInWith(await invited(browser, workspace, email));
    expect([await opens(attacker, workspace), await opens(attacker, victim.workspace)]).toEqual([
      true,
      false,
    ]);
    expect((await attacker.get("/app")).location).toContain(`/app/${workspace.slug}`);
    expect((await attacker.post(`/app/${victim.workspace.slug}/workspace`, { name: "Mine" })).status).toBe(
      404,
    );

    await addMember(third.workspace.ctx, { email, role: "owner" });
    expect(await opens(attacker, third.workspace)).toBe(false);
    // The person's own session is the operator's, and opens all.
    expect([await opens(victim.browser, workspace), await opens(victim.browser, third.workspace)]).toEqual([
      true,
      true,
    ]);
    const page = await attacker.get(`/app/${workspace.slug}/members`);
    expect(page.text).not.toContain(victim.workspace.ctx.workspace.name);
  });

  it("neither sees nor ends the person's other sessions", async () => {
    const [{ workspace, browser }, victim] = [await makeMember("owner"), await makeMember("owner")];
    const attacker = await signInWith(await invited(browser, workspace, victim.browser.email));
    const { text } = await attacker.get(SESSIONS);
    expect([text.match(/<th scope="row">/g)?.length, text.includes("End all other sessions")]).toEqual([
      1,
      false,
    ]);
    const { token } = await createSignInLink(serviceContext(), victim.browser.email);
    await attacker.post(`${SESSIONS}/end-others`);
    const id = await selectValue<string>`select public_id from sessions
      where email = ${victim.browser.email} and workspaces is null`;
    expect((await attacker.post(`${SESSIONS}/${id}/end`)).status).toBe(404);
    expect(await opens(victim.browser, victim.workspace)).toBe(true);
    await signInWith(token);
    // The person sees the session, and ends it.
    expect((await victim.browser.get(SESSIONS)).text.match(/<th scope="row">/g)).toHaveLength(3);
    await victim.browser.post(`${SESSIONS}/end-others`);
    expect((await attacker.get(SESSIONS)).status).toBe(303);
  });

  it("ends the unused invitations to its workspaces with the other sessions, and no others", async () => {
    const [one, two] = [await makeMember("owner"), await makeMember("owner")];
    const email = `unused-${one.workspace.slug}@team.example`;
    const person = await signInWith(await invited(one.browser, one.workspace, email));
    const token = await renewed(one.browser, one.workspace, email);
    const elsewhere = await invited(two.browser, two.workspace, email);
    await person.post(`${SESSIONS}/end-others`);
    const refused = openBrowser();
    await useSignInLink(refused, token);
    expect(await opens(refused, one.workspace)).toBe(false);
    expect(await opens(await signInWith(elsewhere), two.workspace)).toBe(true);
  });
});

describe("a person with several workspaces", () => {
  it("keeps open what their browser opened before an invitation", async () => {
    const [one, two] = [await makeMember("owner"), await makeMember("owner")];
    const email = "both@team.example";
    const person = await signInWith(await invited(one.browser, one.workspace, email));
    await signInWith(await invited(two.browser, two.workspace, email), person);
    expect([await opens(person, one.workspace), await opens(person, two.workspace)]).toEqual([true, true]);
    expect(await selectRows`select hash from sessions where email = ${email}`).toHaveLength(1);

    // With the operator's link they open all, and an invitation takes nothing away.
    const { token } = await createSignInLink(serviceContext(), email);
    await signInWith(token, person);
    const three = await makeMember("owner");
    await signInWith(await invited(three.browser, three.workspace, email), person);
    await addMember((await makeWorkspace()).ctx, { email, role: "viewer" });
    const home = await person.get("/app");
    expect(home.text.match(/Your role/g)).toHaveLength(4);
  });

  it("does not get back a workspace that their session did not open", async () => {
    const [one, two] = [await makeMember("owner"), await makeMember("owner")];
    const { email } = await signInAs(one.workspace, "editor");
    const person = await signInAgain(email);
    await removeMember(one.workspace.ctx, email);
    await addMember(one.workspace.ctx, { email, role: "editor" });
    expect(await opens(person, one.workspace)).toBe(false);
    await signInWith(await invited(two.browser, two.workspace, email), person);
    expect([await opens(person, one.workspace), await opens(person, two.workspace)]).toEqual([false, true]);
    await signInWith(await renewed(one.browser, one.workspace, email), person);
    expect([await opens(person, one.workspace), await opens(person, two.workspace)]).toEqual([true, true]);
  });

  it("gives nothing to the next person in the same browser", async () => {
    const [one, two] = [await makeMember("owner"), await makeMember("owner")];
    const browser = await signInWith(await invited(one.browser, one.workspace, "first@team.example"));
    await signInWith(await invited(two.browser, two.workspace, "second@team.example"), browser);
    expect([await opens(browser, one.workspace), await opens(browser, two.workspace)]).toEqual([false, true]);
    expect(await selectRows`select 1 from sessions where email = 'first@team.example'`).toEqual([]);
  });
});

describe("when a person was seen", () => {
  const seenAt = (ws: TestWorkspace, email: string) =>
    selectValue<number>`select last_seen_at from members where workspace_id = ${ws} and email = ${email}`;

  it("is recorded at most hourly, and for the workspace that was opened", async () => {
    const [one, two] = [await makeMember("owner"), await makeMember("owner")];
    const person = await signInWith(await invited(one.browser, one.workspace, "seen@team.example"));
    await addMember(two.workspace.ctx, { email: "seen@team.example", role: "viewer" });
    const start = Date.now();
    const at = (time: number) => vi.spyOn(Date, "now").mockImplementation(() => start + time);
    at(0);
    await person.get(peopleOf(one.workspace));
    expect(await seenAt(one.workspace, "seen@team.example")).toBe(start);
    at(59 * MINUTE);
    await person.get(peopleOf(one.workspace));
    expect(await seenAt(one.workspace, "seen@team.example")).toBe(start);
    at(60 * MINUTE);
    await person.get(peopleOf(one.workspace));
    expect(await seenAt(one.workspace, "seen@team.example")).toBe(start + 60 * MINUTE);

    expect(await seenAt(two.workspace, "seen@team.example")).toBeNull();
    expect((await two.browser.get(peopleOf(two.workspace))).text).toContain("Not seen yet");
    expect((await one.browser.get(peopleOf(one.workspace))).text).toMatch(
      /Seen <time[^>]*>less than an hour ago<\/time>/,
    );
  });

  it("does not show the invitations of another workspace", async () => {
    const [one, two] = [await makeMember("owner"), await makeMember("owner")];
    await invited(one.browser, one.workspace, "shared@team.example");
    await addMember(two.workspace.ctx, { email: "shared@team.example", role: "viewer" });
    expect((await two.browser.get(peopleOf(two.workspace))).text).not.toContain("valid until");
  });

  it("delays no page and fails none", async () => {
    const { workspace, browser } = await makeMember();
    const person = await signInWith(await invited(browser, workspace, "first-visit@team.example"));
    expect((await person.get(peopleOf(workspace), {}, withoutUpdates())).status).toBe(200);
    const { env: environment, depth } = watched(testEnv);
    await person.get(peopleOf(workspace), {}, environment);
    expect(depth()).toBeLessThanOrEqual(2);
  });

  it("is not recorded for people who are refused", async () => {
    const { workspace, browser } = await makeMember();
    const { rowId } = workspace.ctx.workspace;
    await runSql`update members set last_seen_at = null where workspace_id = ${rowId}`;
    const stranger = await makeMember();
    await stranger.browser.get(peopleOf(workspace));
    await openBrowser().get(peopleOf(workspace));
    await runSql`update workspaces set suspended_at = 1 where id = ${rowId}`;
    await browser.get(peopleOf(workspace));
    expect(await seenAt(workspace, browser.email)).toBeNull();
  });
});
