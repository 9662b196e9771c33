import { applyD1Migrations, env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { getWorkspace } from "../../../src/access/service";
import type { Context } from "../../../src/context";
import { type FoundLinks, listSomeLinks } from "../../../src/resources/links/list";
import { MAX_NEWEST_LINKS } from "../../../src/resources/links/list/plan";
import { otherInstance, serviceContext, testEnv } from "../../harness";
import { metered } from "../../metered";
import { COMMON_WORD, fill, RARE_WORD } from "./generate";
import { LINKS } from "./size";

// The rows that a search of the web application reads, counted by D1, in one of twenty workspaces with a given number of
// links and a thousand tags.

const FILL_MS = 600_000;
/** The names of tags and groups, a page of a hundred links, and the counts of each word. */
const FIXED_ROWS = 6_000;
/** A search looks at up to 1,000 links by words or 2,000 of a filter, twice: for the page and for their number. */
const MOST_ROWS = 40_000;

describe(`in a workspace of ${LINKS} links`, () => {
  const database = env.SCALE_FIND;
  const links = LINKS;
  const { db, rows } = metered(database);
  let ctx: Context;

  beforeAll(async () => {
    await applyD1Migrations(database, env.TEST_MIGRATIONS);
    await fill(database, { links });
    const service = serviceContext({ ...otherInstance(testEnv), DB: db });
    ctx = { ...service, workspace: await getWorkspace(service, "workspace-1") };
  }, FILL_MS);

  async function find(text: string, more: object = {}): Promise<FoundLinks & { read: number }> {
    Object.assign(rows, { read: 0 });
    const found = await listSomeLinks(ctx, {
      find: text,
      status: "all",
      sort: "-created_at",
      page: 1,
      per_page: 100,
      after: undefined,
      ...more,
    });
    return { ...found, read: rows.read };
  }

  it("rare words, slugs and short URLs read a few rows for each match", async () => {
    for (const text of [
      RARE_WORD,
      `${RARE_WORD} ${COMMON_WORD}`,
      "nothing like this",
      "1-ff",
      "https://s.example/1-ff",
    ]) {
      const { read, meta } = await find(text);
      expect(read, text).toBeLessThanOrEqual(FIXED_ROWS + 12 * meta.total);
    }
  });

  it.each<[string, object]>([
    [COMMON_WORD, {}],
    [`${COMMON_WORD} https`, {}],
    [`https ${COMMON_WORD} example`, { sort: "title" }],
    ["tag", {}],
    ["tag 7", {}],
    [`tag group ${COMMON_WORD}`, {}],
    ["group", { status: "active" }],
    ["ab", {}],
    ["https", { tag: ["tag-0"] }],
    ["https", { activity_group_id: "group-0" }],
    ["https", { channel: "email", status: "archived" }],
    ["a b c d e f g h", {}],
  ])("a search for %j reads a bounded number of rows", async (text, more) => {
    const { read, meta, lookedAt } = await find(text, more);
    expect(read).toBeLessThanOrEqual(MOST_ROWS);
    // A search that is not said to be cut has looked at everything.
    if (lookedAt === null) expect(meta.total).toBeLessThan(MAX_NEWEST_LINKS);
  });
});
