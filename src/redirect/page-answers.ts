import {
  endedPage,
  isPageLanguage,
  LOGO_POLICY,
  notOpenYetPage,
  type Opening,
  type PageLanguage,
  previewPage,
  rootPage,
  takenDownPage,
  unknownLinkPage,
} from "../http/site/visitor-pages";
import { preferredLanguage } from "../lib/visitor";
import { answer } from "./answer";
import type { CachedBrand } from "./slugs/cache";

// Answers with a page in the visitor's language. A redirect does not load them. JSON is in English.

const languageOf = ({ headers }: Request): PageLanguage =>
  preferredLanguage(headers.get("accept-language"), isPageLanguage) ?? "en";

const answerBranded = (
  request: Request,
  status: number,
  message: string,
  page: string,
  brand: CachedBrand | null,
): Response =>
  answer(request, status, message, page, brand?.logo && { "Content-Security-Policy": LOGO_POLICY });

/** Encoded once, because this page is served most often. */
const unknownLinkPages = new Map<PageLanguage, BodyInit>();

function plainUnknownLink(language: PageLanguage): BodyInit {
  const known = unknownLinkPages.get(language);
  if (known !== undefined) return known;
  const page = new TextEncoder().encode(unknownLinkPage(language, null));
  unknownLinkPages.set(language, page);
  return page;
}

/** On a domain with the brand of its workspace. */
export function unknownLink(request: Request, brand: CachedBrand | null): Response {
  const language = languageOf(request);
  if (brand === null) return answer(request, 404, "Not found.", plainUnknownLink(language));
  return answerBranded(request, 404, "Not found.", unknownLinkPage(language, brand), brand);
}

export const takenDown = (request: Request, abuseContact: string | null): Response =>
  answer(request, 404, "This link was taken down.", takenDownPage(languageOf(request), abuseContact));

export const notOpenYet = (
  request: Request,
  brand: CachedBrand | null,
  opening: Opening | undefined,
): Response =>
  answerBranded(
    request,
    404,
    "This link is not open yet.",
    notOpenYetPage(languageOf(request), brand, opening),
    brand,
  );

/** `next` is where visitors are sent instead; a visitor who looks first is told. */
export const linkEnded = (
  request: Request,
  brand: CachedBrand | null,
  next: string | null = null,
): Response =>
  answerBranded(request, 410, "This link has ended.", endedPage(languageOf(request), brand, next), brand);

/** Where a link leads. `way` is the short address with the visitor's query. */
export const linkPreview = (
  request: Request,
  brand: CachedBrand | null,
  targets: readonly string[],
  way: string,
): Response => {
  const page = previewPage(languageOf(request), brand, targets, way);
  return answerBranded(request, 200, `This link leads to ${targets.join(" or ")}`, page, brand);
};

export const shortHost = (request: Request): Response =>
  answer(request, 200, "This address serves short links.", rootPage(languageOf(request)));
