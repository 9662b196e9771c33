import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createDatabase } from "../../../src/db/client";
import { randomSlug } from "../../../src/lib/slug-text";
import { chunks, type ImportRow, importLinks } from "../../../src/resources/links/import-links";
import { stateOf } from "../../console/import-state";
import { makeWorkspace, type TestWorkspace, visit } from "../../harness";

/** Ten thousand in `npm run test:scale`. */
const ROWS = env.SCALE ? 10_000 : 1_000;
const DESTINATION = "https://www.example.com/spring/offers?colour=blue&size=";

/** A D1 that records the sizes of its batches and fails on request. */
function measured() {
  const batches = {
    sent: 0,
    mostStatements: 0,
    longestSql: 0,
    longestValue: 0,
    failAt: Number.POSITIVE_INFINITY,
  };
  const encoder = new TextEncoder();
  const length = (value: unknown) => encoder.encode(String(value)).length;
  const db = new Proxy(env.DB, {
    get(target, name) {
      if (name === "prepare")
        return (sql: string) => {
          batches.longestSql = Math.max(batches.longestSql, length(sql));
          const statement = target.prepare(sql);
          return {
            bind: (...values: unknown[]) => {
              batches.longestValue = Math.max(batches.longestValue, ...values.map(length));
              return statement.bind(...values);
            },
          };
        };
      if (name === "batch")
        return (statements: D1PreparedStatement[]) => {
          batches.mostStatements = Math.max(batches.mostStatements, statements.length);
          if (++batches.sent === batches.failAt) throw new Error("the line is cut");
          return target.batch(statements);
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { batches, db: createDatabase(db) };
}

const totalOf = async (ws: TestWorkspace, query = ""): Promise<number> =>
  (await ws.call("GET", `/api/v1/links?per_page=1&${query}`)).body.meta.total;

const rowsOf = (...inputs: ImportRow["input"][]): ImportRow[] =>
  inputs.map((input, index) => ({ number: index + 1, input }));

describe("an import", () => {
  it(`of ${ROWS} rows creates each once, in batches of at most a hundred statements of up to 100 KB`, async () => {
    const ws = await makeWorkspace();
    const group = await ws.group({ default_utm_campaign: "spring_2026" });
    const [print, social] = [await ws.tag(), await ws.tag()];
    const rows: ImportRow[] = Array.from({ length: ROWS }, (_, index) => ({
      number: index + 1,
      input: {
        destination_url: DESTINATION + index + "x".repeat(index % 1_500),
        title: `Überschrift ${index} „${"夏".repeat(index % 90)}“`,
        channel: index % 2 === 0 ? "email" : null,
        activity_group_id: index % 3 === 0 ? group.slug : null,
        tag_ids: index % 4 === 0 ? [print.id, social.id.toLowerCase()] : [social.id],
      },
    }));
    const cut = measured();
    cut.batches.failAt = 21;
    await expect(importLinks({ ...ws.ctx, db: cut.db }, "spring", rows)).rejects.toThrow("the line is cut");
    const before = await totalOf(ws);
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(ROWS);

    const { batches, db } = measured();
    const result = await importLinks({ ...ws.ctx, db }, "spring", rows);
    expect(result).toMatchObject({ created: ROWS - before, existing: before, refused: [] });
    expect(batches.mostStatements).toBeLessThanOrEqual(100);
    expect(batches.longestSql).toBeLessThanOrEqual(100_000);
    expect(batches.longestValue).toBeLessThanOrEqual(100_000);
    expect(await totalOf(ws)).toBe(ROWS);
    expect(await totalOf(ws, `tag=${print.slug}`)).toBe(ROWS / 4);
    expect(await totalOf(ws, `activity_group_id=${group.slug}`)).toBe(Math.ceil(ROWS / 3));
    expect(await totalOf(ws, `q=schrift ${ROWS - 1}`)).toBe(1);
    expect(await stateOf(ws)).toEqual([]);
    expect(await importLinks(ws.ctx, "spring", rows)).toMatchObject({ created: 0, existing: ROWS });
  });

  it("creates links like the API", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group({ default_utm_campaign: "spring" });
    const tag = await ws.tag();
    const input = {
      destination_url: "https://www.example.com/?a=1",
      title: "Spring",
      channel: "print",
      utm_source: "poster",
      utm_medium: null,
      activity_group_id: group.id,
      tag_ids: [tag.id],
    };
    const one = await ws.link({ ...input, slug: "spring-one" });
    await importLinks(ws.ctx, "a", rowsOf({ ...input, slug: "Spring-Two" }));
    const [two] = (await ws.call("GET", "/api/v1/links?slug=spring-two")).body.links;
    const alike = { id: "", slug: "", short_url: "", created_at: "", updated_at: "" };
    expect({ ...two, ...alike }).toEqual({ ...one, ...alike });
    expect(two.slug).toBe("Spring-Two");
    expect((await visit("/spring-two")).headers.get("location")).toBe(
      "https://www.example.com/?a=1&utm_source=poster&utm_campaign=spring",
    );
    expect((await ws.call("DELETE", `/api/v1/links/${two.id}`)).status).toBe(204);
    expect(await stateOf(ws)).toEqual([]);
  });

  it("refuses what an earlier row has taken, and creates the others", async () => {
    const ws = await makeWorkspace({ linkLimit: 2 });
    const destination_url = "https://www.example.com/";
    const { created, refused } = await importLinks(
      ws.ctx,
      "mixed",
      rowsOf(
        { destination_url, slug: "twice-import" },
        { destination_url, slug: "Twice-Import" },
        { destination_url },
        { destination_url },
      ),
    );
    expect(created).toBe(2);
    expect(refused.map(({ number, errors }) => [number, errors.map(({ field }) => field)])).toEqual([
      [2, ["slug"]],
      [4, ["link_limit"]],
    ]);
    expect(await stateOf(ws)).toEqual([]);
  });
});

it("a random slug that is taken, or that two rows get, is replaced by another", async () => {
  const ws = await makeWorkspace();
  const sevenTimes = (character: number) => new Uint8Array(7).fill(character);
  const taken = randomSlug(() => sevenTimes(0));
  await ws.link({ slug: taken });
  const bytes = [0, 1, 1].map(sevenTimes);
  const random = (count: number) => bytes.shift() ?? ws.ctx.random(count);
  const input = { destination_url: "https://www.example.com/" };
  const imported = await importLinks({ ...ws.ctx, random }, "random", rowsOf(input, input, input));
  expect(imported).toMatchObject({ created: 3, refused: [] });
  expect(bytes).toEqual([]);
  expect(await stateOf(ws)).toEqual([]);
});

it("a chunk has at most fifty slugs, previous slugs included, or one link", () => {
  const rows = [0, 0, 48, 0, 1, 99, 0].map(
    (old, index): ImportRow => ({
      number: index + 1,
      input: { destination_url: DESTINATION },
      old_slugs: Array.from({ length: old }, (_, at) => `old-${index}-${at}`),
    }),
  );
  const sizes = [...chunks(rows)].map((chunk) => chunk.map(({ number }) => number));
  expect(sizes).toEqual([[1, 2], [3, 4], [5], [6], [7]]);
});
