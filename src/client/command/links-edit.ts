import type { Link } from "../api/resources";
import { Refusal } from "../exit";
import { findLink } from "../find";
import { assertCreatable } from "./assert-creatable";
import { type Context, command, type Options } from "./command";
import { linkCells } from "./link-columns";
import { FIELD_OPTIONS, LINK, LINK_DETAILS, RULES_DETAILS, toInput } from "./link-input";
import { printDryRun, printResult, say } from "./output";
import { bodyOf, type LinkChange, readTagChange, updateLink } from "./update-link";

const CREATE_OPTIONS = {
  ...FIELD_OPTIONS,
  tag: { value: "TAG", repeat: true, description: "A tag of the workspace: a name, slug or ID" },
} as const satisfies Options;

export const createCommand = command({
  name: "links create",
  summary: "Create a link, and print its short URL",
  details: RULES_DETAILS,
  options: CREATE_OPTIONS,
  writes: true,
  examples: [
    "waymark links create --destination https://www.example.com/sale",
    "waymark links create --destination https://www.example.com/sale --slug summer --group summer-2026 --tag Print --tag Partner",
  ],
  async run(context, { tag: names = [], ...fields }) {
    const { destination_url: destination, ...rest } = toInput(fields);
    if (destination === undefined) throw new Refusal("--destination is missing.");
    const { client } = context;
    const { add } = await readTagChange(client, names);
    const given = { destination_url: destination, ...rest };
    const input = { ...given, ...(add.length === 0 ? {} : { tag_ids: add.map(({ id }) => id) }) };
    if (context.dryRun) {
      await assertCreatable(client, input);
      const shown = { ...given, ...(names.length === 0 ? {} : { tags: names.join(", ") }) };
      return printDryRun(context, { create: input }, shown, "Would create this link.");
    }
    const link = await client.links.create(input);
    printResult(context, link, link.short_url);
    say(context, `Created /${link.slug}.`);
  },
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
  details: `${LINK_DETAILS}\nAn empty text clears a field. A new slug renames the link; the old one keeps working.\n${RULES_DETAILS}`,
  operand: LINK,
  options: UPDATE_OPTIONS,
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
    const { client } = context;
    const link = await findLink(client, name);
    const change = { input, tags: { ...(await readTagChange(client, tag, untag)), removeAll } };
    if (context.dryRun) return printChanges(context, link, change);
    const updated = await updateLink(client, link, change);
    printResult(context, updated, updated.short_url);
    const isSame = JSON.stringify(updated) === JSON.stringify(link);
    say(context, isSame ? `/${link.slug} is already as asked.` : `Updated /${updated.slug}.`);
  },
});

/** The fields that would change, before and after. */
function printChanges(context: Context, link: Link, change: LinkChange): undefined {
  const update = bodyOf(link, change);
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
  return printDryRun(context, { id: link.id, update }, Object.fromEntries(shown), sentence);
}
