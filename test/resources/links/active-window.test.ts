import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { listAudit } from "../../../src/resources/audit/service";
import { blockHost } from "../../../src/resources/destinations/service";
import { checkFile } from "../../../src/resources/imports/check";
import { getImport } from "../../../src/resources/imports/service";
import { importLinks } from "../../../src/resources/links/import";
import { revertLink } from "../../../src/resources/links/revert/revert";
import type { Link } from "../../../src/resources/links/schema";
import { makeWorkspace, serviceContext, type TestWorkspace } from "../../harness";

const START = "2026-06-01T08:00:00.000Z";
const END = "2026-08-31T22:00:00.000Z";
const OVER = "https://www.example.com/over";
const LIFE = { starts_at: START, ends_at: END, ended_url: OVER };
const NONE = { starts_at: null, ends_at: null, ended_url: null };

const patch = async (ws: TestWorkspace, { id }: Link, body: object): Promise<Link> => {
  const answer = await ws.call("PATCH", `/api/v1/links/${id}`, { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.link;
};
const get = async (ws: TestWorkspace, { id }: Link) => (await ws.call("GET", `/api/v1/links/${id}`)).body;
const lastOperation = async (ws: TestWorkspace, { id }: Link): Promise<string> =>
  (await listAudit(ws.ctx, { subject: id }, true)).entries[0]?.operation ?? "";

describe("the audit log and reverts", () => {
  it("have begin and end as ISO times in UTC, before and after", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ starts_at: "2026-06-01T10:00:00+02:00" });
    await patch(ws, link, { ...LIFE, starts_at: null });
    const { results } = await env.DB.prepare(
      "select before, change from audit_log where subject = ? order by id",
    )
      .bind(link.id)
      .all<{ before: string | null; change: string }>();
    const [created, updated] = results.map(({ before, change }) => ({
      before: JSON.parse(before ?? "null"),
      change: JSON.parse(change),
    }));
    expect(created?.change).toMatchObject({ starts_at: START });
    expect(updated?.before).toMatchObject({ ...NONE, starts_at: START });
    expect(updated?.change).toEqual({ ...LIFE, starts_at: null });
  });

  it("take all three back at once, with their order checked as they will be", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link(LIFE);
    await patch(ws, link, {
      starts_at: "2030-01-01T00:00:00Z",
      ends_at: "2031-01-01T00:00:00Z",
      ended_url: null,
    });
    const reverted = await revertLink(ws.ctx, await lastOperation(ws, link));
    expect(reverted.fields).toEqual([
      { field: "starts_at", is: "2030-01-01T00:00:00.000Z", willBe: START },
      { field: "ends_at", is: "2031-01-01T00:00:00.000Z", willBe: END },
      { field: "ended_url", is: null, willBe: OVER },
    ]);
    expect(reverted.refused).toEqual([]);
    expect(await get(ws, link)).toMatchObject(LIFE);
  });

  it("do not take back an address whose host was blocked meanwhile, and take back the rest", async () => {
    const ws = await makeWorkspace();
    const host = `h${crypto.randomUUID().slice(0, 8)}.example`;
    const link = await ws.link({ ...LIFE, ended_url: `https://${host}/` });
    await patch(ws, link, NONE);
    await blockHost(serviceContext(), host);
    const { refused } = await revertLink(ws.ctx, await lastOperation(ws, link));
    expect(refused.map(({ field, code }) => [field, code])).toEqual([["ended_url", "forbidden_host"]]);
    expect(await get(ws, link)).toMatchObject({ ...LIFE, ended_url: null });
  });
});

describe("an import of links with begin and end", () => {
  const TOO_EARLY = "The ends at field must be a date after starts at.";

  it("refuses what a request would refuse: in a file, and line by line", async () => {
    const ws = await makeWorkspace();
    const host = `h${crypto.randomUUID().slice(0, 8)}.example`;
    await blockHost(serviceContext(), host);
    const NOT_ALLOWED = "The ended url field leads to a host that this service does not allow.";
    const csv = [
      "destination_url,starts_at,ends_at,ended_url",
      `https://www.example.com/,${END},${START},https://a.${host}/`,
      `https://www.example.com/,2026-06-01,tomorrow,nonsense`,
      `https://www.example.com/,${START},${START},https://s.example/`,
      `https://www.example.com/,2026-06-01T10:00:00+02:00,${END},${OVER}`,
    ].join("\n");
    const file = await checkFile(ws.ctx, { name: "links.csv", bytes: new TextEncoder().encode(csv) });
    if (!("id" in file)) throw new Error("imported already");
    expect(file).toMatchObject({ rows: 4, refused: 3 });
    const page = await getImport(ws.ctx, file.id, { show: "all", page: 1 });
    expect(page.items.map(({ errors }) => errors.map(({ field, message }) => [field, message]))).toEqual([
      [
        ["ends_at", TOO_EARLY],
        ["ended_url", NOT_ALLOWED],
      ],
      [
        ["starts_at", expect.stringContaining("ISO 8601 time with a zone")],
        ["ends_at", expect.stringContaining("ISO 8601 time with a zone")],
        ["ended_url", "The ended url field must be a valid URL."],
      ],
      [
        ["ends_at", TOO_EARLY],
        ["ended_url", "The ended url field must not point to this service itself."],
      ],
      [],
    ]);

    const row = (number: number, input: object) => ({
      number,
      input: { destination_url: "https://www.example.com/", ...input },
    });
    const done = await importLinks(ws.ctx, "lines", [
      row(1, { starts_at: END, ends_at: START, ended_url: `https://a.${host}/` }),
      row(2, LIFE),
    ]);
    expect(done).toMatchObject({
      created: 1,
      refused: [
        {
          number: 1,
          errors: [
            { field: "ends_at", message: TOO_EARLY },
            { field: "ended_url", message: NOT_ALLOWED },
          ],
        },
      ],
    });
    expect((await ws.call("GET", "/api/v1/links")).body.links).toMatchObject([LIFE]);
  });
});
