import type { TestWorkspace } from "../../harness";
import type { Browser } from "../browser";

export const DESTINATION = "https://www.example.com/";

/** A CSV file of rows with these slugs. */
export const csvOf = (slugs: readonly string[]): string =>
  ["url,slug", ...slugs.map((slug, index) => `${DESTINATION}${index},${slug}`)].join("\n");

/** Uploads a valid file. Returns the path of its import. */
export async function checkedAt(
  browser: Browser,
  workspace: Pick<TestWorkspace, "slug">,
  content: string,
  fields: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<string> {
  const file = new File([content], "links.csv", { type: "text/csv" });
  const page = await browser.post(`/app/${workspace.slug}/import`, { ...fields, file });
  if (page.status !== 303 || page.location === null) throw new Error(`${page.status}: ${page.text}`);
  return page.location;
}

/** Presses the button of an import until the answer is a notice of its end. */
export async function press(browser: Browser, at: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    const page = await browser.post(at);
    if (page.status !== 303) throw new Error(`${page.status}: ${page.text}`);
  }
}

export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");

let names = 0;
/** Slugs belong to one workspace for ever. */
export const prefix = () => `c${++names}-${crypto.randomUUID().slice(0, 6)}`;
