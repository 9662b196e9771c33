import { beforeAll, describe, expect, it } from "vitest";
import { qrMatrix } from "../../src/resources/qr/render";
import { API, makeWorkspace, SHORT, send, type TestWorkspace } from "../harness";
import { decodePng, rasterise, read } from "../resources/qr/decode";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const NOWHERE = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const NOT_FOUND = { message: "Link not found." };
const FORMATS = ["svg", "png"] as const;
const LEVELS = ["L", "M", "Q", "H"] as const;
const LONGEST = "Spring_Sale-2026xKq7".repeat(4).slice(0, 64);

async function ask(ws: TestWorkspace, linkId: string, query = "", headers: Record<string, string> = {}) {
  const url = `${API}/api/v1/links/${linkId}/qr${query}`;
  const answer = await send(new Request(url, { headers: { authorization: `Bearer ${ws.key}`, ...headers } }));
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const isJson = answer.headers.get("content-type") === "application/json";
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    text,
    body: isJson ? JSON.parse(text) : {},
  };
}

const imageOf = (format: string, { bytes, text }: { bytes: Uint8Array<ArrayBuffer>; text: string }) =>
  format === "png" ? decodePng(bytes) : rasterise(text);

/** A unique slug, since slugs stay taken across tests. */
const slugOf = (length: number): string =>
  (crypto.randomUUID().replaceAll("-", "") + LONGEST).slice(0, length);

describe("a QR file", () => {
  it.each([
    ["svg", "", "image/svg+xml", "inline"],
    ["svg", "?format=svg&download=1", "image/svg+xml", "attachment"],
    ["png", "?format=png", "image/png", "inline"],
    ["png", "?format=png&download=1", "image/png", "attachment"],
  ])("as %s at %j has exactly the documented headers", async (extension, query, type, disposition) => {
    const link = await ws.link();
    const answer = await ask(ws, link.id, query);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toEqual({
      "cache-control": "private, no-cache",
      "content-disposition": `${disposition}; filename="${link.slug}.${extension}"`,
      "content-security-policy": "default-src 'none'; sandbox",
      "content-type": type,
      etag: expect.stringMatching(/^"[!#-~]+"$/),
      "ratelimit-policy": '"key";q=3000;w=60',
      "server-timing": expect.stringMatching(/^d1;dur=/),
      "strict-transport-security": "max-age=31536000",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.stringMatching(/./),
    });
  });

  it("is by default an SVG of 512 pixels, level M and margin 4, also with empty parameters", async () => {
    const { id, short_url } = await ws.link();
    const plain = await ask(ws, id);
    expect(rasterise(plain.text).size).toBe(512);
    expect(plain.text).toContain(`viewBox="0 0 ${qrMatrix(short_url, "M").length + 8} `);
    for (const query of [
      "?format=svg&size=512&margin=4&ecc=M",
      "?ecc=M&size=%20512",
      "?format=&size=&margin=%20&ecc=&download=&color=",
    ]) {
      expect((await ask(ws, id, query)).text, query).toBe(plain.text);
    }
  });

  it.each(FORMATS)("as %s has the same bytes for the same input, and others for another", async (format) => {
    const { id } = await ws.link({ slug: slugOf(20) });
    const bytes = async (query: string) => String((await ask(ws, id, `?format=${format}${query}`)).bytes);
    const first = await bytes("");
    expect(await bytes("&download=1")).toBe(first);
    await ws.call("PATCH", `/api/v1/links/${id}`, {
      body: { title: "New", destination_url: "https://example.org" },
    });
    expect(await bytes("")).toBe(first);
    const others = await Promise.all(["&size=513", "&margin=16", "&ecc=Q", "&ecc=L"].map(bytes));
    expect(new Set([first, ...others]).size).toBe(5);
  });

  it("follows the link's current slug, as payload and as file name", async () => {
    const { id } = await ws.link({ slug: slugOf(9) });
    const before = await ask(ws, id);
    const slug = `${slugOf(9)}-_X`;
    await ws.call("PATCH", `/api/v1/links/${id}`, { body: { slug } });
    const after = await ask(ws, id, "", { "if-none-match": before.headers.get("etag") ?? "" });
    expect(after.status).toBe(200);
    expect(read(rasterise(after.text))).toBe(`${SHORT}/${slug}`);
    expect(after.headers.get("content-disposition")).toBe(`inline; filename="${slug}.svg"`);
  });
});

it.each(FORMATS)(
  "a QR code as %s decodes to exactly the short URL, also at the greatest size",
  async (format) => {
    const link = await ws.link({ slug: slugOf(64) });
    for (const query of ["", "&ecc=L&margin=16", "&ecc=Q&size=600", "&size=2048&ecc=H"]) {
      const image = await imageOf(format, await ask(ws, link.id, `?format=${format}${query}`));
      expect(read(image), query).toBe(link.short_url);
      expect(image.size, query).toBe(Number(/size=(\d+)/.exec(query)?.[1] ?? 512));
    }
  },
);

it.each(LEVELS)("a module smaller than 2 pixels is refused on qr, with level %s", async (ecc) => {
  const link = await ws.link({ slug: slugOf(64) });
  for (const margin of [4, 16]) {
    const least = 2 * (qrMatrix(link.short_url, ecc).length + 2 * margin);
    for (const format of FORMATS) {
      const query = `?format=${format}&ecc=${ecc}&margin=${margin}&size=`;
      const { status, body } = await ask(ws, link.id, `${query}${least - 1}`);
      expect([status, body]).toEqual([422, { message: expect.any(String), errors: { qr: [body.message] } }]);
      expect((await ask(ws, link.id, `${query}${least}`)).status).toBe(200);
    }
  }
});

it.each(FORMATS)(
  "a QR file that the client has cached as %s is 304 without a body, with the headers of a 304",
  async (format) => {
    const { id } = await ws.link();
    const whole = await ask(ws, id, `?format=${format}`);
    const etag = whole.headers.get("etag") ?? "";
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const answer = await ask(ws, id, `?format=${format}`, { "if-none-match": header });
      expect([answer.status, answer.text], header).toEqual([304, ""]);
      expect(answer.headers.get("etag")).toBe(etag);
      expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    }
    for (const header of ['"x"', etag.replaceAll('"', ""), ""]) {
      const answer = await ask(ws, id, `?format=${format}`, { "if-none-match": header });
      expect([answer.status, answer.text === whole.text], header).toEqual([200, true]);
    }
  },
);

describe("parameters of a QR file", () => {
  let ws: TestWorkspace;
  let id: string;
  beforeAll(async () => {
    ws = await makeWorkspace();
    ({ id } = await ws.link());
  });
  const between = (name: string, min: number, max: number) =>
    `The ${name} field must be between ${min} and ${max}.`;

  it.each<[string, string, string | undefined]>([
    ["format=gif", "format", "The selected format is invalid."],
    ["size=63", "size", between("size", 64, 2048)],
    ["size=512.0", "size", undefined],
    ["margin=3", "margin", between("margin", 4, 16)],
    ["ecc=X", "ecc", "The selected ecc is invalid."],
    ["download=0", "download", "The selected download is invalid."],
    ["color=red", "color", "The color parameter is not supported."],
    ["__proto__=1", "__proto__", "The __proto__ parameter is not supported."],
    ["size=512&size=512", "size", undefined],
    ["ecc[]=M", "ecc", undefined],
  ])("?%s is refused", async (query, field, message) => {
    const { status, body } = await ask(ws, id, `?${query}`);
    expect(status).toBe(422);
    expect(Object.keys(body)).toEqual(["message", "errors"]);
    expect(Object.entries(body.errors)).toEqual([[field, [message ?? body.message]]]);
    expect(body.message).toBe(body.errors[field][0]);
  });

  it("are all reported at once, first the known ones in order, then unknown ones", async () => {
    const { status, body } = await ask(
      ws,
      id,
      "?logo=x&download=2&size=1&format=gif&color=red&ecc=Z&margin=0",
    );
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([
      "format",
      "size",
      "margin",
      "ecc",
      "download",
      "logo",
      "color",
    ]);
    expect(body.message).toBe("The selected format is invalid. (and 6 more errors)");
  });
});

it.each(["", "?format=png", "?size=1&color=red"])(
  "a missing QR file of an unknown, archived or deleted link is 404 before the parameters %j are checked",
  async (query) => {
    const [archived, deleted] = [await ws.link(), await ws.link()];
    await ws.call("PATCH", `/api/v1/links/${archived.id}`, { body: { status: "archived" } });
    await ws.call("DELETE", `/api/v1/links/${deleted.id}`);
    const foreign = await (await makeWorkspace()).link();
    for (const id of [archived.id, deleted.id, foreign.id, NOWHERE, "no-ulid", archived.slug]) {
      const answer = await ask(ws, id, query, { "if-none-match": "*" });
      expect([answer.status, answer.body], id).toEqual([404, NOT_FOUND]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  },
);
