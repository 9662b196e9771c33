import { lookup } from "node:dns";
import { request as requestByHttp } from "node:http";
import { request as requestByHttps } from "node:https";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";
import type { Fetch } from "../health/probe";

/** Private, local and reserved addresses. The rules for IPv4 also hold for IPv4-mapped IPv6 addresses. */
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
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, "ipv6");
}

export const isPublic = (address: string): boolean =>
  !NOT_PUBLIC.check(address, isIPv6(address) ? "ipv6" : "ipv4");

const notPublic = () => new Error("DNS: the address is not public");

/** Looks a name up for a connection. Fails if one of its addresses is refused. */
const lookupAllowed =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) callback(error, []);
      else if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        callback(notPublic(), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });

/**
 * Sends a request to addresses that are allowed. The connection uses the addresses that were checked, so a second DNS answer
 * cannot lead it elsewhere. The response has no body.
 */
export const fetchAllowed =
  (isAllowed: (address: string) => boolean): Fetch =>
  (url, { method = "GET", headers, signal }) =>
    new Promise((resolve, reject) => {
      const { protocol, hostname } = new URL(url);
      const address = hostname.replace(/^\[|\]$/g, "");
      // Node does not look up a literal address.
      if (isIP(address) !== 0 && !isAllowed(address)) throw notPublic();
      const send = protocol === "https:" ? requestByHttps : requestByHttp;
      send(
        url,
        {
          method,
          headers: Object.fromEntries(new Headers(headers)),
          agent: false,
          lookup: lookupAllowed(isAllowed),
          ...(signal == null ? {} : { signal }),
        },
        (response) => {
          const { statusCode: status = 0, headersDistinct } = response;
          response.destroy();
          const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          );
          // A status that `Response` refuses is an answer of no web server.
          if (status < 200 || status > 599) reject(new Error(`The status is ${status}.`));
          else resolve(new Response(null, { status, headers: pairs }));
        },
      )
        .on("error", reject)
        .end();
    });

/**
 * Fetches from public addresses only. The commands run in the operator's network, and a workspace may name its hosts in a
 * destination. Cloudflare does not connect to such addresses, so they fail here too.
 */
export const fetchPublic: Fetch = fetchAllowed(isPublic);
