import { parseArgs } from "node:util";

/** Options of this command. */
const OWN_OPTIONS = {
  "base-url": { type: "string" },
  "short-base-url": { type: "string" },
  adopt: { type: "boolean" },
  "replace-dns": { type: "string", multiple: true },
} as const;

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

const OPTIONS = { ...OWN_OPTIONS, ...PASSED_OPTIONS };

const ADVICE = `It takes ${Object.keys(OPTIONS)
  .map((name) => `--${name}`)
  .join(
    ", ",
  )}. The Worker, its bindings and its variables are those of wrangler.toml, and its routes follow from the addresses. For another Worker, take another clone.`;

export interface DeployOptions {
  /** The arguments for `wrangler deploy`. */
  passed: readonly string[];
  /** Whether `wrangler deploy` changes nothing with these options. */
  isReadOnly: boolean;
  baseUrl: string | undefined;
  shortBaseUrl: string | undefined;
  adopt: boolean;
  /** Hosts whose DNS records the deployment may replace. */
  replaceDns: readonly string[];
}

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options: OPTIONS, strict: true });

/** Parses the command line of `npm run deploy`. Throws for an option that it does not take. */
export function parseDeployOptions(args: readonly string[]): DeployOptions {
  let values: ReturnType<typeof parse>["values"];
  try {
    ({ values } = parse(args));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`${problem.replace(/\.?$/, ".")} ${ADVICE} Nothing was changed.`);
  }
  const passed = Object.keys(PASSED_OPTIONS).flatMap((name) => {
    const value = values[name as keyof typeof PASSED_OPTIONS];
    if (value === undefined) return [];
    return value === true ? [`--${name}`] : [`--${name}=${value}`];
  });
  return {
    passed,
    isReadOnly: (values["dry-run"] ?? values.help ?? values.version) === true,
    baseUrl: values["base-url"],
    shortBaseUrl: values["short-base-url"],
    adopt: values.adopt === true,
    replaceDns: (values["replace-dns"] ?? []).map((host) => host.toLowerCase()),
  };
}
