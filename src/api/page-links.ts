/** The decoded name of a query pair, without `[]`. */
const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()].join().replace(/\[\]$/, "");

/** Clients refuse longer headers: Node from 16 KB on, all of them together. */
const MAX_CHARACTERS = 4 * 1024;

/**
 * The `Link` header (RFC 8288) with absolute URLs that keep the filters. `next` uses `after`. A header above 4 KB has `next` alone;
 * it is empty on the last page.
 */
export function pageLinks(
  address: string,
  search: string,
  page: { current_page: number; last_page: number },
  nextAfter: string | null,
): string {
  const kept = search
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair !== "" && !["page", "after"].includes(nameOf(pair)));
  const link = (relation: string, number: number, after?: string): string => {
    const pairs = [...kept, `page=${number}`, ...(after === undefined ? [] : [`after=${after}`])];
    return `<${address}?${pairs.join("&")}>; rel="${relation}"`;
  };
  const { current_page: current, last_page: last } = page;
  const next = nextAfter === null ? [] : [link("next", current + 1, nextAfter)];
  const previous = current > 1 ? [link("prev", Math.min(current - 1, last))] : [];
  const all = [link("first", 1), ...previous, ...next, link("last", last)].join(", ");
  return all.length > MAX_CHARACTERS ? next.join("") : all;
}

export function linkHeader(...page: Parameters<typeof pageLinks>): Record<string, string> {
  const links = pageLinks(...page);
  return links === "" ? {} : { Link: links };
}
