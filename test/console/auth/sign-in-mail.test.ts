import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addMember } from "../../../src/access/members";
import type { Env } from "../../../src/context";
import { MINUTE_MS } from "../../../src/lib/time";
import { suspendWorkspace } from "../../../src/resources/workspaces/workspace-service";
import worker from "../../../src/worker";
import { heldBack, withoutD1 } from "../../faulty";
import { API, makeWorkspace, otherInstance, serviceContext } from "../../harness";
import { limiter } from "../../limiter";
import { failuresOf, linesOf } from "../../log";
import { mailbox, tokenIn } from "../../mailbox";
import { overriding } from "../../overriding";
import { openBrowser, useSignInLink } from "../browser";
import { later } from "../clock";

afterEach(() => vi.restoreAllMocks());

const PATH = "/app/sign-in/mail";
const NOTICE = "If somebody has this address here, a sign-in link is on its way.";

/** A member of a new workspace, and a mail service. */
async function makePerson() {
  const workspace = await makeWorkspace();
  const email = `${workspace.slug}@people.example`;
  await addMember(workspace.ctx, { email, role: "editor" });
  return { workspace, email, ...mailbox() };
}

const ask = (environment: Env, email: string, init: RequestInit = {}) =>
  openBrowser(environment).post(PATH, { email }, init);

const rowsOf = async (email: string) => {
  const count = (table: string) =>
    env.DB.prepare(`select count(*) as n from ${table} where email = ?`).bind(email).first<number>("n");
  return { mails: await count("sent_mails"), links: await count("sign_in_links") };
};

describe("the form for a sign-in link", () => {
  it("is on the sign-in page only where mail is sent", async () => {
    const { env: withMail } = mailbox();
    expect((await openBrowser(withMail).get("/app/sign-in")).text).toContain(`action="${PATH}"`);
    const without = await openBrowser().get("/app/sign-in");
    expect(without.text).not.toContain("e-mail address");
    expect((await openBrowser().post(PATH, { email: "a@people.example" })).status).toBe(404);
    expect((await openBrowser().get(PATH)).location).toBe("/app/sign-in");
  });

  it("sends a member a link that signs in once, within 15 minutes, and returns to the page asked for", async () => {
    const { workspace, email, env: withMail, mails } = await makePerson();
    const browser = openBrowser(withMail);
    const page = `/app/${workspace.slug}/tags`;
    await browser.get((await browser.get(page)).location ?? "");
    const answer = await browser.post(PATH, { email: ` ${email.toUpperCase()} ` });
    expect([answer.status, answer.location]).toEqual([303, "/app/sign-in"]);
    expect((await browser.get("/app/sign-in")).text).toContain(NOTICE);
    expect(mails).toMatchObject([{ to: email, subject: "Your sign-in link", from: "links@s.example" }]);
    const token = tokenIn(mails[0] ?? { text: "" });
    expect(mails[0]?.text).toContain(`${API}/app/sign-in?token=${token}`);
    expect((await useSignInLink(browser, token)).location).toBe(page);
    expect((await useSignInLink(openBrowser(), token)).status).toBe(403);

    await ask(withMail, email);
    later(15 * MINUTE_MS);
    expect((await useSignInLink(openBrowser(), tokenIn(mails[1] ?? { text: "" }))).status).toBe(403);
  });

  it("answers alike for a member, a stranger, an address over its limit and a service that fails", async () => {
    const { email, env: withMail, mails, state, workspace } = await makePerson();
    const answerOf = async (address: string) => {
      const { status, location, headers, text } = await ask(withMail, address);
      return [status, location, text, headers.getAll("set-cookie"), headers.get("content-length")];
    };
    const [member, stranger] = [await answerOf(email), await answerOf("stranger@people.example")];
    expect(stranger).toEqual(member);
    expect(mails.map(({ to }) => to)).toEqual([email]);
    for (let times = 1; times < 6; times++) expect(await answerOf(email)).toEqual(member);
    expect(mails).toHaveLength(5);
    expect(await rowsOf(email)).toEqual({ mails: 5, links: 5 });
    expect(await rowsOf("stranger@people.example")).toEqual({ mails: 0, links: 0 });

    later(60 * MINUTE_MS);
    state.failure = new Error(email);
    const failures = await failuresOf(async () => expect(await answerOf(email)).toEqual(member));
    expect(failures).toEqual([{ level: "error", error: "mail_not_sent", outcome: "failed" }]);
    state.failure = undefined;
    await answerOf(email);
    expect(mails).toHaveLength(6);
    await suspendWorkspace(serviceContext(), workspace.slug);
    expect(await answerOf(email)).toEqual(member);
  });

  it("answers before it looks the address up, and also while D1 fails", async () => {
    const { email, env: withMail, mails } = await makePerson();
    const gate = Promise.withResolvers<void>();
    const batch = heldBack(gate.promise, (statements: D1PreparedStatement[]) => env.DB.batch(statements));
    const execution = createExecutionContext();
    const form = { method: "POST", headers: { origin: API }, body: new URLSearchParams({ email }) };
    const request = new Request(`${API}${PATH}`, form) as Parameters<typeof worker.fetch>[0];
    const held = { ...withMail, DB: overriding(env.DB, { batch }) };
    expect((await worker.fetch(request, held, execution)).status).toBe(303);
    expect(mails).toEqual([]);
    gate.resolve();
    await waitOnExecutionContext(execution);
    expect(mails).toHaveLength(1);

    const answer = await ask({ ...withMail, DB: withoutD1().DB }, email);
    expect([answer.status, answer.location, mails.length]).toEqual([303, "/app/sign-in", 1]);
  });

  it("writes no address and no token to the log", async () => {
    const { email, env: withMail, mails } = await makePerson();
    const lines = JSON.stringify(
      await linesOf(async () => {
        await ask(withMail, email);
        await ask(withMail, "nobody@people.example");
      }),
    );
    expect(lines).toContain("/app/sign-in/mail");
    for (const secret of [email, "people.example", tokenIn(mails[0] ?? { text: "" })])
      expect(lines).not.toContain(secret);
  });

  it("sends at most five mails at once, too", async () => {
    const { email, env: withMail, mails } = await makePerson();
    await Promise.all(Array.from({ length: 9 }, () => ask(withMail, email)));
    expect(mails).toHaveLength(5);
  });

  it.each([
    "",
    "ada",
    "ada@people.example\r\nBcc: all@people.example",
    "ada@people.example, eve@people.example",
    `${"a".repeat(300)}@people.example`,
    "ﬁ@people.example",
    "<script>alert(1)</script>@people.example",
  ])("refuses %j beside its field", async (address) => {
    const { env: withMail, mails } = mailbox();
    const page = await ask(withMail, address);
    expect(page.status).toBe(422);
    expect(page.text).toMatch(/id="email-refusal">[^<]*e-?mail/);
    expect(page.text).not.toContain("<script>alert");
    expect(mails).toEqual([]);
  });

  it("refuses forms of other sites, long ones, and an address of the network over its limit", async () => {
    const { email, env: withMail, mails } = await makePerson();
    const foreign = { headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } };
    expect((await ask(withMail, email, foreign)).status).toBe(403);
    expect((await ask(withMail, "a".repeat(2_000))).status).toBe(413);
    const limited = { ...otherInstance(withMail), AUTH_FAILURE_RATE: limiter(1).binding };
    const from = { headers: { "cf-connecting-ip": "192.0.2.1" } };
    expect((await ask(limited, "stranger@people.example", from)).status).toBe(303);
    expect((await ask(limited, email, from)).status).toBe(429);
    expect(mails).toEqual([]);
  });

  it("is closed where Cloudflare Access lets people in", async () => {
    const { email, env: withMail, mails } = await makePerson();
    const withAccess = { ...withMail, ACCESS_TEAM_DOMAIN: "acme", ACCESS_AUD: "tag" };
    expect((await ask(withAccess, email)).status).toBe(403);
    expect(mails).toEqual([]);
  });
});
