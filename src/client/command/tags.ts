import { etagOf } from "../../lib/etag";
import type { Tag } from "../api/resources";
import { Refusal } from "../exit";
import { plural } from "../file/format";
import { findTag } from "../find";
import { type Command, type Context, command, type Options } from "./command";
import { printDryRun, printResult, printRows, say } from "./output";
import { writeMany } from "./write-many";

const COLUMNS = ["name", "slug", "colour", "description", "id"];

const FIELDS = {
  slug: { value: "SLUG", description: "The slug, made from the name by default" },
  colour: { value: "TEXT", description: "The colour, such as #f00" },
  description: { value: "TEXT", description: "What the tag is for" },
} as const satisfies Options;
const NAME = { name: { value: "NAME", description: "The new name" } } as const satisfies Options;

const TAG_DETAILS = "TAG is a name, a slug or an ID.";

/** The given fields. An empty text clears the field. */
const toInput = (given: object): Record<string, string | null> =>
  Object.fromEntries(Object.entries(given).map(([field, text]) => [field, String(text).trim() || null]));

function printTag(context: Context, tag: Tag, verb: string): void {
  printResult(context, tag, tag.slug);
  say(context, `${verb} the tag "${tag.name}".`);
}

const list = command({
  name: "tags list",
  summary: "List the tags of the workspace",
  details: `On a terminal it prints a table, elsewhere tab-separated lines: ${COLUMNS.join(", ")}.`,
  examples: ["waymark tags list", "waymark tags list | cut -f1"],
  async run(context) {
    await printRows(context, "tag", COLUMNS, await context.client.tags.list());
  },
});

const create = command({
  name: "tags create",
  summary: "Create a tag, and print its slug",
  operand: { name: "NAME" },
  options: FIELDS,
  writes: true,
  examples: ["waymark tags create Print", 'waymark tags create "Summer sale" --colour "#f90"'],
  async run(context, fields, name) {
    const input = { name, ...toInput(fields) };
    const { client } = context;
    if (context.dryRun) printDryRun(context, { create: input }, input, "Would create this tag.");
    else printTag(context, await client.tags.create(input), "Created");
  },
});

const update = command({
  name: "tags update",
  summary: "Change a tag, and print its slug",
  details: `${TAG_DETAILS} An empty text clears a field.`,
  operand: { name: "TAG" },
  options: { ...NAME, ...FIELDS },
  writes: true,
  examples: ["waymark tags update Print --name Poster", 'waymark tags update print --description ""'],
  async run(context, { name: newName, ...fields }, name) {
    const input = { ...(newName === undefined ? {} : { name: newName }), ...toInput(fields) };
    if (Object.keys(input).length === 0) throw new Refusal("There is nothing to change.");
    const { client } = context;
    const tag = findTag(await client.tags.list(), name);
    const sentence = `Would update the tag "${tag.name}".`;
    if (context.dryRun) return printDryRun(context, { id: tag.id, update: input }, input, sentence);
    printTag(context, await client.tags.update(tag.id, input, { ifMatch: await etagOf(tag) }), "Updated");
  },
});

const remove = command({
  name: "tags delete",
  summary: "Delete tags. Links lose them",
  details: TAG_DETAILS,
  operand: { name: "TAG", repeat: true },
  writes: true,
  examples: ["waymark tags delete Draft", "waymark tags delete draft old --dry-run"],
  async run(context, _, ...given) {
    const { client } = context;
    const known = await client.tags.list();
    const tags = [...new Set(given.map((name) => findTag(known, name)))];
    const names = tags.map(({ name }) => name);
    const sentence = `Would delete ${plural(tags.length, "tag")}.`;
    if (context.dryRun) return printDryRun(context, { delete: tags }, names, sentence);
    return writeMany(context, tags, {
      op: "delete",
      noun: "tag",
      verb: "deleted",
      nameOf: ({ name }) => name,
      write: ({ id }) => client.tags.delete(id),
    });
  },
});

export const tagCommands: readonly Command[] = [list, create, update, remove];
