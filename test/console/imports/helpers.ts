import type { TestWorkspace } from "../../harness";
import type { Browser } from "../browser";
import { fieldsOf } from "../form-fields";

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

/** Presses a button and then "Continue" of each step. Returns what is shown at the end. */
export async function pressThrough(browser: Browser, action: string): Promise<string> {
  let page = await browser.post(action);
  while (page.status === 200) page = await browser.post(action, fieldsOf(page));
  if (page.status !== 303) throw new Error(`${page.status}: ${page.text}`);
  return textOf((await browser.get(page.location ?? "")).text);
}

/** The address of the button that undoes or restores the links of an import, once it is undone. */
export async function undoIn(browser: Browser, at: string): Promise<string> {
  const { text } = await browser.get(at);
  return /action="(\/app\/[^"]*\/audit\/[^"]*\/undo)"/.exec(text)?.[1] ?? "";
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
