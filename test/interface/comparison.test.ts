import { beforeAll, describe, expect, it } from "vitest";
import { makeWorkspace, type TestWorkspace } from "../harness";

// Names and texts are compared by one folding: for uniqueness, for look-ups and in searches.

let ws: TestWorkspace;
beforeAll(async () => {
  ws = await makeWorkspace();
});

const found = async (q: string) => {
  const { status, body } = await ws.call("GET", `/api/v1/links?q=${encodeURIComponent(q)}`);
  expect(status).toBe(200);
  return body.links.map(({ id }: { id: string }) => id);
};

describe("a name", () => {
  it.each([
    ["Straße", "STRASSE"],
    ["İstanbul", "istanbul"],
    ["ΟΔΟΣ", "οδος"],
    ["👩‍👩‍👧 family", "👩👩👧 FAMILY"],
    ["ﬁle", "FILE"],
  ])("%s is the same as %s", async (name, other) => {
    const { tag } = (await ws.call("POST", "/api/v1/tags", { body: { name } })).body;
    expect(tag.name).toBe(name);
    const again = await ws.call("POST", "/api/v1/tags", { body: { name: other } });
    expect([again.status, again.body.errors]).toEqual([422, { name: ["The name has already been taken."] }]);
    const link = await ws.link({ tag_names: [other] });
    expect(link.tags).toEqual([tag]);
  });

  it.each(["\u200b", "\u2060", "\ufeff", "\u00ad", "\u200e", "\u202e", "\u2067", "\u061c"])(
    "or a text with the invisible character %j is refused",
    async (character) => {
      const text = `a${character}b`;
      const tag = await ws.call("POST", "/api/v1/tags", { body: { name: text } });
      expect([tag.status, tag.body.errors]).toEqual([
        422,
        { name: ["The name field must not contain invisible characters."] },
      ]);
      const body = { destination_url: "https://www.example.com/", title: text, tag_names: [text] };
      const link = await ws.call("POST", "/api/v1/links", { body });
      expect([link.status, Object.keys(link.body.errors)]).toEqual([422, ["title", "tag_names.0"]]);
      // An external id is compared exactly, and a search finds what is seen.
      expect(await ws.link({ external_id: text })).toMatchObject({ external_id: text });
    },
  );

  it("may have joiners and variation selectors", async () => {
    for (const title of ["👩‍👩‍👧", "❤️", "می‌خواهم"]) expect(await ws.link({ title })).toMatchObject({ title });
  });
});

describe("a search", () => {
  it.each([
    ["größe", ["GRÖSSE", "grösse", "Gr\u00adöße"]],
    ["Maße", ["MASSE"]],
  ])("finds %s in every case", async (title, texts) => {
    const { id } = await ws.link({ title });
    for (const text of texts) expect([text, await found(text)]).toEqual([text, [id]]);
  });

  it("finds a host in its readable and in its ASCII form, however it was given", async () => {
    const readable = await ws.link({ destination_url: "https://www.müller-bäckerei.example/brot" });
    const ascii = await ws.link({ destination_url: "https://www.xn--mller-bckerei-hfb76a.example/brot" });
    for (const text of ["müller-bäckerei", "MÜLLER-BÄCKEREI.example", "xn--mller-bckerei-hfb76a"])
      expect([text, (await found(text)).sort()]).toEqual([text, [ascii.id, readable.id].sort()]);
  });
});
