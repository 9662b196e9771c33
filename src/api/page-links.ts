/** The decoded name of a query pair, without `[]`. */
const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()].join().replace(/\[\]$/, "");

/** The `Link` header (RFC 8288) with absolute URLs that keep the filters. `next` uses `after`. */
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
  return [
    link("first", 1),
    ...(current > 1 ? [link("prev", Math.min(current - 1, last))] : []),
    ...(nextAfter === null ? [] : [link("next", current + 1, nextAfter)]),
    link("last", last),
  ].join(", ");
}
