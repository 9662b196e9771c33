import { describe, expect, it } from "vitest";
import { blockHost } from "../../../src/resources/destinations/service";
import { checkFile } from "../../../src/resources/imports/check";
import { getImport } from "../../../src/resources/imports/service";
import { importLinks } from "../../../src/resources/links/import";
import { makeWorkspace, serviceContext } from "../../harness";

const START = "2026-06-01T08:00:00.000Z";
const END = "2026-08-31T22:00:00.000Z";
const OVER = "https://www.example.com/over";
const LIFE = { starts_at: START, ends_at: END, ended_url: OVER };

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
