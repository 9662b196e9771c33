import { Argument } from "commander";
import { ownerOf } from "../../lib/external-id";
import { LABEL_FIELD_NAMES, LINK_SORTS } from "../../lib/link-fields";
import { describeRule } from "../../lib/visitor-rules";
import type { Link, LinkFilter, UpdateLink, Waymark } from "../api/wire-types";
import { Refusal } from "../exit";
import { findFilter } from "../find-links";
import { LINK_INPUTS, LINK_STATUSES } from "../link-inputs";
import type { Given, Options } from "./command-type";
import type { Cells } from "./output";

export const LINK = new Argument("<LINK>");
export const LINKS = new Argument("<LINK...>");
export const LINK_DETAILS =
  "LINK is a slug (an old one too), a short URL, an ID, or an external ID that has a colon.";

/** A list of mappings is no text for an option. */
export const RULES_DETAILS =
  "Rules of a link are made in waymark.yaml, with the MCP tools or in the web application.";

const RENAMED = new Map([
  ["destination_url", "destination"],
  ["activity_group_id", "group"],
]);
const optionOf = (field: string): string => RENAMED.get(field) ?? field.replaceAll("_", "-");

/** An option for each field: `--utm-source` for `utm_source`. */
export const FIELD_OPTIONS: Readonly<Record<string, { value: string; description: string }>> =
  Object.fromEntries(
    Object.entries(LINK_INPUTS).map(([field, { summary, value }]) => [
      optionOf(field),
      { value, description: value === "TIME" ? `${summary}, such as 2026-06-01T08:00:00+02:00` : summary },
    ]),
  );

/** The service refuses to clear these, and says so. */
const NEVER_NULL: ReadonlySet<string> = new Set(["destination_url", "slug"]);

/** The given fields. An empty text clears the field. */
export function toInput(given: Given<typeof FIELD_OPTIONS>): UpdateLink {
  const entries = Object.keys(LINK_INPUTS).map((field) => {
    const text = given[optionOf(field)];
    return [field, text?.trim() === "" && !NEVER_NULL.has(field) ? null : text];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

export const FILTER_OPTIONS = {
  tag: { value: "TAG", repeat: true, description: "Has the tag: a name, slug or ID" },
  group: { value: "GROUP", description: "Is in the Activity Group: a slug or ID" },
  channel: { value: "TEXT", description: "Has the channel" },
  domain: { value: "HOST", description: "Has its current short URL on the host" },
  status: { value: "STATUS", choices: LINK_STATUSES, description: "Status, active by default" },
  slug: { value: "SLUG", repeat: true, description: "Is opened by one of the slugs, current or old" },
  "external-id": { value: "ID", repeat: true, description: "Has one of the external IDs" },
  "external-id-prefix": { value: "TEXT", description: "Has an external ID that starts with TEXT" },
  q: { value: "TEXT", description: "Has the text in its slug, title or destination" },
  sort: { value: "ORDER", choices: LINK_SORTS, description: "Order, -created_at by default" },
} as const satisfies Options;

export const FORCE_OPTION = {
  force: { description: "Also change what a links file or another program owns by its external ID" },
} as const satisfies Options;

/** The service ignores an empty filter, and would give every link. */
function assertNoneEmpty(given: Given<typeof FILTER_OPTIONS>): void {
  for (const [name, value] of Object.entries(given)) {
    if ([value].flat().some((text) => text.trim() === "")) throw new Refusal(`--${name} is empty.`);
  }
}

/** The filter of the options. Throws for a tag or group that the workspace does not have, because the service would answer with an empty list. */
export async function toFilter(client: Waymark, given: Given<typeof FILTER_OPTIONS>): Promise<LinkFilter> {
  assertNoneEmpty(given);
  const { tag, group, ...rest } = given;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.replaceAll("-", "_"), value])),
    ...(await findFilter(client, tag, group)),
  };
}

/** The fields of a link, with its group by slug, its tags by name and its rules as text. */
export function linkCells({ activity_group: group, rules, tags, ...fields }: Link): Cells {
  return {
    ...fields,
    rules: rules.map(describeRule).join("; ") || null,
    group: group?.slug ?? null,
    tags: tags.map(({ name }) => name).join(", "),
    owner: ownerOf(fields.external_id) ?? null,
  };
}

const FIRST_COLUMNS = ["slug", "destination_url", "title", "channel", "group", "tags", "status"];

/** A terminal has room for fewer columns. */
export const TERMINAL_LINK_COLUMNS = [...FIRST_COLUMNS, "owner"];

/** The columns of a list, in the order that scripts rely on. New ones come last. */
export const LINK_COLUMNS = [
  ...new Set([
    ...FIRST_COLUMNS,
    "short_url",
    "external_id",
    "id",
    "starts_at",
    "ends_at",
    "ended_url",
    "domain",
    "owner",
    ...LABEL_FIELD_NAMES,
  ]),
];
