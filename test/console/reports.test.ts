import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Env } from "../../src/context";
import { toDate } from "../../src/lib/range";
import { DAY_MS } from "../../src/lib/time";
import { addDomain } from "../../src/resources/domains/domain-service";
import { deleteTag } from "../../src/resources/links/remove-tag";
import { createReport, listReports } from "../../src/resources/reports/report-links";
import {
  resumeWorkspace,
  suspendWorkspace,
  updateWorkspace,
} from "../../src/resources/workspaces/workspace-service";
import { applyNow, ownD1 } from "../analytics/platform";
import {
  API,
  makeWorkspace,
  otherInstance,
  SHORT,
  send,
  serviceContext,
  type TestWorkspace,
  visit,
} from "../harness";
import { limiter } from "../limiter";
import { metered } from "../metered";
import { slow } from "../slow";
import { makeMember, signInAs } from "./browser";
import { click } from "./clicks";
import { fieldsOf, wordsAfter, wordsIn } from "./form-fields";

const BROWSER = {
  headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
};
const dateIn = (days: number) => toDate(Math.floor(Date.now() / DAY_MS) + days);

/** A page for whoever has its address, from an instance that has rendered none. */
async function read(url: string, env: Env = otherInstance()) {
  const response = await send(new Request(url, { redirect: "manual" }), env);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A group with a link that was visited. */
async function visitedGroup(ws: TestWorkspace) {
  const group = await ws.group({ name: "Summer fair", status: "active" });
  const link = await ws.link({ title: "Poster at the station", activity_group_id: group.id });
  for (let times = 0; times < 3; times++)
    await visit(`/${link.slug}`, BROWSER, { ...otherInstance(), DB: ownD1(), CLICK_PACK_SECONDS: "0.001" });
  await applyNow();
  return { group, link };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("is made on the page of a group, read without an account, and ended", async () => {
  const { workspace, browser } = await makeMember("editor");
  const { group, link } = await visitedGroup(workspace);
  const app = `/app/${workspace.slug}`;
  const page = await browser.get(`${app}/groups/${group.id}`);
  const to = /href="([^"]*\/reports\?[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const form = await browser.get(to);
  expect(form.text).toContain('<option value="30" selected="">Always: last 30 days</option>');
  expect(form.text).toContain('<option value="">Certain days</option>');
  expect(/<select[^>]*name="last"[^>]*>/.exec(form.text)?.[0]).not.toContain("required");
  const made = await browser.post(to, { ...fieldsOf(form) });
  expect(made.status, wordsIn(made.text)).toBe(303);
  const list = await browser.get(made.location ?? "");
  expect(wordsIn(list.text)).toContain("Always: last 30 days");
  const url = /https:\/\/[^\s"<]*\/reports\/[0-9a-z]{32}/.exec(list.text)?.[0] ?? "";
  expect(url).toMatch(new RegExp(`^${API}/reports/`));

  const report = await read(url);
  const words = wordsIn(report.text);
  expect(report.status).toBe(200);
  for (const said of ["Summer fair", "Poster at the station", "3 clicks", "last 30 days"])
    expect(words).toContain(said);
  expect(words).toContain(`${new Date(Date.now()).getUTCFullYear()} (last 30 days), UTC`);
  expect(report.text).not.toContain(`${app}/`);
  expect(report.text.slice(report.text.indexOf("<main"))).not.toContain("@");
  expect(report.text).not.toContain("<script");
  expect(report.text).not.toContain(link.slug);
  expect(report.text).toContain('<meta name="robots" content="noindex"/>');
  expect(report.headers.get("x-robots-tag")).toBe("noindex");
  expect(report.headers.get("referrer-policy")).toBe("no-referrer");
  expect(report.headers.get("cache-control")).toBe("no-store");
  expect(report.headers.get("content-security-policy")).not.toContain("script");
  expect((await read(url.replace(API, SHORT))).status).toBe(404);
  expect((await send(new Request(url, { method: "POST" }), otherInstance())).status).toBe(405);

  const end = /action="([^"]*\/reports\/\w+\/end)"/.exec(list.text)?.[1] ?? "";
  // Ending it cannot be undone, so the page says what it does before its button is there.
  expect(wordsIn(list.text)).toContain(
    "End it now : ".concat(url, " Nobody can read the report at this address"),
  );
  expect(await wordsAfter(browser, await browser.post(end))).toContain(
    "The report has ended. It may still open for a minute.",
  );
  expect((await read(url)).status).toBe(404);
  const history = wordsIn((await browser.get(`${app}/audit?action=report`)).text);
  expect(history).toContain("shared a report of Summer fair");
  expect(history).toContain("ended the report of Summer fair");
});

it("is about days that are chosen in its form, of which the current choice is marked", async () => {
  const { workspace, browser } = await makeMember("editor");
  const path = `/app/${workspace.slug}/reports?kind=overview`;
  const form = await browser.get(`${path}&from=${dateIn(-9)}&to=${dateIn(-2)}`);
  expect(form.text).toContain('<option value="" selected="">Certain days</option>');
  expect(fieldsOf(form)).toMatchObject({ last: "", first_day: dateIn(-9), last_day: dateIn(-2) });
  expect(form.text).not.toContain('aria-label="Time range"');
  const made = async (fields: object) =>
    wordsIn(
      (await browser.get((await browser.post(path, { ...fieldsOf(form), ...fields })).location ?? "")).text,
    );
  expect(await made({ first_day: dateIn(-8) })).toContain(`${dateIn(-8)} to ${dateIn(-2)}, until`);
  expect(await made({ last: "last-month" })).toContain("Always: last month, until");
  const refused = await browser.post(path, { ...fieldsOf(form), first_day: dateIn(-1) });
  expect([refused.status, wordsIn(refused.text)]).toEqual([
    422,
    expect.stringContaining("Choose the days of the report."),
  ]);
});

it("says visits to ended links, which a reader understands who does not know Waymark", async () => {
  const ws = await makeWorkspace();
  const link = await ws.link({ title: "Old poster" });
  const { url } = await createReport(ws.ctx, { kind: "overview", last: "7", ends_on: dateIn(1) });
  await click(ws, link.id, Date.now(), { clicks: 4, after_end: 3 });
  const words = wordsIn((await read(url)).text);
  expect(words).toContain("3 visits to ended links");
  expect(words).not.toContain("a link’s end");
});

it("says before it is made what its readers see", async () => {
  const { workspace, browser } = await makeMember("editor");
  const { group } = await visitedGroup(workspace);
  const tag = await workspace.tag({ name: "Fair" });
  const seen = async (query: string) =>
    wordsIn((await browser.get(`/app/${workspace.slug}/reports?${query}`)).text).split("What readers see")[1];
  const ofAll = ["Sources, countries and devices", "most visited links by their titles", "short addresses"];
  for (const said of [...ofAll, "Summer fair", "channels", "posters with their names and places"])
    expect(await seen(`kind=group&subject=${group.id}`)).toContain(said);
  for (const said of [...ofAll, "names of the 10 most visited groups"])
    expect(await seen("kind=overview")).toContain(said);
  const ofTag = await seen(`kind=tag&subject=${tag.id}`);
  for (const said of ofAll) expect(ofTag).toContain(said);
  for (const left of ["poster", "channel", "groups"]) expect(ofTag).not.toContain(left);
});

it("has days that move on, or stay as they are", async () => {
  const ws = await makeWorkspace();
  await visitedGroup(ws);
  const made = (fields: object) =>
    createReport(ws.ctx, { kind: "overview", ends_on: dateIn(300), ...fields });
  const rolling = await made({ last: "7" });
  const fixed = await made({ first_day: dateIn(-1), last_day: dateIn(0) });
  const clicksIn = async ({ url }: { url: string }) =>
    /(\d+) clicks?/.exec(wordsIn((await read(url)).text))?.[1];
  expect([await clicksIn(rolling), await clicksIn(fixed)]).toEqual(["3", "3"]);
  vi.setSystemTime(Date.now() + 20 * DAY_MS);
  expect([await clicksIn(rolling), await clicksIn(fixed)]).toEqual(["0", "3"]);
});

it("a report can no longer be read after its end, while the workspace is suspended or shares none, and once its tag is deleted", async () => {
  const ws = await makeWorkspace();
  const tag = await ws.tag({ name: "Fair" });
  const { url } = await createReport(ws.ctx, { kind: "tag", subject: tag.id, ends_on: dateIn(1) });
  expect(wordsIn((await read(url)).text)).toContain("Fair");
  await suspendWorkspace(serviceContext(), ws.slug);
  expect((await read(url)).status).toBe(404);
  await resumeWorkspace(serviceContext(), ws.slug);
  await updateWorkspace(ws.ctx, { shares_reports: false });
  expect((await read(url)).status).toBe(404);
  const editor = await signInAs(ws, "editor");
  expect((await editor.get(`/app/${ws.slug}/reports?kind=overview`)).text).toContain(
    "has switched reports off",
  );
  await updateWorkspace(ws.ctx, { shares_reports: true });
  expect((await read(url)).status).toBe(200);
  await deleteTag(ws.ctx, tag.id);
  expect(wordsIn((await read(url)).text)).toContain("This report cannot be read");
  expect(await listReports(ws.ctx, "tag", tag.id)).toEqual([]);
  const other = await createReport(ws.ctx, { kind: "overview", ends_on: dateIn(1) });
  expect((await read(other.url)).status).toBe(200);
  vi.setSystemTime(Date.now() + 2 * DAY_MS);
  expect((await read(other.url)).status).toBe(404);
  expect((await read(`${API}/reports/${"x".repeat(32)}`)).status).toBe(404);
});

it("is rendered once a minute by an instance, also for requests that come together", async () => {
  const ws = await makeWorkspace();
  const { group } = await visitedGroup(ws);
  const { url } = await createReport(ws.ctx, { kind: "group", subject: group.id, ends_on: dateIn(1) });
  const instance = otherInstance();
  const { db, rows } = metered(instance.DB);
  const env = { ...instance, DB: db };
  expect((await read(url, env)).status).toBe(200);
  expect(rows.statements).toBeGreaterThan(0);
  const once = rows.statements;
  rows.statements = 0;
  expect((await read(url, env)).status).toBe(200);
  expect(rows.statements).toBe(0);
  const fresh = { ...otherInstance(), DB: db };
  const together = await Promise.all(Array.from({ length: 5 }, () => read(url, fresh)));
  expect(together.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(rows.statements).toBe(once);
  rows.statements = 0;
  vi.setSystemTime(Date.now() + 61_000);
  await read(url, env);
  expect(rows.statements).toBeGreaterThan(0);
});

it("is charged to itself, not to its workspace", async () => {
  const ws = await makeWorkspace();
  const { url } = await createReport(ws.ctx, { kind: "overview", ends_on: dateIn(1) });
  const { binding, asked: counted } = limiter(0);
  const instance = otherInstance();
  const bindings = { REPORT_WORK: binding, CALLER_WORK: binding, WORKSPACE_WORK: binding };
  const env = { ...instance, ...bindings, DB: slow(instance.DB, 10) };
  await read(url, env);
  expect(counted.every((key) => key.includes(":report:"))).toBe(true);
  expect(counted.length).toBeGreaterThan(0);
});

it("needs an end that is at most 366 days away, a subject of the workspace, and an editor", async () => {
  const { workspace, browser } = await makeMember("editor");
  const path = `/app/${workspace.slug}/reports?kind=overview`;
  for (const days of [{}, { first_day: dateIn(0), last_day: dateIn(-1) }])
    expect((await browser.post(path, { ends_on: dateIn(1), ...days })).status).toBe(422);
  for (const ends_on of [dateIn(-1), dateIn(368), "soon"]) {
    const refused = await browser.post(path, { last: "30", ends_on });
    expect([refused.status, wordsIn(refused.text).includes("The end must be")]).toEqual([422, true]);
  }
  const foreign = await (await makeWorkspace()).group();
  const other = `/app/${workspace.slug}/reports?kind=group&subject=${foreign.id}`;
  expect((await browser.get(other)).status).toBe(404);
  expect((await browser.post(other, { last: "30", ends_on: dateIn(1) })).status).toBe(404);
  const viewer = await signInAs(workspace, "viewer");
  expect((await viewer.get(path)).status).toBe(403);
  expect((await viewer.get(`/app/${workspace.slug}`)).text).not.toContain("Send a report");
});

it("leaves the slug `reports` to links", async () => {
  const ws = await makeWorkspace();
  const { host } = await addDomain(ws.ctx, `go.${ws.slug}.example`, true);
  await ws.link({ slug: "reports", domain: host });
  for (const path of ["/reports", "/reports/"])
    expect((await read(`https://${host}${path}`)).headers.get("location")).toBe("https://www.example.com/");
});
