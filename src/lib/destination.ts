import {
  ADDRESS_IN_NAME_DOMAINS,
  INTERNAL_SUFFIXES,
  isHomograph,
  NOT_SHORTENER_HOSTS,
  readableLabels,
  SHORTENER_HOSTS,
} from "./destination-hosts";
import type { DestinationReason } from "./destination-rules";

export const MAX_CHARACTERS = 2048;
const MAX_HOST_CHARACTERS = 253;

interface DestinationProblem {
  field: string;
  reason: DestinationReason;
}

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
// Variation selectors 1 to 16 stay allowed, as emoji are typed with them; U+2800 is blank but not ignorable.
const INVISIBLE = /(?![\uFE00-\uFE0F])[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]/u;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HTTP = /^https?:/i;
// Requires exactly two slashes. Captures everything up to the path, query or fragment.
const AUTHORITY = /^https?:\/\/(?!\/)([^/?#]*)/i;
const IP_ADDRESS = /^(?:\[|\d+\.\d+\.\d+\.\d+$)/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const TOP_LEVEL = /^(?:[a-z]{2,}|xn--.+)$/;

export type DestinationField = "destination_url" | "ended_url" | "preview_image_url";
/** With those of a domain, that of the button on pages for visitors, and that of a receiver. */
export type AddressField =
  | DestinationField
  | "button_url"
  | "url"
  | "root_url"
  | "not_found_url"
  | `rules.${number}.destination_url`;

function isTooLong(value: string): boolean {
  if (value.length <= MAX_CHARACTERS) return false;
  return value.length > 2 * MAX_CHARACTERS || [...value].length > MAX_CHARACTERS;
}

/**
 * The parsed URL of a destination that is kept; undefined for other text. It runs no rule, so a destination that breaks a
 * later rule still has a host and parameters.
 */
export function parseDestination(value: string): URL | undefined {
  if (!HTTP.test(value)) return undefined;
  try {
    // Not `URL.canParse`: the package runs on Node 20, whose canParse refuses every umlaut after some thousand calls.
    return new URL(value);
  } catch {
    return undefined;
  }
}

const hostOf = (url: URL): string => url.hostname.replace(/\.$/, "");

function hasNameShape(host: string): boolean {
  if (host.length > MAX_HOST_CHARACTERS) return false;
  const labels = host.split(".");
  return labels.every((label) => LABEL.test(label)) && TOP_LEVEL.test(labels.at(-1) ?? "");
}

function textReason(value: string): DestinationReason | undefined {
  if (value === "") return "empty";
  if (isTooLong(value)) return "too_long";
  if (!value.isWellFormed()) return "malformed_unicode";
  if (CONTROL.test(value)) return "control_character";
  if (INVISIBLE.test(value)) return "invisible_character";
  if (/\s/.test(value)) return "whitespace";
  if (value.includes("\\")) return "backslash";
  return undefined;
}

const isShortener = (host: string): boolean =>
  !NOT_SHORTENER_HOSTS.has(host) && hostAndParents(host).some((name) => SHORTENER_HOSTS.has(name));

function hostReason(host: string): DestinationReason | undefined {
  if (IP_ADDRESS.test(host)) return "ip_literal";
  if (host !== "" && !host.includes(".")) return "internal_host";
  if (!hasNameShape(host)) return "host_shape";
  if (INTERNAL_SUFFIXES.some((suffix) => isWithinHost(host, suffix))) return "internal_host";
  if (ADDRESS_IN_NAME_DOMAINS.some((domain) => isWithinHost(host, domain))) return "address_in_name";
  if (isShortener(host)) return "shortener";
  const labels = readableLabels(host);
  if (labels === undefined) return "host_shape";
  return isHomograph(labels) ? "homograph" : undefined;
}

function urlReason(value: string): DestinationReason | undefined {
  if (!SCHEME.test(value)) return "no_scheme";
  if (!HTTP.test(value)) return "scheme";
  // The raw text is checked first: the parser repairs slashes and drops an empty user name.
  const authority = AUTHORITY.exec(value)?.[1];
  if (authority === undefined) return "not_absolute";
  if (authority.includes("@")) return "credentials";
  const url = parseDestination(value);
  if (url !== undefined) return hostReason(hostOf(url));
  // Parsers disagree on a single label such as `xn--`. It is never a public name.
  return /^xn--[a-z0-9-]*\.?(?::\d*)?$/i.test(authority) ? "internal_host" : "unparseable";
}

/** The first broken rule of a new or changed destination, trimmed. Own hosts and blocked hosts are checked elsewhere. */
export function destinationProblem(
  value: string,
  field: string = "destination_url",
): DestinationProblem | undefined {
  const reason = textReason(value) ?? urlReason(value);
  return reason && { field, reason };
}

/** The ASCII host of a URL, in lower case, without a trailing dot. Throws TypeError for an invalid URL. */
export const destinationHost = (value: string): string => hostOf(new URL(value));

/** What a search of destinations reads: the URL, and a host in other scripts in its readable and in its ASCII form. */
export function searchableDestination(url: string): string {
  const host = destinationHost(url);
  const readable = readableLabels(host)?.join(".") ?? host;
  return readable === host ? url : `${url}\n${host}\n${readable}`;
}

export const hostOrNull = (value: string | null): string | null =>
  value === null ? null : destinationHost(value);

export function isWithinHost(host: string, parent: string): boolean {
  return host === parent || host.endsWith(`.${parent}`);
}

/** The problem with a host that is, or is below, one of the service's own hosts. */
export function ownHostProblem(
  host: string,
  ownHosts: readonly string[],
  field: AddressField = "destination_url",
): DestinationProblem | undefined {
  return ownHosts.some((ownHost) => isWithinHost(host, ownHost)) ? { field, reason: "own_host" } : undefined;
}

export function hostAndParents(host: string): string[] {
  const labels = host.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

/** The ASCII form of a host name, or undefined if it is invalid or has fewer than two labels. */
export function normaliseHost(value: string): string | undefined {
  if (textReason(value) !== undefined || /[/?#@:%]/.test(value)) return undefined;
  const url = parseDestination(`https://${value}/`);
  const host = url && hostOf(url);
  if (host === undefined || IP_ADDRESS.test(host) || !host.includes(".")) return undefined;
  return hasNameShape(host) ? host : undefined;
}
