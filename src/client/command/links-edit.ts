import { differences } from "../api/differences";
import { WaymarkError } from "../api/error";
import type { CreateLink, Link, UpdateLink, Waymark } from "../api/resources";
import type { Options } from "./args";
import { type Context, command } from "./command";
import { EXIT } from "./exit";
import { findLink, LINK, LINK_DETAILS } from "./find-link";
import { findGroup, tagOf } from "./find-tag";
import { linkFields } from "./link-columns";
import { FIELD_OPTIONS, toInput, toNewLink, toTagChange } from "./link-input";
import { print, printFields, printJson, say } from "./output";
import { bodyOf, type LinkChange, updateLink } from "./update-link";
import { UsageError } from "./usage-error";

/** The link for programs, its short URL for people and shells. */
function printLink(context: Context, link: Link): void {
  if (context.json) printJson(context, link);
  else print(context, `${link.short_url}\n`);
}

/** Checks what needs no request. */
async function assertValid(input: CreateLink): Promise<void> {
  const { destinationProblem } = await import("../../lib/destination");
  const { ENDS_AT, endProblem, STARTS_AT, slugProblem } = await import("../file/fields");
  const errors: Record<string, string[]> = {};
  const add = (field: string, message: string | undefined) => {
    if (message !== undefined) errors[field] ??= [message];
  };
  const addRule = (field: string, rule: string | undefined) =>
    add(field, rule && `The ${field.replaceAll("_", " ")} field ${rule}.`);
  const { slug, starts_at: start, ends_at: end, ended_url: endedUrl } = input;
  add("destination_url", destinationProblem(input.destination_url)?.message);
  const fault = slug == null ? undefined : slugProblem(slug);
  add("slug", fault && `The slug ${fault}.`);
  if (start != null) addRule("starts_at", STARTS_AT.problem(start.trim()));
  if (end != null) addRule("ends_at", ENDS_AT.problem(end.trim()));
  if (errors["starts_at"] === undefined) addRule("ends_at", endProblem(start, end));
  if (endedUrl != null) add("ended_url", destinationProblem(endedUrl.trim(), "ended_url")?.message);
  if (Object.keys(errors).length > 0) {
    throw new WaymarkError("The link is not valid.", { status: 422, errors });
  }
}

/** The refusals that reads can foretell. */
async function assertCreatable(client: Waymark, input: CreateLink): Promise<void> {
  await assertValid(input);
  const slug = input.slug ?? undefined;
  const [bySlug, byExternalId] = await Promise.all([
    slug === undefined ? undefined : client.links.bySlug(slug),
    input.external_id == null ? undefined : client.links.byExternalId(input.external_id),
    input.activity_group_id == null ? undefined : findGroup(client, input.activity_group_id),
  ]);
  const conflicts: Record<string, string> = {};
  if (bySlug !== undefined) conflicts["slug"] = bySlug.id;
  if (byExternalId !== undefined) conflicts["external_id"] = byExternalId.id;
  const taken = Object.keys(conflicts).map((field) => [
    field,
    [`The ${field.replaceAll("_", " ")} has already been taken.`],
  ]);
  if (taken.length === 0) return;
  const details = { status: 422, errors: Object.fromEntries(taken), conflicts };
  throw new WaymarkError("Another link is in the way.", details);
}

const CREATE_OPTIONS = {
  ...FIELD_OPTIONS,
  tag: { value: "TAG", repeat: true, description: "A tag of the workspace: a name, slug or ID" },
} as const satisfies Options;

export const createCommand = command({
  name: "links create",
  summary: "Create a link, and print its short URL",
  options: CREATE_OPTIONS,
  writes: true,
  examples: [
    "waymark links create --destination https://www.example.com/sale",
    "waymark links create --destination https://www.example.com/sale --slug summer --group summer-2026 --tag Print --tag Partner",
  ],
  async run(context, args) {
    if (!args.has("destination")) throw new UsageError("--destination is missing.");
    const { client } = await context.connect();
    const names = args.texts("tag");
    const tags = names.length === 0 ? [] : await client.tags.list();
    const ids = names.map((name) => tagOf(tags, name).id);
    const input = { ...toNewLink(args), ...(ids.length === 0 ? {} : { tag_ids: ids }) };
    if (context.dryRun) {
      await assertCreatable(client, input);
      if (context.json) printJson(context, { dry_run: true, create: input });
      else printFields(context, shownInput(input, names));
      say(context, "Would create this link.");
      return EXIT.done;
    }
    const link = await client.links.create(input);
    printLink(context, link);
    say(context, `Created /${link.slug}.`);
    return EXIT.done;
  },
});

const shownInput = ({ tag_ids: _, tag_names: __, ...rest }: CreateLink, tags: readonly string[]) => ({
  ...rest,
  ...(tags.length === 0 ? {} : { tags: tags.join(", ") }),
});

const UPDATE_OPTIONS = {
  ...FIELD_OPTIONS,
  "utm-campaign": {
    value: "TEXT",
    description: "utm_campaign; an empty text means the group's default. Left out, it stays as it is",
  },
  tag: { value: "TAG", repeat: true, description: "Add a tag of the workspace: a name, slug or ID" },
  untag: { value: "TAG", repeat: true, description: "Take a tag off" },
  "no-tags": { description: "Take all other tags off" },
} as const satisfies Options;

export const updateCommand = command({
  name: "links update",
  summary: "Change a link, and print its short URL",
  details: `${LINK_DETAILS}\nAn empty text clears a field. A new slug renames the link; the old one keeps working.`,
  operand: LINK,
  options: UPDATE_OPTIONS,
  writes: true,
  examples: [
    "waymark links update summer --destination https://www.example.com/autumn",
    'waymark links update summer --title "" --tag Print --untag Draft --dry-run',
    "waymark links update summer --slug sale --no-tags",
    "waymark links update summer --ends-at 2026-08-31T22:00:00Z --ended-url https://www.example.com/over",
  ],
  async run(context, args) {
    const input = toInput(args);
    const [add, remove, removeAll] = [args.texts("tag"), args.texts("untag"), args.has("no-tags")];
    const hasTags = add.length + remove.length > 0 || removeAll;
    if (Object.keys(input).length === 0 && !hasTags) throw new UsageError("There is nothing to change.");
    const { client } = await context.connect();
    const link = await findLink(client, args.operand);
    const known = add.length + remove.length > 0 ? await client.tags.list() : [];
    const tags = hasTags ? { ...toTagChange(known, add, remove), removeAll } : undefined;
    const change: LinkChange = { input, ...(tags === undefined ? {} : { tags }) };
    if (context.dryRun) {
      const tagNames = known.concat(link.tags);
      printChanges(context, link, change, (id) => tagNames.find((tag) => tag.id === id)?.name ?? id);
      return EXIT.done;
    }
    const updated = await updateLink(client, link, change);
    printLink(context, updated);
    const isSame = JSON.stringify(updated) === JSON.stringify(link);
    say(context, isSame ? `/${link.slug} is already as asked.` : `Updated /${updated.slug}.`);
    return EXIT.done;
  },
});

/** The fields that would change, before and after. */
function printChanges(
  context: Context,
  link: Link,
  change: LinkChange,
  nameOf: (tagId: string) => string,
): void {
  const { tag_ids: ids, ...fields } = bodyOf(link, change);
  const changes: UpdateLink = { ...differences(link, fields), ...(ids == null ? {} : { tag_ids: ids }) };
  const before = linkFields(link);
  if (context.json) printJson(context, { dry_run: true, id: link.id, update: changes });
  else {
    const { tag_ids: tagIds, ...rest } = changes;
    const after = Object.entries(rest).map(([field, value]) => [
      field === "activity_group_id" ? "group" : field,
      value,
    ]);
    if (tagIds != null) after.push(["tags", tagIds.map(nameOf).join(", ")]);
    const shown = after.map(([field, value]) => [
      field,
      `${before[String(field)] || "none"} → ${value || "none"}`,
    ]);
    printFields(context, Object.fromEntries(shown));
  }
  say(context, Object.keys(changes).length === 0 ? "Nothing would change." : `Would update /${link.slug}.`);
}
