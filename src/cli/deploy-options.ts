import { Command, CommanderError, Option } from "commander";
import { PLANS } from "./cloudflare-plan";
import { JURISDICTIONS, LOCATIONS } from "./jurisdiction";
import { toValue } from "./option-value";

const addHost = (text: string, hosts: readonly string[] = []): string[] => [
  ...hosts,
  toValue(text).toLowerCase(),
];

/** Options of `wrangler deploy` that select no other Worker, account or database and override nothing in wrangler.toml. */
const PASSED_OPTIONS = [
  new Option("--dry-run", "build the Worker, and deploy nothing"),
  new Option("-h, --help", "show this and the help of wrangler"),
  new Option("-v, --version", "show the version of wrangler"),
  new Option("--outdir <folder>", "where the built Worker is written").argParser(toValue),
  new Option("--outfile <file>", "where what is uploaded is written").argParser(toValue),
  new Option("--metafile <file>", "where the metafile of the build is written").argParser(toValue),
  new Option("--minify", "minify the Worker"),
  new Option("--upload-source-maps", "upload source maps"),
  new Option("--keep-vars", "keep variables that were set in the dashboard"),
  new Option("--strict", "refuse what wrangler would ask about"),
];

const OWN_OPTIONS = [
  new Option("--base-url <url>", "the address of the API and the web application").argParser(toValue),
  new Option("--short-base-url <url>", "the address of short links").argParser(toValue),
  new Option("--workers-dev", "take the Worker's address on workers.dev where no other is given"),
  new Option("--jurisdiction <name>", "where a new database keeps its data").choices(JURISDICTIONS),
  new Option("--location <name>", "near whom a new database is").choices(LOCATIONS),
  new Option("--plan <name>", "the account's plan of Workers").choices(PLANS),
  new Option("--adopt", "go on with another Worker or database than last time"),
  new Option("--backups", "write a backup into R2 every day"),
  new Option("--no-backups", "write none any more; those in R2 stay"),
  new Option("--new-cache", "read nothing again that was written to KV before"),
  new Option("--replace-dns <host>", "replace the DNS records of a host (repeatable)").argParser(addHost),
  new Option("--drop-host <host>", "give up a previous host (repeatable)").argParser(addHost),
  new Option("--tag <text>", "how Cloudflare labels what is deployed").argParser(toValue),
  new Option("--message <text>", "what Cloudflare says of what is deployed").argParser(toValue),
];

interface GivenOptions {
  help?: true;
  dryRun?: true;
  version?: true;
  baseUrl?: string;
  shortBaseUrl?: string;
  workersDev?: true;
  jurisdiction?: (typeof JURISDICTIONS)[number];
  location?: (typeof LOCATIONS)[number];
  plan?: (typeof PLANS)[number];
  adopt?: true;
  backups?: boolean;
  newCache?: true;
  replaceDns?: string[];
  dropHost?: string[];
  tag?: string;
  message?: string;
}

function createProgram(): Command {
  const program = new Command("npm run deploy --")
    .description(
      "Deploys the Worker with its database and namespace.\n\nThe Worker, its bindings and its variables are those of wrangler.toml, and its routes follow from the addresses. For another Worker, take another clone. See src/docs/deploy.md.",
    )
    .helpOption(false)
    .exitOverride()
    // The message is that of the error.
    .configureOutput({ writeErr: () => undefined });
  for (const option of [...OWN_OPTIONS, ...PASSED_OPTIONS]) program.addOption(option);
  return program;
}

/** What `--help` says before wrangler's own. */
export const helpText = (): string => createProgram().helpInformation();

/** Parses the command line of `npm run deploy`. Throws for an option that it does not take. */
export function parseDeployOptions(args: readonly string[]) {
  const program = createProgram();
  try {
    program.parse([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const message = error.message.replace(/^error: /, "").replace(/\.?$/, ".");
    throw new Error(`${message} For the options: npm run deploy -- --help. Nothing was changed.`);
  }
  const given: GivenOptions = program.opts();
  const passed = PASSED_OPTIONS.flatMap((option) => {
    const value: unknown = program.getOptionValue(option.attributeName());
    if (value === undefined) return [];
    return value === true ? [`${option.long}`] : [`${option.long}=${value}`];
  });
  return {
    ...given,
    replaceDns: given.replaceDns ?? [],
    dropHost: given.dropHost ?? [],
    /** The arguments for `wrangler deploy`. */
    passed,
    /** Whether `wrangler deploy` changes nothing with these options. */
    isReadOnly: (given.dryRun ?? given.help ?? given.version) === true,
  };
}

export type DeployOptions = ReturnType<typeof parseDeployOptions>;
