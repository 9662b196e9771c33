import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceContext } from "../../src/context";
import { DAY_MS, HOUR_MS, isoTime } from "../../src/lib/time";
import { createSavedChannel } from "../../src/resources/channels/channel-service";
import { createAssets } from "../../src/resources/engagement/asset-service";
import { createLink } from "../../src/resources/links/create-link";
import { getWorkspace } from "../../src/resources/workspaces/workspace-service";
import { scan } from "../console/clicks";
import { close, openPage, openService, openSession, type Service, type Session } from "./chromium";
import { type CountedSteps, countSteps } from "./counted";
import { said, visit } from "./week-steps";

// How many steps the work of a marketing department takes, each from the overview.

const CHANNELS = 10;
const POSTERS = 40;
const DESTINATION = "https://www.example.com/";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const WINDOWS = [
  { name: "desk", width: 1280, colorScheme: "light", hasScript: true },
  { name: "phone", width: 390, colorScheme: "dark", hasScript: false },
] as const;

let service: Service;
let session: Session;
let demo: WorkspaceContext;
beforeAll(async () => {
  service = await openService();
  session = await openSession(service);
  demo = { ...service.ctx, workspace: await getWorkspace(service.ctx, "demo") };
  for (const number of numbers(CHANNELS)) {
    await createSavedChannel(demo, {
      name: `Channel ${number}`,
      utm_source: `source-${number}`,
      utm_medium: "social",
      slug_pattern: `{link}-${number}`,
    });
  }
});
afterAll(() => close(service));

/** Spellings of one source, and live posters of a link that has ended, one of which was scanned since. */
async function furnish(name: string): Promise<void> {
  for (const utm_source of [`${name} letter`, `${name}-letter`, `${name.toUpperCase()}_Letter`]) {
    await createLink(demo, { destination_url: DESTINATION, utm_source });
  }
  const now = demo.now();
  // Scans before an asset was changed need no attention.
  const past = { ...demo, now: () => now - 2 * DAY_MS };
  const ended = await createLink(past, {
    destination_url: DESTINATION,
    slug: `${name}-ended`,
    ends_at: isoTime(now - DAY_MS),
  });
  const [first] = await createAssets(past, {
    link: ended.id,
    kind: "poster",
    status: "live",
    assets: numbers(POSTERS).map((number) => ({
      name: `Poster ${number}`,
      place: `Street ${number}, ${name}`,
    })),
  });
  await scan({ ctx: demo }, first?.id ?? "", now - HOUR_MS, { after_end: 3 });
}

describe.each(WINDOWS)("at $width pixels, $colorScheme", ({ name, width, colorScheme, hasScript }) => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  let page: Page;
  beforeAll(async () => {
    await furnish(name);
    opened = await openPage(service.browser, {
      viewport: { width, height: 900 },
      colorScheme,
      javaScriptEnabled: hasScript,
      storageState: session,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    page = opened.page;
  });
  afterAll(async () => {
    expect(opened.complaints).toEqual([]);
    await opened.context.close();
  });

  /** Does something from the overview, in at most so many steps. */
  const within = (limit: number, work: (person: CountedSteps) => Promise<void>) => async () => {
    await page.goto(`${service.base}/app/demo`);
    const person = countSteps(page, hasScript);
    await work(person);
    expect(person.total()).toBeLessThanOrEqual(limit);
  };

  it(
    "a link with its slug, group, tag and UTM parameters takes at most 9 steps",
    within(9, async (person) => {
      await person.fill("Shorten a link", "www.example.com/full");
      await person.press("More options");
      await person.fill("Short link", `${name}-full`);
      await person.choose("Group", "Summer 2026");
      await person.tag("Partner");
      await person.fill("Source", "newsletter");
      await person.fill("Medium", "email");
      await person.press("Create the link");
      await said(page, `${name}-full`);
      for (const link of ["Summer 2026", "Partner"]) {
        await page.locator("main").getByRole("link", { name: link }).first().waitFor();
      }
      expect(await visit(`${service.base}/${name}-full`)).toBe(
        `${DESTINATION}full?utm_source=newsletter&utm_medium=email&utm_campaign=summer_2026`,
      );
    }),
  );

  it(
    "links for ten channels take at most 15 steps",
    within(15, async (person) => {
      await person.section("Links");
      await person.follow("Several links");
      await person.selectAll("Select all");
      await person.fill("Destination", "www.example.com/ten");
      await person.fill("Short link", name);
      await person.press("Show the links");
      await person.press(`Create ${CHANNELS} links`);
      await said(page, `${CHANNELS} links are ready.`);
      for (const number of numbers(CHANNELS)) {
        expect(await visit(`${service.base}/${name}-${number}`)).toBe(
          `${DESTINATION}ten?utm_source=source-${number}&utm_medium=social`,
        );
      }
    }),
  );

  it(
    "spellings of a source are found and replaced in at most 5 steps",
    within(5, async (person) => {
      await person.setting("Values");
      await person.press("Replace in up to 3 links");
      await said(page, "2 links");
      expect(await page.getByText("Spelt in several ways").count()).toBe(0);
      await page.getByRole("link", { name: new RegExp(`^3 links with ${name}.letter`, "i") }).waitFor();
    }),
  );

  it(
    "a report is made to be sent in at most 4 steps",
    within(4, async (person) => {
      await person.follow("Send a report");
      await person.press("Make the report");
      const address = await page
        .getByRole("region", { name: "Reports" })
        .locator("[data-by-hand]")
        .first()
        .innerText();
      if (hasScript) {
        await person.press("Copy the address");
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(address.trim());
      }
      const { page: stranger, context } = await openPage(service.browser);
      expect((await stranger.goto(address.trim()))?.status()).toBe(200);
      expect(await stranger.locator("main").innerText()).toContain("Clicks and scans by people");
      await context.close();
    }),
  );

  it(
    "posters scanned after the end are listed in at most 2 steps",
    within(2, async (person) => {
      await person.follow(/scanned after (its|their) end/);
      const row = page.getByRole("row", { name: `Street 1, ${name}` });
      expect(await row.innerText()).toMatch(/3\s*Last/);
    }),
  );

  it(
    "forty posters are retired in at most 4 steps",
    within(4, async (person) => {
      await person.follow("live posters lead to a link or campaign that has ended");
      await person.selectAll("Select all on this page");
      await person.press("Retire");
      await said(page, `${POSTERS} posters are retired now.`);
      await page.getByText("No live poster leads to a link or campaign that has ended.").waitFor();
    }),
  );

  it(
    "two people are invited in at most 6 steps",
    within(6, async (person) => {
      await person.setting("People");
      for (const email of [`one@${name}.example`, `two@${name}.example`]) {
        await person.fill("E-mail address", email);
        await person.press("Invite");
        await said(page, `${email} is invited`);
      }
      for (const email of [`one@${name}.example`, `two@${name}.example`]) {
        await page.getByRole("row", { name: email }).getByText("Invited").waitFor();
      }
    }),
  );
});
