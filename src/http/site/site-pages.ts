import { brandImage } from "../../lib/brand-mark";

// What pages for visitors have in common, and those that are in English alone. They load no files and run no scripts.

const STYLE = `:root{color-scheme:light dark;--paper:#fff;--ground:#f4f5fb;--ink:#16191f;--soft:#5a6270;--accent:#2a45d6}
@media(prefers-color-scheme:dark){:root{--paper:#191c24;--ground:#0f1118;--ink:#eceef2;--soft:#a2a9b6;--accent:#9db2ff}}
body{align-items:center;background:var(--ground);color:var(--soft);display:grid;font:1.0625rem/1.6 system-ui,sans-serif;
justify-items:center;margin:0;min-height:80vh;padding:1rem}main{background:var(--paper);border-radius:1rem;
border-top:.375rem solid var(--accent);box-sizing:border-box;max-width:32rem;padding:2.25rem 2rem;width:100%}
h1{color:var(--ink);font-size:1.75rem;letter-spacing:-.02em;line-height:1.2;margin:0 0 1rem;text-wrap:balance}
svg{display:block;margin:0 0 1rem}p{margin:0 0 1rem}p:last-child{margin:0}a{color:var(--accent)}
.brand{color:var(--ink);font-weight:600;overflow-wrap:anywhere}code{color:var(--ink);word-break:break-all}
.go,button{background:var(--ink);border:0;border-radius:.5rem;color:var(--paper);cursor:pointer;display:inline-block;
font:inherit;font-weight:600;padding:.5rem 1.25rem;text-decoration:none}`;

export const asText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface Page {
  title: string;
  /** HTML. */
  paragraphs: readonly string[];
  /** What its head has more, and what stands above its title, if not the mark of the service. */
  head?: string;
  above?: string;
  language?: string;
}

export const pageOf = ({
  title,
  paragraphs,
  head = "",
  above = brandImage(32),
  language = "en",
}: Page): string => `<!doctype html>
<html lang="${language}" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${asText(title)}</title><style>${STYLE}</style>${head}</head>
<body><main>${above}<h1>${asText(title)}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join("")}</main></body></html>
`;

const page = (title: string, ...paragraphs: string[]): string => pageOf({ title, paragraphs });

/** Allows only inline styles, and no framing. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

const meta = (name: string, content: string | null): string =>
  content === null ? "" : `<meta property="${name}" content="${asText(content)}">`;

/** The page from which chats and networks make the preview of a link. */
export const ownPreviewPage = ({
  title,
  text,
  image,
}: Record<"title" | "text" | "image", string | null>): string =>
  pageOf({
    title: title ?? "A short link",
    above: "",
    paragraphs: text === null ? [] : [asText(text)],
    head:
      `<meta name="robots" content="noindex">${meta("og:title", title)}${meta("og:description", text)}${meta("og:image", image)}` +
      `<meta name="twitter:card" content="${image === null ? "summary" : "summary_large_image"}">`,
  });

export const unknownReportPage = (): string =>
  page(
    "This report cannot be read",
    "It has ended, or its address was mistyped. The organisation that sent it can send you another.",
  );

export const startReportPage = (): string =>
  page(
    "Start the weekly report?",
    "You would get the figures of the workspace by mail once a week. Each mail has a link that stops it.",
    '<form method="post"><button>Start the weekly report</button></form>',
  );

export const startedReportPage = (): string =>
  page("The weekly report has started", "The first one comes within a day.");

export const stopReportPage = (): string =>
  page(
    "Stop the weekly report?",
    "You would no longer get it by mail. You can ask for it again in the workspace.",
    '<form method="post"><button>Stop the weekly report</button></form>',
  );

export const endedReportPage = (): string =>
  page("The weekly report has stopped", "You no longer get it by mail.");

export const tooManyPage = (): string =>
  page(
    "Too many attempts",
    "Too many unknown links were asked for from your network. Try again in a minute.",
  );

export const unavailablePage = (): string =>
  page("Please try again", "This link cannot be looked up at the moment. Try again in a few seconds.");

export const wrongMethodPage = (): string => page("Not allowed", "A short link can only be followed.");
