import { windowStateAt } from "./active-window";
import type { Device } from "./visitor";

// Rules of a link lead some of its visitors to other destinations.

export const MAX_RULES = 10;
export const MAX_RULE_COUNTRIES = 50;
export const MAX_RULE_LANGUAGES = 20;
/** As sent. There are three. */
export const MAX_RULE_DEVICES = 20;

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

export interface Visitor {
  country: string | null;
  device: Device;
  language: string | null;
}

const isAmong = <T>(values: readonly T[] | null, value: T | null): boolean =>
  values === null || (value !== null && values.includes(value));

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

export interface Rule {
  destination_url: string;
  countries: string[] | null;
  devices: Device[] | null;
  languages: string[] | null;
  starts_at: string | null;
  ends_at: string | null;
  share: number | null;
}

const CONDITION_NAMES = ["countries", "devices", "languages", "starts_at", "ends_at", "share"] as const;

type GivenRule = Pick<Rule, "destination_url"> & {
  [Name in Exclude<keyof Rule, "destination_url">]?: Rule[Name] | undefined;
};

const distinct = <T>(values: T[] | null | undefined): T[] | null =>
  values == null || values.length === 0 ? null : [...new Set(values)];

/** Whether a rule would hold for every visit. An empty list is no condition. */
export const isUnconditional = (rule: Partial<Omit<GivenRule, "destination_url">>): boolean =>
  CONDITION_NAMES.every((name) => {
    const condition = rule[name];
    return condition == null || (Array.isArray(condition) && condition.length === 0);
  });

/** Rules as they are kept: every field in its order, and lists without duplicates. */
export const toRules = (given: readonly GivenRule[]): Rule[] =>
  given.map((rule) => ({
    destination_url: rule.destination_url,
    countries: distinct(rule.countries),
    devices: distinct(rule.devices),
    languages: distinct(rule.languages),
    starts_at: rule.starts_at ?? null,
    ends_at: rule.ends_at ?? null,
    share: rule.share ?? null,
  }));

/** The JSON of a link's rules, as its row has it; null for none. */
export const writeRules = (given: readonly GivenRule[] | null | undefined): string | null =>
  given == null || given.length === 0 ? null : JSON.stringify(toRules(given));

export const readRules = (stored: string | null): Rule[] =>
  stored === null ? [] : (JSON.parse(stored) as Rule[]);

export const conditionsOf = (rule: Rule): Conditions => ({
  countries: rule.countries,
  devices: rule.devices,
  languages: rule.languages,
  startsAt: rule.starts_at === null ? null : Date.parse(rule.starts_at),
  endsAt: rule.ends_at === null ? null : Date.parse(rule.ends_at),
  share: rule.share,
});

export function describeRule({ destination_url: destination, share, ...rule }: Rule): string {
  const conditions = [
    ...[rule.countries, rule.devices, rule.languages].flatMap((values) => values?.join(" or ") ?? []),
    ...(rule.starts_at === null ? [] : [`from ${rule.starts_at}`]),
    ...(rule.ends_at === null ? [] : [`until ${rule.ends_at}`]),
    ...(share === null ? [] : [`${share} of 100`]),
  ];
  return `${conditions.join(", ")} → ${destination}`;
}

/** In counts: a visit that no rule of its link led. */
export const NO_RULE = "";

const FNV_PRIME = 0x01000193;

/** A 32-bit FNV-1a hash of text, which begins at `seed`. */
function hashOf(text: string, seed: number): string {
  let hash = seed;
  for (const character of new TextEncoder().encode(text)) hash = Math.imul(hash ^ character, FNV_PRIME);
  return (hash >>> 0).toString(36).padStart(7, "0");
}

/** What visits are counted by: a short hash of a rule without its share, so that a new share keeps the figures. */
export function ruleKey({ share: _, ...content }: Rule): string {
  const text = JSON.stringify(content);
  return hashOf(text, 0x811c9dc5) + hashOf(text, 0x1b873593);
}
