import { eachField, MOMENT_FIELDS, URL_FIELDS } from "../../lib/link-fields";
import { differences } from "../api/differences";
import { WaymarkError } from "../api/error";
import type { CreateLink, Link, Waymark } from "../api/resources";
import { Refusal } from "../exit";
import { endProblem, momentRule, slugRule, urlRule } from "../file/rules";
import { findGroup, findLink, findTags } from "../find";
import { type Context, command } from "./command";
import { linkCells } from "./link-columns";
import { FIELD_OPTIONS, LINK, LINK_DETAILS, RULES_DETAILS, toInput } from "./link-input";
import { printResult } from "./output";
import { bodyOf, type LinkChange, readTagChange, updateLink } from "./update-link";

const refusal = (
  message: string,
  rules: ReadonlyMap<string, string>,
  conflicts: Record<string, string> = {},
) => {
  const errors = [...rules].map(([field, rule]) => [field, [`The ${field.replaceAll("_", " ")} ${rule}.`]]);
  return new WaymarkError(message, { status: 422, errors: Object.fromEntries(errors), conflicts });
};

const INPUT_RULES = {
  destination_url: urlRule("destination_url"),
  slug: slugRule,
  ...eachField(MOMENT_FIELDS, () => momentRule),
  ...eachField(URL_FIELDS, urlRule),
};

/** Checks what needs no request. */
function assertValid(input: CreateLink): void {
  const problems = new Map<string, string>();
  for (const [field, rule] of Object.entries(INPUT_RULES)) {
    const value = input[field as keyof typeof INPUT_RULES];
    const problem = value == null ? undefined : rule(value.trim());
    if (problem !== undefined) problems.set(field, `field ${problem}`);
  }
  const fault = endProblem(input.starts_at, input.ends_at);
  if (fault !== undefined && !problems.has("starts_at")) problems.set("ends_at", `field ${fault}`);
  if (problems.size > 0) throw refusal("The link is not valid.", problems);
}

/** Throws the refusals of a creation that can be foretold. */
async function assertCreatable(client: Waymark, input: CreateLink): Promise<void> {
  assertValid(input);
  const { slug, domain, external_id: externalId, activity_group_id: group } = input;
  const [bySlug, byExternalId] = await Promise.all([
    slug == null ? undefined : client.links.bySlug(slug, domain ?? undefined),
    externalId == null ? undefined : client.links.byExternalId(externalId),
    group == null ? undefined : findGroup(client, group),
  ]);
  const found = Object.entries({ slug: bySlug?.id, external_id: byExternalId?.id });
  const conflicts = found.filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (conflicts.length === 0) return;
  const taken = new Map(conflicts.map(([field]) => [field, "has already been taken"]));
  throw refusal("Another link is in the way.", taken, Object.fromEntries(conflicts));
}

export const createCommand = command({
  name: "links create",
  summary: "Create a link, and print its short URL",
  details: RULES_DETAILS,
  options: {
    ...FIELD_OPTIONS,
    tag: { value: "TAG", repeat: true, description: "A tag of the workspace: a name, slug or ID" },
  },
  writes: true,
  examples: [
    "waymark links create --destination https://www.example.com/sale",
    "waymark links create --destination https://www.example.com/sale --slug summer --group summer-2026 --tag Print --tag Partner",
  ],
  async run(context, { tag: names = [], ...fields }) {
    const { destination_url: destination, ...rest } = toInput(fields);
    if (destination === undefined) throw new Refusal("--destination is missing.");
    const { client } = context.connect();
    const tags = await findTags(client, names);
    const given = { destination_url: destination, ...rest };
    const input = { ...given, ...(tags.length === 0 ? {} : { tag_ids: tags.map(({ id }) => id) }) };
    if (context.dryRun) {
      await assertCreatable(client, input);
      const shown = { ...given, ...(names.length === 0 ? {} : { tags: names.join(", ") }) };
      return printResult(context, { create: input }, shown, "Would create this link.");
    }
    const link = await client.links.create(input);
    printResult(context, link, [link.short_url], `Created /${link.slug}.`);
  },
});

export const updateCommand = command({
  name: "links update",
  summary: "Change a link, and print its short URL",
  details: `${LINK_DETAILS}\nAn empty text clears a field. A new slug renames the link; the old one keeps working.\n${RULES_DETAILS}`,
  operand: LINK,
  options: {
    ...FIELD_OPTIONS,
    "utm-campaign": {
      value: "TEXT",
      description: "utm_campaign; an empty text means the group's default. Left out, it stays as it is",
    },
    tag: { value: "TAG", repeat: true, description: "Add a tag of the workspace: a name, slug or ID" },
    untag: { value: "TAG", repeat: true, description: "Take a tag off" },
    "no-tags": { description: "Take all other tags off" },
  },
  writes: true,
  examples: [
    "waymark links update summer --destination https://www.example.com/autumn",
    'waymark links update summer --title "" --tag Print --untag Draft --dry-run',
    "waymark links update summer --slug sale --no-tags",
    "waymark links update summer --ends-at 2026-08-31T22:00:00Z --ended-url https://www.example.com/over",
  ],
  async run(context, { tag, untag, "no-tags": removeAll = false, ...fields }, name) {
    const input = toInput(fields);
    const isEmpty = Object.keys(input).length === 0 && tag === undefined && untag === undefined;
    if (isEmpty && !removeAll) throw new Refusal("There is nothing to change.");
    const { client } = context.connect();
    const link = await findLink(client, name);
    const change = { input, tags: { ...(await readTagChange(client, tag, untag)), removeAll } };
    if (context.dryRun) return printChanges(context, link, change);
    const updated = await updateLink(client, link, change);
    const isSame = JSON.stringify(updated) === JSON.stringify(link);
    const sentence = isSame ? `/${link.slug} is already as asked.` : `Updated /${updated.slug}.`;
    return printResult(context, updated, [updated.short_url], sentence);
  },
});

/** The fields that would change, before and after. */
function printChanges(context: Context, link: Link, change: LinkChange): undefined {
  const update = differences(link, bodyOf(link, change));
  const { tag_ids: ids, activity_group_id: group, ...rest } = update;
  const names = new Map([...link.tags, ...change.tags.add].map((tag) => [tag.id, tag.name]));
  const after = {
    ...rest,
    ...(group === undefined ? {} : { group }),
    ...(ids == null ? {} : { tags: ids.map((id) => names.get(id)).join(", ") }),
  };
  const before = linkCells(link);
  const shown = Object.entries(after).map(([field, value]) => [
    field,
    `${before[field] || "none"} → ${value || "none"}`,
  ]);
  const sentence = shown.length === 0 ? "Nothing would change." : `Would update /${link.slug}.`;
  return printResult(context, { id: link.id, update }, Object.fromEntries(shown), sentence);
}
