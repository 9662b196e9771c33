import { lookup } from "node:dns/promises";
import { BlockList, isIPv6 } from "node:net";
import type { Fetch } from "../health/ask";

/** Addresses that are not on the Internet: private, local and reserved ones. The rules for IPv4 also hold for IPv4 in IPv6. */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, "ipv6");
}

export const isPublic = (address: string): boolean =>
  !NOT_PUBLIC.check(address, isIPv6(address) ? "ipv6" : "ipv4");

/**
 * Fetches from the Internet alone. The commands run in a network of their own, whose hosts a stranger's destination may
 * name. Cloudflare does not resolve such names, so they fail here in the same way.
 */
export const fetchPublic: Fetch = async (url, init) => {
  const addresses = await lookup(new URL(url).hostname, { all: true });
  if (!addresses.every(({ address }) => isPublic(address))) throw new Error("DNS: the address is not public");
  return fetch(url, init);
};
