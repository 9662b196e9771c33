import { MOMENT_FIELDS } from "../../lib/link-fields";
import { toLocalMoment } from "../../lib/local-moment";
import type { ChangeOutcome } from "../../resources/links/change-many";
import type { ChangeLinks } from "../../resources/links/change-schema";
import { nounOf, sayOf } from "../shell/error-labels";
import { count, number, quoted } from "../shell/text";

const MAX_NAMES = 3;

type Verb = ChangeLinks["change"] | "leave" | "clear" | "inherit";

interface Words {
  /** What was done. `name` is that of the tag or the group. */
  done: (links: string, name: string) => string;
  /** What the others were already. `name` is "it" if the sentence before names it. */
  already: (links: string, name: string, were: string) => string;
}

const WORDS: Readonly<Record<Verb, Words>> = {
  tag: {
    done: (links, name) => `Added ${name} to ${links}.`,
    already: (links, name) => `${links} had ${name} already.`,
  },
  untag: {
    done: (links, name) => `Removed ${name} from ${links}.`,
    already: (links, name) => `${links} did not have ${name}.`,
  },
  move: {
    done: (links, name) => `Moved ${links} to ${name}.`,
    already: (links, name, were) => `${links} ${were} in ${name} already.`,
  },
  domain: {
    done: (links, name) => `Moved ${links} to ${name}. Their addresses so far go on working.`,
    already: (links, name, were) => `${links} ${were} on ${name} already.`,
  },
  set: {
    done: (links, name) => `Set ${name} in ${links}.`,
    already: (links, name) => `${links} had ${name} already.`,
  },
  replace: {
    done: (links, name) => `Replaced ${name} in ${links}.`,
    already: (links) => `${links} did not have the text.`,
  },
  clear: {
    done: (links, name) => `Removed ${name} from ${links}.`,
    already: (links) => `${links} had none.`,
  },
  inherit: {
    done: (links) => `Removed the own campaign of ${links}. A link in an Activity Group has the group’s.`,
    already: (links) => `${links} had no campaign of their own.`,
  },
  leave: {
    done: (links) => `Removed ${links} from their Activity Group.`,
    already: (links) => `${links} had no group.`,
  },
  archive: {
    done: (links) => `Archived ${links}.`,
    already: (links) => `${links} had been archived already.`,
  },
  restore: {
    done: (links) => `Restored ${links}.`,
    already: (links) => `${links} had not been archived.`,
  },
};

/** What is found, and what is written instead. */
export const nameReplacement = ({ find, replacement }: Pick<ChangeLinks, "find" | "replacement">): string =>
  `${quoted(find ?? "")} by ${replacement ? quoted(replacement) : "nothing"}`;

/** The field and the value that links are given. */
const nameValue = (set: NonNullable<ChangeLinks["set"]>, zone: string): string =>
  Object.entries(set)
    .map(([name, value]) => {
      const shown = value && name in MOMENT_FIELDS ? toLocalMoment(value, zone).replace("T", " ") : value;
      return `the ${nounOf(name)}${shown == null ? "" : ` ${quoted(shown)}`}`;
    })
    .join(" and ");

function verbOf(
  change: ChangeLinks["change"],
  group: ChangeLinks["activity_group_id"],
  set: NonNullable<ChangeLinks["set"]>,
): Verb {
  if (change === "move" && group === null) return "leave";
  if (set.utm_campaign === null) return "inherit";
  return Object.values(set).includes(null) ? "clear" : change;
}

/** "a, b, c and 2 more". */
function joinNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const first = names.slice(0, MAX_NAMES).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

/** How many links were changed, were so already, or were refused. */
export interface Tally {
  changed: number;
  unchanged: number;
  refused: number;
}

export const NO_TALLY: Tally = { changed: 0, unchanged: 0, refused: 0 };

/** Adds outcomes to what earlier requests did. */
export function addOutcomes(earlier: Tally, outcomes: readonly ChangeOutcome[]): Tally {
  const tally = { ...earlier };
  for (const { outcome } of outcomes) tally[outcome] += 1;
  return tally;
}

/** Names by the reason that they have in common. */
export function groupByReason(reasons: readonly (readonly [name: string, reason: string])[]) {
  const groups = Map.groupBy(reasons, ([, reason]) => reason);
  return [...groups].map(([reason, all]) => ({ reason, names: joinNames(all.map(([name]) => name)) }));
}

/**
 * How many links were changed, and which were refused and why. `name` is that of the tag or the group, if it is known.
 * `earlier` is what previous requests did of the change.
 */
export function describeOutcomes(
  input: Omit<ChangeLinks, "ids">,
  outcomes: readonly ChangeOutcome[],
  {
    name,
    earlier = NO_TALLY,
    zone = "UTC",
  }: { name?: string | undefined; earlier?: Tally; zone?: string } = {},
): string {
  const { change, activity_group_id: group, set = {} } = input;
  const { changed, unchanged } = addOutcomes(earlier, outcomes);
  const refused = outcomes.flatMap((one) =>
    one.outcome === "refused" ? [[one.slug ?? one.id, one.message] as const] : [],
  );
  const { done, already } = WORDS[verbOf(change, group, set)];
  const named =
    change === "set"
      ? nameValue(set, zone)
      : change === "replace"
        ? nameReplacement(input)
        : name === undefined
          ? change === "move"
            ? "the group"
            : "the tag"
          : quoted(name);
  const others = changed === 0 ? count(unchanged, "link") : number(unchanged);
  return [
    changed === 0 ? "No link was changed." : done(count(changed, "link"), named),
    ...(unchanged === 0
      ? []
      : [already(others, changed === 0 ? named : "it", unchanged === 1 ? "was" : "were")]),
    ...(earlier.refused === 0 ? [] : [`Not changed before: ${count(earlier.refused, "link")}.`]),
    ...groupByReason(refused).map(
      ({ reason, names }) =>
        `Not changed: ${names}. ${sayOf(change === "replace" ? "destination_url" : "ends_at", reason)}`,
    ),
  ].join(" ");
}
