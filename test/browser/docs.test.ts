import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENTS } from "../cli/terminal";
import { close, findingsOf, openPage, openService, overflowOf, type Service } from "./chromium";

const PAGES = Object.keys(DOCUMENTS)
  .filter((path) => path.startsWith("src/docs/"))
  .map((path) => `/docs/${path.slice("src/docs/".length, -".md".length)}`.replace("/README", ""));

const WIDTHS = [320, 1280];

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => close(service));

/** Elements that are printed in another colour than black, or on another one than white. */
const COLOURED = `[...document.querySelectorAll("body, body *")].filter((one) => {
  const { color, backgroundColor } = getComputedStyle(one);
  const isSoft = color !== "rgb(0, 0, 0)" && one.closest("main") !== null;
  return one.checkVisibility() && (isSoft || !["rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"].includes(backgroundColor));
}).map((one) => one.tagName + " " + one.textContent.slice(0, 40))`;
const CUT_OFF = `[...document.querySelectorAll("main pre, main .table")].filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.slice(0, 60))`;

it("the documents print black on white, without menus, nothing cut off, with the addresses of links", async () => {
  // As wide as A4 between margins of one centimetre.
  const viewport = { width: 718, height: 1000 };
  const { page, context, complaints } = await openPage(service.browser, { viewport, colorScheme: "dark" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const path of PAGES) {
    await page.goto(service.base + path);
    for (const name of ["header", ".contents", ".neighbours", ".skip"])
      for (const part of await page.locator(name).all()) expect(await part.isVisible(), path).toBe(false);
    expect(await overflowOf(page), path).toEqual([]);
    expect(await page.evaluate(COLOURED), path).toEqual([]);
    expect(await page.evaluate(CUT_OFF), path).toEqual([]);
  }
  await page.goto(`${service.base}/docs`);
  const address = `getComputedStyle(document.querySelector("main a"), "::after").content`;
  expect(await page.evaluate(address)).toMatch(/\/docs\/\w+/);
  await context.close();
  expect(complaints).toEqual([]);
});

it("the documents fit windows of 320 and 1280 pixels and have no axe violations, light and dark", async () => {
  const { page, context, complaints } = await openPage(service.browser);
  for (const [index, path] of PAGES.entries()) {
    await page.goto(service.base + path);
    // The pages have the same parts, so axe sees each narrow in one scheme and wide in the other, in turns.
    for (const [place, width] of WIDTHS.entries()) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: (index + place) % 2 === 0 ? "light" : "dark" });
      expect(await overflowOf(page), `${path} ${width}`).toEqual([]);
      expect(await findingsOf(page), `${path} ${width}`).toEqual([]);
    }
  }
  await context.close();
  expect(complaints).toEqual([]);
});

describe.each(WIDTHS)("the documents in a window of %d pixels", (width) => {
  const viewport = { width, height: 800 };

  it("can be searched from every page, and a result links to its section", async () => {
    const { page, context, complaints } = await openPage(service.browser, { viewport });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${service.base}/docs/guide`);
    await page.getByLabel("Search").fill("LEAKED key");
    const result = page.getByRole("link", { name: "Runbook: A leaked key" });
    await result.waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await result.click();
    await page.waitForURL(`${service.base}/docs/runbook#a-leaked-key`);
    await page.getByLabel("Search").fill("no such word anywhere");
    await page.getByText("Nothing found.").waitFor();
    for (const url of asked) expect(url.startsWith(`${service.base}/`), url).toBe(true);
    await context.close();
    expect(complaints).toEqual([]);
  });
});

it("the API reference shows an example in each language on a phone", async () => {
  const { page, context, complaints } = await openPage(service.browser, {
    viewport: { width: 320, height: 800 },
    colorScheme: "dark",
  });
  await page.goto(`${service.base}/docs/api#/Links/updateLink`);
  const operation = page.locator("#operations-Links-updateLink .renderedMarkdown");
  for (const [language, call] of [
    ["curl", "curl -sS -i -X PATCH"],
    ["JavaScript", "await fetch("],
    ["Python", "urlopen(request)"],
  ] as const) {
    const example = operation.locator("details", { hasText: language });
    if (language !== "curl") await example.locator("summary").click();
    expect(await example.locator("pre").innerText()).toContain(call);
  }
  expect(await overflowOf(page)).toEqual([]);
  await context.close();
  expect(complaints).toEqual([]);
});

it("the documents can be read without JavaScript, which hides the search", async () => {
  const { page, context, complaints } = await openPage(service.browser, { javaScriptEnabled: false });
  await page.goto(`${service.base}/docs/runbook`);
  await page.getByRole("heading", { name: "A leaked key" }).waitFor();
  expect(await page.getByLabel("Search").isVisible()).toBe(false);
  await context.close();
  expect(complaints).toEqual([]);
});
