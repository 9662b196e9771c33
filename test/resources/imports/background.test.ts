import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { runSchedule } from "../../../src/operations/schedule";
import {
  continueImport,
  continueImports,
  ROWS_PER_RUN,
} from "../../../src/resources/imports/continue-import";
import { suspendWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { makeMember, signInAs } from "../../console/browser";
import { stateOf } from "../../console/import-state";
import { checkedAt, csvOf, DESTINATION, prefix, textOf } from "../../console/imports/helpers";
import { serviceContext, type TestWorkspace, testEnv } from "../../harness";
import { runSql, selectRows, selectValue } from "../../sql";

const MINUTE_MS = 60_000;
const EVEN_MINUTES = "*/2 * * * *";
const ODD_MINUTES = "1-59/2 * * * *";

const total = async ({ call }: TestWorkspace): Promise<number> =>
  (await call("GET", "/api/v1/links?per_page=1&status=all")).body.meta.total;

/** An import that its member has started, without waiting for more than its first row. */
async function started(rows: number) {
  const { workspace, browser } = await makeMember("editor");
  const p = prefix();
  const slugs = Array.from({ length: rows }, (_, index) => `${p}-${index}`);
  const at = await checkedAt(browser, workspace, csvOf(slugs));
  const ctx = { ...workspace.ctx, actor: `member:${browser.email}` };
  await continueImport(ctx, at.split("/").at(-1) ?? "", 1);
  return { workspace, browser, at, actor: ctx.actor };
}

describe("a started import goes on by the schedule", () => {
  /** Other files leave imports that are not finished, which would take turns with these. */
  beforeEach(async () => {
    await runSql`update imports set finished_at = started_at
      where started_at is not null and finished_at is null`;
  });

  it("with 50 rows a minute, whatever the browser does, and its links name the person who started it", async () => {
    const { workspace, browser, at, actor } = await started(120);
    const page = textOf((await browser.get(at)).text);
    expect(page).toContain("1 of 120 rows done");
    expect(page).toContain("It goes on by itself, also when this page is closed: up to 50 rows a minute.");
    await runSchedule(EVEN_MINUTES, testEnv);
    expect(await total(workspace)).toBe(1 + ROWS_PER_RUN);
    await runSchedule(ODD_MINUTES, testEnv);
    await runSchedule(EVEN_MINUTES, testEnv);
    expect(textOf((await browser.get(at)).text)).toContain("120 links were created.");
    await runSchedule(ODD_MINUTES, testEnv);
    expect(await total(workspace)).toBe(120);
    const results = await selectRows`select distinct actor from audit_log
      where workspace_id = ${workspace} and action in ('link.import', 'link.create')`;
    expect(results).toEqual([{ actor }]);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("while the browser goes on too, without making a link twice", async () => {
    const { workspace, browser, at } = await started(700);
    await Promise.all([
      browser.post(`${at}/go-on`),
      runSchedule(EVEN_MINUTES, testEnv),
      runSchedule(ODD_MINUTES, testEnv),
    ]);
    for (let runs = 0; runs < 6; runs++) await continueImports(serviceContext());
    expect(await total(workspace)).toBe(700);
    expect(textOf((await browser.get(at)).text)).toContain("700 links were created.");
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("one workspace after the other, without those that are suspended", async () => {
    const [one, other, suspended] = [await started(110), await started(110), await started(110)];
    await suspendWorkspace(serviceContext(), suspended.workspace.slug);
    const now = Date.now();
    for (const minutes of [0, 1]) {
      await continueImports({ ...serviceContext(), now: () => now + minutes * MINUTE_MS });
    }
    expect([await total(one.workspace), await total(other.workspace)]).toEqual([51, 51]);
    for (const minutes of [0, 1, 2, 3]) {
      await continueImports({ ...serviceContext(), now: () => now + minutes * MINUTE_MS });
    }
    expect([await total(one.workspace), await total(other.workspace)]).toEqual([110, 110]);
    expect(await continueImports(serviceContext())).toEqual({ running: 0 });
    const made = await selectValue<number>`select count(*) from links
      where workspace_id = ${suspended.workspace}`;
    expect(made).toBe(1);
  });

  it.each([
    ["is no longer a member", "delete from members where workspace_id = ? and email = ?"],
    ["has become a viewer", "update members set role = 'viewer' where workspace_id = ? and email = ?"],
  ])("unless the person who started it %s", async (_, sql) => {
    const { workspace, browser, at } = await started(700);
    const other = await signInAs(workspace, "editor");
    const next = await checkedAt(other, workspace, csvOf([1, 2].map((row) => `${prefix()}-${row}`)));
    await continueImport(
      { ...workspace.ctx, actor: `member:${other.email}` },
      next.split("/").at(-1) ?? "",
      1,
    );
    await env.DB.prepare(sql).bind(workspace.ctx.workspace.rowId, browser.email).run();
    await continueImports(serviceContext());
    // The later import of the workspace has gone on instead.
    expect(textOf((await other.get(next)).text)).toContain("2 links were created.");
    await continueImports(serviceContext());
    const page = textOf((await other.get(at)).text);
    expect(page).toContain("1 of 700 rows done");
    expect(page).toContain("It waits until somebody goes on with it");
    await other.post(`${at}/go-on`);
    expect(textOf((await other.get(at)).text)).toContain("501 of 700 rows done It goes on by itself");
    await continueImports(serviceContext());
    expect(textOf((await other.get(at)).text)).toContain("551 of 700 rows done");
    const results = await selectRows`select distinct actor from audit_log
      where workspace_id = ${workspace} and subject = ${at.split("/").at(-1)} order by id`;
    expect(results).toEqual([{ actor: `member:${browser.email}` }, { actor: `member:${other.email}` }]);
    await other.post(`${at}/discard`);
  });

  it("and a file that was only checked does not", async () => {
    const { workspace, browser } = await makeMember("editor");
    await checkedAt(browser, workspace, `url\n${DESTINATION}`);
    await runSchedule(EVEN_MINUTES, testEnv);
    await runSchedule(ODD_MINUTES, testEnv);
    expect(await total(workspace)).toBe(0);
  });
});
