import type { Config } from "../../context";
import type { FieldError } from "../../errors";
import { type AddressField, destinationHost, hostAndParents, ownHostProblem } from "../../lib/destination";
import type { HostCheck } from "./resolver";

/** The hosts whose block refuses one of these URLs. */
export const blockableHosts = (urls: readonly (string | null | undefined)[]): string[] => [
  ...new Set(urls.flatMap((url) => (url == null ? [] : hostAndParents(destinationHost(url))))),
];

export const hostsOf = (rows: readonly { host: string }[]): ReadonlySet<string> =>
  new Set(rows.map(({ host }) => host));

/** Refuses a destination on one of the service's own hosts, on a blocked host, or with a bad result. */
export function hostProblem(
  { config }: { config: Pick<Config, "ownHosts"> },
  field: AddressField,
  url: string | null | undefined,
  blocked: ReadonlySet<string>,
  hostCheck: HostCheck = "unknown",
): FieldError | undefined {
  if (url == null) return undefined;
  const host = destinationHost(url);
  const own = ownHostProblem(host, config.ownHosts, field);
  if (own !== undefined) return { field, message: own.message, code: own.code };
  if (hostAndParents(host).some((name) => blocked.has(name))) return blockedHost(field);
  return hostCheck === "blocked" ? dangerousHost(field) : undefined;
}

const forbiddenHost = (field: AddressField, rule: string): FieldError => ({
  field,
  message: `The ${field.replace("_", " ")} field leads to a host that ${rule}.`,
  code: "forbidden_host",
});

export const dangerousHost = (field: AddressField = "destination_url"): FieldError =>
  forbiddenHost(field, "is known to spread malware");

export const blockedHost = (field: AddressField = "destination_url"): FieldError =>
  forbiddenHost(field, "this service does not allow");
