import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { expect } from "vitest";
import { cleanUp, ROOT } from "../cli/terminal";
import type { Prepared } from "../service/prepare";
import { type Service as LocalService, startService } from "../service/start";

export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const SCREENSHOTS = join(ROOT, ".screenshots");
/** Generous, so that no test fails on a busy machine. */
const PATIENCE_MS = 300_000;

export interface Service extends LocalService {
  browser: Browser;
}

export async function launch(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(
      `There is no browser at ${CHROMIUM}. Install Debian's (apt-get install chromium), or name another in CHROMIUM.`,
    );
  }
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

/** Starts a new local service and a browser. */
export async function openService(prepared?: Prepared): Promise<Service> {
  const [service, browser] = await Promise.all([startService(prepared), launch()]);
  const stop = async () => {
    await browser.close();
    await service.stop();
  };
  return { ...service, browser, stop };
}

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

/** The rules about colours. Nothing but colours differs between light and dark. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Its smaller file, which a page takes in faster. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function runAxe(page: Page, options: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const { violations }: AxeResults = await page.evaluate(
    `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], ...options })})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary ?? ""}`),
  );
}

/** Lists axe's findings on a page, each with rule and element. */
export const findingsOf = (page: Page): Promise<string[]> =>
  runAxe(page, { rules: { "target-size": { enabled: true } } });

/** Lists axe's findings on a page in light colours, and those about colours in dark. */
export async function findingsInBothSchemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await findingsOf(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await runAxe(page, { runOnly: COLOUR_RULES });
  await page.emulateMedia({ colorScheme: "light" });
  return [...light, ...dark.map((finding) => `dark: ${finding}`)];
}

const STICKING_OUT = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > clientWidth);
  return [scrollWidth - clientWidth + " pixels"].concat(wide.map((one) => one.tagName.toLowerCase() + " " + one.className + " " + one.textContent.slice(0, 40)));
})()`;

/** Lists the elements wider than the window, if the page scrolls sideways. */
export async function overflowOf(page: Page): Promise<string[]> {
  // A click resolves when the next page starts to load, before its styles have come.
  await page.waitForLoadState("load");
  return page.evaluate(STICKING_OUT);
}

/** Screenshots are for people, and take a quarter of the time. */
const TAKES_SCREENSHOTS = process.env["SCREENSHOTS"] !== undefined;

export function clearScreenshots(): void {
  if (!TAKES_SCREENSHOTS) return;
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  mkdirSync(SCREENSHOTS, { recursive: true });
}

/** Takes a picture of a whole page, if the environment has `SCREENSHOTS`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (TAKES_SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** Prints the page on A4, and counts the sheets. */
export async function countPages(page: Page, name: string): Promise<number> {
  const path = TAKES_SCREENSHOTS ? join(SCREENSHOTS, `${name}.pdf`) : undefined;
  const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true, ...(path !== undefined && { path }) });
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** Opens the sign-in link, presses its button, and goes on from the overview to the list of links. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.locator("main").getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/app/sign-in");
  expect(new URL(page.url()).pathname).toBe("/app/demo");
  await page.goto(new URL("/app/demo/links", page.url()).href);
}

/** A service, and a page of the demo's owner. */
export async function openOwner() {
  const service = await openService();
  const opened = await openPage(service.browser);
  await signIn(opened.page, service.web);
  return { service, opened, page: opened.page };
}

/** Stops a service after the tests of a file. */
export async function close(service: Service | undefined, complaints: readonly string[] = []): Promise<void> {
  expect(complaints).toEqual([]);
  await service?.stop();
  cleanUp();
}

export type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Signs in as the demo's owner, for the contexts of a test. */
export async function openSession({ browser, web }: Service): Promise<Session> {
  const { page, context } = await openPage(browser);
  await signIn(page, web);
  const session = await context.storageState();
  await context.close();
  return session;
}
