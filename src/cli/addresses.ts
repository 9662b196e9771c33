import type { Unstable_RawConfig } from "wrangler";
import { normaliseHost } from "../lib/destination";
import type { DeployOptions } from "./deploy-options";
import { DEPLOYED_CONFIG } from "./platform";

export interface Addresses {
  baseUrl: string;
  shortBaseUrl: string;
}

/** Asks a person; the answer as typed. */
export type Ask = (question: string) => Promise<string>;

interface Sources {
  options: Pick<DeployOptions, "baseUrl" | "shortBaseUrl">;
  config: Unstable_RawConfig;
  /** What the last deployment kept, where there was one. */
  kept: Unstable_RawConfig | undefined;
  /** Undefined where there is no terminal. */
  ask: Ask | undefined;
  say: (line: string) => void;
}

const isOnWorkersDev = (address: string): boolean => address.endsWith(".workers.dev");

const MISSING = `The Worker needs its two addresses, that of the API and the web application and that of short links. Without them it would believe any Host header. Give them once, they are kept in ${DEPLOYED_CONFIG}:

  npm run deploy -- --base-url https://links.example.com --short-base-url https://go.example.com

The two may be the same.`;

/** An address as `https://` and the host in ASCII; throws with what is wrong, naming where it was given. */
function checkedAddress(where: string, text: string, workerName: string | undefined): string {
  const host = normaliseHost(/^https:\/\/([^/]*)\/?$/i.exec(text.trim())?.[1] ?? "");
  if (host === undefined) {
    throw new Error(
      `${where} is "${text}": it has to be https:// and a host name, without port, path, user or query, such as https://links.example.com.`,
    );
  }
  const labels = host.split(".");
  if (isOnWorkersDev(host) && (labels.length !== 4 || labels[0] !== workerName)) {
    throw new Error(
      `${where} is "${text}": on workers.dev this Worker has the address https://${workerName}.<the account's subdomain>.workers.dev.`,
    );
  }
  return `https://${host}`;
}

const variable = (config: Unstable_RawConfig | undefined, name: string): string | undefined => {
  const value = config?.vars?.[name];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
};

/** Asks until the answer is an address. */
async function askFor(sources: Sources, ask: Ask, question: string, fallback?: string): Promise<string> {
  for (;;) {
    const answer = (await ask(question)).trim();
    if (answer === "" && fallback !== undefined) return fallback;
    try {
      return checkedAddress("The address", answer, sources.config.name);
    } catch (error) {
      sources.say(error instanceof Error ? error.message : String(error));
    }
  }
}

/** What wrangler.toml, the command line or the last deployment says, in this order; undefined where none does. */
function statedAddress(
  { config, kept }: Sources,
  name: string,
  flag: string,
  given: string | undefined,
): string | undefined {
  const check = (where: string, text: string | undefined) =>
    text === undefined ? undefined : checkedAddress(where, text, config.name);
  const inConfig = check(`${name} in wrangler.toml`, variable(config, name));
  const onCommandLine = check(flag, given);
  if (inConfig !== undefined && onCommandLine !== undefined && inConfig !== onCommandLine) {
    throw new Error(
      `${flag} is ${onCommandLine}, but wrangler.toml says ${name} = "${inConfig}", which counts: change it there, or empty it.`,
    );
  }
  return inConfig ?? onCommandLine ?? check(`${name} in ${DEPLOYED_CONFIG}`, variable(kept, name));
}

/** The two addresses of the Worker; throws where one is wrong, or is missing and nobody can be asked. */
export async function resolveAddresses(sources: Sources): Promise<Addresses> {
  const { options, ask } = sources;
  const base = statedAddress(sources, "BASE_URL", "--base-url", options.baseUrl);
  const short = statedAddress(sources, "SHORT_BASE_URL", "--short-base-url", options.shortBaseUrl);
  if (base !== undefined && short !== undefined) return { baseUrl: base, shortBaseUrl: short };
  if (ask === undefined) throw new Error(MISSING);
  sources.say("The hosts become custom domains of the Worker, so take hosts that serve nothing else.");
  const baseUrl =
    base ?? (await askFor(sources, ask, "Address of the API and the web application (https://…): "));
  const shortBaseUrl =
    short ?? (await askFor(sources, ask, `Address of short links (Enter: ${baseUrl}): `, baseUrl));
  return { baseUrl, shortBaseUrl };
}

interface Exposure {
  workers_dev: boolean;
  routes?: { pattern: string; custom_domain: true }[];
}

const keptHosts = (kept: Unstable_RawConfig | undefined): string[] =>
  (kept?.routes ?? []).map((route) => (typeof route === "string" ? route : route.pattern));

/**
 * Where Cloudflare is to serve the Worker. Custom domains of earlier deployments stay: a deployment without them would take
 * them off, and printed codes on them would end.
 */
export function exposureOf(
  { baseUrl, shortBaseUrl }: Addresses,
  kept: Unstable_RawConfig | undefined,
): Exposure {
  const hosts = [baseUrl, shortBaseUrl].map((address) => new URL(address).host);
  const domains = new Set([...hosts.filter((host) => !isOnWorkersDev(host)), ...keptHosts(kept)]);
  const routes = [...domains].map((pattern) => ({ pattern, custom_domain: true as const }));
  return {
    workers_dev: hosts.some(isOnWorkersDev),
    ...(routes.length === 0 ? {} : { routes }),
  };
}

/** The custom domains that the last deployment did not have. */
export const newDomains = ({ routes = [] }: Exposure, kept: Unstable_RawConfig | undefined): string[] =>
  routes.map(({ pattern }) => pattern).filter((host) => !keptHosts(kept).includes(host));

/** What follows from addresses that differ from those of the last deployment, in sentences. */
export function consequencesOf(
  { baseUrl, shortBaseUrl }: Addresses,
  kept: Unstable_RawConfig | undefined,
): string[] {
  const formerBase = variable(kept, "BASE_URL");
  const formerShort = variable(kept, "SHORT_BASE_URL");
  const says: string[] = [];
  if (formerBase !== undefined && formerBase !== baseUrl) {
    says.push(
      `The API and the web application move from ${formerBase} to ${baseUrl}: clients need the new address, members sign in again, and an application of Cloudflare Access has to cover the new host.`,
    );
  }
  if (formerShort !== undefined && formerShort !== shortBaseUrl) {
    says.push(`Short links move from ${formerShort} to ${shortBaseUrl}.`);
    says.push(
      isOnWorkersDev(formerShort)
        ? `Codes that are printed with ${formerShort} work only while one of the addresses is on workers.dev.`
        : `Codes that are printed with ${formerShort} go on working as long as you keep that domain: it stays with the Worker until you take it out of "routes" in ${DEPLOYED_CONFIG}.`,
    );
  }
  return says;
}
