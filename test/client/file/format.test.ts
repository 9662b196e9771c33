import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { formatMarkdown, formatText, planToJson } from "../../../src/client/file/format-file";
import { makePlan } from "../../../src/client/file/make-plan";
import { setup } from "../api/setup";
import { applyAll, DESTINATION, fileOf } from "./setup";

async function prepared() {
  const { service, client } = setup();
  service.addGroup({ slug: "summer" });
  service.addGroup({ slug: "old", status: "archived" });
  await applyAll(
    client,
    fileOf({ same: {}, change: { slug: "change", title: "Old", tags: ["Print"] }, gone: { slug: "gone" } }),
  );
  await client.links.create({ destination_url: DESTINATION, slug: "theirs" });
  return { service, client };
}

const WANTED = {
  same: {},
  change: { slug: "changed", title: null, group: "old", tags: ["Web", "Print"] },
  new: { slug: "new", title: 'Say "hi"', tags: ["Web"], utm: { campaign: "inherit" } },
  generated: {},
};

describe("a plan as text", () => {
  it("shows each field, warnings, and the counts last", async () => {
    const { client } = await prepared();
    expect(formatText(await makePlan(client, fileOf(WANTED)))).toBe(`+ tag "Web"
~ change  /change
    slug   "change" → "changed"
    title  "Old" → none
    group  none → "old"
    tags   Print → Print, Web
+ new  /new
    destination   "https://www.example.com/"
    title         "Say "hi""
    utm.campaign  "inherit"
    tags          Web
+ generated  (generated slug)
    destination  "https://www.example.com/"
- gone  /gone (archive)
Warning: The Activity Group old is archived.

Plan: 2 to create, 1 to update, 1 to archive, 1 tag to create, 1 unchanged.
`);
  });

  it("shows each rule that differs as a line", async () => {
    const { client } = setup();
    const rule = (path: string, conditions: object) => ({
      destination: `${DESTINATION}${path}`,
      ...conditions,
    });
    const french = rule("fr", { languages: ["fr"], countries: ["CH", "FR"] });
    const first = fileOf({
      a: { slug: "a", rules: [french, rule("a", { share: 50 }), rule("b", { share: 1 })] },
    });
    expect(formatText(await makePlan(client, first))).toContain(`
    rules.0      "CH or FR, fr → https://www.example.com/fr"
    rules.1      "50 of 100 → https://www.example.com/a"
`);
    await applyAll(client, first);
    const second = await makePlan(
      client,
      fileOf({ a: { slug: "a", rules: [french, rule("a", { share: 5 })] } }),
    );
    expect(planToJson(second).actions[0]?.fields).toEqual([
      {
        field: "rules.1",
        before: "50 of 100 → https://www.example.com/a",
        after: "5 of 100 → https://www.example.com/a",
      },
      { field: "rules.2", before: "1 of 100 → https://www.example.com/b", after: null },
    ]);
  });

  it("shows conflicts", async () => {
    const { client } = await prepared();
    const text = formatText(
      await makePlan(client, fileOf({ mine: { slug: "theirs" } }, { on_removed: "keep" })),
    );
    expect(text).toContain("! mine  /theirs belongs to the link ");
    expect(text).toContain("waymark adopt theirs\n\n");
    expect(text.trimEnd().split("\n").at(-1)).toBe(
      "Plan: 0 to create, 0 to update, 0 to remove, 0 unchanged, 3 kept without a key, 1 conflict.",
    );
  });

  it("shows no invisible or control characters", async () => {
    const { service, client } = setup();
    await applyAll(client, fileOf({ a: { title: "x" } }));
    for (const link of service.state.links) link.title = "\u001b[2J\u202egnp.exe";
    const text = formatText(await makePlan(client, fileOf({ a: { title: "y" } })));
    expect(text).toContain('title  "\\u{1b}[2J\\u{202e}gnp.exe" → "y"');
    const markdown = formatMarkdown(
      await makePlan(client, fileOf({ a: { title: "y", tags: ["\u200dtag"] } })),
    );
    expect(markdown).not.toMatch(/\p{Cf}/u);
    expect(markdown).not.toContain("\u001b");
  });
});

describe("a plan as Markdown", () => {
  it("cannot be broken by a value", async () => {
    const { client } = setup();
    const title = "a|b `c` <img src=x> [l](https://evil.example) **b** @team #1 https://evil.example &lt;";
    const html = await marked.parse(formatMarkdown(await makePlan(client, fileOf({ a: { title } }))));
    expect(html.match(/<tr>/g)).toHaveLength(2);
    expect(html).not.toMatch(/<(?:img|a|strong>b)/);
    const code = /title: <code>(.*?)<\/code>/.exec(html)?.[1] ?? "";
    const read = code.replace(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)));
    expect(read).toBe(`"${title}"`);
  });

  it("has at most 900,000 bytes, in whole rows", async () => {
    const { client } = setup();
    // A URL's characters become entities of up to six bytes.
    const destination = `https://www.example.com/${"%C3".repeat(600)}`;
    const links = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`k${n}`, { destination }]));
    const text = formatMarkdown(await makePlan(client, fileOf(links)));
    const rows = text.split("\n").filter((line) => line.startsWith("| <code>&#43;</code> | create |"));
    expect(new TextEncoder().encode(text).length).toBeLessThan(900_100);
    expect(rows.length).toBeGreaterThan(100);
    expect(text).toMatch(new RegExp(`\\|\n\nAnd ${400 - rows.length} more\\.\n$`));
  });
});

describe("a plan as JSON", () => {
  it("has the counts and each action", async () => {
    const { service, client } = await prepared();
    const json = planToJson(await makePlan(client, fileOf(WANTED)));
    expect(JSON.parse(JSON.stringify(json))).toMatchObject({
      name: "site",
      changes: true,
      counts: {
        create: 2,
        update: 1,
        archive: 1,
        delete: 0,
        create_tag: 1,
        unchanged: 1,
        kept: 0,
        conflicts: 0,
      },
      tags: ["Web"],
      actions: [
        {
          op: "update",
          key: "change",
          slug: "change",
          id: service.state.links.find(({ slug }) => slug === "change")?.id,
          fields: [
            { field: "slug", before: "change", after: "changed" },
            { field: "title", before: "Old", after: null },
            { field: "group", before: null, after: "old" },
            { field: "tags", before: ["Print"], after: ["Print", "Web"] },
          ],
        },
        { op: "create", key: "new", slug: "new", id: null },
        { op: "create", key: "generated", slug: null, id: null },
        { op: "archive", key: "gone", slug: "gone", fields: [] },
      ],
      conflicts: [],
      problems: [],
      warnings: ["The Activity Group old is archived."],
    });
  });
});
