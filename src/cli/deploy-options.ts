import { parseArgs } from "node:util";

type Kind = "string" | "boolean";

const OUR_OPTIONS: Readonly<Record<string, Kind>> = {
  "base-url": "string",
  "short-base-url": "string",
  adopt: "boolean",
  "replace-dns": "boolean",
};

/** Options of `wrangler deploy` that select no other Worker, account or database and override nothing in wrangler.toml. */
const PASSED_OPTIONS: Readonly<Record<string, Kind>> = {
  "dry-run": "boolean",
  help: "boolean",
  version: "boolean",
  outdir: "string",
  outfile: "string",
  metafile: "string",
  minify: "boolean",
  "upload-source-maps": "boolean",
  "keep-vars": "boolean",
  strict: "boolean",
  tag: "string",
  message: "string",
};

/** Options with which `wrangler deploy` changes nothing. */
const READ_ONLY_OPTIONS = ["dry-run", "help", "version"];

const OTHER_WORKER =
  "The Worker is the one that wrangler.toml names. For another one, take another clone with another name and database_name in its wrangler.toml.";
const OTHER_CONFIG = "The deployment is always that of wrangler.toml in this folder, so run it there.";
const ROUTES = "The routes follow from the addresses: give --base-url and --short-base-url.";
const IN_CONFIG = "Set it in wrangler.toml.";

/** The advice for each refused option of wrangler. */
const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    env: OTHER_WORKER,
    e: OTHER_WORKER,
    name: OTHER_WORKER,
    "dispatch-namespace": OTHER_WORKER,
    "legacy-env": OTHER_WORKER,
    config: OTHER_CONFIG,
    c: OTHER_CONFIG,
    cwd: OTHER_CONFIG,
    "env-file": "Set the variables in the environment of the command, or in .env.",
    "account-id": "Set CLOUDFLARE_ACCOUNT_ID, or account_id in wrangler.toml.",
    var: "Set it under [vars] in wrangler.toml; the addresses are --base-url and --short-base-url.",
    "secrets-file": "Run npx wrangler secret put NAME --config .wrangler.deploy.json.",
    route: ROUTES,
    routes: ROUTES,
    domain: ROUTES,
    domains: ROUTES,
    triggers: IN_CONFIG,
    schedule: IN_CONFIG,
    schedules: IN_CONFIG,
    "compatibility-date": IN_CONFIG,
    "compatibility-flag": IN_CONFIG,
    "compatibility-flags": IN_CONFIG,
    latest: IN_CONFIG,
    assets: IN_CONFIG,
    define: IN_CONFIG,
    alias: IN_CONFIG,
    logpush: IN_CONFIG,
    bundle: "The Worker needs to be bundled.",
  }),
);

const KNOWN: ReadonlyMap<string, Kind> = new Map(Object.entries({ ...OUR_OPTIONS, ...PASSED_OPTIONS }));

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const withoutNo = (name: string): string => name.replace(/^no-/, "");

/** wrangler accepts each name in camelCase and kebab-case. */
const SPELLINGS = Object.fromEntries(
  Array.from(KNOWN).flatMap(([name, type]) => [
    [camelCase(name), { type }],
    [name, name === "help" || name === "version" ? { type, short: name.charAt(0) } : { type }],
  ]),
);

export interface DeployOptions {
  /** The arguments for `wrangler deploy`, in kebab-case. */
  passed: readonly string[];
  /** Whether `wrangler deploy` changes nothing with these options. */
  isReadOnly: boolean;
  baseUrl: string | undefined;
  shortBaseUrl: string | undefined;
  adopt: boolean;
  replaceDns: boolean;
}

const refused = (problem: string): Error => new Error(`${problem} Nothing was changed.`);

function unknownOption(rawName: string, name: string): Error {
  const advice = ADVICE.get(name) ?? `It takes ${[...KNOWN.keys()].map((known) => `--${known}`).join(", ")}.`;
  return refused(`npm run deploy does not take ${rawName}. ${advice}`);
}

/** Converts `--dry-run true` to `--dry-run=true`, which means the same to wrangler. */
function joinFlagValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const last = joined.at(-1);
    const isValue = (arg === "true" || arg === "false") && last !== undefined && last.startsWith("--");
    if (isValue && KNOWN.get(withoutNo(kebabCase(last.slice(2)))) === "boolean")
      joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/** Parses the command line of `npm run deploy` as wrangler would. Throws for an unknown or refused option. */
export function parseDeployOptions(args: readonly string[]): DeployOptions {
  const { tokens } = parseArgs({
    args: joinFlagValues(args),
    options: SPELLINGS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string | boolean>();
  const passed: string[] = [];
  for (const token of tokens) {
    if (token.kind === "option-terminator") throw refused('Leave the second "--" out.');
    if (token.kind === "positional") {
      throw refused(
        `npm run deploy takes options alone, not "${token.value}": wrangler.toml names the script.`,
      );
    }
    const spelled = kebabCase(token.name);
    const isNegated = !KNOWN.has(spelled) && KNOWN.get(withoutNo(spelled)) === "boolean";
    const name = isNegated ? withoutNo(spelled) : spelled;
    const kind = KNOWN.get(name);
    if (kind === undefined) throw unknownOption(token.rawName, withoutNo(spelled));
    if (values.has(name)) throw refused(`--${name} is given twice.`);
    const value = kind === "string" ? toText(token) : toFlag(token, isNegated);
    values.set(name, value);
    if (Object.hasOwn(PASSED_OPTIONS, name)) passed.push(...toArguments(token.rawName, name, value));
  }
  const text = (name: string) => values.get(name)?.toString();
  return {
    passed,
    isReadOnly: READ_ONLY_OPTIONS.some((name) => values.get(name) === true),
    baseUrl: text("base-url"),
    shortBaseUrl: text("short-base-url"),
    adopt: values.get("adopt") === true,
    replaceDns: values.get("replace-dns") === true,
  };
}

interface Token {
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

function toFlag({ rawName, value }: Token, isNegated: boolean): boolean {
  if (value === undefined) return !isNegated;
  if (isNegated || (value !== "true" && value !== "false")) {
    throw refused(`${rawName} takes no value${isNegated ? "" : ", or true or false"}, not "${value}".`);
  }
  return value === "true";
}

function toText({ rawName, value, inlineValue }: Token): string {
  if (value === undefined || value === "") throw refused(`${rawName} needs a value.`);
  if (inlineValue !== true && value.startsWith("-")) {
    throw refused(`${rawName} is followed by "${value}": if that is its value, write ${rawName}=${value}.`);
  }
  return value;
}

function toArguments(rawName: string, name: string, value: string | boolean): string[] {
  if (typeof value === "string") return value.startsWith("-") ? [`--${name}=${value}`] : [`--${name}`, value];
  if (!value) return [`--no-${name}`];
  return [rawName.length === 2 ? rawName : `--${name}`];
}
