import type { Unstable_RawConfig } from "wrangler";
import { normaliseHost } from "../lib/destination";
import type { Ask } from "./choice";
import type { DeployOptions } from "./deploy-options";
import { reasonOf } from "./plain";
import { DEPLOYED_CONFIG } from "./platform";
import { messageOf } from "./run";

interface Addresses {
  baseUrl: string;
  shortBaseUrl: string;
}

interface Sources {
  options: Pick<DeployOptions, "baseUrl" | "shortBaseUrl" | "workersDev">;
  config: Unstable_RawConfig;
  lastConfig: Unstable_RawConfig | undefined;
  /** Undefined without a terminal. */
  ask: Ask | undefined;
  /** Returns the Worker's address on workers.dev. Throws if there is none. */
  getWorkersDev: () => Promise<string>;
  print: (line: string) => void;
}

const isOnWorkersDev = (address: string): boolean => address.endsWith(".workers.dev");

const MISSING = `The Worker needs its two addresses, that of the API and the web application and that of short links. Without them it would believe any Host header. Give them once, they are kept in ${DEPLOYED_CONFIG}:

  npm run deploy -- --base-url https://links.example.com --short-base-url https://go.example.com

The two may be the same. Without a domain, for trying: npm run deploy -- --workers-dev`;

/** Normalises an address to `https://` and the host in ASCII. Throws if it is invalid; the message names its source. */
function parseAddress(source: string, text: string, workerName: string | undefined): string {
  const host = normaliseHost(/^https:\/\/([^/]*)\/?$/i.exec(text.trim())?.[1] ?? "");
  if (host === undefined) {
    throw new Error(
      `${source} is "${text}": it has to be https:// and a host name, without port, path, user or query, such as https://links.example.com.`,
    );
  }
  const labels = host.split(".");
  if (isOnWorkersDev(host) && (labels.length !== 4 || labels[0] !== workerName)) {
    throw new Error(
      `${source} is "${text}": on workers.dev this Worker has the address https://${workerName}.<the account's subdomain>.workers.dev.`,
    );
  }
  return `https://${host}`;
}

const variable = (config: Unstable_RawConfig | undefined, name: string): string | undefined => {
  const value = config?.vars?.[name];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
};

/** Asks until the answer is a valid address. */
async function askForAddress(
  sources: Sources,
  ask: Ask,
  question: string,
  fallback?: string,
): Promise<string> {
  for (;;) {
    const answer = (await ask(question)).trim();
    if (answer === "" && fallback !== undefined) return fallback;
    try {
      return parseAddress("The address", answer, sources.config.name);
    } catch (error) {
      sources.print(messageOf(error));
    }
  }
}

/**
 * Finds an address in wrangler.toml, the command line or the last deployment, in this order. Throws if the first two differ.
 * `own`, the address on workers.dev, comes before the last deployment's.
 */
function findAddress(
  { config, lastConfig }: Sources,
  name: string,
  flag: string,
  given: string | undefined,
  own: string | undefined,
): string | undefined {
  const parse = (source: string, text: string | undefined) =>
    text === undefined ? undefined : parseAddress(source, text, config.name);
  const inConfig = parse(`${name} in wrangler.toml`, variable(config, name));
  const onCommandLine = parse(flag, given);
  if (inConfig !== undefined && onCommandLine !== undefined && inConfig !== onCommandLine) {
    throw new Error(
      `${flag} is ${onCommandLine}, but wrangler.toml says ${name} = "${inConfig}", which counts: change it there, or empty it.`,
    );
  }
  const now = inConfig ?? onCommandLine ?? parse("The address on workers.dev", own);
  return now ?? parse(`${name} in ${DEPLOYED_CONFIG}`, variable(lastConfig, name));
}

/** Asks for the main address. Offers the one on workers.dev, if there is one. */
async function askForBaseUrl(sources: Sources, ask: Ask): Promise<string> {
  sources.print("The hosts become custom domains of the Worker, so take hosts that serve nothing else.");
  const question = "Address of the API and the web application (https://…): ";
  let offered: string | undefined;
  try {
    offered = await sources.getWorkersDev();
    sources.print(`No domain yet? Press Enter to use ${offered}, for trying.`);
  } catch (error) {
    sources.print(reasonOf(error));
  }
  return askForAddress(sources, ask, question, offered);
}

/** Returns the Worker's two addresses. Throws if one is invalid, or missing without a terminal to ask in. */
export async function resolveAddresses(sources: Sources): Promise<Addresses> {
  const { ask, options, getWorkersDev } = sources;
  const own = options.workersDev === true ? await getWorkersDev() : undefined;
  const base = findAddress(sources, "BASE_URL", "--base-url", options.baseUrl, own);
  const short = findAddress(sources, "SHORT_BASE_URL", "--short-base-url", options.shortBaseUrl, own);
  if (base !== undefined && short !== undefined) return { baseUrl: base, shortBaseUrl: short };
  if (ask === undefined) throw new Error(MISSING);
  const baseUrl = base ?? (await askForBaseUrl(sources, ask));
  const shortBaseUrl =
    short ?? (await askForAddress(sources, ask, `Address of short links (Enter: ${baseUrl}): `, baseUrl));
  return { baseUrl, shortBaseUrl };
}

const hostsOf = (config: Unstable_RawConfig | undefined): string[] =>
  (config?.routes ?? []).map((route) => (typeof route === "string" ? route : route.pattern));

export const ownHosts = ({ baseUrl, shortBaseUrl }: Addresses): string[] =>
  [baseUrl, shortBaseUrl].map((address) => new URL(address).hostname);

const namesIn = (config: Unstable_RawConfig | undefined): string[] =>
  (variable(config, "FORMER_HOSTS") ?? "").toLowerCase().split(/[\s,]+/);

/**
 * The hosts that the Worker was served at before, so that it goes on opening the short links that are printed with them, without
 * those that are dropped. Throws for one that cannot be dropped.
 */
export function previousHosts(
  addresses: Addresses,
  config: Unstable_RawConfig,
  lastConfig: Unstable_RawConfig | undefined,
  dropped: readonly string[] = [],
): string[] {
  const wasServed = (host: string): boolean =>
    isOnWorkersDev(host) ? lastConfig?.workers_dev === true : hostsOf(lastConfig).includes(host);
  const last = ["BASE_URL", "SHORT_BASE_URL"].flatMap((name) => {
    const address = variable(lastConfig, name);
    return address === undefined ? [] : [new URL(address).hostname];
  });
  const present = ownHosts(addresses);
  const hosts = new Set([...namesIn(config), ...namesIn(lastConfig), ...last.filter(wasServed)]);
  const previous = [...hosts].filter((host) => host !== "" && !present.includes(host));
  for (const host of dropped) {
    if (namesIn(config).includes(host))
      throw new Error(`${host} is in FORMER_HOSTS of wrangler.toml: take it out there. Nothing was changed.`);
    if (!previous.includes(host))
      throw new Error(
        `${host} is no previous host of this Worker, so it cannot be dropped. Its previous hosts: ${previous.join(", ") || "none"}. Nothing was changed.`,
      );
  }
  return previous.filter((host) => !dropped.includes(host));
}

/** The setting that makes a host a custom domain. */
export const toRoute = (pattern: string) => ({ pattern, custom_domain: true as const });

/**
 * The settings that make Cloudflare serve the Worker at its addresses and at `domains`, which are all other custom domains
 * that it keeps: wrangler takes off those that are left out. workers.dev stays, since printed codes on it would stop working.
 */
export function toExposure(
  addresses: Addresses,
  previous: readonly string[],
  domains: readonly string[],
): Pick<Unstable_RawConfig, "workers_dev" | "routes"> {
  const hosts = [...ownHosts(addresses), ...previous];
  const custom = new Set([...hosts.filter((host) => !isOnWorkersDev(host)), ...domains]);
  const routes = [...custom].map(toRoute);
  return {
    workers_dev: hosts.some(isOnWorkersDev),
    ...(routes.length === 0 ? {} : { routes }),
  };
}

/** The hosts that become custom domains of the Worker, and are none yet. */
export const newHosts = (hosts: readonly string[], current: Unstable_RawConfig | undefined): string[] =>
  hosts.filter((host) => !isOnWorkersDev(host) && !hostsOf(current).includes(host));

/** Sentences that warn of the consequences if an address differs from the last deployment. */
export function listMoveWarnings(addresses: Addresses, lastConfig: Unstable_RawConfig | undefined): string[] {
  const { baseUrl, shortBaseUrl } = addresses;
  const previousBase = variable(lastConfig, "BASE_URL");
  const previousShort = variable(lastConfig, "SHORT_BASE_URL");
  const warnings: string[] = [];
  if (previousBase !== undefined && previousBase !== baseUrl) {
    warnings.push(
      `The API and the web application move from ${previousBase} to ${baseUrl}: clients need the new address, members sign in again, and an application of Cloudflare Access has to cover the new host.`,
    );
  }
  if (previousShort !== undefined && previousShort !== shortBaseUrl) {
    warnings.push(`Short links move from ${previousShort} to ${shortBaseUrl}.`);
    warnings.push(
      isOnWorkersDev(previousShort)
        ? `Codes that are printed with ${previousShort} go on working: workers.dev stays on until you give the host up: npm run deploy -- --drop-host ${new URL(previousShort).hostname}.`
        : `Codes that are printed with ${previousShort} go on working as long as you keep that domain: it stays with the Worker until you give it up: npm run deploy -- --drop-host ${new URL(previousShort).hostname}.`,
    );
  }
  return warnings;
}

/** What to do if wrangler fails while an address moves: the Worker may then have the new one already, without its host. */
export function describeFailure(addresses: Addresses, lastConfig: Unstable_RawConfig | undefined): string[] {
  const base = variable(lastConfig, "BASE_URL");
  const short = variable(lastConfig, "SHORT_BASE_URL");
  if (base === undefined || short === undefined) return [];
  if (base === addresses.baseUrl && short === addresses.shortBaseUrl) return [];
  return [
    `The Worker may be replaced already. The API and the web application then answer at ${addresses.baseUrl} alone, once that host leads to it. Correct what wrangler says, such as a zone that is not in the account or not active, and run the same command again. Or go back: npm run deploy -- --base-url ${base} --short-base-url ${short}.`,
  ];
}

const TRIAL =
  "An address on workers.dev is for trying. To move to a domain: npm run deploy -- --base-url https://links.example.com --short-base-url https://go.example.com. Links that are out by then go on working.";

export const describeTrial = (addresses: Addresses): string[] =>
  ownHosts(addresses).some(isOnWorkersDev) ? [TRIAL] : [];
