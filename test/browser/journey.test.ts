import { readFileSync } from "node:fs";
import Papa from "papaparse";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp } from "../operations/cli/terminal";
import { openPage, openService, type Service, signIn } from "./chromium";

let service: Service;
beforeAll(async () => {
  service = await openService();
}, 120_000);
afterAll(async () => {
  await service?.stop();
  cleanUp();
});

/** A new sign-in link from the operator's command. */
const signInLink = async (): Promise<string> =>
  (await service.admin("member", "sign-in", "--email", "owner@demo.example")).sign_in.url;

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();
const follow = (page: Page, name: string | RegExp) =>
  page.locator("main").getByRole("link", { name }).first().click();
const fill = (page: Page, label: string, value: string) =>
  page.getByLabel(label, { exact: false }).first().fill(value);
const said = (page: Page) => page.locator("main .notice").first().innerText();
const section = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name }).click();

const BAD = [
  ["javascript:alert(1)", ""],
  ["", "no-destination"],
  ["https://127.0.0.1/", ""],
  ["https://www.example.com/", "api"],
  ["https://www.example.com/", "two words"],
  ["https://www.example.com/", "summer"],
  ["https://user@www.example.com/", ""],
  ["https://bit.ly/x", ""],
  ["ftp://www.example.com/", ""],
  ["https://localhost/", ""],
  ["https://www.example.com/a b", ""],
  [`https://www.example.com/${"a".repeat(2100)}`, ""],
] as const;
const ROWS = 500;

/** 500 rows, of which every fortieth is invalid, with the row numbers of a spreadsheet. */
function fileOf(name: string) {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const bad = index % 40 === 20 ? BAD[(index - 20) / 40] : undefined;
    const [url, slug] = bad ?? [`https://www.example.com/${name}/${index}`, `${name}-${index}`];
    return { url, slug, title: `Row ${index}, "${name}"`, tags: "Print, Imported" };
  });
  const bad = rows.flatMap(({ title }, index) =>
    index % 40 === 20 && index < 500 ? [{ title, number: index + 2 }] : [],
  );
  return { csv: `\uFEFF${Papa.unparse(rows)}`, bad: bad.slice(0, BAD.length) };
}

interface Exported {
  [column: string]: string;
}

async function exported(page: Page): Promise<Exported[]> {
  await section(page, "Import and export");
  const waiting = page.waitForEvent("download");
  await page.locator('a[href$="/export.csv"]').click();
  const path = await (await waiting).path();
  const { data } = Papa.parse<Exported>(readFileSync(path, "utf8").replace(/^\uFEFF/, ""), {
    header: true,
    skipEmptyLines: true,
  });
  // The creation time differs between links.
  return data
    .map(({ created_at: _, ...row }) => row)
    .sort((one, other) => (one["slug"] ?? "").localeCompare(other["slug"] ?? ""));
}

async function importFile(page: Page, name: string, csv: string): Promise<void> {
  await section(page, "Import and export");
  await page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(csv) });
  await press(page, "Check the file");
}

/** Continues an import to its end, by the page's script or its button. */
async function finish(page: Page, hasScript: boolean): Promise<void> {
  const finished = page.getByRole("heading", { name: "Finished" });
  const goOn = page.getByRole("button", { name: "Go on" });
  await press(page, /^Import \d/);
  for (let turn = 0; turn < 50; turn++) {
    // A click resolves when the next page starts to load, before its content is complete.
    await finished.or(goOn).first().waitFor();
    if ((await finished.count()) > 0) return;
    if (hasScript) await page.waitForTimeout(200);
    else await goOn.first().click();
  }
  await finished.waitFor();
}

describe.each([
  { how: "with JavaScript", hasScript: true, name: "autumn" },
  { how: "without JavaScript", hasScript: false, name: "winter-fair" },
])("a day's work $how", ({ hasScript, name }) => {
  it("goes from the printed sign-in link to signing out", async () => {
    const { page, context, complaints } = await openPage(service.browser, {
      javaScriptEnabled: hasScript,
      acceptDownloads: true,
    });
    const link = hasScript ? service.web : await signInLink();
    await signIn(page, link);
    expect(page.url()).not.toContain("token");
    // Before the list of links, to which the test went, and the overview.
    await page.goBack();
    await page.goBack();
    expect(page.url().includes("token")).toBe(!hasScript);
    expect(await page.locator("main").getByRole("button", { name: "Sign in" }).count()).toBe(0);
    await page.goto(link);
    expect(await page.locator("h1").innerText()).toBe("This link does not sign in");
    await page.goto(`${service.base}/app`);

    // Create a group and a link in it.
    await section(page, "Activity Groups");
    await follow(page, /New Activity Group|Create/);
    await fill(page, "Name", `Campaign ${name}`);
    await press(page, "Create Activity Group");
    expect(await said(page)).toContain("created");
    await follow(page, /new link/i);
    await fill(page, "Destination", "https://www.example.com/");
    await fill(page, "Short link", `${name}-poster`);
    await press(page, "Create the link");
    // The link leads back to its group, which lists it.
    expect(await said(page)).toContain(`/${name}-poster`);
    expect(await page.locator("h1").innerText()).toContain(`Campaign ${name}`);
    await follow(page, new RegExp(`${name}-poster`));
    await page.getByText("More", { exact: true }).waitFor();
    const linkPage = page.url();

    // A link on a live poster cannot be deleted.
    await page.getByText("More", { exact: true }).click();
    await follow(page, /poster, flyer/);
    await fill(page, "Name", `Poster ${name}`);
    await press(page, "Create asset");
    await press(page, "Make it live");
    expect(await said(page)).toContain("live");
    await page.goto(linkPage);
    expect(await page.getByText("cannot be deleted while it is on a live").innerText()).toBeTruthy();
    expect(await page.getByText("Delete it for good").count()).toBe(0);

    // Create a key and call the API with it.
    await section(page, "API keys");
    await fill(page, "Name", `key ${name}`);
    await press(page, "Create key");
    const key = (await page.locator("pre").first().innerText()).trim();
    const answer = await fetch(`${service.base}/api/v1/links?slug=${name}-poster`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(await answer.json()).toMatchObject({ links: [{ slug: `${name}-poster` }] });
    await section(page, "API keys");
    expect(await page.content()).not.toContain(key);

    // Import 500 rows. Twelve are invalid and listed.
    const { csv, bad } = fileOf(name);
    expect(bad).toHaveLength(12);
    await importFile(page, `${name}.csv`, csv);
    await follow(page, /refused/i);
    const refused = await page.locator("table.list tbody tr").allInnerTexts();
    expect(refused).toHaveLength(12);
    for (const { title, number } of bad) {
      const row = refused.find((text) => text.includes(title));
      expect(row?.trim()).toMatch(new RegExp(`^${number}\\b`));
    }
    await finish(page, hasScript);
    expect(await page.getByText("488 links were made").count()).toBe(1);

    // Export, delete some links and import again. Nothing differs.
    const before = await exported(page);
    expect(before.length).toBeGreaterThan(488);
    for (const number of [498, 499]) {
      await section(page, "Links");
      await page.locator('main input[name="q"]').fill(`${name}/${number}`);
      await page
        .locator("main form")
        .getByRole("button", { name: /show|search|find|apply/i })
        .first()
        .click();
      await page
        .locator("main table.list a")
        .filter({ hasText: `Row ${number}, ` })
        .first()
        .click();
      await page.getByText("Delete the link").first().click();
      await press(page, "Delete it for good");
      expect(await said(page)).toContain("deleted");
    }
    expect(await exported(page)).toHaveLength(before.length - 2);
    await importFile(page, "again.csv", Papa.unparse(before));
    await finish(page, hasScript);
    expect(await page.getByText("2 links were made").count()).toBe(1);
    expect(await exported(page)).toEqual(before);

    // Archive the link and sign out.
    await page.goto(linkPage);
    await page.getByText("More", { exact: true }).click();
    await press(page, "Archive");
    expect(await said(page)).toContain("Archived");
    await press(page, "Sign out");
    await page.goto(linkPage);
    expect(new URL(page.url()).pathname).toBe("/app/sign-in");
    expect(complaints).toEqual([]);
    await context.close();
  }, 300_000);
});
