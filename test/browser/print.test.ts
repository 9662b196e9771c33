import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCodeBranding } from "../../src/resources/code-brandings/code-branding-service";
import { createAssets } from "../../src/resources/engagement/asset-service";
import { createLink } from "../../src/resources/links/create-link";
import { getWorkspace } from "../../src/resources/workspaces/workspace-service";
import { withoutDensity } from "../console/engagement/density";
import {
  close,
  countPages,
  findingsOf,
  openPage,
  openService,
  openSession,
  overflowOf,
  type Service,
  screenshot,
} from "./chromium";

const WIDTHS = [320, 390, 768, 1280];
const PIXELS_PER_MM = 96 / 25.4;
const PLACES = Array.from({ length: 40 }, (_, index) => ({
  name: `Poster ${index + 1}`,
  place: `Platz ${index + 1}, Zürich`,
}));

let service: Service;
let session: Awaited<ReturnType<typeof openSession>>;
beforeAll(async () => {
  service = await openService();
  session = await openSession(service);
});
afterAll(() => close(service));

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();

/** The problems of the page at every width. */
async function problemsOf(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await screenshot(page, `${name}-${width}`);
    problems.push(...(await overflowOf(page)).map((what) => `${name} at ${width}: ${what}`));
  }
  return [...problems, ...(await findingsOf(page))];
}

/** The widths of the codes in pixels, and whether all pictures have come. */
const codesOn = (page: Page): Promise<{ widths: number[]; complete: boolean }> =>
  page.evaluate(`(async () => {
    const codes = [...document.querySelectorAll(".sheet img")];
    await Promise.all(codes.map((code) => code.decode()));
    return {
      widths: [...new Set(codes.map((code) => Math.round(code.getBoundingClientRect().width)))],
      complete: codes.length > 0 && codes.every((code) => code.complete && code.naturalWidth > 0),
    };
  })()`);

it("forty posters are printed in the size that was chosen, and their pages fit every window", async () => {
  const { page, context, complaints } = await openPage(service.browser, { storageState: session });
  const demo = { ...service.ctx, workspace: await getWorkspace(service.ctx, "demo") };
  const assets = await createAssets(demo, { link: "summer", kind: "poster", assets: PLACES });
  await page.goto(`${service.base}/app/demo/assets/several`);
  await page.getByRole("combobox", { name: "Link" }).fill("summer");
  await page.getByLabel("List").fill(`name;place;quantity\nA;Bern;x\n${"W".repeat(120)};Thun`);
  await press(page, "Check the list");
  const problems = await problemsOf(page, "several");
  await page.goto(`${service.base}/app/demo/assets`);
  problems.push(...(await problemsOf(page, "assets")));
  await page.goto(`${service.base}/app/demo/assets/print?${assets.map(({ id }) => `id=${id}`).join("&")}`);
  problems.push(...(await problemsOf(page, "sheet")));
  await page.getByLabel("Code width in mm").fill("40");
  await page.getByLabel("Columns").fill("4");
  await page.getByLabel("Cut marks").check();
  await press(page, "Update the sheet");
  problems.push(...(await problemsOf(page, "sheet-marked")));
  expect(problems).toEqual([]);

  await page.emulateMedia({ media: "print" });
  // The marks of two labels stay apart.
  expect(
    await page.evaluate(`(() => {
      const insetOf = (name, part, side) => getComputedStyle(document.querySelector(name), part)[side];
      return [
        insetOf(".sheet li", "::before", "top"),
        insetOf(".sheet li", "::after", "bottom"),
        insetOf(".sheet figure", "::before", "left"),
        insetOf(".sheet figure", "::after", "right"),
      ].map((inset) => Math.round(parseFloat(inset)));
    })()`),
  ).toEqual(Array(4).fill(Math.round(PIXELS_PER_MM)));
  expect(await codesOn(page)).toEqual({ widths: [Math.round(40 * PIXELS_PER_MM)], complete: true });
  expect(await page.locator("form").first().isVisible()).toBe(false);
  // Ten rows of four. A row is 48 mm and three or four lines high, so four have room on a page.
  expect(await countPages(page, "sheet-marked")).toBe(3);
  await page.emulateMedia({ media: "screen" });

  expect(complaints).toEqual([]);
  await context.close();
});

it("a branded code is saved as a PNG of the chosen size, with the density of print", async () => {
  const { page, context, complaints } = await openPage(service.browser, { storageState: session });
  const demo = { ...service.ctx, workspace: await getWorkspace(service.ctx, "demo") };
  await createCodeBranding(demo, { name: "Blue", colour: "#003366", logo: "none", call: "Scan me" });
  const link = await createLink(demo, { destination_url: "https://www.example.com/", slug: "branded" });
  await page.goto(`${service.base}/app/demo/brandings?link=${link.id}`);
  const waiting = page.waitForEvent("download");
  await press(page, "PNG, 25 mm");
  const file = await waiting;
  expect(file.suggestedFilename()).toBe("branded-25mm.png");
  const png = readFileSync(await file.path());
  expect(png.readUInt32BE(16)).toBe(295);
  expect(png.indexOf("pHYs", 0, "latin1")).toBe(png.lastIndexOf("pHYs", undefined, "latin1"));
  expect(withoutDensity(png).length).toBe(png.length - 21);
  // The browser reads it as a picture.
  const url = `data:image/png;base64,${png.toString("base64")}`;
  expect(
    await page.evaluate(`(async () => {
      const image = new Image();
      image.src = ${JSON.stringify(url)};
      await image.decode();
      return image.naturalWidth;
    })()`),
  ).toBe(295);
  expect(complaints).toEqual([]);
  await context.close();
});
