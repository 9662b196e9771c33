import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp } from "../cli/terminal";
import {
  clearScreenshots,
  findingsOf,
  openPage,
  openService,
  overflowOf,
  type Service,
  screenshot,
  signIn,
} from "./chromium";

const WIDTHS = [320, 768, 1280];
const SCHEMES = ["light", "dark"] as const;
const MOST_PAGES = 80;

let service: Service;
beforeAll(async () => {
  service = await openService();
  clearScreenshots();
}, 120_000);
afterAll(async () => {
  await service?.browser.close();
  cleanUp();
});

/** A path with its ids left out: pages that differ in no more are one. */
const kindOf = (path: string): string =>
  new URL(path, "http://any").pathname
    .replaceAll(/[0-9A-Z]{26}/g, "id")
    .replaceAll(/[^/]*(?:%40|@)[^/]*/g, "email");

const isPage = (path: string): boolean => !/\.csv|\/qr(?:\?|$)|\/sign-/.test(path);

describe("every page that links lead to", () => {
  it("fits its window, is found right by axe, and complains of nothing", async () => {
    const { page, context, complaints } = await openPage(service.browser);
    await signIn(page, service.web);
    const queue = ["/app/demo/links"];
    const seen = new Map(queue.map((path) => [kindOf(path), path]));
    const problems: string[] = [];
    for (const path of queue) {
      for (const scheme of SCHEMES) {
        await page.emulateMedia({ colorScheme: scheme });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const answer = await page.goto(service.base + path);
          expect(`${path} ${answer?.status()}`).toBe(`${path} 200`);
          const name = `${kindOf(path).slice(1).replaceAll("/", "-")}-${width}-${scheme}`;
          await screenshot(page, name);
          problems.push(...(await overflowOf(page)).map((what) => `${name} is too wide: ${what}`));
          if (width !== 768)
            problems.push(...(await findingsOf(page)).map((finding) => `${name}: ${finding}`));
        }
      }
      const links = await page.$$eval('a[href^="/app/"]', (anchors) =>
        anchors.map((anchor) => anchor.getAttribute("href") ?? ""),
      );
      for (const link of links) {
        if (!isPage(link) || seen.has(kindOf(link)) || seen.size >= MOST_PAGES) continue;
        seen.set(kindOf(link), link);
        queue.push(link);
      }
    }
    await context.close();
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
  }, 600_000);
});
