// What pages for visitors have in common, and those that are in English alone. They load no files and run no scripts.

const STYLE = `:root{color-scheme:light dark;--paper:#fff;--ground:#f7f8fa;--ink:#16191f;--soft:#5a6270;--line:#e4e7ec;
--accent:#1d4ed8}@media(prefers-color-scheme:dark){:root{--paper:#17191e;--ground:#101216;--ink:#eceef2;--soft:#a2a9b6;
--line:#2a2e37;--accent:#8fb2ff}}body{align-items:center;background:var(--ground);color:var(--soft);display:grid;
font:1rem/1.6 system-ui,sans-serif;justify-items:center;margin:0;min-height:80vh;padding:1rem}main{background:var(--paper);
border:1px solid var(--line);border-radius:.75rem;border-top:.25rem solid var(--accent);box-sizing:border-box;
max-width:30rem;padding:2rem;width:100%}h1{color:var(--ink);font-size:1.375rem;letter-spacing:-.01em;line-height:1.25;
margin:0 0 .75rem;text-wrap:balance}p{margin:0 0 .75rem}p:last-child{margin:0}a{color:var(--accent)}
.brand{color:var(--ink);font-weight:600;overflow-wrap:anywhere}
code{color:var(--ink);word-break:break-all}
.go{border:1px solid var(--line);border-radius:.5rem;display:inline-block;padding:.375rem .75rem;text-decoration:none}`;

export const asText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface Page {
  title: string;
  /** HTML. */
  paragraphs: readonly string[];
  /** What its head has more, and what stands above its title. */
  head?: string;
  above?: string;
  language?: string;
}

export const pageOf = ({
  title,
  paragraphs,
  head = "",
  above = "",
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
