import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  close,
  findingsOf,
  openPage,
  openService,
  openSession,
  overflowOf,
  type Service,
  type Session,
} from "./chromium";
import { friday, monday, thursday, tuesday, wednesday } from "./week-days";
import type { Team } from "./week-steps";

// A week of a marketing team, once with scripts and once without. The window changes every day.

const WIDTHS = [320, 768, 1280] as const;
const SCHEMES = ["light", "dark"] as const;

const HEIGHT = 900;
const COLOUR_SCHEME = `matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"`;

type Window = readonly [width: (typeof WIDTHS)[number], scheme: (typeof SCHEMES)[number]];

const DAYS = { monday, tuesday, wednesday, thursday, friday };

/** The windows of the five days. Not every combination is met, but every pair of width, colours and scripts. */
const WEEKS = [
  {
    how: "with scripts",
    hasScript: true,
    name: "spring",
    windows: [
      [1280, "light"],
      [320, "dark"],
      [768, "light"],
      [320, "light"],
      [1280, "dark"],
    ],
  },
  {
    how: "without scripts",
    hasScript: false,
    name: "autumn",
    windows: [
      [320, "light"],
      [1280, "dark"],
      [320, "dark"],
      [768, "light"],
      [768, "dark"],
    ],
  },
] as const satisfies readonly { windows: readonly Window[]; [part: string]: unknown }[];

let service: Service;
let session: Session;
beforeAll(async () => {
  service = await openService();
  session = await openSession(service);
});
afterAll(() => close(service));

/** Shows a page in a browser with scripts, without its own, since axe is one. It stays while the content changes. */
async function openCopy(): Promise<(page: Page) => Promise<Page>> {
  const { page: copy } = await openPage(service.browser);
  await copy.route("**/console.js", (route) => route.abort());
  await copy.route(
    (url) => url.pathname.startsWith("/app/") && !url.pathname.includes("."),
    (route) =>
      route.request().isNavigationRequest()
        ? route.fulfill({ contentType: "text/html", body: "" })
        : route.abort(),
  );
  await copy.goto(`${service.base}/app/`);
  return async (page) => {
    await copy.setViewportSize(page.viewportSize() ?? { width: WIDTHS[0], height: HEIGHT });
    await copy.emulateMedia({ colorScheme: await page.evaluate(COLOUR_SCHEME) });
    await copy.setContent(await page.content());
    return copy;
  };
}

it("the weeks have every pair of width, colours and scripts", () => {
  const pairs = new Set(
    WEEKS.flatMap(({ hasScript, windows }) =>
      windows.flatMap(([width, scheme]) => [
        `${width} ${scheme}`,
        `${width} ${hasScript}`,
        `${scheme} ${hasScript}`,
      ]),
    ),
  );
  expect(pairs.size).toBe(WIDTHS.length * SCHEMES.length + WIDTHS.length * 2 + SCHEMES.length * 2);
});

describe.each(WEEKS)("a week of a marketing team $how", ({ hasScript, name, windows }) => {
  it("goes from the invitation of an editor to the end of a campaign", async () => {
    const options = { javaScriptEnabled: hasScript, permissions: ["clipboard-read", "clipboard-write"] };
    const owner = await openPage(service.browser, { ...options, storageState: session });
    const editor = await openPage(service.browser, options);
    const problems: string[] = [];
    const copy = hasScript ? null : await openCopy();
    const look = async (page: Page, what: string) => {
      // A click resolves when the next page starts to load, before its styles have come.
      await page.waitForLoadState("load");
      const seen = copy === null ? page : await copy(page);
      const found = [...(await overflowOf(page)), ...(await findingsOf(seen))];
      problems.push(...found.map((problem) => `${what}: ${problem}`));
    };
    const team: Team = { base: service.base, owner: owner.page, editor: editor.page, hasScript, name, look };
    for (const [index, [day, work]] of Object.entries(DAYS).entries()) {
      const [width, colorScheme] = windows[index] ?? [1280, "light"];
      for (const page of [owner.page, editor.page]) {
        await page.setViewportSize({ width, height: HEIGHT });
        await page.emulateMedia({ colorScheme });
      }
      await work(team).catch((error: unknown) => {
        throw new Error(
          `${day}, ${width} pixels, ${colorScheme}: ${error instanceof Error ? error.stack : error}`,
        );
      });
    }
    expect(problems).toEqual([]);
    expect([...owner.complaints, ...editor.complaints]).toEqual([]);
    await owner.context.close();
    await editor.context.close();
  });
});
