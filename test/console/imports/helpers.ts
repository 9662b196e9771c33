import type { TestWorkspace } from "../../harness";
import type { Browser, Page } from "../browser";
import { fieldsOf, wordsAfter, wordsIn } from "../form-fields";

export const DESTINATION = "https://www.example.com/";

/** A CSV file of rows with these slugs. */
export const csvOf = (slugs: readonly string[]): string =>
  ["url,slug", ...slugs.map((slug, index) => `${DESTINATION}${index},${slug}`)].join("\n");

type Fields = Readonly<Record<string, string | readonly string[]>>;

export const upload = (
  browser: Browser,
  { slug }: Pick<TestWorkspace, "slug">,
  content: string | Uint8Array<ArrayBuffer>,
  fields: Fields = {},
): Promise<Page> => {
  const file = new File([content], "links.csv", { type: "text/csv" });
  return browser.post(`/app/${slug}/import`, { ...fields, file });
};

/** Uploads a valid file. Returns the path of its import. */
export async function checkedAt(...sent: Parameters<typeof upload>): Promise<string> {
  const page = await upload(...sent);
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

/** Presses "Go on" until the import is finished. Returns the number of presses. */
export async function goOn(browser: Browser, at: string): Promise<number> {
  for (let times = 1; ; times++) {
    await press(browser, `${at}/go-on`);
    if ((await browser.get(at)).text.includes(">Finished</h2>")) return times;
  }
}

/** What a page says. */
export const show = async (browser: Browser, at: string): Promise<string> =>
  wordsIn((await browser.get(at)).text);

/** Presses a button and then "Continue" of each step. Returns what is shown at the end. */
export async function pressThrough(browser: Browser, action: string): Promise<string> {
  let page = await browser.post(action);
  while (page.status === 200) page = await browser.post(action, fieldsOf(page));
  if (page.status !== 303) throw new Error(`${page.status}: ${page.text}`);
  return wordsAfter(browser, page);
}

/** The address of the button that undoes or restores the links of an import, once it is undone. */
export async function undoIn(browser: Browser, at: string): Promise<string> {
  const { text } = await browser.get(at);
  return /action="(\/app\/[^"]*\/audit\/[^"]*\/undo)"/.exec(text)?.[1] ?? "";
}

export const textOf = wordsIn;

let names = 0;
/** Slugs belong to one workspace for ever. */
export const prefix = () => `c${++names}-${crypto.randomUUID().slice(0, 6)}`;
