import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findingsInBothSchemes, launch, openPage } from "./chromium";

// The components on one page, which a developer opens as a file. Fonts differ between systems, so boxes and colours are
// compared, not pixels.

const EXAMPLES = new URL("examples.html", import.meta.url).href;

/** The colours, the type and the height of each example, a line each. */
const DESCRIBE = `[...document.querySelectorAll("[data-example]")].map((element) => {
  const style = getComputedStyle(element);
  const shown = ["color", "backgroundColor", "borderTopColor", "borderTopLeftRadius", "fontSize", "fontWeight"];
  const height = Math.round(element.getBoundingClientRect().height / 4) * 4;
  return [element.dataset.example, height + "px", ...shown.map((name) => style[name])].join(" | ");
}).join("\\n")`;

let browser: Awaited<ReturnType<typeof launch>>;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

it.each([
  [1280, "light"],
  [1280, "dark"],
  [390, "light"],
] as const)("the components at %i, %s, look as they did", async (width, colorScheme) => {
  const { page, context } = await openPage(browser, { viewport: { width, height: 900 }, colorScheme });
  await page.goto(EXAMPLES);
  const lines = await page.evaluate<string>(DESCRIBE);
  await expect(`${lines}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL(`examples/${width}-${colorScheme}.txt`, import.meta.url)),
  );
  expect(await findingsInBothSchemes(page)).toEqual([]);
  await context.close();
});
