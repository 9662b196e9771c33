import { describe, expect, it } from "vitest";
import { API, send } from "../harness";

const SOURCES = import.meta.glob<string>("../../src/docs/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Every document with its source. The list of all comes first. */
const PAGES: readonly [path: string, source: string][] = Object.entries(SOURCES)
  .map(([file, source]): [string, string] => {
    const [, name = ""] = /([^/]+)\.md$/.exec(file) ?? [];
    return [name === "README" ? "/docs" : `/docs/${name}`, source];
  })
  .sort(([one], [other]) => (one < other ? -1 : 1));

const get = (path: string) => send(new Request(API + path, { redirect: "manual" }));
async function read(path: string): Promise<string> {
  const response = await get(path);
  expect(response.status, path).toBe(200);
  return response.text();
}
const pages = new Map<string, Promise<string>>();
function htmlOf(path: string): Promise<string> {
  const html = pages.get(path) ?? read(path);
  pages.set(path, html);
  return html;
}

const matches = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, part = ""]) => part);

const idsIn = (html: string) => matches(html, / id="([^"]*)"/g);

/** Converts HTML to text. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describe.each(PAGES)("the page at %s", (path, source) => {
  const prose = source.replaceAll(/^```[\s\S]*?^```/gm, "");

  it("is HTML with the strict policy", async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": (await get("/docs/api")).headers.get("content-security-policy"),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
  });

  it("has every heading of its document, and a table of contents", async () => {
    const html = await htmlOf(path);
    const [main = ""] = matches(html, /<main id="main">([\s\S]*)<\/main>/g);
    const headings = matches(main, /<h[1-6] id="[^"]+">(.*)<\/h/g).map(textOf);
    expect(headings).toEqual(matches(prose, /^#+ (.+)$/gm).map((heading) => heading.replaceAll("`", "")));
    const [contents = ""] = matches(html, /<nav class="contents"[^>]*>([\s\S]*?)<\/nav>/g);
    expect(matches(contents, /<li[^>]*>(.*)<\/li>/g).map((item) => textOf(item))).toEqual(
      matches(prose, /^##+ (.+)$/gm).map((heading) => heading.replaceAll("`", "")),
    );
    const ids = idsIn(html);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has every block of commands unchanged from the document", async () => {
    const blocks = matches(await htmlOf(path), /<pre[^>]*><code[^>]*>([\s\S]*?)<\/code><\/pre>/g).map(textOf);
    expect(blocks.map((block) => block.trim())).toEqual(
      matches(source, /^```\w*\n([\s\S]*?)^```/gm).map((block) => block.trim()),
    );
  });

  it("links only to existing pages and headings", async () => {
    const html = await htmlOf(path);
    const links = matches(html, /<a [^>]*?href="([^"]*)"/g);
    expect(links).toEqual(expect.arrayContaining([...PAGES.map(([page]) => page), "/docs/api"]));
    for (const link of new Set(links.filter((one) => !one.startsWith("https://")))) {
      const [page = "", id] = link.split("#");
      const target = await htmlOf(page === "" ? path : page);
      if (id !== undefined) expect(idsIn(target), link).toContain(id);
    }
  });

  it("has links to the previous and the next page of the menu at its foot", async () => {
    const html = await htmlOf(path);
    const [menu = ""] = matches(html, /<nav aria-label="Documents">([\s\S]*?)<\/nav>/g);
    const all = ["/docs", ...matches(menu, /href="([^"]*)"/g)];
    expect(all).toEqual(expect.arrayContaining(PAGES.map(([page]) => page)));
    const at = all.indexOf(path);
    const [foot = ""] = matches(html, /<nav class="neighbours"[^>]*>([\s\S]*?)<\/nav>\n<\/main>/g);
    const linked = (rel: string) => matches(foot, new RegExp(`<a rel="${rel}" href="([^"]*)">`, "g"))[0];
    expect([linked("prev"), linked("next")]).toEqual([all[at - 1], all[at + 1]]);
  });

  it("loads only its own style and script files, and has none inline", async () => {
    const html = await htmlOf(path);
    expect(html).toMatch(/^<!doctype html>/);
    expect(matches(html, /<(?:link|script|img|iframe|source)\b[^>]* (?:src|href)="([^"]*)"/g)).toEqual([
      "/favicon.ico",
      "/docs/pages.css",
      "/docs/search.js",
    ]);
    expect(html).not.toMatch(/<style|<script(?![^>]* src=)|<[^>]*\s(?:style|on\w+)=/i);
    for (const file of ["/docs/pages.css", "/docs/search.js"]) {
      const response = await get(file);
      expect(response.status, file).toBe(200);
      expect(await response.text(), file).not.toMatch(/\/\/[\w-]+\.|url\(|@import|import\s*\(/);
    }
  });
});

it("the search index has every section of every document, at an existing address", async () => {
  const response = await get("/docs/search.json");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  const sections = await response.json<{ page: string; heading: string; url: string; text: string }[]>();
  const documents = PAGES.slice(1);
  const headings = documents.flatMap(([, source]) =>
    matches(source.replaceAll(/^```[\s\S]*?^```/gm, ""), /^#+ (.+)$/gm),
  );
  expect(sections.map(({ heading }) => heading).sort()).toEqual(headings.sort());
  for (const { url } of sections) {
    const [path = "", id] = url.split("#");
    const html = await htmlOf(path);
    if (id !== undefined) expect(idsIn(html), url).toContain(id);
  }
  expect(sections.find(({ url }) => url === "/docs/runbook#a-leaked-key")?.text).toContain(
    'npm run admin -- key revoke --key "$KEY"',
  );
});
