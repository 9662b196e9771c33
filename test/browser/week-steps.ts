import { readFileSync } from "node:fs";
import { get } from "node:http";
import Papa from "papaparse";
import type { Page } from "playwright-core";
import { rasterise, read } from "../resources/qr/decode";

// What people do on a page, with scripts or without, in any window, and the file that they import.

const VISITOR = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36",
};

export const press = (page: Page, name: string | RegExp) =>
  page.locator("main").getByRole("button", { name }).first().click();
export const follow = (page: Page, name: string | RegExp) =>
  page.locator("main").getByRole("link", { name }).first().click();
export const said = (page: Page, text: string) =>
  page.locator("main .notice", { hasText: text }).first().waitFor();

const menuOf = (page: Page) => page.locator("details.menu > summary");

/** Goes to a page of the settings, which the menu of a phone has too. Returns the number of clicks. */
export async function setting(page: Page, name: string): Promise<number> {
  if (await menuOf(page).isVisible()) return section(page, name);
  const clicks = await section(page, "Settings");
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  return clicks + 1;
}

/** Goes to a section of the workspace by the menu, which is folded on a phone. Returns the number of clicks. */
export async function section(page: Page, name: string): Promise<number> {
  const isFolded = await menuOf(page).isVisible();
  if (isFolded) await menuOf(page).click();
  await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name }).first().click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  return isFolded ? 2 : 1;
}

/**
 * Takes an option of a list. The script makes a long list a field that is searched. Returns how often something was clicked,
 * filled in or selected.
 */
export async function choose(page: Page, label: string, option: string): Promise<number> {
  const field = page.locator("main").getByRole("combobox", { name: label }).first();
  if ((await field.and(page.locator("select")).count()) > 0) {
    const value = await field.locator("option", { hasText: option }).first().getAttribute("value");
    await field.selectOption(value);
    return 1;
  }
  await field.fill(option);
  await page.getByRole("option", { name: option }).first().click();
  return 2;
}

/** The text of the first QR code on a page. */
export async function codeOn(page: Page, selector: string): Promise<string | undefined> {
  const source = (await page.locator(selector).first().getAttribute("src")) ?? "";
  // A sheet to print carries its codes itself.
  if (source.startsWith("data:")) return read(rasterise(await (await fetch(source)).text()));
  // The service may close an idle connection while the next request is sent on it.
  const picture = await page.request.get(new URL(source, page.url()).href, { maxRetries: 3 });
  return read(rasterise(await picture.text()));
}

/** Where a visitor is sent. Each has a connection of their own, since the service may close an idle one just before it is used. */
export const visit = (url: string): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers: VISITOR }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.headers.location ?? null));
    });
    request.on("error", reject);
  });

export async function download(page: Page, start: () => Promise<void>): Promise<string> {
  const waiting = page.waitForEvent("download");
  await start();
  return readFileSync(await (await waiting).path(), "utf8").replace(/^\uFEFF/, "");
}

export interface Team {
  base: string;
  owner: Page;
  editor: Page;
  hasScript: boolean;
  /** The name of the campaign, with which its slugs begin. */
  name: string;
  /** Checks the page as it is now: its width, axe's findings. */
  look: (page: Page, what: string) => Promise<void>;
}

export const LINKS = 60;
export const NEWSLETTERS = 20;

export const slugOf = (name: string, index: number): string => `${name}-${index}`;

export function fileOf(name: string): string {
  const rows = Array.from({ length: LINKS }, (_, index) => ({
    url: `https://www.example.com/${name}/${index}`,
    slug: slugOf(name, index),
    title: `${index < NEWSLETTERS ? "Newsletter" : "Partner"} ${index} of ${name}`,
    tags: `Partners of ${name}`,
  }));
  return Papa.unparse(rows);
}
