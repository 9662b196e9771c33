import { changedSinceRead, ServiceError } from "../../errors";
import { FORM_FIELDS, TEXT_FIELDS, VALUE_FIELDS } from "../../lib/link-fields";
import { UTM_NAMES } from "../../lib/link-target";
import { ISO_MOMENT_RULE } from "../../lib/time";

/** Why a form was refused. The message is shown above it, the errors at its fields. */
export interface Problem {
  status: ServiceError["status"];
  message: string;
  errors: Readonly<Record<string, readonly string[]>>;
}

/** A person can correct these in the form. */
const SHOWN_IN_FORM: ReadonlySet<number> = new Set([409, 412, 413, 422]);

const STALE =
  "The link has changed meanwhile, so nothing is saved yet. What you have changed is still here, and the rest shows the link as it is now. Save again to change it all the same.";

/** The problem to show with the form. Throws any other error again. */
export function toProblem(error: unknown): Problem {
  if (!(error instanceof ServiceError) || !SHOWN_IN_FORM.has(error.status)) throw error;
  const { message: said } = error.body;
  const message = said === changedSinceRead("link").body.message ? STALE : said;
  return { status: error.status, message, errors: error.body.errors ?? {} };
}

// The API's errors name its fields. A form says the same with the names that it shows.

/** The label of a field within a sentence. */
const inSentence = ([name, { label }]: [string, { label: string }]) =>
  [name, label.charAt(0).toLowerCase() + label.slice(1)] as const;

const NOUNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries({ ...TEXT_FIELDS, ...FORM_FIELDS, ...VALUE_FIELDS }).map(inSentence)),
  destination_url: "destination",
  slug: "short link",
  starts_at: "start",
  ends_at: "end",
  ended_url: "address after the end",
  root_url: "address",
  not_found_url: "address",
  countries: "country",
  devices: "device",
  languages: "language",
  share: "share",
  rule: "rule",
  listed: "list",
};

/** A field as forms name it in a sentence. */
export const nounOf = (field: string): string => NOUNS[field] ?? field;

/** Names of fields on the page of an import, where they are not those of the form. */
const COLUMNS: Readonly<Record<string, string>> = {
  ...NOUNS,
  slug: "slug",
  old_slugs: "old slugs",
  tags: "tags",
  ...Object.fromEntries(UTM_NAMES.map((name) => [name, name])),
};

type Replacements = readonly (readonly [string, string])[];

/** Parts of the API's sentences, and what the form says instead. */
const REPLACEMENTS: Replacements = [
  [" must not be greater than ", " must not have more than "],
  [" must be a valid URL.", " must be an address such as https://www.example.com/page."],
  [" must have a valid host name.", " must have a valid host name, such as www.example.com."],
  [` ${ISO_MOMENT_RULE}.`, " must be a date and a time."],
  [" must not contain unencoded white space.", " must not have spaces."],
  [" must be a date after starts at.", " must be after the start."],
  [" must be a time after or equal to starts at.", " must not be before the start."],
  [" has already been taken.", " is taken."],
  [" has been taken down.", " was taken down by the operator of this service. It cannot be used again."],
];

/** A cell has a time as text, so it needs an example. */
const REPLACEMENTS_OF_CELL: Replacements = [
  [` ${ISO_MOMENT_RULE}.`, " must be a time with its zone, such as 2026-05-01T09:00:00Z."],
  ...REPLACEMENTS,
];

/** The id of the field that an error belongs to; undefined for limits of the workspace. */
export function fieldOfError(error: string): string | undefined {
  const [name = ""] = error.split(".");
  if (name === "new_tags" || name === "tag_names") return "tag_ids";
  return name in NOUNS || name === "tag_ids" || name === "activity_group_id" ? name : undefined;
}

/** A rule or a field of one, such as `rules.0.countries.1`. */
const OF_RULE = /\brules\.\d+(?:\.([a-z_]+)(?:\.\d+)?)?/g;

function say(error: string, message: string, noun: string | undefined, replacements: Replacements): string {
  if (noun === undefined) return message;
  if (message.endsWith(" field is required.")) return `Enter the ${noun}.`;
  const named = message.replace(`The ${error.replaceAll("_", " ")} `, () => `The ${noun} `);
  const subject = `The ${noun} field `;
  const text = named.startsWith(subject) ? `The ${noun} ${named.slice(subject.length)}` : named;
  return replacements.reduce((said, [part, instead]) => said.replace(part, () => instead), text);
}

/** An error of a field with the name that the form shows. */
export const sayOf = (error: string, message: string): string =>
  error.startsWith("tag_ids.")
    ? "One of the tags no longer exists."
    : say(
        error,
        message.replaceAll(OF_RULE, (_, name = "rule") => NOUNS[name] ?? name),
        NOUNS[error.replace(OF_RULE, (_, name = "rule") => name)],
        REPLACEMENTS,
      );

/** An error of a cell with the name that the page of an import shows. */
export const sayOfCell = (error: string, message: string): string =>
  say(error, message, COLUMNS[error], REPLACEMENTS_OF_CELL);

/** A problem with the names that the form shows. Only the form of a link shows a slug as a short link. */
export const sayErrors = ({ errors, message, ...problem }: Problem): Problem => {
  const sayIn = (error: string, text: string): string => (error === "slug" ? text : sayOf(error, text));
  return {
    ...problem,
    message: Object.entries(errors).reduce(
      (said, [error, texts]) =>
        texts.reduce((whole, text) => whole.replace(text, () => sayIn(error, text)), said),
      message,
    ),
    errors: Object.fromEntries(
      Object.entries(errors).map(([error, texts]) => [
        error,
        [...new Set(texts.map((text) => sayIn(error, text)))],
      ]),
    ),
  };
};
