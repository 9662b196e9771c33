import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  close,
  findingsInBothSchemes,
  findingsOf,
  openPage,
  openService,
  overflowOf,
  type Service,
} from "./chromium";

const PAGES = [
  "/docs",
  "/docs/guide",
  "/docs/reference",
  "/docs/automate",
  "/docs/operating",
  "/docs/runbook",
  "/docs/limits",
];

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => close(service));

describe.each([320, 1280])("the documents in a window of %d pixels", (width) => {
  const viewport = { width, height: 800 };

  it("fit the window and have no axe violations, light and dark", async () => {
    const { page, context, complaints } = await openPage(service.browser, { viewport });
    for (const path of PAGES) {
      await page.goto(service.base + path);
      expect(await overflowOf(page), path).toEqual([]);
      expect(await findingsInBothSchemes(page), path).toEqual([]);
    }
    await context.close();
    expect(complaints).toEqual([]);
  });

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
