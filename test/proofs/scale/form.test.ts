import { applyD1Migrations, env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { getWorkspace } from "../../../src/access/service";
import type { Env } from "../../../src/context";
import { signInAs } from "../../console/browser";
import { watched } from "../../console/depth";
import { fieldsOf } from "../../console/form-fields";
import { otherInstance, serviceContext, testEnv } from "../../harness";
import { metered } from "../../metered";
import { fill, GROUPS, TAGS } from "./generate";
import { LINKS } from "./size";

// The rows that the form of a link reads in one of twenty workspaces, with 1,000 tags and 200 groups.

const FILL_MS = 600_000;
/** Tags and groups are read whole, of the links the newest 200, with two rows of each. */
const OFFERED_ROWS = 2 * TAGS + 2 * GROUPS + 2 * 200 + 100;

describe("in a workspace of many links and tags", () => {
  const { db, rows } = metered(env.SCALE_FORM);
  const environment: Env = { ...otherInstance(testEnv), DB: db };
  let browser: Awaited<ReturnType<typeof signInAs>>;

  beforeAll(async () => {
    await applyD1Migrations(env.SCALE_FORM, env.TEST_MIGRATIONS);
    await fill(env.SCALE_FORM, { links: LINKS });
    const ctx = serviceContext(environment);
    browser = await signInAs(
      { ctx: { ...ctx, workspace: await getWorkspace(ctx, "workspace-1") } },
      "editor",
      environment,
    );
  }, FILL_MS);

  const measured = async <T>(work: (environment: Env) => Promise<T>) => {
    rows.read = 0;
    const watch = watched(environment);
    const result = await work(watch.env);
    return { result, read: rows.read, depth: watch.depth() };
  };

  it("the form reads what it offers, and no more links", async () => {
    const path = "/app/workspace-1/links/new";
    const { result, read, depth } = await measured((own) => browser.get(path, {}, own));
    expect(result.status).toBe(200);
    expect(read).toBeLessThanOrEqual(OFFERED_ROWS);
    expect(depth).toBeLessThanOrEqual(3);
    const copied = await measured((own) => browser.get(`${path}?from=${"0".repeat(26)}`, {}, own));
    expect([copied.result.status, copied.depth]).toEqual([404, 2]);
  });

  it("the preview while typing reads the groups and a few rows", async () => {
    const fields = { destination_url: "https://www.example.com/", slug: "1-ff", utm_source: "s" };
    const path = "/app/workspace-1/links/preview";
    const { result, read, depth } = await measured((own) => browser.post(path, fields, {}, own));
    expect([result.status, result.text.includes("Taken by")]).toEqual([200, true]);
    expect(read).toBeLessThanOrEqual(2 * GROUPS + 50);
    expect(depth).toBeLessThanOrEqual(3);
  });

  it("a refused form is shown again with three calls in a row", async () => {
    const path = "/app/workspace-1/links/new";
    const fields = { destination_url: "https://www.example.com/", slug: "1-ff", title: "T" };
    const { result, read, depth } = await measured((own) => browser.post(path, fields, {}, own));
    expect([result.status, fieldsOf(result)["title"]]).toEqual([422, "T"]);
    expect(read).toBeLessThanOrEqual(OFFERED_ROWS + 50);
    expect(depth).toBeLessThanOrEqual(3);
  });
});
