import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Marked } from "marked";
import { brandImage } from "../lib/brand-mark.ts";
import { headingId, plainText } from "./headings.ts";

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

interface MenuItem {
  path: string;
  label: string;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

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

const marked = new Marked();

function parseDocument(name: string, text: string) {
  const tokens = marked.lexer(text);
  const sections: Section[] = [];
  const ids = new Map<string, number>();
  for (const token of tokens) {
    if (token.type === "heading") {
      const heading = plainText(token["text"]);
      sections.push({ id: headingId(heading, ids), heading, depth: token["depth"], text: "" });
    } else {
      const section = sections.at(-1);
      if (section === undefined) throw new Error(`${name} does not begin with a heading.`);
      section.text += ` ${plainText(token.raw)}`;
    }
  }
  return { name, path: toPath(name), title: sections[0]?.heading ?? name, sections, tokens };
}

type Document = ReturnType<typeof parseDocument>;

function renderBody({ tokens, sections }: Document, names: readonly string[]): string {
  const rest = [...sections];
  const html = new Marked({
    renderer: {
      heading({ tokens: inline, depth }) {
        const id = rest.shift()?.id ?? "";
        return `<h${depth} id="${id}">${this.parser.parseInline(inline)}</h${depth}>\n`;
      },
      checkbox: () => '<input type="checkbox" aria-label="Done"> ',
      link({ href, tokens: inline }) {
        return `<a href="${escapeHtml(toSiteHref(href, names))}">${this.parser.parseInline(inline)}</a>`;
      },
      codespan({ text }) {
        const code = `<code>${escapeHtml(text)}</code>`;
        return OTHER_PAGES.has(text) ? `<a href="${text}">${code}</a>` : code;
      },
      html: ({ text }) => escapeHtml(text),
    },
  }).parser(tokens);
  // Code and tables scroll sideways on a phone. `tabindex` lets the keyboard scroll them too.
  return html
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll(EMPTY_HEAD, "");
}

const listMenuItems = (documents: readonly Document[]): MenuItem[] => {
  const index = documents.find(({ name }) => name === INDEX);
  const items: MenuItem[] = [];
  marked.walkTokens(index?.tokens ?? [], (token) => {
    if (token.type === "link") items.push({ path: toPath(token["href"]), label: token["text"] });
  });
  for (const { name, path } of documents) {
    if (name !== INDEX && !items.some((item) => item.path === path))
      throw new Error(`src/docs/${INDEX} does not list ${name}.`);
  }
  return [...items, { path: "/docs/api", label: "API" }];
};

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

/** Links to the neighbours in the order of the menu, which begins with the list of all documents. */
function renderNeighbours(document: Document, menu: readonly MenuItem[]): string {
  const pages = [{ path: toPath(INDEX), label: "Documents" }, ...menu];
  const at = pages.findIndex(({ path }) => path === document.path);
  const link = (rel: string, label: string, to: MenuItem | undefined): string =>
    to === undefined ? "" : `<a rel="${rel}" href="${to.path}">${label}: ${escapeHtml(to.label)}</a>\n`;
  return `<nav class="neighbours" aria-label="Previous and next">
${link("prev", "Previous", pages[at - 1])}${link("next", "Next", pages[at + 1])}</nav>`;
}

const TEMPLATE = readFileSync(new URL("document-page.html", import.meta.url), "utf8");

function renderPage(document: Document, menu: readonly MenuItem[], names: readonly string[]): string {
  const current = (path: string) => (path === document.path ? ' aria-current="page"' : "");
  const parts: Readonly<Record<string, string>> = {
    title: escapeHtml(document.title),
    brand: brandImage(28),
    menu: menu.map(({ path, label }) => renderListItem(path, label, current(path))).join("\n"),
    contents: renderContents(document),
    body: renderBody(document, names) + renderNeighbours(document, menu),
  };
  return TEMPLATE.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? "");
}

/** Converts a folder of documents to HTML pages and `docs/search.json`, keyed by file name. */
export function documentPages(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const documents = names.map((name) => parseDocument(name, readFileSync(join(folder, name), "utf8")));
  const menu = listMenuItems(documents);
  const files = new Map<string, string>();
  for (const document of documents)
    files.set(`${document.path.slice(1)}.html`, renderPage(document, menu, names));
  const index = documents
    .filter(({ name }) => name !== INDEX)
    .flatMap(({ path, title, sections }) =>
      sections.map(({ id, heading, depth, text }) => ({
        page: title,
        heading: depth === 1 ? title : heading,
        url: depth === 1 ? path : `${path}#${id}`,
        text: text.trim(),
      })),
    );
  files.set("docs/search.json", JSON.stringify(index));
  return files;
}
