import type { CreateLink, UpdateLink } from "../api/resources";
import { LINK_INPUTS } from "../fields";
import type { Given, Operand, Options } from "./command";

export const LINK: Operand = { name: "LINK" };
export const LINKS: Operand = { name: "LINK", repeat: true };
export const LINK_DETAILS =
  "LINK is a slug (an old one too), a short URL, an ID, or an external ID that has a colon.";

type Dashed<Field> = Field extends `${infer Start}_${infer Rest}` ? `${Start}-${Dashed<Rest>}` : Field;
type Renamed = { destination_url: "destination"; activity_group_id: "group" };
type OptionName<Field> = Field extends keyof Renamed ? Renamed[Field] : Dashed<Field>;

const RENAMED: Readonly<Record<string, string>> = {
  destination_url: "destination",
  activity_group_id: "group",
} satisfies Renamed;

const optionOf = (field: string): string => RENAMED[field] ?? field.replaceAll("_", "-");

/** An option for each field: `--utm-source` for `utm_source`. */
export const FIELD_OPTIONS = Object.fromEntries(
  Object.entries(LINK_INPUTS).map(([field, { summary, value }]) => [
    optionOf(field),
    { value, description: value === "TIME" ? `${summary}, such as 2026-06-01T08:00:00+02:00` : summary },
  ]),
) as Record<OptionName<keyof typeof LINK_INPUTS>, { value: string; description: string }> satisfies Options;

/** The service refuses to clear these, and says so. */
const NEVER_NULL: ReadonlySet<string> = new Set(["destination_url", "slug"]);

/** The given fields. An empty text clears the field. */
export function toInput(given: Given<typeof FIELD_OPTIONS>): UpdateLink {
  const values = new Map(Object.entries(given));
  const entries = Object.keys(LINK_INPUTS).flatMap((field) => {
    const text = values.get(optionOf(field));
    if (text === undefined) return [];
    return [[field, text.trim() === "" && !NEVER_NULL.has(field) ? null : text]];
  });
  return Object.fromEntries(entries);
}

export const toNewLink = (given: Given<typeof FIELD_OPTIONS>): CreateLink => ({
  destination_url: "",
  ...toInput(given),
});
