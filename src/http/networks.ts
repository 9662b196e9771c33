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

/** A network, or a single address. `undefined` if it is neither, or has bits behind its length. */
export function parseNetwork(text: string): { bits: bigint; length: number } | undefined {
  const [, address = "", length] = /^([\d.:a-f]{2,45})(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const found = bitsOf(address);
  if (found === undefined) return undefined;
  const own = length === undefined ? BITS : Number(length) + (found.isV4 ? MAPPED_BITS : 0);
  if (own > BITS || found.bits & ((1n << BigInt(BITS - own)) - 1n)) return undefined;
  return { bits: found.bits, length: own };
}

export function isInNetworks(address: string | null, networks: readonly string[]): boolean {
  const found = bitsOf(address?.trim() ?? "");
  if (found === undefined) return false;
  return networks.some((text) => {
    const network = parseNetwork(text);
    return network !== undefined && (found.bits ^ network.bits) >> BigInt(BITS - network.length) === 0n;
  });
}
