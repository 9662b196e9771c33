import { ServiceError } from "../../errors";
import { firstOf } from "../../field-errors";
import { type Failure, sayToPeople } from "../../lib/failure";
import { label } from "../../lib/field-codes";
import { FORM_FIELDS, TEXT_FIELDS, VALUE_FIELDS } from "../../lib/link-fields";
import { UTM_NAMES } from "../../lib/link-target";
import { SENTENCE_FIELDS } from "../../resources/branding/branding-schema";

/** Why a form was refused. The message is shown above it, the failures at its fields. */
export interface Problem {
  status: ServiceError["status"];
  message: string;
  failures: readonly Failure[];
}

/** A person can correct these in the form. */
const SHOWN_IN_FORM: ReadonlySet<number> = new Set([409, 412, 413, 422]);

const STALE =
  "The link was changed meanwhile, so nothing is saved yet. Your changes are still here, and the other fields show the link as it is now. Save again to apply your changes.";

/** The label of a field within a sentence. */
const inSentence = ([name, { label }]: [string, { label: string }]) =>
  [name, label.charAt(0).toLowerCase() + label.slice(1)] as const;

const NOUNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries({ ...TEXT_FIELDS, ...FORM_FIELDS, ...VALUE_FIELDS }).map(inSentence)),
  ...Object.fromEntries(SENTENCE_FIELDS.map((field) => [field, "sentence"])),
  destination_url: "destination",
  starts_at: "start",
  ends_at: "end",
  ended_url: "address after the end",
  created_at: "time of creation",
  clicks_before: "number of clicks",
  root_url: "address",
  not_found_url: "address",
  button_url: "address",
  url: "URL",
  kinds: "event",
  countries: "country",
  devices: "device",
  languages: "language",
  rules: "rule",
  listed: "list",
  activity_group_id: "group",
  email: "e-mail address",
  expires_at: "expiry date",
};

/** The last part of a name that is no index: `rules.0.countries.1` is one of the countries. */
const lastName = (field: string): string => field.split(".").findLast((part) => !/^\d+$/.test(part)) ?? field;

/** A field as forms name it in a sentence. */
export const nounOf = (field: string): string => NOUNS[lastName(field)] ?? label(lastName(field));

/** Names of fields on the page of an import, where they are not those of the form. */
const COLUMNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(UTM_NAMES.map((name) => [name, name])),
};

/** The id of the field that an error belongs to; undefined for limits of the workspace. */
export function fieldOfError(error: string): string | undefined {
  const [name = ""] = error.split(".");
  if (name === "new_tags" || name === "tag_names") return "tag_ids";
  return name in NOUNS || name === "tag_ids" || name === "slug" ? name : undefined;
}

/** A failure with the name that forms show. */
export function sayOf(failure: Failure): string {
  if (failure.field.startsWith("tag_ids.")) return "One of the tags no longer exists.";
  if (failure.field === "kinds") return "Choose at least one event.";
  return sayToPeople(failure, nounOf(failure.field));
}

/** A slug as the forms of links call it. */
export const asShortLink = (failure: Failure): Failure =>
  failure.field === "slug" ? { ...failure, of: "short link" } : failure;

/** A failure of a cell with the name that the page of an import shows. A cell has a time as text, so it needs an example. */
export const sayOfCell = (failure: Failure): string =>
  failure.reason === "day_or_moment"
    ? `The ${nounOf(failure.field)} must be a date or time, such as 31.12.2026, 2026-05-01 or 2026-05-01T09:00:00Z.`
    : sayToPeople(failure, COLUMNS[failure.field] ?? nounOf(failure.field));

/** The problem to show with the form. Throws any other error again. */
export function toProblem(error: unknown): Problem {
  if (!(error instanceof ServiceError) || !SHOWN_IN_FORM.has(error.status)) throw error;
  const { status, code, failures, message } = error;
  if (failures.length > 0) return { status, message: firstOf(failures.map(sayOf)), failures };
  return { status, message: code === "link_changed" ? STALE : message, failures };
}
