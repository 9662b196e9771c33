import { etagOf } from "../api/etag";
import type { CreateTag, Tag, UpdateTag } from "../api/resources";
import type { Args, Options } from "./args";
import { type Command, type Context, command } from "./command";
import { EXIT } from "./exit";
import { tagOf } from "./find-tag";
import { plural, print, printFields, printJson, printRows, say } from "./output";
import type { Column } from "./table";
import { UsageError } from "./usage-error";
import { writeMany } from "./write-many";

const COLUMNS: readonly Column<Tag>[] = [
  { name: "name", cell: ({ name }) => name },
  { name: "slug", cell: ({ slug }) => slug },
  { name: "colour", cell: ({ colour }) => colour },
  { name: "description", cell: ({ description }) => description },
  { name: "id", cell: ({ id }) => id },
];

const FIELDS = {
  slug: { value: "SLUG", description: "The slug, made from the name by default" },
  colour: { value: "TEXT", description: "The colour, such as #f00" },
  description: { value: "TEXT", description: "What the tag is for" },
} as const satisfies Options;
const NAME = { name: { value: "NAME", description: "The new name" } } as const satisfies Options;

const TAG_DETAILS = "TAG is a name, a slug or an ID.";

/** The given fields. An empty text clears the field. */
function toInput(args: Args<keyof typeof FIELDS>): Omit<UpdateTag, "name"> {
  const names = (["slug", "colour", "description"] as const).filter((name) => args.has(name));
  return Object.fromEntries(names.map((name) => [name, args.text(name)?.trim() || null]));
}

function printTag(context: Context, tag: Tag): void {
  if (context.json) printJson(context, tag);
  else print(context, `${tag.slug}\n`);
}

const list = command({
  name: "tags list",
  summary: "List the tags of the workspace",
  details: `On a terminal it prints a table, elsewhere tab-separated lines: ${COLUMNS.map(({ name }) => name).join(", ")}.`,
  examples: ["waymark tags list", "waymark tags list | cut -f1"],
  async run(context) {
    const { client } = await context.connect();
    if ((await printRows(context, "tag", COLUMNS, await client.tags.list())) === 0) say(context, "No tags.");
    return EXIT.done;
  },
});

const create = command({
  name: "tags create",
  summary: "Create a tag, and print its slug",
  operand: { name: "NAME" },
  options: FIELDS,
  writes: true,
  examples: ["waymark tags create Print", 'waymark tags create "Summer sale" --colour "#f90"'],
  async run(context, args) {
    const input: CreateTag = { name: args.operand, ...toInput(args) };
    const { client } = await context.connect();
    if (context.dryRun) {
      if (context.json) printJson(context, { dry_run: true, create: input });
      else printFields(context, { ...input });
      say(context, "Would create this tag.");
      return EXIT.done;
    }
    const tag = await client.tags.create(input);
    printTag(context, tag);
    say(context, `Created the tag "${tag.name}".`);
    return EXIT.done;
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
  async run(context, args) {
    const name = args.text("name");
    const input: UpdateTag = { ...(name === undefined ? {} : { name }), ...toInput(args) };
    if (Object.keys(input).length === 0) throw new UsageError("There is nothing to change.");
    const { client } = await context.connect();
    const tag = tagOf(await client.tags.list(), args.operand);
    if (context.dryRun) {
      if (context.json) printJson(context, { dry_run: true, id: tag.id, update: input });
      else printFields(context, { ...input });
      say(context, `Would update the tag "${tag.name}".`);
      return EXIT.done;
    }
    const updated = await client.tags.update(tag.id, input, { ifMatch: await etagOf(tag) });
    printTag(context, updated);
    say(context, `Updated the tag "${updated.name}".`);
    return EXIT.done;
  },
});

const remove = command({
  name: "tags delete",
  summary: "Delete tags. Links lose them",
  details: TAG_DETAILS,
  operand: { name: "TAG", repeat: true },
  writes: true,
  examples: ["waymark tags delete Draft", "waymark tags delete draft old --dry-run"],
  async run(context, args) {
    const { client } = await context.connect();
    const known = await client.tags.list();
    const tags = [...new Set(args.operands.map((name) => tagOf(known, name)))];
    if (context.dryRun) {
      if (context.json) printJson(context, { dry_run: true, delete: tags });
      else for (const { name } of tags) print(context, `${name}\n`);
      say(context, `Would delete ${plural(tags.length, "tag")}.`);
      return EXIT.done;
    }
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
