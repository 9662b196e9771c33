import type { Failure } from "../../lib/failure";
import { eachField } from "../../lib/link-fields";
import { fromLocalMoment, toFormMoment } from "../../lib/local-time";
import { supplyScheme } from "../../lib/supplied-scheme";
import { DAY_MS, isoTime } from "../../lib/time";
import type { Device } from "../../lib/visitor";
import type { Rule } from "../../lib/visitor-rules";
import { type Kind, nameOfCode, readCodes, unknownIn, writeCodes } from "../shell/code-names";
import type { Form } from "../shell/page-request";

// The rules of a link as texts of a form: `rules.0.countries`.

export const DEVICE_NAMES: Readonly<Record<Device, string>> = {
  ios: "iPhone or iPad",
  android: "Android",
  desktop: "a computer",
};

const EMPTY = {
  destination_url: "",
  countries: "",
  devices: "",
  languages: "",
  starts_at: "",
  ends_at: "",
  share: "",
};

/** A rule as the form has it. */
export type RuleDraft = typeof EMPTY;

/** The form of a rule. Its moments are in the time zone. */
export const draftOfRule = (rule: Rule, zone: string): RuleDraft => ({
  destination_url: rule.destination_url,
  countries: writeCodes("region", rule.countries ?? []),
  devices: (rule.devices ?? []).join(","),
  languages: writeCodes("language", rule.languages ?? []),
  starts_at: rule.starts_at === null ? "" : toFormMoment(rule.starts_at, zone),
  ends_at: rule.ends_at === null ? "" : toFormMoment(rule.ends_at, zone),
  share: rule.share === null ? "" : String(rule.share),
});

/** The rules of a form that was sent, in the order of their places, without those that are to go or empty. */
export function draftsIn({ fields }: Form): RuleDraft[] {
  const drafts: { draft: RuleDraft; place: number }[] = [];
  for (let index = 0; `rules.${index}.destination_url` in fields; index++) {
    const typed = (name: string): string => fields[`rules.${index}.${name}`]?.trim() ?? "";
    const draft = eachField(EMPTY, typed);
    const isEmpty = Object.values(draft).every((text) => text === "");
    if (isEmpty || typed("remove") === "true") continue;
    drafts.push({
      draft: { ...draft, destination_url: supplyScheme(draft.destination_url) },
      place: Number(typed("place")),
    });
  }
  return drafts.toSorted((one, other) => one.place - other.place).map(({ draft }) => draft);
}

/** The rules of an update. */
export const toRuleInputs = (drafts: readonly RuleDraft[], zone: string): object[] =>
  drafts.map(({ destination_url, countries, devices, languages, starts_at: start, ends_at: end, share }) => ({
    destination_url,
    countries: readCodes("region", countries),
    devices: devices.split(",").filter((device) => device !== ""),
    languages: readCodes("language", languages),
    starts_at: fromLocalMoment(start, zone) ?? start,
    ends_at: fromLocalMoment(end, zone) ?? end,
    ...(share !== "" && { share: Number(share) }),
  }));

/** A field with a text of names has the failure of its first unknown word. */
export function unknownWords(kind: Kind, field: string, text: string): Failure[] {
  const message = unknownIn(kind, text);
  return message === undefined ? [] : [{ field, code: "enum", message }];
}

/** The words of a form that name no country or language. */
export const failuresOfWords = (drafts: readonly RuleDraft[]): Failure[] =>
  drafts.flatMap(({ countries, languages }, index) => [
    ...unknownWords("region", `rules.${index}.countries`, countries),
    ...unknownWords("language", `rules.${index}.languages`, languages),
  ]);

/** What is usual, to begin with. */
export const USUAL_RULES = [
  ["apps", "App stores"],
  ["language", "A language"],
  ["country", "A country"],
  ["event", "After an event"],
  ["half", "Half and half"],
] as const;

export function usualRules(kind: string, now: number): RuleDraft[] {
  if (kind === "apps")
    return [
      { ...EMPTY, devices: "ios" },
      { ...EMPTY, devices: "android" },
    ];
  if (kind === "language") return [{ ...EMPTY, languages: nameOfCode("language", "fr") }];
  if (kind === "country") return [{ ...EMPTY, countries: nameOfCode("region", "CH") }];
  if (kind === "half") return [{ ...EMPTY, share: "50" }];
  const tomorrow = isoTime(now + DAY_MS).slice(0, 10);
  return kind === "event" ? [{ ...EMPTY, starts_at: `${tomorrow}T00:00` }] : [EMPTY];
}
