import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Marked } from "marked";

/** Lists the other documents in the order of the menu. */
const INDEX = "README.md";
/** Addresses that documents name as code and that become links on the site. */
const OTHER_PAGES: ReadonlySet<string> = new Set(["/docs/api", "/api/v1/openapi.json"]);

interface Section {
  id: string;
  heading: string;
  depth: number;
  text: string;
}

interface Document {
  name: string;
  path: string;
  title: string;
  html: string;
  sections: Section[];
}

interface MenuItem {
  path: string;
  label: string;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const CHARACTERS = new Map([...Object.entries(ENTITIES), ["'", "&#39;"]].map(([of, entity]) => [entity, of]));

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** The text of HTML without its tags. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&[a-z#0-9]+;/g, (entity) => CHARACTERS.get(entity) ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();

/** The head of a table with two unnamed columns. */
const EMPTY_HEAD = "<thead>\n<tr>\n<th></th>\n<th></th>\n</tr>\n</thead>\n";

const toPath = (name: string): string => (name === INDEX ? "/docs" : `/docs/${name.replace(/\.md$/, "")}`);

/** Converts a document's link to an address on the site. Throws if the site has no such page. */
function toSiteHref(href: string, names: readonly string[]): string {
  if (/^(?:https?:\/\/|#)/.test(href)) return href;
  const [name = "", id] = href.split("#");
  if (!names.includes(name)) throw new Error(`The site has no page for the link ${href}.`);
  return id === undefined ? toPath(name) : `${toPath(name)}#${id}`;
}

/** Converts a heading to the anchor that GitHub gives it. `taken` counts the document's anchors so far. */
export function headingId(heading: string, taken: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  const count = taken.get(id) ?? 0;
  taken.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}

function renderDocument(name: string, markdown: string, names: readonly string[]): Document {
  const sections: Section[] = [];
  const ids = new Map<string, number>();
  const marked = new Marked({
    async: false,
    renderer: {
      heading({ tokens, depth }) {
        const inline = this.parser.parseInline(tokens);
        const heading = textOf(inline);
        const id = headingId(heading, ids);
        sections.push({ id, heading, depth, text: "" });
        return `<h${depth} id="${id}">${inline}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(toSiteHref(href, names))}">${this.parser.parseInline(tokens)}</a>`;
      },
      codespan({ text }) {
        const code = `<code>${escapeHtml(text)}</code>`;
        return OTHER_PAGES.has(text) ? `<a href="${text}">${code}</a>` : code;
      },
      html: ({ text }) => escapeHtml(text),
    },
  });
  const html = marked.parse(markdown, { async: false });
  const [before, ...texts] = html.split(/<h\d id=.*<\/h\d>\n/);
  if (before !== "") throw new Error(`${name} does not begin with a heading.`);
  for (const [index, section] of sections.entries()) section.text = textOf(texts[index] ?? "");
  return { name, path: toPath(name), title: sections[0]?.heading ?? name, html, sections };
}

// Code and tables scroll sideways on a phone. `tabindex` lets the keyboard scroll them too.
const renderBody = ({ html }: Document): string =>
  html
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll(EMPTY_HEAD, "");

/** The links of the index, and the API. */
function listMenuItems(documents: readonly Document[]): MenuItem[] {
  const { html = "" } = documents.find(({ name }) => name === INDEX) ?? {};
  const links = html.matchAll(/<a href="([^"]*)">(.*?)<\/a>/g);
  const items = Array.from(links, ([, path = "", label = ""]) => ({ path, label: textOf(label) }));
  for (const { name, path } of documents) {
    if (name !== INDEX && !items.some((item) => item.path === path))
      throw new Error(`src/docs/${INDEX} does not list ${name}.`);
  }
  return [...items, { path: "/docs/api", label: "API" }];
}

const renderListItem = (path: string, label: string, attributes = ""): string =>
  `<li><a href="${path}"${attributes}>${escapeHtml(label)}</a></li>`;

const renderContents = ({ sections }: Document): string => {
  const headings = sections.filter(({ depth }) => depth === 2 || depth === 3);
  if (headings.length === 0) return "";
  const items = headings.map(({ id, heading, depth }) =>
    renderListItem(`#${id}`, heading, ` class="depth-${depth}"`),
  );
  return `<nav class="contents" aria-labelledby="contents">
<p id="contents">On this page</p>
<ul>
${items.join("\n")}
</ul>
</nav>`;
};

const renderPage = (document: Document, menu: readonly MenuItem[]): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(document.title)} · Waymark</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/docs/pages.css">
<script src="/docs/search.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="brand" href="/docs">Waymark</a>
<nav aria-label="Documents">
<ul>
${menu.map(({ path, label }) => renderListItem(path, label, path === document.path ? ' aria-current="page"' : "")).join("\n")}
</ul>
</nav>
<div id="search" role="search" hidden>
<label for="query">Search</label>
<input id="query" type="search" placeholder="Search" autocomplete="off" spellcheck="false">
<p id="found" role="status"></p>
<ul id="results"></ul>
</div>
</header>
<div class="columns">
${renderContents(document)}
<main id="main">
${renderBody(document)}</main>
</div>
</body>
</html>
`;

/** Converts a folder of documents to HTML pages and `docs/search.json`, keyed by file name. */
export function documentPages(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const documents = names.map((name) =>
    renderDocument(name, readFileSync(join(folder, name), "utf8"), names),
  );
  const menu = listMenuItems(documents);
  const files = new Map<string, string>();
  for (const document of documents) files.set(`${document.path.slice(1)}.html`, renderPage(document, menu));
  const index = documents
    .filter(({ name }) => name !== INDEX)
    .flatMap(({ path, title, sections }) =>
      sections.map(({ id, heading, depth, text }) => ({
        page: title,
        heading: depth === 1 ? title : heading,
        url: depth === 1 ? path : `${path}#${id}`,
        text,
      })),
    );
  files.set("docs/search.json", JSON.stringify(index));
  return files;
}
