import { PAGE_TEXTS, type PageLanguage } from "./page-texts";
import { asText, pageOf } from "./site-pages";

// Pages for visitors in their language. Some show the brand of a workspace, none another tenant.

/** What a workspace shows of itself. The colour is `#rrggbb`: an accent, never that of text or behind it. */
type Brand = Record<"name" | "colour", string | null> | null;

function brandedPage(language: PageLanguage, brand: Brand, title: string, ...paragraphs: string[]): string {
  const { name = null, colour = null } = brand ?? {};
  return pageOf({
    language,
    title,
    paragraphs,
    head: colour === null ? "" : `<style>main{border-top-color:${asText(colour)}}</style>`,
    above: name === null ? "" : `<p class="brand"><bdi>${asText(name)}</bdi></p>`,
  });
}

const address = (url: string): string => `<code>${asText(url)}</code>`;

const contactLink = (contact: string): string =>
  `<a href="${asText(contact)}">${asText(contact.replace(/^mailto:/, ""))}</a>`;

/** A sentence with HTML in place of `{}`. */
const fill = (sentence: string, html: string): string => asText(sentence).replace("{}", () => html);

export function rootPage(language: PageLanguage): string {
  const { rootText, missingText } = PAGE_TEXTS[language];
  return brandedPage(language, null, "Waymark", asText(rootText), asText(missingText));
}

export function unknownLinkPage(language: PageLanguage, brand: Brand): string {
  const { unknown, unknownText } = PAGE_TEXTS[language];
  return brandedPage(language, brand, unknown, asText(unknownText));
}

export function takenDownPage(language: PageLanguage, contact: string | null): string {
  const { takenDown, takenDownText, askText, writeText } = PAGE_TEXTS[language];
  const next = contact === null ? asText(askText) : fill(writeText, contactLink(contact));
  return brandedPage(language, null, takenDown, asText(takenDownText), next);
}

export function notOpenYetPage(language: PageLanguage, brand: Brand): string {
  const { early, earlyText } = PAGE_TEXTS[language];
  return brandedPage(language, brand, early, asText(earlyText));
}

export function endedPage(language: PageLanguage, brand: Brand, next: string | null): string {
  const { ended, endedText, movedText } = PAGE_TEXTS[language];
  return brandedPage(
    language,
    brand,
    ended,
    next === null ? asText(endedText) : fill(movedText, address(next)),
  );
}

export function previewPage(
  language: PageLanguage,
  brand: Brand,
  targets: readonly string[],
  way: string,
): string {
  const { preview, leadsText, drawnText, wayOn } = PAGE_TEXTS[language];
  return brandedPage(
    language,
    brand,
    preview,
    asText(targets.length === 1 ? leadsText : drawnText),
    ...targets.map(address),
    `<a class="go" href="${asText(way)}" rel="noreferrer">${asText(wayOn)}</a>`,
  );
}
