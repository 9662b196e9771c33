import type { Failure } from "../../lib/failure";
import { eachField } from "../../lib/link-fields";
import { fromLocalMoment, toFormMoment } from "../../lib/local-time";
import { supplyScheme } from "../../lib/supplied-scheme";
import { DAY_MS, isoTime } from "../../lib/time";
import { DEVICES, type Device } from "../../lib/visitor";
import { MAX_RULES, type Rule } from "../../lib/visitor-rules";
import { type Kind, readCodes, sortWords, unknownIn, writeCodes } from "../shell/code-names";
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

/** Conditions with several values, of which a form sends each by itself. */
const LISTS: ReadonlySet<string> = new Set(["countries", "devices", "languages"]);

/** The rules of a form that was sent, in their order. */
export function draftsIn({ fields, all }: Form): RuleDraft[] {
  const drafts: RuleDraft[] = [];
  for (let index = 0; `rules.${index}.destination_url` in fields; index++) {
    const draft = eachField(EMPTY, (name) => {
      const values = all(`rules.${index}.${name}`).map((value) => value.trim());
      return (LISTS.has(name) ? values.filter((value) => value !== "").join(",") : values.at(-1)) ?? "";
    });
    drafts.push({ ...draft, destination_url: supplyScheme(draft.destination_url) });
  }
  return drafts;
}

export const isEmpty = (draft: RuleDraft): boolean => Object.values(draft).every((text) => text === "");

export const devicesIn = (text: string): Device[] =>
  DEVICES.filter((device) => text.split(",").includes(device));

/** The text of a list without one of its values. */
function without(name: string, text: string, value: string | undefined): string {
  if (name === "devices")
    return devicesIn(text)
      .filter((device) => device !== value)
      .join(",");
  const { codes, unknown } = sortWords(name === "countries" ? "region" : "language", text);
  return [...codes.filter((code) => code !== value), ...(unknown === "" ? [] : [unknown])].join(",");
}

/**
 * The rules after a button of their form: `add.apps`, `remove.0`, `up.1`, `move.2.0`, `drop.0.countries.CH`. Other actions change no rule:
 * they open a condition, or take what is typed.
 */
export function changedBy(drafts: readonly RuleDraft[], act: string, now: number): RuleDraft[] {
  const [verb, at = "", name = "", value] = act.split(".");
  const index = Number(at);
  if (verb === "add") return [...drafts, ...usualRules(at, now)].slice(0, MAX_RULES);
  const draft = drafts[index];
  if (at === "" || draft === undefined) return [...drafts];
  if (verb === "remove") return drafts.toSpliced(index, 1);
  if (verb === "up" && index > 0) return drafts.toSpliced(index, 1).toSpliced(index - 1, 0, draft);
  if (verb === "move" && drafts[Number(name)] !== undefined)
    return drafts.toSpliced(index, 1).toSpliced(Number(name), 0, draft);
  if (verb !== "drop" || !LISTS.has(name)) return [...drafts];
  return drafts.with(index, { ...draft, [name]: without(name, draft[name as "countries"], value) });
}

const OPENED_BY: Readonly<Record<string, string>> = {
  "add.country": "countries",
  "add.language": "languages",
};

/** The action of a form of `count` rules, as the condition that it opens: a new rule may open one of its own. */
export function openedBy(act: string, count: number): string {
  const condition = OPENED_BY[act];
  return condition === undefined ? act : `open.${count - 1}.${condition}`;
}

/** The rules of an update. */
export const toRuleInputs = (drafts: readonly RuleDraft[], zone: string): object[] =>
  drafts.map(({ destination_url, countries, devices, languages, starts_at: start, ends_at: end, share }) => ({
    destination_url,
    countries: readCodes("region", countries),
    devices: devicesIn(devices),
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

function usualRules(kind: string, now: number): RuleDraft[] {
  if (kind === "apps")
    return [
      { ...EMPTY, devices: "ios" },
      { ...EMPTY, devices: "android" },
    ];
  if (kind === "half") return [{ ...EMPTY, share: "50" }];
  const tomorrow = isoTime(now + DAY_MS).slice(0, 10);
  return kind === "event" ? [{ ...EMPTY, starts_at: `${tomorrow}T00:00` }] : [EMPTY];
}
