import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { ROOT, temporaryDirectory } from "../cli/terminal";
import { startDev } from "../commands/server";
import { freePort } from "../free-port";

const PATH = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const SCREENSHOTS = join(ROOT, ".screenshots");
/** Generous, so that no test fails on a busy machine. */
const PATIENCE_MS = 120_000;

/** Starts a new local service and a browser. */
export async function openService() {
  if (!existsSync(PATH)) {
    throw new Error(
      `There is no browser at ${PATH}. Install Debian's (apt-get install chromium), or name another in CHROMIUM.`,
    );
  }
  const state = temporaryDirectory();
  const { greeting } = await startDev(await freePort(), state);
  const browser = await chromium.launch({
    executablePath: PATH,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  return { ...greeting, state, browser };
}

export type Service = Awaited<ReturnType<typeof openService>>;

/** Opens a page in a new browser context. Errors and warnings of its scripts are in `complaints`. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    const refused = /Failed to load resource/.test(message.text());
    if (message.type() === "error" && !refused) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`${page.url()}: a dialogue opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { context, page, complaints };
}

/** Lists axe's findings on a page, each with rule and element. */
export async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations }: AxeResults = await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary ?? ""}`),
  );
}

const STICKING_OUT = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > clientWidth);
  return [scrollWidth - clientWidth + " pixels"].concat(wide.map((one) => one.tagName.toLowerCase() + " " + one.className + " " + one.textContent.slice(0, 40)));
})()`;

/** Lists the elements wider than the window, if the page scrolls sideways. */
export const overflowOf = (page: Page): Promise<string[]> => page.evaluate(STICKING_OUT);

export function clearScreenshots(): void {
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  mkdirSync(SCREENSHOTS, { recursive: true });
}

export const screenshot = (page: Page, name: string) =>
  page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });

/** Prints the page on A4, and counts the sheets. */
export async function countPages(page: Page, name: string): Promise<number> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const path = join(SCREENSHOTS, `${name}.pdf`);
  const pdf = await page.pdf({ path, format: "A4", preferCSSPageSize: true });
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** Opens the sign-in link, presses its button and waits for the list of links. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.locator("main").getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/app/sign-in");
  expect(new URL(page.url()).pathname).toBe("/app/demo/links");
}
