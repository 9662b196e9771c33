import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceContext } from "../../src/context";
import { createActivityGroup } from "../../src/resources/activity-groups/manage-groups";
import { createSavedChannel, listSavedChannels } from "../../src/resources/channels/channel-service";
import { createAssets } from "../../src/resources/engagement/asset-service";
import { createLink } from "../../src/resources/links/create-link";
import { createTag } from "../../src/resources/tags/tag-service";
import { getWorkspace } from "../../src/resources/workspaces/workspace-service";
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

// Lists with the keyboard, menus in every window, and names without a place to break.

const LINKS = 25;
const HEIGHT = 900;
const DESTINATION = "https://www.example.com/";
/** As agencies name things. */
const nameOf = (what: string) =>
  `2026_Q4_CH_DE_Newsletter_${what}_Weihnachtskampagne_Bestandskunden_Welle2_V3`;

let service: Service;
let session: Session;
let paths: Awaited<ReturnType<typeof furnish>>;

/** A group of links with a poster each, a tag and a channel, all with long names. */
async function furnish(demo: WorkspaceContext) {
  const group = await createActivityGroup(demo, {
    name: nameOf("Group"),
    type: "campaign",
    status: "active",
  });
  const tag = await createTag(demo, { name: nameOf("Tag") });
  const links = [];
  for (let index = 0; index < LINKS; index++) {
    const made = await createLink(demo, {
      destination_url: `${DESTINATION}${nameOf("Page")}?${nameOf("query")}=${nameOf("value")}`,
      title: nameOf(`Link_${index}`),
      slug: `${nameOf("").slice(0, 40)}${index}`,
      channel: nameOf("Channel").slice(0, 60),
      utm_source: nameOf("Source"),
      activity_group_id: group.id,
      tag_ids: [tag.id],
    });
    links.push(made);
  }
  const link = links[0]?.id ?? "";
  const [poster] = await createAssets(demo, {
    link,
    kind: "poster",
    status: "live",
    assets: Array.from({ length: LINKS }, (_, index) => ({
      name: nameOf(`Poster_${index}`),
      place: nameOf("Place"),
    })),
  });
  await createSavedChannel(demo, {
    name: nameOf("Channel"),
    utm_source: nameOf("Source"),
    utm_medium: nameOf("Medium").slice(0, 60),
    tag_ids: [tag.id],
    slug_pattern: "{link}-x",
  });
  const [channel] = await listSavedChannels(demo);
  const home = "/app/demo";
  const ofGroup = `${home}/groups/${group.id}`;
  return {
    home,
    links: `${home}/links`,
    found: `${home}/links?tag=${tag.id}&activity_group_id=${group.id}&utm_source=${nameOf("Source")}&q=${nameOf("Link")}`,
    link: `${home}/links/${link}`,
    edited: `${home}/links/${link}/edit`,
    rules: `${home}/links/${link}/rules`,
    newLink: `${home}/links/new?from=${link}`,
    several: `${home}/links/several?activity_group_id=${group.id}`,
    groups: `${home}/groups`,
    group: ofGroup,
    groupLinks: `${ofGroup}?tab=links`,
    groupPosters: `${ofGroup}?tab=posters`,
    groupSettings: `${ofGroup}?tab=settings`,
    compared: `${ofGroup}/compare`,
    print: `${ofGroup}/print`,
    tags: `${home}/tags`,
    tag: `${home}/tags/${tag.id}`,
    posters: `${home}/assets`,
    ofLink: `${home}/assets?link=${link}`,
    poster: `${home}/assets/${poster?.id}`,
    sheet: `${home}/assets/print?link=${link}&caption=name&caption=place`,
    newPosters: `${home}/assets/several?link=${link}`,
    channels: `${home}/channels`,
    channel: `${home}/channels/${channel?.id}`,
    values: `${home}/values`,
    reports: `${home}/reports?kind=group&subject=${group.id}`,
    audit: `${home}/audit`,
    people: `${home}/members`,
  };
}

beforeAll(async () => {
  service = await openService();
  session = await openSession(service);
  paths = await furnish({ ...service.ctx, workspace: await getWorkspace(service.ctx, "demo") });
});
afterAll(() => close(service));

async function open(width: number, hasScript = true) {
  const opened = await openPage(service.browser, {
    viewport: { width, height: HEIGHT },
    storageState: session,
    javaScriptEnabled: hasScript,
  });
  return { ...opened, goto: (path: string) => opened.page.goto(service.base + path) };
}

describe("a list with the keyboard", () => {
  const focusIsInBar = (page: Page) =>
    page.evaluate<boolean>("document.activeElement.closest('[data-counts]') !== null");

  it.each(["links", "groupLinks", "ofLink"] as const)(
    "is three keys from the first selected row of %s to its actions, not a stop at everything below",
    async (name) => {
      const { page, context, goto } = await open(1280);
      await goto(paths[name]);
      await page.locator("td.pick input").first().focus();
      await page.keyboard.press("Space");
      const keys = ["Tab", "Enter", "Tab"];
      for (const key of keys) await page.keyboard.press(key);
      expect(await focusIsInBar(page)).toBe(true);
      // The link is a stop of selected rows alone, and is seen only with the focus.
      expect(await page.locator("td .skip:visible").count()).toBe(1);
      await page.locator("td.pick input").first().focus();
      await page.keyboard.press("Tab");
      expect((await page.locator("td .skip:focus").boundingBox())?.height).toBeGreaterThan(20);
      await context.close();
    },
  );
});

const FARTHEST_PX = 12;

describe.each([390, 768, 1280])("a menu at %d pixels", (width) => {
  it.each(["link", "found", "groupLinks"] as const)(
    "of the page %s opens at its button, inside the window, and moves nothing",
    async (name) => {
      const { page, context, goto } = await open(width);
      await goto(paths[name]);
      const menus = await page.locator("main details.dropdown").all();
      expect(menus.length).toBeGreaterThan(1);
      for (const menu of menus) {
        const button = menu.locator("> summary");
        const moved = () =>
          page.evaluate(
            "[...document.querySelectorAll('h1, main summary.button, table')].map((one) => one.getBoundingClientRect().top + scrollY)",
          );
        const before = await moved();
        await button.click();
        const [of, at] = [await button.boundingBox(), await menu.locator("> .card").boundingBox()];
        if (of === null || at === null) throw new Error("The menu is not shown.");
        const called = `${await button.innerText()} at ${width}`;
        expect(await moved(), called).toEqual(before);
        expect(at.y - of.y - of.height, called).toBeLessThan(FARTHEST_PX);
        expect(at.y - of.y - of.height, called).toBeGreaterThanOrEqual(0);
        expect(at.x, called).toBeLessThan(of.x + of.width);
        expect(at.x + at.width, called).toBeGreaterThan(of.x);
        expect(at.x, called).toBeGreaterThanOrEqual(0);
        expect(at.x + at.width, called).toBeLessThanOrEqual(width);
        expect(await overflowOf(page), called).toEqual([]);
        await button.click();
      }
      await context.close();
    },
  );
});

describe("a name without a place to break", () => {
  it.each([390, 768])("widens no page at %d pixels", async (width) => {
    const { page, context, goto, complaints } = await open(width);
    const wide: string[] = [];
    const look = async (name: string) =>
      wide.push(...(await overflowOf(page)).map((what) => `${name}: ${what}`));
    for (const [name, path] of Object.entries(paths)) {
      expect((await goto(path))?.status(), name).toBe(200);
      await look(name);
    }
    await goto(paths.several);
    await page.getByLabel("Destination").fill("www.example.com");
    await page.getByLabel("Select all").check();
    await page.getByRole("button", { name: "Show the links" }).click();
    await page.getByRole("button", { name: "Create 1 link" }).waitFor();
    await look("several links that are shown");
    expect(await page.getByLabel("Select all").isChecked()).toBe(true);
    await page.getByRole("button", { name: "Create 1 link" }).click();
    await page.getByRole("button", { name: "Copy", exact: true }).waitFor();
    await look("several links that are made");
    await goto(paths.links);
    await page.getByLabel("Select all on this page").check();
    await look("selected links");
    const [all, first] = [page.getByLabel("Select all on this page"), page.locator('[name="ids"]').first()];
    const states = [];
    for (const isChecked of [false, true]) {
      await first.setChecked(isChecked);
      states.push(await all.isChecked());
    }
    expect(states).toEqual([false, true]);
    expect(wide).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

/** The words of a name that are on more than one line, and the lines of the whole. */
const BROKEN_WORDS = `(selector) => {
  const range = document.createRange();
  const boxesOf = (node) => (range.selectNodeContents(node), [...range.getClientRects()]);
  const name = document.querySelector(selector);
  const words = [...name.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
  const broken = words.filter((word) => boxesOf(word).length > 1).map(({ data }) => data);
  return { broken, lines: new Set(boxesOf(name).map(({ top }) => top)).size };
}`;

it.each([
  ["group", "h1"],
  ["groupLinks", "tbody th bdi"],
] as const)("a name of the page %s breaks after underscores, not within words", async (path, selector) => {
  const { page, context, goto } = await open(390);
  await goto(paths[path]);
  const { broken, lines } = await page.evaluate<{ broken: string[]; lines: number }>(
    `(${BROKEN_WORDS})("${selector}")`,
  );
  expect(broken).toEqual([]);
  expect(lines).toBeGreaterThan(1);
  await context.close();
});

describe("the filters of the list of links", () => {
  it("are added and removed one by one without scripts", async () => {
    const { page, context, goto } = await open(390, false);
    await goto(paths.links);
    const filters = page.getByRole("list", { name: "Filters" });
    const add = async (name: string) => {
      await page.locator("summary", { hasText: /^Filter$/ }).click();
      await page.locator(".adds summary", { hasText: new RegExp(`^${name}$`) }).click();
    };
    await add("State");
    await page.locator("main").getByRole("link", { name: "Active and archived" }).click();
    await add("Tag");
    await page
      .locator(".adds")
      .getByLabel("Tag")
      .selectOption({ label: nameOf("Tag") });
    await page.locator(".adds [open]").getByRole("button", { name: "Add" }).click();
    await page.locator("main").getByRole("searchbox").fill("Link_7");
    await page.locator("main").getByRole("searchbox").press("Enter");
    expect(await filters.getByRole("listitem").count()).toBe(3);
    expect(await page.locator("td.pick").count()).toBe(1);
    await filters.getByRole("link", { name: "Remove Search Link_7" }).click();
    expect(await page.locator("td.pick").count()).toBe(LINKS);
    expect(await filters.innerText()).toMatch(/State\s+Active and archived[\s\S]+Tag/);
    await context.close();
  });

  it("have no findings of axe while their menu is open", async () => {
    const { page, context, goto } = await open(390);
    await goto(paths.found);
    await page.locator("summary", { hasText: /^Filter$/ }).click();
    for (const name of ["State", "Tag", "Created by"]) {
      await page.locator(".adds summary", { hasText: new RegExp(`^${name}$`) }).click();
      expect(await findingsOf(page), name).toEqual([]);
    }
    await context.close();
  });
});

describe("what stands in a line", () => {
  const boxOf = async (page: Page, selector: string) =>
    (await page.locator(selector).first().boundingBox()) ?? expect.fail(selector);

  it.each([768, 1280])(
    "of people has the button that invites beside its fields at %d pixels",
    async (width) => {
      const { page, context, goto } = await open(width);
      await goto(paths.people);
      const [field, button] = [await boxOf(page, "#role"), await boxOf(page, ".invite button")];
      expect(button.x).toBeGreaterThan(field.x + field.width);
      expect(button.y).toBeLessThan(field.y + field.height);
      await context.close();
    },
  );

  it("of filters takes no room without any", async () => {
    const { page, context, goto } = await open(1280);
    await goto(paths.links);
    const [search, list] = [await boxOf(page, "main form.search"), await boxOf(page, "form.bulk")];
    expect(list.y - search.y - search.height).toBeLessThan(20);
    await context.close();
  });
});

it("a rule is dragged by its heading, and the form comes back in the new order", async () => {
  const { page, context, goto } = await open(1280);
  await goto(paths.rules);
  for (const [place, kind] of ["A country", "A language"].entries()) {
    await page.getByRole("button", { name: kind, exact: true }).click();
    await page.locator(`[name="rules.${place}.destination_url"]`).fill(`${DESTINATION}${place}`);
  }
  await page.locator("legend", { hasText: "Rule 2" }).dragTo(page.locator("[data-moves]").first());
  await page.getByText("Not saved yet.").waitFor();
  await page.waitForFunction(
    `document.querySelector('[name="rules.0.destination_url"]').value === "${DESTINATION}1"`,
  );
  expect(await page.locator('[name="rules.1.destination_url"]').inputValue()).toBe(`${DESTINATION}0`);
  await context.close();
});
