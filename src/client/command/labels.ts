import { Argument } from "commander";
import { etagOf } from "../../lib/etag";
import { GROUP_STATUSES, GROUP_TYPES } from "../../lib/group-status";
import type { Tag } from "../api/wire-types";
import { Refusal } from "../exit";
import { plural } from "../file/format-file";
import { findTags } from "../find-links";
import { type Command, type Context, command, type Options } from "./command-type";
import { printResult, printRows } from "./output";
import { writeMany } from "./write-many";

const TAG_COLUMNS = ["name", "slug", "colour", "description", "id"];

const FIELDS = {
  slug: { value: "SLUG", description: "The slug, made from the name by default" },
  colour: { value: "TEXT", description: "The colour, such as #f00" },
  description: { value: "TEXT", description: "What the tag is for" },
} as const satisfies Options;

const TAG_DETAILS = "TAG is a name, a slug or an ID.";

/** The given fields. An empty text clears the field. */
const toInput = (given: object): Record<string, string | null> =>
  Object.fromEntries(Object.entries(given).map(([field, text]) => [field, String(text).trim() || null]));

const printTag = (context: Context, tag: Tag, verb: string): undefined =>
  printResult(context, tag, [tag.slug], `${verb} the tag "${tag.name}".`);

const list = command({
  name: "tags list",
  summary: "List the tags of the workspace",
  details: `On a terminal it prints a table, elsewhere tab-separated lines: ${TAG_COLUMNS.join(", ")}.`,
  examples: ["waymark tags list", "waymark tags list | cut -f1"],
  async run(context) {
    await printRows(context, "tag", TAG_COLUMNS, await context.connect().client.tags.list());
  },
});

const create = command({
  name: "tags create",
  summary: "Create a tag, and print its slug",
  operand: new Argument("<NAME>"),
  options: FIELDS,
  writes: true,
  examples: ["waymark tags create Print", 'waymark tags create "Summer sale" --colour "#f90"'],
  async run(context, fields, name) {
    const input = { name, ...toInput(fields) };
    const { client } = context.connect();
    if (context.dryRun) printResult(context, { create: input }, input, "Would create this tag.");
    else printTag(context, await client.tags.create(input), "Created");
  },
});

const update = command({
  name: "tags update",
  summary: "Change a tag, and print its slug",
  details: `${TAG_DETAILS} An empty text clears a field.`,
  operand: new Argument("<TAG>"),
  options: { name: { value: "NAME", description: "The new name" }, ...FIELDS },
  writes: true,
  examples: ["waymark tags update Print --name Poster", 'waymark tags update print --description ""'],
  async run(context, { name: newName, ...fields }, name) {
    const input = { ...(newName !== undefined && { name: newName }), ...toInput(fields) };
    if (Object.keys(input).length === 0) throw new Refusal("There is nothing to change.");
    const { client } = context.connect();
    for (const tag of await findTags(client, [name])) {
      const sentence = `Would update the tag "${tag.name}".`;
      if (context.dryRun) printResult(context, { id: tag.id, update: input }, input, sentence);
      else
        printTag(context, await client.tags.update(tag.id, input, { ifMatch: await etagOf(tag) }), "Updated");
    }
  },
});

const remove = command({
  name: "tags delete",
  summary: "Delete tags. Links lose them",
  details: TAG_DETAILS,
  operand: new Argument("<TAG...>"),
  writes: true,
  examples: ["waymark tags delete Draft", "waymark tags delete draft old --dry-run"],
  async run(context, _, ...given) {
    const { client } = context.connect();
    const tags = [...new Set(await findTags(client, given))];
    const names = tags.map(({ name }) => name);
    const sentence = `Would delete ${plural(tags.length, "tag")}.`;
    if (context.dryRun) return printResult(context, { delete: tags }, names, sentence);
    return writeMany(context, tags, {
      op: "delete",
      noun: "tag",
      verb: "deleted",
      nameOf: ({ name }) => name,
      write: ({ id }) => client.tags.delete(id),
    });
  },
});

const GROUP_COLUMNS = ["slug", "name", "type", "status", "default_utm_campaign", "id"];

const groupList = command({
  name: "groups list",
  summary: "List the Activity Groups of the workspace",
  details: `On a terminal it prints a table, elsewhere tab-separated lines: ${GROUP_COLUMNS.join(", ")}.`,
  options: {
    id: { value: "ID", description: "Has the ID" },
    slug: { value: "SLUG", description: "Has the slug" },
    q: { value: "TEXT", description: "Has the text in its name, slug or description" },
    type: { value: "TYPE", choices: GROUP_TYPES, description: "Type" },
    status: { value: "STATUS", choices: GROUP_STATUSES, description: "Status" },
  },
  examples: ["waymark groups list", "waymark groups list --status active --json"],
  async run(context, filter) {
    await printRows(context, "Activity Group", GROUP_COLUMNS, context.connect().client.groups.list(filter));
  },
});

export const labelCommands: readonly Command[] = [list, create, update, remove, groupList];
