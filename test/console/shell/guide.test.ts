import { Hono } from "hono";
import { expect, it } from "vitest";
import { headingId } from "../../../src/cli/headings";
import { registerPages } from "../../../src/console/routes";
import { GUIDE_PARTS, guidePart } from "../../../src/console/shell/guide";
import type { ConsoleEnv } from "../../../src/console/shell/page-request";
import guide from "../../../src/docs/guide.md?raw";
import { makeMember } from "../browser";

const taken = new Map<string, number>();
const HEADINGS = new Set(
  Array.from(guide.matchAll(/^#+ (.+)$/gm), ([, title = ""]) => headingId(title, taken)),
);

it("the guide has a heading for each part that a page leads to", () => {
  expect(Object.values(GUIDE_PARTS).filter((part) => !HEADINGS.has(part))).toEqual([]);
});

it("each page of a workspace has its part of the guide", () => {
  const app = new Hono<ConsoleEnv>();
  registerPages(app);
  const pages = app.routes.filter(({ method }) => method === "GET").map(({ path }) => path);
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.filter((path) => guidePart(path) === undefined)).toEqual([]);
});

it("a page leads to its part, a refused form to that of its page, and a page that is missing to the guide", async () => {
  const { workspace, browser } = await makeMember();
  const { id } = await workspace.link();
  const helpOf = ({ text }: { text: string }) => /<a class="help" href="([^"]*)"/.exec(text)?.[1];
  const get = async (path: string) => helpOf(await browser.get(`/app/${workspace.slug}${path}`));
  expect(
    await Promise.all(
      ["", "/links", `/links/${id}`, `/links/${id}/rules`, "/members", "/nothing/here"].map(get),
    ),
  ).toEqual([
    "/docs/guide#clicks-and-scans",
    "/docs/guide#find-links",
    "/docs/guide#links",
    "/docs/guide#rules",
    "/docs/guide#your-team",
    "/docs/guide",
  ]);
  const refused = await browser.post(`/app/${workspace.slug}/tags`, { name: "" });
  expect([refused.status, helpOf(refused)]).toEqual([422, "/docs/guide#tags"]);
});
