import { convertIPv4ToBinary, convertIPv6ToBinary, distinctRemoteAddr } from "hono/utils/ipaddr";

// Networks in CIDR notation. IPv4 is compared as the IPv6 that it is mapped to, in 128 bits.

const BITS = 128;
const MAPPED_BITS = 96;
const MAPPED = 0xffffn << 32n;

function bitsOf(address: string): { bits: bigint; isV4: boolean } | undefined {
  try {
    const type = distinctRemoteAddr(address);
    if (type === "IPv4") return { bits: MAPPED | convertIPv4ToBinary(address), isV4: true };
    return type === "IPv6" ? { bits: convertIPv6ToBinary(address), isV4: false } : undefined;
  } catch {
    return undefined;
  }
}

interface Network {
  bits: bigint;
  length: number;
}

/** A network, or a single address. `undefined` if it is neither, or has bits behind its length. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = "", length] = /^([\d.:a-f]{2,45})(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const found = bitsOf(address);
  if (found === undefined) return undefined;
  const own = length === undefined ? BITS : Number(length) + (found.isV4 ? MAPPED_BITS : 0);
  if (own > BITS || found.bits & ((1n << BigInt(BITS - own)) - 1n)) return undefined;
  return { bits: found.bits, length: own };
}

/** Whether the beginning of an address, of so many bits, is that of a network. */
const begins = (address: bigint, { bits, length }: Network): boolean =>
  (address ^ bits) >> BigInt(BITS - length) === 0n;

export const MIN_V4_LENGTH = 8;
export const MIN_V6_LENGTH = 16;

/** Whether a network is wider than any that one organisation has. One of IPv6 such as `::/64` may have all of IPv4. */
export function isTooWide(network: Network): boolean {
  const hasV4 = begins(MAPPED, { ...network, length: Math.min(network.length, MAPPED_BITS) });
  return network.length < (hasV4 ? MAPPED_BITS + MIN_V4_LENGTH : MIN_V6_LENGTH);
}

export function isInNetworks(address: string | null, networks: readonly string[]): boolean {
  const found = bitsOf(address?.trim() ?? "");
  if (found === undefined) return false;
  return networks.some((text) => {
    const network = parseNetwork(text);
    return network !== undefined && begins(found.bits, network);
  });
}
