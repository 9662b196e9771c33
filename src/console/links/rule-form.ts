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

const NO_TEXT = {
  destination_url: "",
  countries: "",
  devices: "",
  languages: "",
  starts_at: "",
  ends_at: "",
  share: "",
};

type Texts = typeof NO_TEXT;

/** A rule as the form has it. */
export interface RuleDraft extends Texts {
  /** The conditions that have a field to type in, which may be empty. */
  open: readonly (keyof Texts)[];
}

const draftOf = (texts: Partial<Texts>, open: RuleDraft["open"] = []): RuleDraft => ({
  ...NO_TEXT,
  ...texts,
  open,
});

/** The form of a rule. Its moments are in the time zone. */
export const draftOfRule = (rule: Rule, zone: string): RuleDraft =>
  draftOf({
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
    const open: (keyof Texts)[] = [];
    const texts = eachField(NO_TEXT, (name) => {
      const values = all(`rules.${index}.${name}`).map((value) => value.trim());
      if (values.includes("")) open.push(name);
      return (LISTS.has(name) ? values.filter((value) => value !== "").join(",") : values.at(-1)) ?? "";
    });
    drafts.push(draftOf({ ...texts, destination_url: supplyScheme(texts.destination_url) }, open));
  }
  return drafts;
}

export const isEmpty = ({ open: _, ...texts }: RuleDraft): boolean =>
  Object.values(texts).every((text) => text === "");

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
 * The rules after a button of their form: `add.apps`, `remove.0`, `up.1`, `move.2.0`, `open.0.share`, `drop.0.countries.CH`. Another
 * action changes no rule: what is typed is taken.
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
  if (verb === "open" && name in NO_TEXT)
    return drafts.with(index, { ...draft, open: [...draft.open, name as keyof Texts] });
  if (verb !== "drop" || !LISTS.has(name)) return [...drafts];
  return drafts.with(index, { ...draft, [name]: without(name, draft[name as "countries"], value) });
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
  ["device", "A device"],
  ["language", "A language"],
  ["country", "A country"],
  ["event", "After an event"],
  ["half", "Half and half"],
] as const;

function usualRules(kind: string, now: number): RuleDraft[] {
  if (kind === "apps") return [draftOf({ devices: "ios" }), draftOf({ devices: "android" })];
  if (kind === "device") return [draftOf({}, ["devices"])];
  if (kind === "language") return [draftOf({}, ["languages"])];
  if (kind === "country") return [draftOf({}, ["countries"])];
  if (kind === "half") return [draftOf({ share: "50" })];
  const tomorrow = isoTime(now + DAY_MS).slice(0, 10);
  return kind === "event" ? [draftOf({ starts_at: `${tomorrow}T00:00` })] : [draftOf({})];
}
