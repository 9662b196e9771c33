import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { close, openOwner, openPage, type Service } from "./chromium";
import { furnish } from "./furnish";

// The overview, and the charts of all pages, in Chromium.

let service: Service;
let made: Awaited<ReturnType<typeof furnish>>;
let opened: Awaited<ReturnType<typeof openPage>>;
let page: Page;
beforeAll(async () => {
  ({ service, opened, page } = await openOwner());
  made = await furnish(service);
});
afterAll(() => close(service, opened.complaints));

const open = (path: string) => page.goto(service.base + path);
const chart = () => page.getByRole("slider", { name: /^Clicks and scans by people: / });
const tooltip = () => page.locator(".tooltip:visible");
/** The words of the tooltip, or of what screen readers announce. */
const wordsOf = (text: string | null) => text?.replaceAll(/[\s,]+/g, " ");

describe("a row of a breakdown", () => {
  it("filters the page with the keys and without scripts, until its chip is removed", async () => {
    const storageState = await opened.context.storageState();
    const { page: plain, context } = await openPage(service.browser, {
      storageState,
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    });
    for (const one of [page, plain]) {
      await one.goto(`${service.base}/app/demo?last=7&compare=0`);
      await one.locator('label[for="origins-country"]').click();
      await one.getByRole("link", { name: "Switzerland" }).focus();
      await one.keyboard.press("Enter");
      await one.waitForURL(({ search }) => search === "?last=7&compare=0&country=CH");
      await one.getByRole("link", { name: "Remove Country Switzerland" }).focus();
      await one.keyboard.press("Enter");
      await one.waitForURL(({ search }) => search === "?last=7&compare=0");
    }
    await context.close();
  });
});

describe("a chart", () => {
  it("is read point by point with the keys, which screen readers announce", async () => {
    await open("/app/demo?last=7");
    const plot = chart();
    await plot.focus();
    const texts = [await plot.getAttribute("aria-valuetext")];
    expect(texts[0]).toMatch(/, so far, Clicks \d+, Scans \d+, Before \d+$/);
    expect(wordsOf(await tooltip().innerText())).toBe(wordsOf(texts[0] ?? null));
    for (const key of ["ArrowLeft", "Home", "ArrowLeft", "End", "ArrowRight"]) {
      await page.keyboard.press(key);
      texts.push(await plot.getAttribute("aria-valuetext"));
      expect(wordsOf(await tooltip().innerText())).toBe(wordsOf(texts.at(-1) ?? null));
    }
    const [last, before, first, stillFirst, end, stillEnd] = texts;
    expect(new Set([last, before, first]).size).toBe(3);
    expect([stillFirst, end, stillEnd]).toEqual([first, last, last]);
    await page.keyboard.press("Escape");
    expect(await tooltip().count()).toBe(0);
    await plot.focus();
    await page.keyboard.press("Tab");
    expect(await tooltip().count()).toBe(0);
  });

  it("shows the point under the pointer, within the page, and nothing once it has left", async () => {
    await open("/app/demo?last=7");
    const box = await chart().boundingBox();
    if (box === null) throw new Error("The chart has no box.");
    const days = new Set<string>();
    for (const share of [0.01, 0.5, 0.99]) {
      await page.mouse.move(box.x + box.width * share, box.y + 20);
      days.add(await tooltip().innerText());
      const tip = await tooltip().boundingBox();
      expect(tip?.x).toBeGreaterThanOrEqual(box.x - 1);
      expect((tip?.x ?? 0) + (tip?.width ?? 0)).toBeLessThanOrEqual(box.x + box.width + 1);
    }
    expect(days.size).toBe(3);
    await page.mouse.move(box.x, box.y - 200);
    expect(await tooltip().count()).toBe(0);
  });

  it("shows the point that is touched", async () => {
    const state = await opened.context.storageState();
    const phone = await openPage(service.browser, {
      storageState: state,
      viewport: { width: 320, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.page.goto(`${service.base}/app/demo?last=7`);
    const plot = phone.page.locator(".plot").first();
    await plot.tap({ position: { x: 10, y: 20 } });
    const first = await phone.page.locator(".tooltip:visible").innerText();
    await plot.tap({ position: { x: 200, y: 20 } });
    expect(await phone.page.locator(".tooltip:visible").innerText()).not.toBe(first);
    expect(phone.complaints).toEqual([]);
    await phone.context.close();
  });
});

describe("the tabs of sources, countries and devices", () => {
  it("need no script, and are changed with the keys", async () => {
    const state = await opened.context.storageState();
    const plain = await openPage(service.browser, { storageState: state, javaScriptEnabled: false });
    await plain.page.goto(`${service.base}/app/demo`);
    const shown = () => plain.page.locator(".tabs > table:visible caption").allInnerTexts();
    expect(await shown()).toEqual(["Sources"]);
    await plain.page.getByText("Countries", { exact: true }).first().click();
    expect(await shown()).toEqual(["Countries"]);
    await plain.page.keyboard.press("ArrowRight");
    expect(await shown()).toEqual(["Devices"]);
    await plain.context.close();
  });
});

describe("the tab that a person opened", () => {
  it("stays open in another range, with a filter and without", async () => {
    const shown = () => page.locator(".tabs > table:visible caption").allInnerTexts();
    const toRange = async (name: string) => {
      await page.locator(".range summary").click();
      await page.getByRole("link", { name, exact: true }).click();
      await page.waitForURL(/last=/);
    };
    await open("/app/demo");
    await page.locator('label[for="origins-country"]').click();
    await toRange("Last 90 days");
    expect(await shown()).toEqual(["Countries"]);
    await page.getByRole("link", { name: "Switzerland" }).click();
    await page.waitForURL(/country=CH/);
    const chosen = page.locator('.tabs a[aria-current="true"]:visible');
    expect([await shown(), await chosen.allInnerTexts()]).toEqual([["Countries"], ["Switzerland"]]);
    await page.locator('label[for="origins-device"]').click();
    await toRange("Last 7 days");
    expect(await shown()).toEqual(["Devices"]);
    // Another filter opens its own tab.
    await open("/app/demo?country=DE");
    expect(await shown()).toEqual(["Countries"]);
  });
});

describe("a menu that opens over the page", () => {
  it("closes with Escape, and when the person goes on elsewhere", async () => {
    await open(made.link);
    const more = page.getByText("More", { exact: true });
    const duplicate = page.getByRole("link", { name: "Duplicate" });
    await more.click();
    expect(await duplicate.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await duplicate.isVisible()).toBe(false);
    await more.click();
    await page.locator("h1").click();
    expect(await duplicate.isVisible()).toBe(false);
  });
});
