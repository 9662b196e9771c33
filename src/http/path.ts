/** The length of "http://h", the shortest origin. */
const MIN_ORIGIN_LENGTH = 8;

/**
 * The path of a URL as sent. It is not decoded, so `/%66oo` is not the slug `foo`, and `/api%2Fv1%2Flinks` is not under
 * `/api/`.
 */
export function pathOf(url: string): string {
  const start = url.indexOf("/", MIN_ORIGIN_LENGTH);
  if (start === -1) return "/";
  const query = url.indexOf("?", start);
  const end = query === -1 ? url.length : query;
  const hash = url.indexOf("#", start);
  return url.slice(start, hash === -1 || hash > end ? end : hash);
}
