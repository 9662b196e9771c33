import shortenerHosts from "./shortener-hosts.json";

/** Suffixes that resolve only inside a network. */
export const INTERNAL_SUFFIXES: readonly string[] = [
  "arpa",
  "corp",
  "home",
  "internal",
  "intranet",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "onion",
  "private",
];

/** Domains whose names resolve to an address in the name, or to the visitor's machine. */
export const ADDRESS_IN_NAME_DOMAINS: readonly string[] = [
  "nip.io",
  "sslip.io",
  "xip.io",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
  "traefik.me",
];

/** Exceptions below a shortener's domain. They only open maps. */
export const NOT_SHORTENER_HOSTS: ReadonlySet<string> = new Set(["maps.app.goo.gl"]);

/** Public shorteners. Chained links hide the final destination, so they are refused with all subdomains. */
export const SHORTENER_HOSTS: ReadonlySet<string> = new Set(shortenerHosts);
