import { windowStateAt } from "./active-window";
import type { Device } from "./visitor";

// Rules of a link lead some of its visitors to other destinations.

export const MAX_RULES = 10;
export const MAX_RULE_COUNTRIES = 50;
export const MAX_RULE_LANGUAGES = 20;

/** What must hold for a visit, all of it. A condition that is null always holds. */
export interface Conditions {
  /** ISO 3166-1 codes, in capitals. */
  countries: readonly string[] | null;
  devices: readonly Device[] | null;
  /** ISO 639 codes, in lower case. */
  languages: readonly string[] | null;
  /** Milliseconds since the epoch. */
  startsAt: number | null;
  endsAt: number | null;
  /** Of a hundred visits that come to the rule. */
  share: number | null;
}

/** What is known of a visitor. Each is asked only if a rule needs it. */
export interface Visitor {
  country: () => string | null;
  device: () => Device;
  language: () => string | null;
}

const isAmong = <T>(values: readonly T[] | null, value: () => T | null): boolean => {
  if (values === null) return true;
  const own = value();
  return own !== null && values.includes(own);
};

/** Whether all conditions hold but the share, which is drawn. */
const applies = (rule: Conditions, { country, device, language }: Visitor, now: number): boolean =>
  windowStateAt(rule, now) === "open" &&
  isAmong(rule.devices, device) &&
  isAmong(rule.countries, country) &&
  isAmong(rule.languages, language);

/** The first rule that holds; undefined for the link's own destination. `draw` gives a number from 0 up to 1. */
export function chooseRule<Rule extends Conditions>(
  rules: readonly Rule[],
  visitor: Visitor,
  now: number,
  draw: () => number,
): Rule | undefined {
  return rules.find(
    (rule) => applies(rule, visitor, now) && (rule.share === null || 100 * draw() < rule.share),
  );
}

/** The rules that a visitor may be led by, and `undefined` if it may be the link's own destination. */
export function possibleRules<Rule extends Conditions>(
  rules: readonly Rule[],
  visitor: Visitor,
  now: number,
): (Rule | undefined)[] {
  const possible = rules.filter((rule) => applies(rule, visitor, now));
  const certain = possible.findIndex(({ share }) => share === null);
  return certain === -1 ? [...possible, undefined] : possible.slice(0, certain + 1);
}
