const NUMBER = /^(?:0|[1-9]\d{0,2})$/;
const IPV6 = /^([\da-f:.]{2,45})(?:%[\w.-]{1,64})?$/i;
const MAPPED_PREFIX = "0:0:0:0:0:65535";

function isIpv4(text: string): boolean {
  const parts = text.split(".", 5);
  return parts.length === 4 && parts.every((part) => NUMBER.test(part) && Number(part) <= 255);
}

/** Canonical IPv6 by the URL parser: lower case, no leading zeros, no dotted part. Undefined if invalid. */
function normalise(text: string): string | undefined {
  try {
    return new URL(`http://[${text}]/`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
}

/** The eight groups of an IPv6 address, or undefined if invalid. */
function groupsOf(text: string): number[] | undefined {
  const bare = IPV6.exec(text)?.[1];
  const address = bare === undefined ? undefined : normalise(bare);
  if (address === undefined) return undefined;
  const [left = [], right] = address
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16))));
  if (right === undefined) return left;
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/**
 * The address that rate limits count: IPv4, or the /64 of IPv6, which belongs to one customer. IPv4 mapped to IPv6 counts as
 * IPv4. Undefined if absent or invalid.
 */
export function countedAddress(text: string | null | undefined): string | undefined {
  const address = text?.trim() ?? "";
  if (isIpv4(address)) return address;
  const groups = groupsOf(address);
  if (groups === undefined) return undefined;
  if (groups.slice(0, 6).join(":") === MAPPED_PREFIX) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".");
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}
