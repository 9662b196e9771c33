import { dateAt, startOfDate } from "../../lib/local-time";
import { isoTime } from "../../lib/time";
import { isTimeZone } from "../../lib/time-zone";
import PAGE_TEXTS from "./page-texts.json";
import { asText, PAGE_POLICY, pageOf } from "./site-pages";

// Pages for visitors in their language. Some show the brand of a workspace, none another tenant.
// `{}` in their texts is an address.

export type PageLanguage = keyof typeof PAGE_TEXTS;

/** What these pages say in a language. */
export const pageTexts = (language: PageLanguage) => PAGE_TEXTS[language];

export const isPageLanguage = (language: string): language is PageLanguage =>
  Object.hasOwn(PAGE_TEXTS, language);

/** What a workspace shows of itself. The colour is `#rrggbb`: an accent, never that of text or behind it. */
interface WorkspaceBrand extends Record<"name" | "colour", string | null> {
  texts?: Readonly<Partial<Record<"unknown" | "ended", Readonly<Record<string, string>>>>> | undefined;
  button?: { label: string; url: string } | undefined;
  logo?: { id: string } | undefined;
}

type Brand = WorkspaceBrand | null;

const LOGO_PATH = "/.well-known/waymark-logo/";

/** The page of a workspace with a logo may load that, from its own host. */
export const LOGO_POLICY = `${PAGE_POLICY}; img-src 'self'`;

const LOGO_STYLE = "<style>.logo{display:block;margin:0 0 1rem;max-height:4rem;max-width:100%}</style>";

function brandedPage(language: PageLanguage, brand: Brand, title: string, ...paragraphs: string[]): string {
  const { name = null, colour = null, logo } = brand ?? {};
  const image = logo && `<img class="logo" src="${LOGO_PATH}${asText(logo.id)}" alt="">`;
  return pageOf({
    language,
    title,
    paragraphs,
    head:
      (colour === null ? "" : `<style>main{border-top-color:${asText(colour)}}</style>`) +
      (image ? LOGO_STYLE : ""),
    ...(brand && {
      above: (image ?? "") + (name === null ? "" : `<p class="brand"><bdi>${asText(name)}</bdi></p>`),
    }),
  });
}

const button = (url: string, label: string): string =>
  `<a class="go" href="${asText(url)}" rel="noreferrer">${asText(label)}</a>`;

/** What a workspace says on a page without a way on, in its own sentence if it has one in this language, and its button. */
function ownParagraphs(brand: Brand, sentence: string | undefined, text: string): string[] {
  const own = sentence === undefined ? text : `<bdi>${asText(sentence)}</bdi>`;
  return [own, ...(brand?.button ? [button(brand.button.url, brand.button.label)] : [])];
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
  const own = brand?.texts?.unknown?.[language];
  return brandedPage(language, brand, unknown, ...ownParagraphs(brand, own, asText(unknownText)));
}

export function takenDownPage(language: PageLanguage, contact: string | null): string {
  const { takenDown, takenDownText, askText, writeText } = PAGE_TEXTS[language];
  const next = contact === null ? asText(askText) : fill(writeText, contactLink(contact));
  return brandedPage(language, null, takenDown, asText(takenDownText), next);
}

/** When a link opens, in milliseconds since the epoch, and by whose clocks. */
export interface Opening {
  at: number;
  zone: string;
}

const DAY = { day: "numeric", month: "long", year: "numeric" } as const;
const MINUTE = { ...DAY, hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;

/** The day, or the minute if it is not at its beginning. Undefined in a zone that is none, since others may have written it to KV. */
function openingText(language: PageLanguage, { at, zone: timeZone }: Opening): string | undefined {
  if (!isTimeZone(timeZone)) return undefined;
  const time = isoTime(at);
  const isDay = startOfDate(dateAt(time, timeZone), timeZone) === time;
  const locale = language === "en" ? "en-GB" : language;
  return new Intl.DateTimeFormat(locale, { ...(isDay ? DAY : MINUTE), timeZone }).format(at);
}

export function notOpenYetPage(language: PageLanguage, brand: Brand, opening?: Opening): string {
  const { early, earlyText, opensText } = PAGE_TEXTS[language];
  const opens = opening && openingText(language, opening);
  const text = opens === undefined ? asText(earlyText) : fill(opensText, asText(opens));
  return brandedPage(language, brand, early, ...ownParagraphs(brand, undefined, text));
}

export function endedPage(language: PageLanguage, brand: Brand, next: string | null): string {
  const { ended, endedText, movedText } = PAGE_TEXTS[language];
  if (next !== null) return brandedPage(language, brand, ended, fill(movedText, address(next)));
  const own = brand?.texts?.ended?.[language];
  return brandedPage(language, brand, ended, ...ownParagraphs(brand, own, asText(endedText)));
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
    button(way, wayOn),
  );
}
