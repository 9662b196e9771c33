import "../../src/cli/node-version";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { cleanUp, ROOT } from "../cli/terminal";
import { prepareService } from "../service/prepare";
import { openPage, openService, signIn } from "./chromium";

// Takes the screenshots of the documents, from a new demo workspace. Run it after a page has changed,
// and look at the pictures before you commit them.

const FOLDER = join(ROOT, "src/docs/images");
const DESKTOP = { width: 1280, height: 800 };
const PAPER = { width: 1040, height: 520 };
const PHONE = { width: 390, height: 780 };

/** The first page of a list that a page links to. */
const first =
  (start: string, query = "") =>
  async (page: Page, base: string) => {
    await page.goto(base + start + query);
    const to = await page.locator(`main a[href^='${start}/0']`).first().getAttribute("href");
    if (to === null) throw new Error(`${start} lists nothing.`);
    return to;
  };

/** The print sheet of the assets of a link. */
async function printSheet(page: Page, base: string): Promise<string> {
  await page.goto(`${base}/app/demo/assets?link=summer`);
  const to = await page.locator("main a[href*='/assets/print']").first().getAttribute("href");
  if (to === null) throw new Error("The link has no print sheet.");
  return `${to}&caption=name&caption=place&caption=url&columns=3&size=80&marks=1`;
}

type Place = string | ((page: Page, base: string) => Promise<string>);

const PAGES: readonly (readonly [name: string, place: Place])[] = [
  ["overview", "/app/demo"],
  ["links", "/app/demo/links"],
  ["link", first("/app/demo/links", "?sort=-visits")],
  ["new-link", "/app/demo/links/new"],
  ["group", first("/app/demo/groups")],
  ["tags", "/app/demo/tags"],
  ["assets", "/app/demo/assets"],
  ["print-sheet", printSheet],
  ["import", "/app/demo/import"],
  ["people", "/app/demo/members"],
  ["changes", "/app/demo/audit"],
];

/** As they are on paper. */
const ON_PAPER: ReadonlySet<string> = new Set(["print-sheet"]);
const ON_PHONE: ReadonlySet<string> = new Set(["overview", "links"]);

async function take(page: Page, name: string): Promise<void> {
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  console.log(`${name}.png ${Math.round(statSync(path).size / 1024)} KiB`);
}

mkdirSync(FOLDER, { recursive: true });
const service = await openService(await prepareService());
try {
  const { page } = await openPage(service.browser, { viewport: DESKTOP, colorScheme: "light" });
  await signIn(page, service.web);
  for (const [name, place] of PAGES) {
    const path = typeof place === "string" ? place : await place(page, service.base);
    await page.goto(service.base + path);
    if (ON_PAPER.has(name)) {
      await page.emulateMedia({ media: "print" });
      await page.setViewportSize(PAPER);
    }
    await take(page, name);
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize(DESKTOP);
    if (!ON_PHONE.has(name)) continue;
    await page.setViewportSize(PHONE);
    await take(page, `${name}-phone`);
    await page.setViewportSize(DESKTOP);
  }
} finally {
  await service.stop();
  cleanUp();
}
