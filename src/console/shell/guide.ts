import { routePath } from "hono/route";
import { paths } from "./href";
import type { PageContext } from "./page-request";

/** The part of the guide about a page and the pages below it: the id of a heading. */
export const GUIDE_PARTS: Readonly<Record<string, string>> = {
  [paths.signIn]: "sign-in",
  [paths.sessions]: "your-account",
  [paths.passkeys]: "your-account",
  [paths.share]: "links",
  [paths.home]: "sign-in",
  [paths.workspace]: "clicks-and-scans",
  [paths.links]: "find-links",
  [paths.changeLinks]: "many-links-at-once",
  [paths.newLink]: "links",
  [paths.severalLinks]: "several-links-of-one-destination",
  [paths.unknownAddresses]: "unknown-addresses",
  [paths.link]: "links",
  [paths.linkRules]: "rules",
  [paths.groups]: "groups",
  [paths.compareGroup]: "compare-groups",
  [paths.groupPrint]: "print",
  [paths.tags]: "tags",
  [paths.assets]: "find-posters",
  [paths.newAsset]: "print",
  [paths.newAssets]: "print-many",
  [paths.printAssets]: "print-many",
  [paths.asset]: "print",
  [paths.imports]: "import",
  [paths.keys]: "api-keys",
  [paths.domains]: "domains",
  [paths.receivers]: "receivers",
  [paths.channels]: "several-links-of-one-destination",
  [paths.brandings]: "codes-in-your-colours",
  [paths.values]: "values-in-order",
  [paths.reports]: "a-report-to-send",
  [paths.settings]: "the-workspace",
  [paths.pages]: "pages-for-visitors",
  [paths.members]: "your-team",
  [paths.audit]: "who-changed-what",
};

/** The part about the page at a path of the route table: its own, else that of the next page above it. */
export function guidePart(path: string): string | undefined {
  if (path === "" || path.endsWith("*")) return undefined;
  return GUIDE_PARTS[path] ?? guidePart(path.slice(0, path.lastIndexOf("/")));
}

/** The address of the guide, at the part about the page that is shown. */
export function guideHref(c: PageContext): string {
  const part = guidePart(routePath(c));
  return part === undefined ? "/docs/guide" : `/docs/guide#${part}`;
}
