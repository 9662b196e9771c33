import { afterAll, describe, expect, it, vi } from "vitest";

// A plain text that is only in the list reaches every place of the package that takes or shows fields of a link.

vi.mock("../../../src/lib/link-fields", async (importOriginal) => {
  const lists = await importOriginal<typeof import("../../../src/lib/link-fields")>();
  const note = {
    label: "Note",
    summary: "A note",
    isShared: true,
    description: "For the workspace.",
    max: 10,
    example: "draft",
    headings: "note",
  };
  return {
    ...lists,
    LABEL_FIELDS: { ...lists.LABEL_FIELDS, note },
    LABEL_FIELD_NAMES: [...lists.LABEL_FIELD_NAMES, "note"],
    TEXT_FIELDS: { ...lists.TEXT_FIELDS, note },
    TEXT_FIELD_NAMES: [...lists.TEXT_FIELD_NAMES, "note"],
  };
});

// The files of a worker share their modules, so those that were made from the longer list must not stay.
vi.resetModules();
afterAll(() => {
  vi.doUnmock("../../../src/lib/link-fields");
  vi.resetModules();
});

const { parseFile } = await import("../../../src/client/file/parse-file");
const { toFileText } = await import("../../../src/client/file/entries");
const { fileSchema } = await import("../../../src/client/file/file-schema");
const { diffLink, newLink } = await import("../../../src/client/file/diff");
const { FIELD_OPTIONS, toInput } = await import("../../../src/client/command/link-fields");
const { LINK_COLUMNS, linkCells } = await import("../../../src/client/command/link-fields");
const { linkSchema } = await import("../../../src/client/mcp/tool");
const { WRITING_TOOLS } = await import("../../../src/client/mcp/writing");
const { columnsOf, EXPORT_COLUMNS } = await import("../../../src/lib/import-columns");
type Link = import("../../../src/client/api/wire-types").Link;

const fileWith = (note: string) => `version: 1
name: site
defaults:
  note: from defaults
links:
  home:
    destination: https://www.example.com/
    note: ${note}
`;
const NAMES = { group: () => undefined, tag: (name: string) => name };
const link = (note: string | null) =>
  ({ status: "active", slug: "a", rules: [], tags: [], note }) as unknown as Link;

describe("a text field that is added to the list", () => {
  it("is read from waymark.yaml, of a link and of the defaults", () => {
    const { links } = parseFile("f", fileWith("short").replace("from defaults", "default"));
    expect(links).toMatchObject([{ fields: { note: "short" } }]);
    // Not the `Refusal` of the other modules, since these were made anew.
    expect(() => parseFile("f", fileWith("far too long"))).toThrow(
      expect.objectContaining({
        problems: [4, 8].map((line) => ({
          file: "f",
          line,
          message: `${line === 4 ? "defaults." : "home: "}note must not be longer than 10 characters.`,
        })),
      }),
    );
  });

  it("is in the JSON Schema of the file", () => {
    const note = { description: "A note. null clears it.", type: ["string", "null"], maxLength: 10 };
    expect(fileSchema()).toMatchObject({
      properties: {
        defaults: { properties: { note } },
        links: { additionalProperties: { properties: { note } } },
      },
    });
  });

  it("is planned for new and for existing links", () => {
    const fields = { destination_url: "https://www.example.com/", note: "new" };
    expect(newLink("site", { key: "home", fields }, NAMES)).toMatchObject({ input: { note: "new" } });
    expect(diffLink(link("old"), fields, NAMES).changes).toContainEqual({
      field: "note",
      before: "old",
      after: "new",
    });
  });

  it("is in the entry that export --yaml writes", () => {
    expect(toFileText("site", [link("old")])).toContain("  a:\n    slug: a\n    note: old\n");
  });

  it("is an option of the command, and is shown by it", () => {
    expect(FIELD_OPTIONS).toHaveProperty("note.description", "A note");
    expect(toInput({ slug: "a", ...{ note: "new" } })).toEqual({ slug: "a", note: "new" });
    expect(linkCells(link("old"))).toHaveProperty("note", "old");
    expect(LINK_COLUMNS.at(-1)).toBe("note");
  });

  it("is taken and shown by the MCP tools", () => {
    const [create, update] = WRITING_TOOLS.map(({ input }) => input);
    for (const schema of [create, update, linkSchema]) expect(schema).toHaveProperty("shape.note");
  });

  it("is a column of exports and imports", () => {
    expect(EXPORT_COLUMNS).toContain("note");
    expect([...columnsOf(["Note"]).places.keys()]).toEqual(["note"]);
  });
});
