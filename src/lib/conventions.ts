import { VALUE_FIELDS } from "./link-fields";
import { unaccented } from "./slug-text";

// How a workspace writes the values of its campaigns.

export const CONVENTION_FIELDS = ["utm_source", "utm_medium", "utm_term", "utm_content", "channel"] as const;
export type ConventionField = (typeof CONVENTION_FIELDS)[number];

export const STRICTNESS = ["off", "suggest", "only"] as const;
export const LETTERS = ["any", "lower"] as const;
/** What a space becomes. */
export const SPACES = ["keep", "-", "_"] as const;

/** How one field is written. With `only`, forms and files take no other value. An empty list allows every value. */
export interface Convention {
  strictness: (typeof STRICTNESS)[number];
  letters: (typeof LETTERS)[number];
  space: (typeof SPACES)[number];
  values: readonly string[];
}

export type Conventions = Readonly<Record<ConventionField, Convention>>;

const NONE: Convention = { strictness: "off", letters: "any", space: "keep", values: [] };

/** The conventions as they are stored; null for none. */
export function readConventions(json: string | null): Conventions {
  const stored: Partial<Conventions> = JSON.parse(json ?? "{}");
  return Object.fromEntries(CONVENTION_FIELDS.map((field) => [field, stored[field] ?? NONE])) as Conventions;
}

export const hasConvention = (field: string): field is ConventionField =>
  CONVENTION_FIELDS.some((one) => one === field);

/** The same for values that differ only by case, accents, spaces, `-` and `_`. */
export const lookAlike = (value: string): string => unaccented(value).replaceAll(/[\s_-]/g, "") || value;

export function written({ letters, space }: Pick<Convention, "letters" | "space">, value: string): string {
  const cased = letters === "lower" ? value.toLowerCase() : value;
  return cased.replaceAll(/\s+/g, () => (space === "keep" ? " " : space));
}

/** Whether a value fits a convention. If it is only spelt otherwise, `as` is how it is written. */
export type Fit = { kind: "fits" } | { kind: "spelt"; as: string } | { kind: "unknown" };

const FITS: Fit = { kind: "fits" };

/** The listed values by what they look like, so that a file of thousands of rows reads each list once. */
const listedBy = new WeakMap<Convention, ReadonlyMap<string, string>>();

function findListed(convention: Convention, value: string): string | undefined {
  const known = listedBy.get(convention) ?? new Map(convention.values.map((one) => [lookAlike(one), one]));
  listedBy.set(convention, known);
  return known.get(lookAlike(value));
}

export function fitOf(convention: Convention, value: string): Fit {
  const { strictness, values } = convention;
  if (strictness === "off" || values.includes(value)) return FITS;
  const as = values.length === 0 ? written(convention, value) : findListed(convention, value);
  if (as === undefined) return { kind: "unknown" };
  return as === value ? FITS : { kind: "spelt", as };
}

const STRICTLY = { suggest: "suggested", only: "only these" };
const WITH_SPACE = { keep: "", "-": "spaces become -", _: "spaces become _" };

export const describeConventions = (conventions: Partial<Conventions>): string =>
  CONVENTION_FIELDS.flatMap((field) => {
    const { strictness, letters, space, values } = conventions[field] ?? NONE;
    if (strictness === "off")
      return conventions[field] === undefined ? [] : `${VALUE_FIELDS[field].label}: any value`;
    const parts = [
      STRICTLY[strictness],
      letters === "lower" && "lower case",
      WITH_SPACE[space],
      values.join(", "),
    ];
    return `${VALUE_FIELDS[field].label}: ${parts.filter(Boolean).join("; ")}`;
  }).join("\n");
