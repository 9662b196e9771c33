import { etagOf } from "../../lib/etag";
import { eachField, MOMENT_FIELDS, URL_FIELDS } from "../../lib/link-fields";
import { differences } from "../api/differences";
import { WaymarkError } from "../api/error";
import type { CreateLink, Link, Tag, UpdateLink, Waymark } from "../api/wire-types";
import { Refusal } from "../exit";
import { endProblem, momentRule, slugRule, urlRule } from "../file/text-rules";
import { assertNotOwned, findGroup, findLink, findTags } from "../find-links";
import { type Context, command } from "./command-type";
import {
  FIELD_OPTIONS,
  FORCE_OPTION,
  LINK,
  LINK_DETAILS,
  linkCells,
  RULES_DETAILS,
  toInput,
} from "./link-fields";
import { printResult } from "./output";

type ByField = Record<string, string>;

const refusal = (message: string, rules: ByField, conflicts: ByField = {}) => {
  const errors = eachField(rules, (field) => [`The ${field.replaceAll("_", " ")} ${rules[field]}.`]);
  return new WaymarkError(message, { status: 422, errors, conflicts });
};

const INPUT_RULES = {
  destination_url: urlRule("destination_url"),
  slug: slugRule,
  ...eachField(MOMENT_FIELDS, () => momentRule),
  ...eachField(URL_FIELDS, urlRule),
};

/** Checks what needs no request. */
function assertValid(input: CreateLink): void {
  const problems: ByField = {};
  for (const [field, rule] of Object.entries(INPUT_RULES)) {
    const value = input[field as keyof typeof INPUT_RULES];
    const problem = value == null ? undefined : rule(value.trim());
    if (problem !== undefined) problems[field] = `field ${problem}`;
  }
  const fault = endProblem(input.starts_at, input.ends_at);
  if (fault !== undefined && !("starts_at" in problems)) problems["ends_at"] = `field ${fault}`;
  if (Object.keys(problems).length > 0) throw refusal("The link is not valid.", problems);
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
  const conflicts = {
    ...(bySlug && { slug: bySlug.id }),
    ...(byExternalId && { external_id: byExternalId.id }),
  };
  if (Object.keys(conflicts).length === 0) return;
  const taken = eachField(conflicts, () => "has already been taken");
  throw refusal("Another link is in the way.", taken, conflicts);
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
    const input = { ...given, ...(tags.length > 0 && { tag_ids: tags.map(({ id }) => id) }) };
    if (context.dryRun) {
      await assertCreatable(client, input);
      const shown = { ...given, ...(names.length > 0 && { tags: names.join(", ") }) };
      return printResult(context, { create: input }, shown, "Would create this link.");
    }
    const link = await client.links.create(input);
    printResult(context, link, [link.short_url], `Created /${link.slug}.`);
  },
});

/** Others may change the same link meanwhile. */
const MAX_ROUNDS = 5;

/** What happens to the tags that a link has at that moment. */
type TagChange = { add: readonly Tag[]; remove: readonly Tag[]; removeAll?: boolean };

/** The change that the options of a command ask for. */
export async function readTagChange(
  client: Waymark,
  add: readonly string[] = [],
  remove: readonly string[] = [],
): Promise<TagChange> {
  const tags = await findTags(client, [...add, ...remove]);
  return { add: tags.slice(0, add.length), remove: tags.slice(add.length) };
}

/**
 * The body of the update: every named field, and the tags if they differ. A named campaign or group is sent even if the link
 * has it, since the group's default may have changed.
 */
export function bodyOf(link: Link, input: UpdateLink, tags: TagChange): UpdateLink {
  const ids = new Set(tags.removeAll ? [] : link.tags.map(({ id }) => id));
  for (const { id } of tags.remove) ids.delete(id);
  for (const { id } of tags.add) ids.add(id);
  return { ...input, ...differences(link, { tag_ids: [...ids] }) };
}

/** Updates a link in one request, if it is still as it was read. Else it is read again, and gets its body anew. */
export async function updateLink({ links }: Waymark, link: Link, toBody: (link: Link) => UpdateLink) {
  for (let round = 1, now = link; ; round++) {
    const body = toBody(now);
    if (Object.keys(body).length === 0) return now;
    try {
      return await links.update(now.id, body, { ifMatch: await etagOf(now) });
    } catch (error) {
      const isStale = error instanceof WaymarkError && error.status === 412;
      if (!isStale || round === MAX_ROUNDS) throw error;
      now = await links.get(now.id);
    }
  }
}

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
    ...FORCE_OPTION,
  },
  writes: true,
  examples: [
    "waymark links update summer --destination https://www.example.com/autumn",
    'waymark links update summer --title "" --tag Print --untag Draft --dry-run',
    "waymark links update summer --slug sale --no-tags",
    "waymark links update summer --ends-at 2026-08-31T22:00:00Z --ended-url https://www.example.com/over",
  ],
  async run(context, { tag, untag, "no-tags": removeAll = false, force, ...fields }, name) {
    const input = toInput(fields);
    const isEmpty = Object.keys(input).length === 0 && tag === undefined && untag === undefined;
    if (isEmpty && !removeAll) throw new Refusal("There is nothing to change.");
    const { client } = context.connect();
    const link = await findLink(client, name);
    if (!force) assertNotOwned(link);
    const tags = { ...(await readTagChange(client, tag, untag)), removeAll };
    if (context.dryRun) return printChanges(context, link, bodyOf(link, input, tags), tags.add);
    const updated = await updateLink(client, link, (now) => bodyOf(now, input, tags));
    const isSame = JSON.stringify(updated) === JSON.stringify(link);
    const sentence = isSame ? `/${link.slug} is already as asked.` : `Updated /${updated.slug}.`;
    return printResult(context, updated, [updated.short_url], sentence);
  },
});

/** The fields that would change, before and after. */
function printChanges(context: Context, link: Link, body: UpdateLink, added: readonly Tag[]): undefined {
  const update = differences(link, body);
  const { tag_ids: ids, activity_group_id: group, ...rest } = update;
  const names = new Map([...link.tags, ...added].map((tag) => [tag.id, tag.name]));
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
