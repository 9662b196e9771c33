import { parseArgs } from "node:util";
import { isOneOf } from "./choice";
import { PLANS } from "./cloudflare-plan";
import { JURISDICTIONS, LOCATIONS } from "./jurisdiction";
import { messageOf } from "./run";

/** Options of `wrangler deploy` that select no other Worker, account or database and override nothing in wrangler.toml. */
const PASSED_OPTIONS = {
  "dry-run": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
  outdir: { type: "string" },
  outfile: { type: "string" },
  metafile: { type: "string" },
  minify: { type: "boolean" },
  "upload-source-maps": { type: "boolean" },
  "keep-vars": { type: "boolean" },
  strict: { type: "boolean" },
} as const;

const OPTIONS = {
  "base-url": { type: "string" },
  "short-base-url": { type: "string" },
  /** The Worker's own address on workers.dev, where no other is given. */
  "workers-dev": { type: "boolean" },
  jurisdiction: { type: "string" },
  adopt: { type: "boolean" },
  /** Gives the values in KV a new epoch, so that none written before is read again. */
  "new-cache": { type: "boolean" },
  /** Hosts whose DNS records the deployment may replace. */
  "replace-dns": { type: "string", multiple: true },
  /** Previous hosts that the Worker gives up. */
  "drop-host": { type: "string", multiple: true },
  /** Near which visitors a new database is. */
  location: { type: "string" },
  /** The account's plan of Workers. */
  plan: { type: "string" },
  /** How Cloudflare labels what is deployed, by default with the version. */
  tag: { type: "string" },
  message: { type: "string" },
  ...PASSED_OPTIONS,
} as const;

const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });

const ADVICE = `It takes --${Object.keys(OPTIONS).join(
  ", --",
)}. The Worker, its bindings and its variables are those of wrangler.toml, and its routes follow from the addresses. For another Worker, take another clone.`;

/** What `--help` says before wrangler's own. */
export const HELP = `${ADVICE} --jurisdiction takes ${OR.format(JURISDICTIONS)}, --location ${OR.format(LOCATIONS)}, --plan ${OR.format(PLANS)}. See src/docs/deploy.md.`;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
  } catch (error) {
    throw new Error(`${messageOf(error).replace(/\.?$/, ".")} ${ADVICE} Nothing was changed.`);
  }
}

/** Throws for a value that an option does not take. */
function chosen<T extends string>(
  option: string,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined || isOneOf(allowed, value)) return value;
  throw new Error(`--${option} takes ${OR.format(allowed)}. Nothing was changed.`);
}

/** Parses the command line of `npm run deploy`. Throws for an option that it does not take. */
export function parseDeployOptions(args: readonly string[]) {
  const values = parse(args);
  const hosts = (given: readonly string[] = []) => given.map((host) => host.toLowerCase());
  const passed = Object.keys(PASSED_OPTIONS).flatMap((name) => {
    const value = values[name as keyof typeof PASSED_OPTIONS];
    if (value === undefined) return [];
    return value === true ? [`--${name}`] : [`--${name}=${value}`];
  });
  return {
    ...values,
    jurisdiction: chosen("jurisdiction", values.jurisdiction, JURISDICTIONS),
    location: chosen("location", values.location, LOCATIONS),
    plan: chosen("plan", values.plan, PLANS),
    "replace-dns": hosts(values["replace-dns"]),
    "drop-host": hosts(values["drop-host"]),
    /** The arguments for `wrangler deploy`. */
    passed,
    /** Whether `wrangler deploy` changes nothing with these options. */
    isReadOnly: (values["dry-run"] ?? values.help ?? values.version) === true,
  };
}

export type DeployOptions = ReturnType<typeof parseDeployOptions>;
