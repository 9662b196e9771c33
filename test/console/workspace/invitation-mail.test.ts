import { describe, expect, it } from "vitest";
import { inviteMember, renewInvitation } from "../../../src/access/invitations";
import { newMeter } from "../../../src/db/meter";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { API, makeWorkspace, serviceContext } from "../../harness";
import { failuresOf } from "../../log";
import { mailbox, tokenIn } from "../../mailbox";
import { openBrowser, signInAs, useSignInLink } from "../browser";

/** An owner of a new workspace where mail is sent. */
async function makeOwner() {
  const workspace = await makeWorkspace();
  const box = mailbox();
  const browser = await signInAs(workspace, "owner", box.env);
  const people = `/app/${workspace.slug}/members`;
  const inviteOf = async (email: string, form = "") => {
    const answer = await browser.post(people, { email, role: "editor", form });
    return answer.status === 303 ? browser.get(people) : answer;
  };
  const again = async (email: string) => {
    await browser.post(`${people}/${encodeURIComponent(email)}/link`);
    return browser.get(people);
  };
  return { ...box, workspace, browser, people, inviteOf, again };
}

describe("an invitation where mail is sent", () => {
  it("is sent, and its link is shown to be copied too", async () => {
    const { browser, inviteOf, mails, workspace } = await makeOwner();
    const email = `new@${workspace.slug}.example`;
    const page = await inviteOf(email);
    const token = tokenIn(mails[0] ?? { text: "" });
    expect(page.text).toContain(`${email} is invited, as editor. Sent to ${email}.`);
    expect(page.text).toContain(`data-copy="${API}/app/sign-in?token=${token}"`);
    expect(mails).toMatchObject([{ to: email, subject: `Invitation to ${workspace.ctx.workspace.name}` }]);
    expect(mails[0]?.text).toContain(`${browser.email} has invited you`);
    expect(mails[0]?.text).toContain("within seven days");
    const person = openBrowser();
    expect((await useSignInLink(person, token)).status).toBe(303);
    expect((await person.get(`/app/${workspace.slug}`)).status).toBe(200);
  });

  it("is charged to whoever invites", async () => {
    const { env, workspace } = await makeOwner();
    const meter = newMeter();
    const ctx = { ...workspace.ctx, config: serviceContext(env).config, meter };
    await inviteMember(ctx, { email: `paid@${workspace.slug}.example`, role: "viewer" });
    expect(meter.mails).toBe(1);
  });

  it("is sent again with a new link, and once if its form is sent twice", async () => {
    const { again, browser, inviteOf, mails, people, workspace } = await makeOwner();
    const email = `twice@${workspace.slug}.example`;
    const form = /name="form" value="([0-9A-Z]{26})"/.exec((await browser.get(people)).text)?.[1];
    await inviteOf(email, form);
    await inviteOf(email, form);
    expect(mails).toHaveLength(1);
    expect((await again(email)).text).toContain(`${email} has a new sign-in link. Sent to ${email}.`);
    const [first, second] = mails.map(tokenIn);
    expect((await useSignInLink(openBrowser(), first ?? "")).status).toBe(403);
    expect((await useSignInLink(openBrowser(), second ?? "")).status).toBe(303);
  });

  it("is not lost if the mail fails, or the address has had five mails in the hour", async () => {
    const { again, inviteOf, mails, state, workspace } = await makeOwner();
    const email = `lost@${workspace.slug}.example`;
    state.failure = Object.assign(new Error(email), { code: "E_RECIPIENT_SUPPRESSED" });
    const failures = await failuresOf(async () => {
      const page = await inviteOf(email);
      expect(page.text).toContain("The mail was not sent: write to them yourself.");
      expect(page.text).toMatch(/data-copy="[^"]*sgn_[0-9a-f]{64}"/);
    });
    expect(failures).toEqual([{ level: "error", error: "mail_not_sent", outcome: "E_RECIPIENT_SUPPRESSED" }]);
    state.failure = undefined;
    for (let times = 1; times < 5; times++) expect((await again(email)).text).toContain(`Sent to ${email}.`);
    const sixth = await again(email);
    expect(sixth.text).toContain("The mail was not sent");
    expect(sixth.text).toMatch(/data-copy="[^"]*sgn_[0-9a-f]{64}"/);
    expect(mails).toHaveLength(4);
  });

  it("is shown if what counts the mails fails", async () => {
    const { browser, inviteOf, people, workspace, env: withMail } = await makeOwner();
    const DB = new Proxy(withMail.DB, {
      get(db, name) {
        const value: unknown = Reflect.get(db, name);
        if (name !== "prepare") return typeof value === "function" ? value.bind(db) : value;
        return (sql: string) => {
          if (sql.includes("sent_mails")) throw new Error("no");
          return db.prepare(sql);
        };
      },
    });
    const email = `count@${workspace.slug}.example`;
    const answer = await browser.post(people, { email, role: "viewer" }, {}, { ...withMail, DB });
    expect(answer.status).toBe(303);
    const page = await browser.get(people);
    expect(page.text).toContain("The mail was not sent");
    expect(page.text).toMatch(/data-copy="[^"]*sgn_[0-9a-f]{64}"/);
    expect((await inviteOf(email)).status).toBe(422);
  });

  it("has the address of the web application where people come by Cloudflare Access", async () => {
    const { env: withMail, mails, workspace } = await makeOwner();
    const withAccess = { ...withMail, ACCESS_TEAM_DOMAIN: "acme", ACCESS_AUD: "tag" };
    const ctx = { ...serviceContext(withAccess), workspace: workspace.ctx.workspace };
    const person = { email: `access@${workspace.slug}.example`, role: "editor" as const };
    const { token, isMailed } = await inviteMember(ctx, person);
    expect([token, isMailed]).toEqual([undefined, true]);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`Sign in with this e-mail address:\n\n${API}/app\n`);
    expect(mails[0]?.text).not.toContain("sgn_");
    expect((await renewInvitation(ctx, person.email)).isMailed).toBeNull();
  });

  it("cannot add a header by the name of the workspace or the address", async () => {
    const { browser, mails, people, workspace } = await makeOwner();
    await updateWorkspace(workspace.ctx, { name: "Acme <b>&\u2028Bcc: all@people.example" });
    for (const email of ["ada@x.example\r\nBcc: all@people.example", "ada@x.example%0d%0aBcc:b@x.example"])
      expect((await browser.post(people, { email, role: "editor" })).status).toBe(422);
    expect(mails).toEqual([]);
    await browser.post(people, { email: `plain@${workspace.slug}.example`, role: "editor" });
    expect(mails[0]?.subject).toBe("Invitation to Acme <b>&\u2028Bcc: all@people.example");
  });
});
