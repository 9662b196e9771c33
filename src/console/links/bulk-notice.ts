import type { Failure } from "../../lib/failure";
import { MOMENT_FIELDS } from "../../lib/link-fields";
import type { ChangeOutcome } from "../../resources/links/bulk-change";
import type { ChangeLinks } from "../../resources/links/change-schema";
import { nounOf, sayOf } from "../shell/error-labels";
import { count, number, quoted, timeText } from "../shell/text";

const MAX_NAMES = 3;

/** A change of many links. The undo of an undo redoes a change. */
export type BulkAction = Omit<ChangeLinks, "ids" | "change"> & {
  change: ChangeLinks["change"] | "undo" | "redo";
};

type Verb = BulkAction["change"] | "leave" | "clear" | "inherit";

/**
 * What was done to links, and what the others were already. `{name}` is that of the tag or the group, or "it" where the sentence
 * before names it.
 */
const WORDING: Readonly<Record<Verb, readonly [done: string, already: string]>> = {
  tag: ["Added {name} to {links}.", "{links} had {name} already."],
  untag: ["Removed {name} from {links}.", "{links} did not have {name}."],
  move: ["Moved {links} to {name}.", "{links} {were} in {name} already."],
  domain: [
    "Moved {links} to {name}. Their addresses so far go on working.",
    "{links} {were} on {name} already.",
  ],
  set: ["Set {name} in {links}.", "{links} had {name} already."],
  replace: ["Replaced {name} in {links}.", "{links} did not have the text."],
  clear: ["Removed {name} from {links}.", "{links} had none."],
  inherit: [
    "Removed the own campaign of {links}. A link in a group has the group’s.",
    "{links} had no campaign of their own.",
  ],
  leave: ["Removed {links} from their group.", "{links} had no group."],
  archive: ["Archived {links}.", "{links} had been archived already."],
  restore: ["Restored {links}.", "{links} had not been archived."],
  undo: ["Undid the {name} of {links}.", "{links} {were} like that already."],
  redo: ["Redid the {name} of {links}.", "{links} {were} like that already."],
};

const fill = (sentence: string, parts: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{([a-z]{1,9})\}/g, (_, part: string) => parts[part] ?? "");

/** What is found, and what is written instead. */
export const nameReplacement = ({ find, replacement }: Pick<ChangeLinks, "find" | "replacement">): string =>
  `${quoted(find ?? "")} by ${replacement ? quoted(replacement) : "nothing"}`;

/** The field and the value that links are given. */
const nameValue = (set: NonNullable<ChangeLinks["set"]>, zone: string): string =>
  Object.entries(set)
    .map(([name, value]) => {
      const shown = value && name in MOMENT_FIELDS ? timeText(value, true, zone) : value;
      return `the ${nounOf(name)}${shown == null ? "" : ` ${quoted(shown)}`}`;
    })
    .join(" and ");

function verbOf({ change, activity_group_id: group, set = {} }: BulkAction): Verb {
  if (change === "move" && group === null) return "leave";
  if (set.utm_campaign === null) return "inherit";
  return Object.values(set).includes(null) ? "clear" : change;
}

/** What a change is about. `name` is that of the tag, the group or the domain, if it is known. */
function nameIn(input: BulkAction, name: string | undefined, zone: string): string {
  const { change, set = {} } = input;
  if (change === "undo" || change === "redo") return name ?? "change";
  if (change === "set") return nameValue(set, zone);
  if (change === "replace") return nameReplacement(input);
  if (name !== undefined) return quoted(name);
  return change === "move" ? "the group" : "the tag";
}

/** "a, b, c and 2 more". */
function joinNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const first = names.slice(0, MAX_NAMES).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

/** How many links were changed, were so already, or were refused. */
interface Tally {
  changed: number;
  unchanged: number;
  refused: number;
  /** Which were refused, and why. */
  refusals: string;
}

const NO_TALLY: Tally = { changed: 0, unchanged: 0, refused: 0, refusals: "" };

/** Once the refusals are longer, later ones are only counted. */
const MAX_REFUSALS_CHARACTERS = 300;

/** Names by the reason that they have in common. */
export function groupByReason(refused: readonly (readonly [name: string, failures: readonly Failure[]])[]) {
  const groups = Map.groupBy(refused, ([, failures]) => failures.map(sayOf).join(" "));
  return [...groups].map(([reason, all]) => ({ reason, names: joinNames(all.map(([name]) => name)) }));
}

const reasonsOf = (outcomes: readonly ChangeOutcome[], wanted: ChangeOutcome["outcome"]) =>
  groupByReason(
    outcomes.flatMap((one) =>
      one.outcome === wanted && "failures" in one && one.failures
        ? [[one.slug ?? one.id, one.failures] as const]
        : [],
    ),
  );

const leftBy = ({ change }: BulkAction): string => (change === "undo" ? "Not undone" : "Not changed");

/** Adds outcomes to what earlier requests did. */
export function addOutcomes(input: BulkAction, outcomes: readonly ChangeOutcome[], earlier: Tally): Tally {
  const tally = { ...earlier };
  for (const { outcome } of outcomes) tally[outcome] += 1;
  if (earlier.refusals.length > MAX_REFUSALS_CHARACTERS) return tally;
  const more = reasonsOf(outcomes, "refused").map(
    ({ reason, names }) => `${leftBy(input)}: ${names}. ${reason}`,
  );
  return { ...tally, refusals: [earlier.refusals, ...more].filter(Boolean).join(" ") };
}

/**
 * How many links were changed, and which were refused and why. `name` is that of the tag or the group, if it is known.
 * `earlier` is what previous requests did of the change.
 */
export function describeOutcomes(
  input: BulkAction,
  outcomes: readonly ChangeOutcome[],
  {
    name,
    earlier = NO_TALLY,
    zone = "UTC",
  }: { name?: string | undefined; earlier?: Tally; zone?: string } = {},
): string {
  const { changed, unchanged, refused, refusals } = addOutcomes(input, outcomes, earlier);
  const [done, already] = WORDING[verbOf(input)];
  const named = nameIn(input, name, zone);
  const ofOthers = {
    links: changed === 0 ? count(unchanged, "link") : number(unchanged),
    name: changed === 0 ? named : "it",
    were: unchanged === 1 ? "was" : "were",
  };
  const none = input.change === "undo" ? "Nothing was undone." : "No link was changed.";
  return [
    changed === 0 ? none : fill(done, { links: count(changed, "link"), name: named }),
    ...(unchanged === 0 ? [] : [fill(already, ofOthers)]),
    ...reasonsOf(outcomes, "changed").map(({ reason, names }) => `${names}: ${reason}`),
    ...(refusals === "" ? [] : [refusals]),
    ...(refusals.length > MAX_REFUSALS_CHARACTERS
      ? [`${leftBy(input)} in all: ${count(refused, "link")}.`]
      : []),
  ].join(" ");
}
