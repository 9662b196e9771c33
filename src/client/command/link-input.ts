import { Argument } from "commander";
import type { UpdateLink } from "../api/resources";
import { LINK_INPUTS } from "../fields";
import type { Given } from "./command";

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
