import { afterEach, describe, expect, it, vi } from "vitest";
import { renewInvitation } from "../../../src/access/invitations";
import { addMember, removeMember } from "../../../src/access/members";
import { askToSignIn, signInWithPasskey } from "../../../src/access/passkey-sign-in";
import { askForNewPasskey, listPasskeys } from "../../../src/access/passkeys";
import { createSignInLink, findSessionHash, signOutEverywhere } from "../../../src/access/sessions";
import { MINUTE_MS } from "../../../src/lib/time";
import { removeExpired } from "../../../src/operations/retention/remove-expired";
import { broken, makeDevice } from "../../authenticator";
import { withLostAnswer } from "../../faulty";
import { makeWorkspace, otherInstance, serviceContext, testEnv } from "../../harness";
import { limiter } from "../../limiter";
import { mailbox } from "../../mailbox";
import { selectRows, selectValue } from "../../sql";
import { type Browser, makeMember, openBrowser, signInAgain, signInAs, useSignInLink } from "../browser";
import { later } from "../clock";
import { addOne, asked, askedToSignIn, invitedTo, PASSKEYS, send, signInWith } from "./passkey-browser";

afterEach(() => vi.restoreAllMocks());

const count = (table: "passkeys" | "used_challenges" | "sessions") =>
  table === "passkeys"
    ? selectValue<number>`select count(*) from passkeys`
    : table === "sessions"
      ? selectValue<number>`select count(*) from sessions`
      : selectValue<number>`select count(*) from used_challenges`;

const hasPasskey = async (email: string) =>
  (await selectRows`select 1 from passkeys where email = ${email}`).length > 0;

const linksOf = ({ slug }: { slug: string }) => `/app/${slug}/links`;

/** The statuses of the pages of workspaces in a browser. */
const statusesIn = async (browser: Browser, ...workspaces: { slug: string }[]) =>
  Promise.all(workspaces.map(async (one) => (await browser.get(linksOf(one))).status));

describe("adding a passkey", () => {
  it("asks for one that the browser finds by itself, and names those that the device may have", async () => {
    const { browser } = await makeMember();
    const first = await asked(browser);
    expect(first).toEqual({
      challenge: expect.stringMatching(/^[\w-]{75}$/),
      rp: "api.example",
      user: expect.stringMatching(/^[\w-]{43}$/),
      email: browser.email,
      algorithms: [-7, -257],
      known: [],
    });
    const { credential } = await addOne(browser);
    const second = await asked(browser);
    expect(second).toMatchObject({ user: first.user, known: [credential] });
    expect(second.challenge).not.toBe(first.challenge);
  });

  it("shows it with its name, and a device that has none is named by its browser", async () => {
    const { browser } = await makeMember("viewer");
    await addOne(browser, "My <b>phone</b>");
    expect((await browser.get(PASSKEYS)).text).toContain("My &lt;b&gt;phone&lt;/b&gt; is added");
    const headers = {
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
    };
    const answer = await (await makeDevice()).create((await asked(browser)).challenge);
    expect((await browser.post(PASSKEYS, { name: " ", ...answer }, { headers })).status).toBe(303);
    const { text } = await browser.get(PASSKEYS);
    expect(text).toContain("Firefox on Linux");
    expect(text).toContain("2 passkeys");
    expect((await browser.get("/app/account/sessions")).text).toContain(`href="${PASSKEYS}"`);
  });

  it("stores the public key alone, and an entry of the audit trail", async () => {
    const { browser } = await makeMember();
    const device = await addOne(browser);
    expect(await selectRows`select * from passkeys where email = ${browser.email}`).toEqual([
      {
        credential: device.credential,
        public_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        email: browser.email,
        name: "Phone",
        public_key: expect.stringMatching(/^[\w-]{122}$/),
        algorithm: -7,
        counter: 0,
        rp_id: "api.example",
        workspaces: null,
        closed: "",
        created_at: expect.any(Number),
        last_used_at: null,
      },
    ]);
    const entries = await selectRows`select actor, change from audit_log
      where action = 'member.add_passkey' and subject = ${browser.email}`;
    expect(entries).toEqual([
      { actor: `member:${browser.email}`, change: expect.stringContaining('"name":"Phone"') },
    ]);
  });

  it.each([
    ["another origin", { origin: "https://evil.example" }],
    ["a frame of another site", { crossOrigin: true }],
    ["another host", { rpId: "evil.example" }],
    ["a person who was not verified", { flags: 1 | 64 }],
    ["a person who was not there", { flags: 4 | 64 }],
    ["no credential", { flags: 1 | 4 }],
    ["another credential", { credential: "AAAA" }],
    ["a sign-in", { type: "webauthn.get" }],
  ])("is refused for an answer with %s", async (_, lies) => {
    const { browser } = await makeMember();
    const answer = await (await makeDevice()).create((await asked(browser)).challenge, lies);
    const page = await browser.post(PASSKEYS, { name: "Phone", ...answer });
    expect(page.status).toBe(403);
    expect(page.text).toMatch(/role="alert">[^<]*(?:was not added|did not say that it was you)/);
    expect(page.text).toContain('value="Phone"');
    expect(await hasPasskey(browser.email)).toBe(false);
  });

  it("is refused for an answer that no browser makes", async () => {
    const { browser } = await makeMember();
    const { challenge } = await asked(browser);
    const good = await (await makeDevice()).create(challenge);
    for (const wrong of [
      { public_key: "AAAA" },
      { public_key: "" },
      { algorithm: "-8" },
      { algorithm: "-257" },
      { client_data: "bnVsbA" },
      { client_data: "x" },
      { authenticator_data: "AAAA" },
      { credential: "a".repeat(1_365) },
    ]) {
      const page = await browser.post(PASSKEYS, { name: "Phone", ...good, ...wrong });
      expect([wrong, page.status]).toEqual([wrong, 403]);
    }
    expect(await hasPasskey(browser.email)).toBe(false);
    expect((await browser.post(PASSKEYS, { name: "Phone", ...good })).status).toBe(303);
  });

  it("takes a challenge of this session, of the last five minutes, once", async () => {
    const { browser } = await makeMember();
    const { challenge } = await asked(browser);
    const answer = await (await makeDevice()).create(challenge);
    const other = await signInAgain(browser.email);
    for (const wrong of [challenge.slice(0, -2), broken(challenge), await askedToSignIn(browser), ""]) {
      const bad = await (await makeDevice()).create(wrong);
      expect((await browser.post(PASSKEYS, bad)).status).toBe(403);
    }
    expect((await other.post(PASSKEYS, answer)).status).toBe(403);
    expect((await browser.post(PASSKEYS, answer)).status).toBe(303);
    // Sent again it is done; another device cannot use its challenge.
    expect((await browser.post(PASSKEYS, answer)).status).toBe(303);
    expect((await browser.post(PASSKEYS, await (await makeDevice()).create(challenge))).status).toBe(403);
    const late = await (await makeDevice()).create((await asked(browser)).challenge);
    later(5 * MINUTE_MS);
    const page = await browser.post(PASSKEYS, late);
    expect([page.status, page.text.includes("longer than five minutes")]).toEqual([403, true]);
    expect((await browser.get(PASSKEYS)).text).toContain("1 passkey<");
  });

  it("is done once if it is sent twice at once, or its answer is lost", async () => {
    const { browser } = await makeMember();
    const answer = await (await makeDevice()).create((await asked(browser)).challenge);
    const pages = await Promise.all([browser.post(PASSKEYS, answer), browser.post(PASSKEYS, answer)]);
    expect(pages.map(({ status }) => status)).toEqual([303, 303]);
    const lost = await (await makeDevice()).create((await asked(browser)).challenge);
    expect((await browser.post(PASSKEYS, lost, {}, withLostAnswer())).status).toBe(303);
    expect(await selectRows`select 1 from passkeys where email = ${browser.email}`).toHaveLength(2);
  });

  it("is possible ten times, also for two at once", async () => {
    const { browser } = await makeMember();
    for (let number = 0; number < 9; number++) await addOne(browser, `Device ${number}`);
    const answers = await Promise.all(
      [1, 2].map(async () => (await makeDevice()).create((await asked(browser)).challenge)),
    );
    const pages = await Promise.all(answers.map((answer) => browser.post(PASSKEYS, answer)));
    expect(pages.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    const refused = pages.find(({ status }) => status === 422)?.text;
    expect(refused).toContain("You have 10 passkeys, which is the most.");
    const { text } = await browser.get(PASSKEYS);
    expect(text).not.toContain("data-passkey");
    const [, remove = ""] = /action="(\/app\/account\/passkeys\/\w+\/remove)"/.exec(text) ?? [];
    await browser.post(remove);
    await addOne(browser);
  });

  it("of another person's device is refused", async () => {
    const [{ browser }, other] = [await makeMember(), await makeMember()];
    const device = await addOne(browser);
    const answer = await device.create((await asked(other.browser)).challenge);
    expect((await other.browser.post(PASSKEYS, answer)).status).toBe(403);
    expect((await signInWith(device)).page.status).toBe(303);
    expect(await hasPasskey(other.browser.email)).toBe(false);
  });
});

describe("changing passkeys", () => {
  const idOf = (email: string) =>
    selectValue<string>`select public_id from passkeys where email = ${email} order by created_at limit 1`;

  it("renames one and removes one, which then signs in no more", async () => {
    const { browser } = await makeMember();
    const device = await addOne(browser);
    const path = `${PASSKEYS}/${await idOf(browser.email)}`;
    expect((await browser.post(path, { name: "Old phone" })).status).toBe(303);
    expect((await browser.get(PASSKEYS)).text).toContain("Old phone");
    expect((await browser.post(path, { name: "x".repeat(101) })).status).toBe(422);
    expect((await browser.post(path, { name: "" })).status).toBe(422);
    expect((await browser.post(`${path}/remove`)).status).toBe(303);
    const { page } = await signInWith(device);
    expect([page.status, page.text.includes("This passkey is not known here")]).toEqual([403, true]);
    expect((await browser.post(`${path}/remove`)).status).toBe(404);
    const actions = await selectRows`select action from audit_log
      where subject = ${browser.email} and action like '%passkey' order by id`;
    expect(actions.map(({ action }) => action)).toEqual([
      "member.add_passkey",
      "member.rename_passkey",
      "member.remove_passkey",
    ]);
  });

  it("of somebody else is 404 and changes nothing", async () => {
    const [{ browser, workspace }, { browser: other }] = [await makeMember(), await makeMember()];
    await addOne(browser);
    const path = `${PASSKEYS}/${await idOf(browser.email)}`;
    const colleague = await signInAs(workspace, "owner");
    for (const one of [other, colleague]) {
      expect((await one.post(path, { name: "Mine" })).status).toBe(404);
      expect((await one.post(`${path}/remove`)).status).toBe(404);
      expect((await one.get(PASSKEYS)).text).toContain("You have none yet.");
    }
    expect((await browser.get(PASSKEYS)).text).toContain("Phone");
  });
});

describe("signing in with a passkey", () => {
  it.each([false, true])(
    "needs no link, and leads to the page that was asked for (RSA: %s)",
    async (isRsa) => {
      const { browser, workspace } = await makeMember();
      const device = await addOne(browser, "Phone", await makeDevice({ isRsa }));
      const fresh = openBrowser();
      const door = await fresh.get(linksOf(workspace));
      expect((await fresh.get(door.location ?? "")).text).toContain('action="/app/sign-in/passkey"');
      const { page } = await signInWith(device, {}, fresh);
      expect([page.status, page.location]).toEqual([303, linksOf(workspace)]);
      expect(await statusesIn(fresh, workspace)).toEqual([200]);
      expect((await browser.get(PASSKEYS)).text).not.toContain("Never");
    },
  );

  it("replaces another person's session, and is in the audit trail", async () => {
    const [{ browser }, other] = [await makeMember(), await makeMember()];
    const device = await addOne(browser);
    const old = openBrowser();
    for (const [name, value] of other.browser.cookies) old.cookies.set(name, value);
    expect((await signInWith(device, {}, other.browser)).page.status).toBe(303);
    expect((await other.browser.get(PASSKEYS)).text).toContain(browser.email);
    expect((await old.get(PASSKEYS)).status).toBe(303);
    const [entry] = await selectRows<{ change: string }>`select change from audit_log
      where action = 'member.sign_in' and subject = ${browser.email} order by id desc limit 1`;
    expect(JSON.parse(entry?.change ?? "")).toEqual({ passkey: expect.any(String), name: "Phone" });
  });

  it.each([
    ["another origin", { origin: "https://evil.example" }, "cannot be read"],
    ["a frame of another site", { crossOrigin: true }, "cannot be read"],
    ["a registration", { type: "webauthn.create" }, "cannot be read"],
    ["another host", { rpId: "evil.example" }, "did not say that it was you"],
    ["a person who was not verified", { flags: 1 }, "did not say that it was you"],
    ["a person who was not there", { flags: 4 }, "did not say that it was you"],
    ["an unknown passkey", { credential: "AAAA" }, "is not known here"],
  ])("is refused for an answer with %s", async (_, lies, why) => {
    const { browser } = await makeMember();
    const device = await addOne(browser);
    const [used, sessions] = [await count("used_challenges"), await count("sessions")];
    const { browser: fresh, page } = await signInWith(device, lies);
    expect([page.status, page.text.includes(why)]).toEqual([403, true]);
    expect(page.text).toContain('action="/app/sign-in/passkey"');
    expect(fresh.cookies.has("__Host-session")).toBe(false);
    expect([await count("used_challenges"), await count("sessions")]).toEqual([used, sessions]);
  });

  it("is refused for a signature of another key, or of other data", async () => {
    const { browser } = await makeMember();
    const [device, stranger] = [await addOne(browser), await makeDevice()];
    const theirs = await signInWith(stranger, { credential: device.credential });
    expect(theirs.page.text).toContain("The signature is not that of this passkey.");
    const fresh = openBrowser();
    const good = await device.sign(await askedToSignIn(fresh));
    for (const wrong of [
      { signature: broken(good.signature) },
      { signature: "MAYCAQECAQE" },
      { signature: "" },
      { client_data: `${good.client_data}AAAA` },
      { authenticator_data: `${good.authenticator_data}AAAA` },
    ])
      expect([wrong, (await send(fresh, { ...good, ...wrong })).status]).toEqual([wrong, 403]);
    // A refused answer does not use up the challenge.
    expect((await send(fresh, good)).status).toBe(303);
  });

  it("takes each answer once, and one of two at once", async () => {
    const { browser } = await makeMember();
    const device = await addOne(browser);
    const { answer, page } = await signInWith(device);
    expect(page.status).toBe(303);
    const replayed = await send(openBrowser(), answer);
    expect([replayed.status, replayed.text.includes("has been used already")]).toEqual([403, true]);
    const challenge = await askedToSignIn(openBrowser());
    const pages = await Promise.all(
      [1, 2, 3].map(async () => send(openBrowser(), await device.sign(challenge))),
    );
    expect(pages.map(({ status }) => status).toSorted()).toEqual([303, 403, 403]);
  });

  it("takes a challenge of this service, of the last five minutes", async () => {
    const { browser } = await makeMember();
    const device = await addOne(browser);
    const { challenge } = await asked(browser);
    for (const wrong of [challenge, broken(await askedToSignIn(browser)), "", "A".repeat(75)])
      expect((await send(openBrowser(), await device.sign(wrong))).status).toBe(403);
    const late = await device.sign(await askedToSignIn(browser));
    later(5 * MINUTE_MS);
    const page = await send(openBrowser(), late);
    expect([page.status, page.text.includes("longer than five minutes")]).toEqual([403, true]);
  });

  it("that is asked for stores nothing, and neither does a wrong answer", async () => {
    const rows = () => Promise.all([count("used_challenges"), count("sessions"), count("passkeys")]);
    const before = await rows();
    const audit = await selectValue<number>`select count(*) from audit_log`;
    const secrets = await selectRows`select * from secrets`;
    for (let number = 0; number < 5; number++) await signInWith(await makeDevice());
    expect(await rows()).toEqual(before);
    expect(await selectValue<number>`select count(*) from audit_log`).toBe(audit);
    expect(await selectRows`select * from secrets`).toEqual(secrets);
  });

  it("forgets used challenges once they are too old", async () => {
    const { browser } = await makeMember();
    const { answer } = await signInWith(await addOne(browser));
    later(5 * MINUTE_MS + 1);
    await removeExpired(serviceContext());
    expect((await send(openBrowser(), answer)).status).toBe(403);
    expect(await count("used_challenges")).toBeGreaterThan(0);
    later(2 * MINUTE_MS);
    await removeExpired(serviceContext());
    expect(await count("used_challenges")).toBe(0);
  });

  it("is refused if a device that counts its signatures says no higher number", async () => {
    const { browser } = await makeMember();
    const device = await addOne(browser, "Phone", await makeDevice({ counts: true }));
    expect((await signInWith(device)).page.status).toBe(303);
    for (const counter of [0, 1, 2]) {
      const { page } = await signInWith(device, { counter });
      expect([page.status, page.text.includes("may have been copied")]).toEqual([403, true]);
    }
    const challenges = [await askedToSignIn(browser), await askedToSignIn(browser)];
    const pages = await Promise.all(
      challenges.map(async (one) => send(openBrowser(), await device.sign(one, { counter: 50 }))),
    );
    expect(pages.map(({ status }) => status).toSorted()).toEqual([303, 403]);
  });

  it("survives a lost answer of the database", async () => {
    const { browser } = await makeMember();
    const device = await addOne(browser);
    const fresh = openBrowser();
    const answer = await device.sign(await askedToSignIn(fresh));
    expect((await send(fresh, answer, withLostAnswer())).status).toBe(303);
    expect((await fresh.get(PASSKEYS)).status).toBe(200);
  });

  it("is refused with a sentence after the main host has moved, and the list says so", async () => {
    const { browser } = await makeMember();
    const device = await addOne(browser);
    const moved = serviceContext({ ...testEnv, BASE_URL: "https://moved.example" });
    const lies = { origin: "https://moved.example", rpId: "api.example" };
    const answer = await device.sign((await askToSignIn(moved)).challenge, lies);
    const refused = signInWithPasskey(moved, answer, { device: null, country: null });
    await expect(refused).rejects.toThrow(
      "This passkey was made for api.example, where this service is no more. Sign in with a link, and add a new passkey.",
    );
    const current = (await findSessionHash(browser.cookies.get("__Host-session"))) ?? "";
    const owner = { email: browser.email, current };
    const { passkeys } = await listPasskeys(moved, owner);
    expect(passkeys).toMatchObject([{ formerHost: "api.example" }]);
    expect((await askForNewPasskey(moved, owner)).known).toEqual([]);
  });
});

describe("what a passkey opens", () => {
  /** A person in two workspaces. */
  async function inTwo() {
    const [one, two] = [await makeWorkspace(), await makeWorkspace()];
    const email = `${one.slug}@people.example`;
    for (const { ctx } of [one, two]) await addMember(ctx, { email, role: "editor" });
    return { one, two, email };
  }

  it("is all workspaces if it was made after a link of the operator's command", async () => {
    const { one, two, email } = await inTwo();
    const { browser } = await signInWith(await addOne(await signInAgain(email)));
    expect(await statusesIn(browser, one, two)).toEqual([200, 200]);
    const three = await makeWorkspace();
    await addMember(three.ctx, { email, role: "viewer" });
    expect(await statusesIn(browser, three)).toEqual([200]);
  });

  it("is one workspace alone if it was made after an invitation that an owner was shown, also if that was mailed", async () => {
    const { one, two, email } = await inTwo();
    const { env } = mailbox();
    const { token } = await renewInvitation({ ...one.ctx, config: serviceContext(env).config }, email);
    const mailed = openBrowser();
    await useSignInLink(mailed, token ?? "");
    for (const session of [await invitedTo(one, email), mailed]) {
      const device = await addOne(session);
      const { browser } = await signInWith(device);
      expect(await statusesIn(browser, one, two)).toEqual([200, 404]);
      // A passkey that is made in that session opens no more either.
      const again = await signInWith(await addOne(browser));
      expect(await statusesIn(again.browser, one, two)).toEqual([200, 404]);
    }
  });

  it("takes nothing away from what the browser opened for the same person", async () => {
    const { one, two, email } = await inTwo();
    const device = await addOne(await invitedTo(one, email));
    const browser = await invitedTo(two, email);
    await signInWith(device, {}, browser);
    expect(await statusesIn(browser, one, two)).toEqual([200, 200]);
    const whole = await signInAgain(email);
    await signInWith(device, {}, whole);
    expect(await statusesIn(whole, one, two)).toEqual([200, 200]);
  });

  it("decides who sees it: a session of one workspace neither lists nor removes a passkey that opens more", async () => {
    const { one, email } = await inTwo();
    const whole = await signInAgain(email);
    await addOne(whole, "Whole");
    const narrow = await invitedTo(one, email);
    await addOne(narrow, "Narrow");
    const { text } = await narrow.get(PASSKEYS);
    expect([text.includes("Narrow"), text.includes("Whole")]).toEqual([true, false]);
    expect(text).toContain("This session began with an invitation");
    expect((await whole.get(PASSKEYS)).text).toMatch(/Whole.*Narrow/s);
    const id =
      await selectValue<string>`select public_id from passkeys where name = 'Whole' and email = ${email}`;
    expect((await narrow.post(`${PASSKEYS}/${id}/remove`)).status).toBe(404);
    // An authenticator keeps one for each user id, and must not replace the other.
    expect((await asked(narrow)).user).not.toBe((await asked(whole)).user);
  });

  it("ends with the last membership", async () => {
    const { one, two, email } = await inTwo();
    const [whole, narrow] = [
      await addOne(await signInAgain(email)),
      await addOne(await invitedTo(one, email)),
    ];
    await removeMember(one.ctx, email);
    expect((await signInWith(narrow)).page.text).toContain("This passkey is not known here");
    expect(await statusesIn((await signInWith(whole)).browser, one, two)).toEqual([404, 200]);
    await removeMember(two.ctx, email);
    expect((await signInWith(whole)).page.status).toBe(403);
    expect(await hasPasskey(email)).toBe(false);
    await addMember(one.ctx, { email, role: "editor" });
    expect((await signInWith(whole)).page.status).toBe(403);
  });

  it("is not made after the last membership, by a session that goes on", async () => {
    const { workspace, browser } = await makeMember("editor");
    const { challenge } = await asked(browser);
    const answer = await (await makeDevice()).create(challenge);
    expect((await browser.get(PASSKEYS)).text).toContain("data-passkey");
    await removeMember(workspace.ctx, browser.email);
    const page = await browser.get(PASSKEYS);
    expect(page.text).toContain("opens no workspace");
    expect(page.text).not.toContain("data-passkey");
    expect((await browser.post(PASSKEYS, { name: "Phone", ...answer })).status).toBe(403);
    expect(await hasPasskey(browser.email)).toBe(false);
  });

  it("does not open a workspace again that the person was removed from and added to again", async () => {
    const { one, two, email } = await inTwo();
    const whole = await addOne(await signInAgain(email));
    await removeMember(one.ctx, email);
    await addMember(one.ctx, { email, role: "editor" });
    const { browser } = await signInWith(whole);
    expect(await statusesIn(browser, one, two)).toEqual([404, 200]);
    // Nor does a passkey that is made in such a session.
    const second = await signInWith(await addOne(browser));
    expect(await statusesIn(second.browser, one, two)).toEqual([404, 200]);
    // What a newer link has opened stays open.
    const fresh = await signInAgain(email);
    await signInWith(whole, {}, fresh);
    expect(await statusesIn(fresh, one, two)).toEqual([200, 200]);
  });

  it("is nothing any more after the operator has signed the person out", async () => {
    const { browser } = await makeMember();
    const device = await addOne(browser);
    await signOutEverywhere(serviceContext(), browser.email);
    expect((await signInWith(device)).page.status).toBe(403);
    expect(await hasPasskey(browser.email)).toBe(false);
  });

  it("is not opened to a session that has ended meanwhile", async () => {
    const { browser } = await makeMember();
    const answer = await (await makeDevice()).create((await asked(browser)).challenge);
    await signOutEverywhere(serviceContext(), browser.email);
    expect((await browser.post(PASSKEYS, answer)).status).toBe(401);
  });
});

describe("the page of people", () => {
  it("tells owners who has a passkey that opens the workspace", async () => {
    const { workspace, browser } = await makeMember();
    const other = await makeWorkspace();
    const [editor, viewer] = [await signInAs(workspace, "editor"), await signInAs(workspace, "viewer")];
    await addOne(editor);
    await addMember(other.ctx, { email: viewer.email, role: "viewer" });
    await addOne(await invitedTo(other, viewer.email));
    const people = `/app/${workspace.slug}/members`;
    expect((await browser.get(people)).text.match(/has a passkey/g)).toHaveLength(1);
    expect((await editor.get(people)).text).not.toContain("has a passkey");
  });
});

describe("answers that fail", () => {
  it("are counted for their address, ten a minute, and then refused before the database is asked", async () => {
    const { binding, asked: counted } = limiter(10);
    const env = { ...otherInstance(), PASSKEY_RATE: binding };
    const { browser } = await makeMember();
    const device = await addOne(browser);
    const init = { headers: { "cf-connecting-ip": "192.0.2.9" } };
    const answer = await device.sign(await askedToSignIn(browser), { flags: 1 });
    const statuses: number[] = [];
    for (let number = 0; number < 12; number++)
      statuses.push((await openBrowser(env).post("/app/sign-in/passkey", answer, init)).status);
    expect(statuses).toEqual([...Array(10).fill(403), 429, 429]);
    expect(counted).toEqual(Array(11).fill("waymark:192.0.2.9"));
    const good = await device.sign(await askedToSignIn(browser));
    expect((await openBrowser(env).post("/app/sign-in/passkey", good, init)).status).toBe(429);
    expect((await openBrowser(env).post("/app/sign-in/passkey", good)).status).toBe(303);
  });

  it("are not counted if they are good, and neither is the form without fields left out", async () => {
    const { binding, asked: counted } = limiter(1);
    const env = { ...otherInstance(), PASSKEY_RATE: binding };
    const device = await addOne((await makeMember()).browser);
    const init = { headers: { "cf-connecting-ip": "192.0.2.10" } };
    for (let number = 0; number < 3; number++) {
      const good = await device.sign(await askedToSignIn(openBrowser()));
      expect((await openBrowser(env).post("/app/sign-in/passkey", good, init)).status).toBe(303);
    }
    expect(counted).toEqual([]);
    expect((await openBrowser(env).post("/app/sign-in/passkey", {}, init)).status).toBe(403);
    expect(counted).toHaveLength(1);
  });

  it("of a new passkey are counted too, and a form of another site is not read", async () => {
    const { binding, asked: counted } = limiter(1);
    const env = { ...otherInstance(), PASSKEY_RATE: binding };
    const { browser } = await makeMember();
    const init = { headers: { "cf-connecting-ip": "192.0.2.11" } };
    expect((await browser.post(PASSKEYS, { name: "x" }, init, env)).status).toBe(403);
    expect((await browser.post(PASSKEYS, { name: "x" }, init, env)).status).toBe(429);
    expect(counted).toHaveLength(2);
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    for (const path of [PASSKEYS, `${PASSKEYS}/challenge`, "/app/sign-in/challenge", "/app/sign-in/passkey"])
      expect((await browser.post(path, {}, { headers })).status).toBe(403);
  });

  it("and questions for a challenge stop at the limit of failed authentications", async () => {
    const { binding } = limiter(2);
    const browser = openBrowser({ ...otherInstance(), AUTH_FAILURE_RATE: binding });
    const init = { headers: { "cf-connecting-ip": "192.0.2.12" } };
    const statuses: number[] = [];
    for (let number = 0; number < 3; number++)
      statuses.push((await browser.post("/app/sign-in/challenge", {}, init)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe("the sign-in page", () => {
  it("says the operator's sentence as text, else to ask an owner, and no command", async () => {
    const plain = (await openBrowser().get("/app/sign-in")).text;
    expect(plain).toContain("Ask an owner of your workspace for a link.");
    const help = "Write to <it@acme.example>";
    const own = (await openBrowser({ ...testEnv, SIGN_IN_HELP: ` ${help} ` }).get("/app/sign-in")).text;
    expect(own).toContain("<p>Write to &lt;it@acme.example&gt;</p>");
    expect(own).not.toContain("Ask an owner");
    for (const text of [plain, own]) expect(text).not.toContain("npm run");
  });

  it("offers a new link for a dead one", async () => {
    const { browser } = await makeMember();
    const { token } = await createSignInLink(serviceContext(), browser.email);
    await useSignInLink(openBrowser(), token);
    const { env } = mailbox();
    const dead = await openBrowser(env).get(`/app/sign-in?token=${token}`);
    expect(dead.status).toBe(403);
    expect(dead.text).toContain("Send me a new link");
    expect(dead.text).toContain("Ask an owner of your workspace for a new link.");
  });

  it("shows no button until the script has found that the browser has passkeys", async () => {
    const { text } = await openBrowser().get("/app/sign-in");
    expect(text).toMatch(/<form[^>]* action="\/app\/sign-in\/passkey"[^>]* hidden/);
  });
});

it("with Cloudflare Access passkeys open nothing and are not offered", async () => {
  const { browser } = await makeMember();
  const device = await addOne(browser);
  const env = { ...testEnv, ACCESS_TEAM_DOMAIN: "acme", ACCESS_AUD: "aud" };
  const answer = await device.sign(await askedToSignIn(openBrowser()));
  for (const path of ["/app/sign-in/passkey", "/app/sign-in/challenge"])
    expect((await openBrowser(env).post(path, answer)).status).toBe(403);
  expect((await openBrowser(env).get("/app/sign-in")).text).not.toContain("passkey");
  expect((await browser.post(PASSKEYS, answer, {}, env)).status).toBe(401);
});
