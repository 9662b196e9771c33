import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { removeMember } from "../../src/access/members";
import type { Env } from "../../src/context";
import { DAY_MS } from "../../src/lib/time";
import { runSchedule } from "../../src/operations/schedule";
import { sendWeeklyReports } from "../../src/operations/weekly-report/send-weekly-report";
import {
  resumeWorkspace,
  suspendWorkspace,
  updateWorkspace,
} from "../../src/resources/workspaces/workspace-service";
import { signInAs } from "../console/browser";
import { click } from "../console/clicks";
import { API, makeWorkspace, send, serviceContext, type TestWorkspace, testEnv } from "../harness";
import { limiter } from "../limiter";
import { failuresOf } from "../log";
import { mailbox } from "../mailbox";

const DAILY = "17 3 * * *";

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await env.DB.prepare("update members set report_token = null, report_due_at = null").run();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** The reports among the mails. */
const reportsOf = (mails: ReturnType<typeof mailbox>["mails"]) =>
  mails.filter(({ subject }) => subject.startsWith("Weekly report of "));

/** Does what the mails that ask for it say: starts the report. */
async function confirm(box: ReturnType<typeof mailbox>, email: string): Promise<void> {
  for (const { text } of box.to(email)) {
    const path = /\/reports\/start\/[0-9a-z]{32}/.exec(text)?.[0];
    if (path !== undefined) await send(new Request(API + path, { method: "POST" }));
  }
}

/** A member who has asked for the report, and who gets the mails of `box`. */
async function makeReader(box: ReturnType<typeof mailbox>, workspace?: TestWorkspace) {
  const ws = workspace ?? (await makeWorkspace());
  const browser = await signInAs(ws, "viewer", box.env);
  const settings = `/app/${ws.slug}/workspace`;
  const want = async (wanted: string) => {
    const answer = await browser.post(`${settings}/weekly-report`, { wanted });
    await confirm(box, browser.email);
    return answer;
  };
  expect((await want("true")).location).toBe(settings);
  return { workspace: ws, browser, settings, want, mails: () => reportsOf(box.to(browser.email)) };
}

/** The environment of a mailbox whose service refuses the mails to some. */
function refusing({ env }: ReturnType<typeof mailbox>, isRefused: (to: string) => boolean) {
  const { MAIL } = env;
  const send: typeof MAIL.send = (mail) =>
    isRefused((mail as { to: string }).to) ? Promise.reject(new Error("no")) : MAIL.send(mail);
  return { ...env, MAIL: { send } };
}

const tokenOf = ({ text }: { text: string }): string =>
  /\/reports\/stop\/([0-9a-z]{32})/.exec(text)?.[1] ?? "";

const stopWith = (token: string, environment: Env = testEnv, init: RequestInit = {}) =>
  send(new Request(`${API}/reports/stop/${token}`, { method: "POST", ...init }), environment);

describe("the weekly report", () => {
  it("has the figures of the last seven whole days in the workspace's time zone", async () => {
    // A Thursday; in Zurich the day has begun.
    vi.setSystemTime("2026-11-26T03:17:00Z");
    const box = mailbox();
    const { workspace, mails, browser } = await makeReader(box);
    await updateWorkspace(workspace.ctx, { name: "Acme", time_zone: "Europe/Zurich" });
    const group = await workspace.group({ name: "Summer fair", status: "active" });
    const poster = await workspace.link({ title: "Poster at the station", activity_group_id: group.id });
    const plain = await workspace.link({ slug: `${workspace.slug}-plain`.slice(0, 40) });
    await click(workspace, poster.id, "2026-11-25", { clicks: 1_200, scans: 34 });
    await click(workspace, plain.id, "2026-11-19", { clicks: 6 });
    await click(workspace, plain.id, "2026-11-18", { clicks: 1_000 });
    await click(workspace, plain.id, "2026-11-26", { clicks: 77 });
    await runSchedule(DAILY, box.env);
    const [mail] = mails();
    expect(mail).toMatchObject({
      from: "links@s.example",
      to: browser.email,
      subject: "Weekly report of Acme",
    });
    expect(mail?.text.replace(tokenOf(mail), "TOKEN")).toBe(`Acme: 19 Nov 2026 to 25 Nov 2026 (Zurich time)

Visits: 1,240 (1,000 in the week before, +24%)
Clicks: 1,206 (1,000 in the week before, +21%)
Scans: 34 (0 in the week before)

Most visited links
1,234  Poster at the station
6  ${plain.slug}

Most visited groups
1,234  Summer fair

Open the workspace: ${API}/app/${workspace.slug}
Stop this report: ${API}/reports/stop/TOKEN
`);
    expect(mail?.headers).toEqual({
      "List-Unsubscribe": `<${API}/reports/stop/${tokenOf(mail ?? { text: "" })}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
  });

  it("comes once in seven days, whatever number of runs there are", async () => {
    const box = mailbox();
    const { mails } = await makeReader(box);
    await Promise.all([1, 2, 3].map(() => sendWeeklyReports(serviceContext(box.env))));
    expect(mails()).toHaveLength(1);
    pass(5 * DAY_MS);
    await sendWeeklyReports(serviceContext(box.env));
    expect(mails()).toHaveLength(1);
    pass(2 * DAY_MS);
    await sendWeeklyReports(serviceContext(box.env));
    expect(mails()).toHaveLength(2);
    pass(21 * DAY_MS);
    await sendWeeklyReports(serviceContext(box.env));
    await sendWeeklyReports(serviceContext(box.env));
    expect(mails()).toHaveLength(3);
  });

  it("goes on with the next run where the statements end", async () => {
    const box = mailbox();
    const first = await makeReader(box);
    const second = await makeReader(box, first.workspace);
    const third = await makeReader(box);
    const ctx = serviceContext(box.env);
    const limited = (statements: number) => {
      let left = statements;
      return { ...ctx, db: { ...ctx.db, statementsLeft: () => left-- } };
    };
    const sent = () => [first, second, third].map(({ mails }) => mails().length);
    await sendWeeklyReports(limited(10));
    expect(sent()).toEqual([0, 0, 0]);
    await sendWeeklyReports(limited(11));
    expect(sent()).toEqual([1, 0, 0]);
    await sendWeeklyReports(ctx);
    expect(sent()).toEqual([1, 1, 1]);
  });

  it("is not sent twice after a crash, and a service that fails five workspaces stops the run", async () => {
    const box = mailbox();
    const readers: Awaited<ReturnType<typeof makeReader>>[] = [];
    for (let count = 0; count < 7; count++) readers.push(await makeReader(box));
    box.state.failure = Object.assign(new Error("no"), { code: "E_DAILY_LIMIT_EXCEEDED" });
    const failures = await failuresOf(() => sendWeeklyReports(serviceContext(box.env)));
    expect(failures.map(({ outcome }) => outcome)).toEqual(Array(5).fill("E_DAILY_LIMIT_EXCEEDED"));
    box.state.failure = undefined;
    pass(DAY_MS);
    await sendWeeklyReports(serviceContext(box.env));
    expect(readers.map(({ mails }) => mails().length)).toEqual([0, 0, 0, 0, 0, 1, 1]);
  });

  it("waits for the next run behind a colleague's that is refused, while other workspaces get theirs", async () => {
    const box = mailbox();
    const first = await makeReader(box);
    const second = await makeReader(box, first.workspace);
    const other = await makeReader(box);
    const env = refusing(box, (to) => to === first.browser.email);
    const sent = () => [first, second, other].map(({ mails }) => mails().length);
    await failuresOf(() => sendWeeklyReports(serviceContext(env)));
    expect(sent()).toEqual([0, 0, 1]);
    await sendWeeklyReports(serviceContext(env));
    expect(sent()).toEqual([0, 1, 1]);
  });

  it("is sent to a workspace behind another with as many refused addresses as a run has reports", async () => {
    const box = mailbox();
    const refused = await makeReader(box);
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
        insert into members (public_id, workspace_id, email, role, created_at, report_token, report_due_at)
        select 'm' || workspace_id || '-' || i, workspace_id, i || '@refused.example', role, created_at, 'r' || i, report_due_at
        from members join n where report_token is not null`,
    ).run();
    pass(DAY_MS);
    const other = await makeReader(box);
    const environment = refusing(box, (to) => to !== other.browser.email);
    await failuresOf(() => sendWeeklyReports(serviceContext(environment)));
    expect([refused.mails().length, other.mails().length]).toEqual([0, 1]);
  });

  it("goes on with other workspaces if the figures of one fail", async () => {
    const box = mailbox();
    const broken = await makeReader(box);
    const other = await makeReader(box);
    const ctx = serviceContext(box.env);
    let reads = 0;
    const db = {
      ...ctx.db,
      // The first read lists what is due, the next ones are the figures of the first workspace.
      read: ((...statements: Parameters<typeof ctx.db.read>) =>
        [2, 3, 4].includes(++reads)
          ? Promise.reject(new Error("no"))
          : ctx.db.read(...statements)) as typeof ctx.db.read,
    };
    const failures = await failuresOf(() => sendWeeklyReports({ ...ctx, db }));
    expect(failures).toMatchObject([{ request_id: "weekly-report", error: "Error" }]);
    expect([broken.mails().length, other.mails().length]).toEqual([0, 1]);
  });

  it("is not sent to removed members, those who did not ask, and in suspended workspaces", async () => {
    const box = mailbox();
    const removed = await makeReader(box);
    const suspended = await makeReader(box);
    const other = await signInAs(removed.workspace, "owner", box.env);
    await removeMember(removed.workspace.ctx, removed.browser.email);
    await suspendWorkspace(serviceContext(), suspended.workspace.slug);
    await sendWeeklyReports(serviceContext(box.env));
    expect([reportsOf(box.mails), box.to(other.email)]).toEqual([[], []]);
    await resumeWorkspace(serviceContext(), suspended.workspace.slug);
    await sendWeeklyReports(serviceContext(box.env));
    expect(reportsOf(box.mails)).toHaveLength(1);
  });

  it("is neither offered nor sent without a mail service, and half a setting is logged", async () => {
    const box = mailbox();
    const { browser, settings, workspace } = await makeReader(box);
    const plain = await signInAs(workspace);
    const { text } = await plain.get(settings);
    expect(text).toContain("This service sends no mail, and so no weekly report.");
    expect(text).not.toContain("Send me the weekly report");
    expect((await plain.post(`${settings}/weekly-report`, { wanted: "true" })).status).toBe(404);
    expect(await failuresOf(() => sendWeeklyReports(serviceContext()))).toEqual([]);
    const half = { ...testEnv, MAIL_FROM: "links@s.example" };
    expect(await failuresOf(() => sendWeeklyReports(serviceContext(half)))).toEqual([
      { level: "error", error: "misconfigured", reason: "MAIL is not set, so no mail is sent." },
    ]);
    expect(reportsOf(box.to(browser.email))).toEqual([]);
  });

  it("holds the names of links and workspaces as plain text", async () => {
    const box = mailbox();
    const { workspace, mails } = await makeReader(box);
    await updateWorkspace(workspace.ctx, { name: "<b>Acme</b> & Co" });
    const link = await workspace.link({ title: "<script>alert(1)</script>" });
    await click(workspace, link.id, Date.now() - DAY_MS, { clicks: 1 });
    await sendWeeklyReports(serviceContext(box.env));
    expect(mails()[0]).toMatchObject({ subject: "Weekly report of <b>Acme</b> & Co" });
    expect(mails()[0]?.text).toContain("1  <script>alert(1)</script>");
  });
});

describe("a member's weekly report", () => {
  it("is switched on and off by themselves alone", async () => {
    const box = mailbox();
    const { browser, settings, want, workspace } = await makeReader(box);
    const owner = await signInAs(workspace, "owner", box.env);
    expect((await browser.get(settings)).text).toContain("Stop the weekly report");
    expect((await owner.get(settings)).text).toContain("Send me the weekly report");
    await want("false");
    expect((await browser.get(settings)).text).toContain("Send me the weekly report");
    await sendWeeklyReports(serviceContext(box.env));
    expect(reportsOf(box.mails)).toEqual([]);
  });

  it("comes no sooner if it is switched off and on again after one was sent", async () => {
    const box = mailbox();
    const { want, mails } = await makeReader(box);
    await sendWeeklyReports(serviceContext(box.env));
    await want("false");
    await want("true");
    await sendWeeklyReports(serviceContext(box.env));
    expect(mails()).toHaveLength(1);
  });

  it("keeps its token if it is asked for again, and cannot be asked for in another workspace", async () => {
    const box = mailbox();
    const { browser, want, mails } = await makeReader(box);
    await sendWeeklyReports(serviceContext(box.env));
    await want("true");
    await sendWeeklyReports(serviceContext(box.env));
    expect(mails()).toHaveLength(1);
    const other = await makeWorkspace();
    const foreign = await browser.post(`/app/${other.slug}/workspace/weekly-report`, { wanted: "true" });
    expect(foreign.status).toBe(404);
    expect((await stopWith(tokenOf(mails()[0] ?? { text: "" }))).status).toBe(200);
  });

  it("is stopped by the link in its mail, by POST alone, without signing in", async () => {
    const box = mailbox();
    const { browser, mails, settings } = await makeReader(box);
    await sendWeeklyReports(serviceContext(box.env));
    const url = `${API}/reports/stop/${tokenOf(mails()[0] ?? { text: "" })}`;
    const page = await send(new Request(url));
    const text = await page.text();
    expect([page.status, page.headers.get("referrer-policy")]).toEqual([200, "no-referrer"]);
    expect(text).toContain('<form method="post"><button>Stop the weekly report</button></form>');
    expect(text).not.toContain("people.example");
    pass(7 * DAY_MS);
    await sendWeeklyReports(serviceContext(box.env));
    expect(mails()).toHaveLength(2);

    // As a program that reads mail sends it: from no page of the service.
    const oneClick = { body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
    const stopped = await stopWith(tokenOf(mails()[1] ?? { text: "" }), box.env, oneClick);
    expect([stopped.status, (await stopped.text()).includes("has stopped")]).toEqual([200, true]);
    expect((await browser.get(settings)).text).toContain("Send me the weekly report");
    pass(7 * DAY_MS);
    await sendWeeklyReports(serviceContext(box.env));
    expect(mails()).toHaveLength(2);
    expect((await stopWith(tokenOf(mails()[1] ?? { text: "" }))).status).toBe(404);
  });

  it("is stopped with Cloudflare Access and without a mail service too", async () => {
    const box = mailbox();
    const { mails } = await makeReader(box);
    await sendWeeklyReports(serviceContext(box.env));
    const token = tokenOf(mails()[0] ?? { text: "" });
    const closed = { ...testEnv, ACCESS_TEAM_DOMAIN: "acme" };
    expect((await stopWith(token, closed)).status).toBe(200);
  });

  it.each(["x", "0".repeat(32), "A".repeat(32), "%00", "sgn_1"])("is not stopped by %j", async (token) => {
    expect((await stopWith(token)).status).toBe(404);
  });

  it("is not guessed: unknown tokens count as unknown slugs do", async () => {
    const limited = { ...testEnv, UNKNOWN_SLUG_RATE: limiter(2).binding };
    const from = { headers: { "cf-connecting-ip": "192.0.2.7" } };
    const answers: number[] = [];
    for (let tries = 0; tries < 4; tries++)
      answers.push((await stopWith("0".repeat(32), limited, from)).status);
    expect(answers).toEqual([404, 404, 429, 429]);
  });

  it.each(["PUT", "DELETE"])("has no %s on its page, which is on the main host alone", async (method) => {
    expect((await stopWith("0".repeat(32), testEnv, { method })).status).toBe(404);
    const short = await send(new Request(`https://s.example/reports/stop/${"0".repeat(32)}`));
    expect(short.status).toBe(404);
  });
});

describe("starting a weekly report", () => {
  const start = (path: string, init: RequestInit = { method: "POST" }) => send(new Request(API + path, init));

  async function asked() {
    const box = mailbox();
    const workspace = await makeWorkspace();
    const browser = await signInAs(workspace, "viewer", box.env);
    const settings = `/app/${workspace.slug}/workspace`;
    const post = (wanted: string) => browser.post(`${settings}/weekly-report`, { wanted });
    const paths = () =>
      box
        .to(browser.email)
        .flatMap(({ text }) => /\/reports\/start\/[0-9a-z]{32}/.exec(text) ?? [])
        .map(String);
    const reports = () => reportsOf(box.to(browser.email)).length;
    const run = () => sendWeeklyReports(serviceContext(box.env));
    await post("true");
    return { box, browser, settings, post, paths, reports, run };
  }

  it("takes a click on a mail, whoever's session asked", async () => {
    const { browser, settings, paths, reports, run } = await asked();
    await run();
    expect(reports()).toBe(0);
    expect((await browser.get(settings)).text).toContain("Send that mail again");
    const [path = ""] = paths();
    const page = await start(path, {});
    expect([page.status, (await page.text()).includes("<button>Start the weekly report</button>")]).toEqual([
      200,
      true,
    ]);
    await run();
    expect(reports()).toBe(0);
    const started = await start(path);
    expect([started.status, (await started.text()).includes("has started")]).toEqual([200, true]);
    await run();
    expect(reports()).toBe(1);
    expect((await browser.get(settings)).text).toContain("Stop the weekly report");
    expect((await start(path)).status).toBe(200);
  });

  it("takes another click after a stop from a mail, and earlier mails start nothing", async () => {
    const { box, browser, post, paths, reports, run } = await asked();
    await start(paths()[0] ?? "");
    await run();
    const [report = { text: "" }] = reportsOf(box.to(browser.email));
    expect((await stopWith(tokenOf(report))).status).toBe(200);
    await post("true");
    pass(8 * DAY_MS);
    await run();
    expect(reports()).toBe(1);
    expect((await start(paths()[0] ?? "")).status).toBe(404);
    expect((await stopWith(tokenOf(report))).status).toBe(404);
    await run();
    expect(reports()).toBe(1);
    expect((await start(paths()[1] ?? "")).status).toBe(200);
    await run();
    expect(reports()).toBe(2);
  });

  it("keeps the link of the first mail while it is asked for again, and sends five mails an hour at most", async () => {
    const { browser, post, paths, settings } = await asked();
    for (let times = 0; times < 6; times++) await post("true");
    expect(paths()).toHaveLength(5);
    expect(new Set(paths()).size).toBe(1);
    expect((await browser.get(settings)).text).toContain("could not be sent");
  });
});
