import type { Browser, Page } from "./browser";

const unescaped = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const attribute = (tag: string, name: string): string =>
  unescaped(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "");

/** The fields that a browser would send for the unchanged form. */
export function fieldsOf({ text }: Pick<Page, "text">): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  for (const [tag] of text.matchAll(/<input [^>]*>/g)) {
    const name = attribute(tag, "name");
    if (name === "" || /\sdisabled/.test(tag)) continue;
    if (/\stype="checkbox"/.test(tag) || name === "open") {
      if (name === "open" || /\schecked/.test(tag)) {
        fields[name] = [...(fields[name] ?? []), attribute(tag, "value")];
      }
    } else fields[name] = attribute(tag, "value");
  }
  for (const [, name = "", options = ""] of text.matchAll(
    /<select [^>]*name="([^"]+)"[^>]*>(.*?)<\/select>/gs,
  )) {
    fields[name] = attribute(/<option [^>]*selected[^>]*>/.exec(options)?.[0] ?? "", "value");
  }
  return fields;
}

/** A page as a person reads it. */
export const wordsIn = (page: string): string =>
  unescaped(page.replaceAll(/<[^>]+>/g, " "))
    .replaceAll(/[\u2068\u2069]/g, "")
    .replaceAll(/\s+/g, " ");

/** The parts of a form that are open, by their summaries. */
export const openParts = ({ text }: Pick<Page, "text">): string[] =>
  [...text.matchAll(/<details class="more" open="[^"]*"><summary>([^<]*)</g)].map(([, name = ""]) => name);

/** The address of a page's link by its relation, such as the next page. Empty if there is none. */
export const linkTo = ({ text }: Pick<Page, "text">, relation: "next" | "prev" = "next"): string =>
  unescaped(new RegExp(`<a [^>]*href="([^"]+)" rel="${relation}"`).exec(text)?.[1] ?? "");

/** The address of the first button that undoes a change. Empty if there is none. */
export const undoOn = ({ text }: Pick<Page, "text">): string =>
  /action="([^"]+\/undo)"/.exec(text)?.[1] ?? "";

/** What the page says to which an action has led. */
export const wordsAfter = async (browser: Pick<Browser, "get">, { location }: Page): Promise<string> =>
  wordsIn((await browser.get(location ?? "")).text);

/** The hidden fields of a form. */
export function hiddenIn(form: string): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const [tag] of form.matchAll(/<input type="hidden" [^>]*>/g)) {
    const name = attribute(tag, "name");
    fields[name] = [...(fields[name] ?? []), attribute(tag, "value")];
  }
  return fields;
}
