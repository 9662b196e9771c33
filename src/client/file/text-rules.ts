import { type DestinationField, destinationProblem } from "../../lib/destination";
import { DESTINATION_RULES } from "../../lib/destination-rules";
import { INVISIBLE } from "../../lib/invisible";
import { foldSlug, isSlugShaped, MAX_SLUG_CHARACTERS, RESERVED_SLUGS } from "../../lib/slug-text";
import { ISO_MOMENT_RULE, parseIsoMoment } from "../../lib/time";
import { toHost } from "../api/host";

/** The service's rule for a trimmed text that is not empty. Its answers complete a sentence that begins with the field. */
export type TextRule = (value: string) => string | undefined;

const CONTROL = /\p{Cc}/u;

const lengthProblem = (value: string, max: number): string | undefined =>
  [...value].length > max ? `must not be longer than ${max} characters` : undefined;

export const textRule =
  (maxCharacters: number): TextRule =>
  (value) => {
    if (!value.isWellFormed()) return "must be well-formed Unicode text";
    if (CONTROL.test(value)) return "must not contain control characters, such as line breaks";
    return lengthProblem(value, maxCharacters);
  };

/** The same without invisible characters, which the service takes in keys alone. */
export const visibleTextRule =
  (maxCharacters: number): TextRule =>
  (value) =>
    textRule(maxCharacters)(value) ??
    (INVISIBLE.test(value) ? "must not contain invisible characters" : undefined);

export const slugRule: TextRule = (value) => {
  if (isSlugShaped(value)) return undefined;
  if (RESERVED_SLUGS.has(foldSlug(value))) return `must not be "${value}", which is reserved by the service`;
  return (
    lengthProblem(value, MAX_SLUG_CHARACTERS) ??
    "must consist of letters, digits, hyphens and underscores, and start with a letter or digit"
  );
};

export const hostRule: TextRule = (value) =>
  toHost(value) === undefined ? "must be a host, such as go.example.com" : undefined;

/** The service's message without its subject. */
export const urlRule =
  (field: DestinationField): TextRule =>
  (value) => {
    const problem = destinationProblem(value, field);
    return problem && DESTINATION_RULES[problem.reason][1];
  };

export const momentRule: TextRule = (value) =>
  parseIsoMoment(value) === undefined ? ISO_MOMENT_RULE : undefined;

/** The rule for the end of a link. Completes a sentence that begins with `ends_at`. */
export const endProblem = (
  start: string | null | undefined,
  end: string | null | undefined,
): string | undefined =>
  start != null && end != null && Date.parse(end) <= Date.parse(start)
    ? "must be a date after starts at"
    : undefined;
