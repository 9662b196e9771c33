import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  close,
  findingsOf,
  openPage,
  openService,
  overflowOf,
  type Service,
  screenshot,
  signIn,
} from "./chromium";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => close(service));

const HOSTILE: Readonly<Record<string, string>> = {
  markup: `"><h1>big</h1></textarea></title><script>alert(1)</script><img src=x onerror="alert(2)">{{alert(3)}} <%= 4 %><!--`,
  direction: `<b>שלום</b> ${"ل".repeat(60)}`,
  emoji: "👩‍👩‍👧‍👦".repeat(36).slice(0, 255) + "🎉".repeat(60),
  unbroken: "W".repeat(255),
};

const TEXTS = Object.keys(HOSTILE).length;

/** Forms with text fields, by the paths of their pages. */
const FORMS = [
  "/app/demo/links/new",
  "/app/demo/groups/new",
  "/app/demo/tags",
  "/app/demo/assets/new",
  "/app/demo/keys",
  "/app/demo/workspace",
  "/app/demo/members",
];
const PAGES = ["links", "groups", "tags", "assets", "keys", "audit", "members", "workspace", "import"];

/** A form with a longer text is refused, and its page shows nothing of it. */
const MAX_CHARACTERS: Readonly<Record<string, number>> = { name: 100, colour: 32 };

/** Fills every text field of a page's largest form and submits it. */
async function fillAll(page: Page, text: string): Promise<void> {
  const forms = page.locator("main form").filter({ has: page.locator("input:visible, textarea:visible") });
  const form = forms.filter({ has: page.locator('button[type="submit"].primary') }).first();
  await page.evaluate("for (const part of document.querySelectorAll('main details')) part.open = true");
  for (const field of await form.locator("input:visible, textarea:visible").all()) {
    const type = (await field.getAttribute("type")) ?? "text";
    const name = (await field.getAttribute("name")) ?? "";
    if (
      !["text", "search", "url", "email"].includes(type) &&
      (await field.evaluate("(e) => e.tagName")) !== "TEXTAREA"
    )
      continue;
    const most = MAX_CHARACTERS[name] ?? 10_000;
    const value =
      name === "destination_url"
        ? "https://www.example.com/"
        : name === "link"
          ? "summer"
          : name === "slug"
            ? ""
            : text;
    await field.fill([...value].slice(0, most).join(""));
  }
  await form.locator('button[type="submit"].primary').first().click();
  // A click resolves when the next page starts to load, before its content is complete.
  await page.waitForLoadState("load");
}

const bigHeadings = (page: Page) => page.locator("h1", { hasText: /^big$/ }).count();

let opened: Awaited<ReturnType<typeof openPage>>;
beforeAll(async () => {
  opened = await openPage(service.browser, { viewport: { width: 320, height: 800 } });
  await signIn(opened.page, service.web);
});

async function look(where: string, withAxe: boolean): Promise<string[]> {
  const { page } = opened;
  const problems = (await overflowOf(page)).map((what) => `${where} is too wide: ${what}`);
  if ((await bigHeadings(page)) > 0) problems.push(`${where} has a heading of a user's`);
  if (withAxe) problems.push(...(await findingsOf(page)).map((finding) => `${where}: ${finding}`));
  return problems;
}

describe("every form field filled with", () => {
  it.each(Object.entries(HOSTILE).map(([name, text], index) => ({ name, text, index })))(
    "$name executes nothing and keeps the layout",
    async ({ text, index }) => {
      const { page, complaints } = opened;
      const problems: string[] = [];
      for (const [nth, path] of FORMS.entries()) {
        await page.goto(service.base + path);
        await fillAll(page, text);
        expect(await page.locator("h1").count(), path).toBe(1);
        // Axe sees every form once, and every text.
        problems.push(...(await look(`${path}, sent`, nth % TEXTS === index)));
      }
      expect(problems).toEqual([]);
      expect(complaints).toEqual([]);
    },
    300_000,
  );
});

describe("a list of all these texts", () => {
  it.each(PAGES)(
    "on the page %s executes nothing and keeps the layout, searched for each",
    async (section) => {
      const { page, complaints } = opened;
      await page.goto(`${service.base}/app/demo/${section}`);
      await screenshot(page, `hostile-${section}`);
      const problems = await look(section, true);
      for (const [name, text] of Object.entries(HOSTILE)) {
        const answer = await page.goto(`${service.base}/app/demo/${section}?q=${encodeURIComponent(text)}`);
        expect(`${name} ${answer?.status()}`).toBe(`${name} 200`);
        // The rows are those above, so axe looks at one search.
        problems.push(...(await look(`${section}, searched for ${name}`, name === "markup")));
      }
      expect(problems).toEqual([]);
      expect(complaints).toEqual([]);
    },
    300_000,
  );
});
