import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clearScreenshots,
  close,
  findingsOf,
  openPage,
  openService,
  overflowOf,
  type Service,
  screenshot,
  signIn,
} from "./chromium";
import { furnish } from "./furnish";

const WIDTHS = [320, 768, 1280];
const SCHEMES = ["light", "dark"] as const;
const MAX_PAGES = 80;

let service: Service;
let furnished: Awaited<ReturnType<typeof furnish>>;
beforeAll(async () => {
  service = await openService();
  furnished = await furnish(service);
  clearScreenshots();
});
afterAll(() => close(service));

/** A path without ids. Pages whose paths differ only in ids are of one kind. */
const kindOf = (path: string): string =>
  new URL(path, "http://any").pathname
    .replaceAll(/[0-9A-Z]{26}/g, "id")
    .replaceAll(/[^/]*(?:%40|@)[^/]*/g, "email");

const isPage = (path: string): boolean => !/\.csv|\.zip|\/qr(?:\?|$)|\/sign-/.test(path);

const nameOf = (kind: string): string => kind.slice(1).replaceAll("/", "-");

let pagesSeen = 0;

/**
 * Lists a page's problems at every width. Axe sees it narrow in one colour scheme and wide in the other; pages take turns. The
 * parts that all pages share, week.test.ts sees in both at each width. `open` loads the page, unless it is open.
 */
async function problemsOf(page: Page, called: string, open?: () => Promise<void>): Promise<string[]> {
  const problems: string[] = [];
  const [narrow, wide] = pagesSeen++ % 2 === 0 ? SCHEMES : SCHEMES.toReversed();
  await open?.();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const name = `${called}-${width}`;
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await screenshot(page, `${name}-${colorScheme}`);
    }
    problems.push(...(await overflowOf(page)).map((what) => `${name} is too wide: ${what}`));
    if (width === 768) continue;
    const colorScheme = width === 320 ? narrow : wide;
    await page.emulateMedia({ colorScheme });
    const found = await findingsOf(page);
    problems.push(...found.map((finding) => `${name}, ${colorScheme}: ${finding}`));
  }
  return problems;
}

const opening = (page: Page, path: string, status: number) => async () => {
  const answer = await page.goto(service.base + path);
  expect(`${path} ${answer?.status()}`).toBe(`${path} ${status}`);
};

describe("every page that can be reached by links", () => {
  it("fits its window, has no axe violations and logs no errors", async () => {
    const { page, context, complaints } = await openPage(service.browser);
    await signIn(page, service.web);
    const queue = ["/app/demo/links", furnished.link, furnished.rules, furnished.group, furnished.checked];
    const seen = new Set(queue.map(kindOf));
    // The clicks of the demo workspace are among them.
    const clicks = new Map([
      [furnished.link, /\b12\d,\d{3}\b/],
      [furnished.group, /\b37\d,\d{3}\b/],
    ]);
    const problems: string[] = [];
    for (const path of queue) {
      problems.push(...(await problemsOf(page, nameOf(kindOf(path)), opening(page, path, 200))));
      expect(await page.locator("main").innerText(), path).toMatch(clicks.get(path) ?? "");
      const links = await page.$$eval('a[href^="/app/"]', (anchors) =>
        anchors.map((anchor) => anchor.getAttribute("href") ?? ""),
      );
      for (const link of links) {
        if (!isPage(link) || seen.has(kindOf(link)) || seen.size >= MAX_PAGES) continue;
        seen.add(kindOf(link));
        queue.push(link);
      }
    }
    await context.close();
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe("a page that cannot be reached by links, or in another state", () => {
  it("fits its window, has no axe violations and logs no errors", async () => {
    const { page, context, complaints } = await openPage(service.browser);
    const problems: string[] = [];
    /** Checks a page that must contain an element. */
    const look = async (name: string, path: string, text: string | RegExp, status = 200) => {
      problems.push(...(await problemsOf(page, name, opening(page, path, status))));
      expect(await page.locator("main").innerText(), name).toMatch(text);
    };
    await look("sign-in", "/app/sign-in", "A link works once");
    await look("sign-in-used", "/app/sign-in?token=nothing", "does not sign in", 403);

    const { pathname, search } = new URL(furnished.chooser);
    await look("sign-in-link", pathname + search, "This link signs you in as");
    await page.locator("main").getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${service.base}/app`);
    await look("chooser", "/app", "Another workspace");
    await look("links-elsewhere", "/app/another/links", "link");
    await look(
      "overview-source",
      "/app/demo?source=www.example.com",
      "Visits by people, source www.example.com",
    );
    await look("link-country", `${furnished.link}?country=unknown`, "All visits");
    await look("group-device", `${furnished.group}?device=mobile&last=today`, "All visits");
    await look("links-clicked", "/app/demo/links?q=summer", /\b12\d,\d{3}\b/);
    await look("import-refused", `${furnished.checked}?show=refused`, "bit.ly");
    // The script of the page may have continued it.
    await look("import-running", furnished.running, /503 of 513 rows done|510 links were created/);
    await look("import-finished", furnished.finished, "5 links were created, and 3 rows were refused.");
    await look("group-of-a-year", `${furnished.group}?last=365`, "Channel");
    await look("not-found", "/app/demo/nothing-here", "Not found", 404);
    await look("no-such-link", "/app/demo/links/01JZ8Q4V6T3K9M2N5P7R8S0W1X", "Link not found.", 404);

    await page.goto(`${service.base}/app/demo/keys`);
    await page.getByLabel("Name").first().fill("A key with a name of several words");
    await page.getByRole("button", { name: "Create key" }).click();
    expect(await page.locator("h1").innerText()).toBe("Your new API key");
    // A reload would create another key.
    problems.push(...(await problemsOf(page, "new-key")));

    await page.goto(`${service.base}/app/demo/tags`);
    await page.getByText("New tag").click();
    await page
      .getByLabel("Name")
      .first()
      .fill(`A name that was typed ${"W".repeat(60)}`);
    await context.clearCookies();
    await page.getByRole("button", { name: "Create tag" }).click();
    expect(await page.locator("main").innerText()).toContain("A name that was typed");
    problems.push(...(await problemsOf(page, "signed-out")));
    await context.close();
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
