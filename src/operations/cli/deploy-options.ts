import { parseArgs } from "node:util";
import { isJurisdiction, JURISDICTIONS } from "./jurisdiction";
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
  tag: { type: "string" },
  message: { type: "string" },
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
  ...PASSED_OPTIONS,
} as const;

const ADVICE = `It takes --${Object.keys(OPTIONS).join(
  ", --",
)}. The Worker, its bindings and its variables are those of wrangler.toml, and its routes follow from the addresses. For another Worker, take another clone.`;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
  } catch (error) {
    throw new Error(`${messageOf(error).replace(/\.?$/, ".")} ${ADVICE} Nothing was changed.`);
  }
}

/** Parses the command line of `npm run deploy`. Throws for an option that it does not take. */
export function parseDeployOptions(args: readonly string[]) {
  const values = parse(args);
  const { jurisdiction } = values;
  if (jurisdiction !== undefined && !isJurisdiction(jurisdiction))
    throw new Error(`--jurisdiction takes ${JURISDICTIONS.join(" or ")}. Nothing was changed.`);
  const passed = Object.keys(PASSED_OPTIONS).flatMap((name) => {
    const value = values[name as keyof typeof PASSED_OPTIONS];
    if (value === undefined) return [];
    return value === true ? [`--${name}`] : [`--${name}=${value}`];
  });
  return {
    ...values,
    jurisdiction,
    "replace-dns": (values["replace-dns"] ?? []).map((host) => host.toLowerCase()),
    /** The arguments for `wrangler deploy`. */
    passed,
    /** Whether `wrangler deploy` changes nothing with these options. */
    isReadOnly: (values["dry-run"] ?? values.help ?? values.version) === true,
  };
}

export type DeployOptions = ReturnType<typeof parseDeployOptions>;
