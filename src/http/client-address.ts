import {
  convertIPv4BinaryToString,
  convertIPv4MappedIPv6ToIPv4,
  convertIPv6BinaryToString,
  convertIPv6ToBinary,
  distinctRemoteAddr,
  isIPv4MappedIPv6,
} from "hono/utils/ipaddr";

/**
 * The address that rate limits count: IPv4, or the /64 of IPv6, which belongs to one customer. IPv4 mapped to IPv6 counts as
 * IPv4. Undefined if absent or invalid.
 */
export function countedAddress(text: string | null): string | undefined {
  const address = text?.trim() ?? "";
  if (distinctRemoteAddr(address) === "IPv4") return address;
  try {
    const binary = convertIPv6ToBinary(address);
    if (isIPv4MappedIPv6(binary)) return convertIPv4BinaryToString(convertIPv4MappedIPv6ToIPv4(binary));
    return `${convertIPv6BinaryToString((binary >> 64n) << 64n)}/64`;
  } catch {
    return undefined;
  }
}
