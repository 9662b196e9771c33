import { hostAndParents } from "../lib/destination";
import domains from "./sources.json";

// Names of well-known sources of visits. A referrer is stored as its registrable domain.

/** Sources with a domain in many countries, or a subdomain of it. They have the name of their `.com`. */
const OF_COUNTRY = /^(?:.+\.)?(google|pinterest)\.(?:com|cat|[a-z]{2}|com?\.[a-z]{2})$/;

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(domains).flatMap(([name, own]) => own.map((domain) => [domain, name] as const)),
);

/** The name of a known source, or the domain itself. A lookalike such as `google.com.example.org` is not known. */
export function sourceOf(domain: string): string {
  const name = OF_COUNTRY.exec(domain)?.[1];
  const known = hostAndParents(domain).find((parent) => NAMES.has(parent));
  return NAMES.get(known ?? (name === undefined ? "" : `${name}.com`)) ?? domain;
}

/** Sums the domains of each known source under its name, highest first. A value is a domain, `""` for none, or a word without a dot. */
export const mergeSources = (sources: readonly { value: string; visits: number }[]) =>
  Array.from(
    Map.groupBy(sources, ({ value }) => sourceOf(value)),
    ([value, merged]) => ({ value, visits: merged.reduce((sum, { visits }) => sum + visits, 0) }),
  ).sort((one, other) => other.visits - one.visits);
