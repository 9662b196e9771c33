import type * as z from "zod";
import { UTM_NAMES } from "../../lib/link-target";
import { nearest } from "../../lib/nearest";
import { foldSlug } from "../../lib/slug-text";
import { toRules } from "../../lib/visitor-rules";
import type { Problem } from "../exit";
import { NOT_TEXT } from "./file-fields";
import { FILE } from "./file-schema";
import { type LinkFile, refusalOf, type WantedFields } from "./link-file";
import { endProblem } from "./text-rules";
import { readYaml } from "./yaml";

const MAX_FILE_BYTES = 1_000_000;

type YamlText = ReturnType<typeof readYaml>;

/** Parses and checks a file without the network. Throws a `Refusal` with its problems: those of fields, else of links together. */
export function parseFile(path: string, text: string): LinkFile {
  if (new TextEncoder().encode(text).length > MAX_FILE_BYTES) {
    const message = `The file must not be larger than ${MAX_FILE_BYTES} bytes.`;
    throw refusalOf(path, [{ line: 1, message }]);
  }
  const source = readYaml(path, text);
  const { data, error } = FILE.safeParse(source.value);
  const found = error?.issues.flatMap((issue) => toProblems(issue, source)) ?? [];
  const problems = [...source.problems, ...found];
  if (data === undefined || problems.length > 0) throw refusalOf(path, problems);
  const file = { path, text, ...toLinks(data, source) };
  const clashes = findClashes(file);
  if (clashes.length > 0) throw refusalOf(path, clashes);
  return file;
}

/** `home: utm.source` for a field of a link, `defaults.group` for one of the defaults. */
function subjectOf(path: z.core.$ZodIssue["path"]): string {
  const [, , field] = path;
  // Rules are named by their place in the list.
  const names = path.filter((step) => field === "rules" || typeof step === "string").map(String);
  if (names[0] !== "links" || names[1] === undefined) return names.join(".") || "The file";
  return `${names[1]}: ${names.slice(2).join(".")}`.trim();
}

function unknownField(name: string, known: string): string {
  if (name === "<<") return "merge keys are not supported. Use defaults.";
  const near = nearest(name, known.split(", "));
  const hint = near === undefined ? `Known are ${known}.` : `Did you mean ${near}?`;
  return `${JSON.stringify(name)} is not known. ${hint}`;
}

function toProblems(issue: z.core.$ZodIssue, { lineOf, writtenAt }: YamlText): Problem[] {
  const { code, path, message } = issue;
  const subject = subjectOf(path);
  if (code === "unrecognized_keys") {
    const start = path.length === 0 ? "" : subject.endsWith(":") ? `${subject} ` : `${subject}.`;
    return issue.keys.map((name) => ({
      line: lineOf([...path, name]) ?? 1,
      message: start + unknownField(name, message),
    }));
  }
  // A field that is missing has the line of its mapping.
  const line = lineOf(path) ?? lineOf(path.slice(0, -1)) ?? 1;
  const start = code === "invalid_key" ? `${JSON.stringify(path.at(-1))}:` : subject;
  const end = message === NOT_TEXT ? `: "${writtenAt(path)}"` : "";
  return [{ line, message: `${start} ${message}${end}.` }];
}

type Given = Partial<z.output<typeof FILE>["links"][string]>;

const toUtm = (utm: Given["utm"]): Record<string, string | null> => {
  if (utm === undefined) return {};
  if (utm === null) return Object.fromEntries(UTM_NAMES.map((name) => [name, null]));
  const values = Object.entries(utm).map(([name, value]) => [`utm_${name}`, value]);
  const { utm_campaign: campaign, ...rest } = Object.fromEntries(values);
  // A service that clears a campaign falls back to the group's.
  return campaign === undefined ? rest : { ...rest, utm_campaign: campaign === "inherit" ? null : campaign };
};

const toFields = ({ destination, domain, group, rules, tags, utm, ...fields }: Given): object => ({
  ...fields,
  // A link cannot be without a domain, so null takes back that of the defaults.
  ...(domain !== undefined && { domain: domain ?? undefined }),
  ...(destination !== undefined && { destination_url: destination }),
  ...(group !== undefined && { activity_group_id: group }),
  ...(rules !== undefined && {
    rules: toRules((rules ?? []).map(({ destination: url, ...rest }) => ({ destination_url: url, ...rest }))),
  }),
  ...(tags !== undefined && { tag_names: tags ?? [] }),
  ...toUtm(utm),
});

function toLinks(file: z.output<typeof FILE>, source: YamlText): Omit<LinkFile, "path" | "text"> {
  const defaults = toFields(file.defaults ?? {});
  return {
    name: file.name,
    onRemoved: file.on_removed ?? "archive",
    links: Object.entries(file.links).map(([key, link]) => ({
      key,
      fields: { ...defaults, ...toFields(link) } as WantedFields,
    })),
    lineOf(key, ...fields) {
      const own = fields.map((field) => source.lineOf(["links", key, field]));
      const shared = fields.map((field) => source.lineOf(["defaults", field]));
      const line = [...own, ...shared].find((one) => one !== undefined);
      return line ?? source.lineOf(["links", key]) ?? 1;
    },
  };
}

/** What links may not share, and an end before its start, which may come from the defaults. */
function findClashes({ links, lineOf }: LinkFile): Problem[] {
  const problems: Problem[] = [];
  const lines = new Map<string, number>();
  const claim = (name: string, line: number, what: string) => {
    const first = lines.get(name);
    if (first === undefined) lines.set(name, line);
    else
      problems.push({ line, message: `${what} is already used in line ${first}, without regard to case.` });
  };
  for (const { key, fields } of links) {
    // Files of QR codes are named by key, and some file systems ignore case.
    claim(key.toLowerCase(), lineOf(key), `The key "${key}"`);
    const { slug, domain = "", starts_at: start, ends_at: end } = fields;
    if (slug !== undefined)
      claim(`${domain}/${foldSlug(slug)}`, lineOf(key, "slug"), `${key}: slug "${slug}"`);
    const fault = endProblem(start, end);
    if (fault === undefined) continue;
    problems.push({ line: lineOf(key, "ends_at", "starts_at"), message: `${key}: ends_at ${fault}.` });
  }
  return problems;
}
