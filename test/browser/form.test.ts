import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createActivityGroup } from "../../src/resources/activity-groups/manage-groups";
import { getWorkspace } from "../../src/resources/workspaces/workspace-service";
import { addTags } from "../rows";
import {
  close,
  findingsInBothSchemes,
  findingsOf,
  openOwner,
  type openPage,
  overflowOf,
  type Service,
  screenshot,
} from "./chromium";

// The form of a link, in a workspace with 990 tags and many Activity Groups.

const TAGS = 990;
const GROUPS = 14;

let service: Service;
let opened: Awaited<ReturnType<typeof openPage>>;
let page: Page;

beforeAll(async () => {
  ({ service, opened, page } = await openOwner());
  const demo = { ...service.ctx, workspace: await getWorkspace(service.ctx, "demo") };
  await addTags(
    demo,
    Array.from({ length: TAGS }, (_, index) => `Étiquette ${index}`),
  );
  for (let index = 0; index < GROUPS; index++)
    await createActivityGroup(demo, { name: `Group ${index}`, type: "campaign" });
});
afterAll(() => close(service, opened.complaints));

const openForm = async () => {
  await page.goto(`${service.base}/app/demo/links/new`);
  await page.getByText("Title, group and tags").click();
};
const tags = () => page.getByRole("combobox", { name: "Find tags" });
const groups = () => page.getByRole("combobox", { name: /^Group/ });
const options = () => page.locator('[role="option"]:visible');
const chips = () => page.locator(".chips li bdi").allInnerTexts();
const announced = () => page.locator('main > p[role="status"].unseen').innerText();
const active = () => page.locator('[role="option"][aria-selected="true"]').innerText();

describe("the field that finds tags", () => {
  it("finds words without accents and in any order, counts them, and takes one by the keyboard", async () => {
    await openForm();
    await tags().fill("42 etiq");
    await options().first().waitFor();
    const found = Array.from({ length: TAGS }, (_, index) => index).filter((index) =>
      `${index}`.includes("42"),
    );
    expect(await options().allInnerTexts()).toEqual([
      ...found.map((index) => `Étiquette ${index}`),
      "Create “42 etiq”",
    ]);
    expect(await announced()).toBe(`${found.length + 1} suggestions`);
    expect(await active()).toBe("Étiquette 42");
    await tags().press("ArrowDown");
    expect(await active()).toBe("Étiquette 142");
    const marked = await tags().getAttribute("aria-activedescendant");
    expect(await page.locator(`#${marked}`).innerText()).toBe("Étiquette 142");
    await tags().press("ArrowUp");
    await tags().press("ArrowUp");
    expect(await active()).toBe("Create “42 etiq”");
    await tags().press("ArrowDown");
    await tags().press("Enter");
    expect(await chips()).toEqual(["Étiquette 42"]);
    expect(await announced()).toBe("Added Étiquette 42");
    expect(await tags().getAttribute("aria-expanded")).toBe("false");
  });

  it("closes with Escape, takes a pressed option, removes a chip, and creates what is missing", async () => {
    await openForm();
    await tags().fill("Étiquette 7");
    await options().first().waitFor();
    await tags().press("Escape");
    expect(await options().count()).toBe(0);
    await tags().fill("Étiquette 77");
    await options()
      .filter({ hasText: /^Étiquette 77$/ })
      .click();
    await tags().fill("Brand new");
    await options().first().waitFor();
    await tags().press("Enter");
    expect(await chips()).toEqual(["Étiquette 77", "Brand new"]);
    await page.getByRole("button", { name: "Remove Étiquette 77" }).click();
    expect(await chips()).toEqual(["Brand new"]);
    expect(await page.locator(":focus").getAttribute("role")).toBe("combobox");
    await tags().press("Backspace");
    expect(await chips()).toEqual([]);
  });

  it("fits a phone, and axe finds nothing", async () => {
    await page.setViewportSize({ width: 320, height: 800 });
    await openForm();
    await page.getByText("UTM parameters").click();
    for (const number of [1, 2, 3]) {
      await tags().fill(`Étiquette ${number}0`);
      await options().first().waitFor();
      await tags().press("Enter");
    }
    await tags().fill("Étiquette");
    await options().first().waitFor();
    expect(await overflowOf(page)).toEqual([]);
    expect(await findingsInBothSchemes(page)).toEqual([]);
    await screenshot(page, "form-320");
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

it("a long list is a field that searches it; a text that finds nothing stays, and is sent nowhere", async () => {
  await openForm();
  await groups().fill("group 13");
  await options().first().waitFor();
  await groups().press("Enter");
  expect(await groups().inputValue()).toBe("Group 13 · Draft");
  const sent = () => page.locator('select[name="activity_group_id"]').inputValue();
  const chosen = await sent();
  expect(chosen).toMatch(/^\w{26}$/);
  await groups().fill("no such group");
  await groups().press("Tab");
  expect([await groups().inputValue(), await sent()]).toEqual(["no such group", chosen]);
  const problem = () =>
    groups().evaluate((field) => (field as { validationMessage?: string }).validationMessage);
  expect(await problem()).toBe("Choose one from the list.");
  await groups().fill("");
  await groups().press("Tab");
  expect(await problem()).toBe("");
  expect(await sent()).toBe("");
  expect(await groups().getAttribute("placeholder")).toBe("None");
});

it("a text field shows what the server suggests, takes it by the keyboard, and otherwise stays as it is typed", async () => {
  await page.route("**/app/demo/field", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Field</title><main>
        <label for="link">Link</label><input id="link" data-suggests="/app/demo/links/suggest"></main>
        <script type="module" src="/app/console.js"></script>`,
    }),
  );
  await page.goto(`${service.base}/app/demo/field`);
  const field = page.getByRole("combobox", { name: "Link" });
  await field.fill("summer");
  await options().first().waitFor();
  expect(await announced()).toMatch(/^\d suggestions?$/);
  expect(await page.locator('[aria-selected="true"]').count()).toBe(0);
  const slug = await options().last().getAttribute("data-value");
  await field.press("ArrowUp");
  await field.press("Enter");
  expect(await field.inputValue()).toBe(slug);
  await field.fill("no such link anywhere");
  await expect.poll(announced).toBe("0 suggestions");
  await field.press("Tab");
  expect([await field.inputValue(), await options().count()]).toEqual(["no such link anywhere", 0]);
  await page.unroute("**/app/demo/field");
});

it("the form says at once whether the short link is free, makes one, and is open as it was when it comes back", async () => {
  await openForm();
  await page.getByLabel("Destination").fill("www.example.com/live");
  await page.getByLabel("Short link").fill("SUMMER");
  const state = page.locator("#slug-state");
  await state.getByRole("link").waitFor();
  expect(await state.innerText()).toMatch(/^Taken by /);
  await page.getByRole("button", { name: "Create the link" }).click();
  const refused = page.getByRole("alert");
  await refused.waitFor();
  expect(await refused.innerText()).toMatch(/The short link is taken by “.*”\./);
  expect(await page.locator(":focus").getAttribute("id")).toBe("slug");
  expect(await page.getByLabel("Destination").inputValue()).toBe("https://www.example.com/live");
  expect(await tags().isVisible()).toBe(true);
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Generate" }).click();
  await state.getByText("Free.").waitFor();
  expect(await page.locator("#slug-refusal").count()).toBe(0);
  const made = await page.getByLabel("Short link").inputValue();
  await tags().fill("Typed and not chosen");
  await page.getByRole("button", { name: "Save and add another" }).click();
  await page.locator(".notice").waitFor();
  expect(await page.locator(".notice").innerText()).toContain(`/${made} is ready.`);
  expect(await page.locator(".notice button[data-copy]").isVisible()).toBe(true);
  expect(await chips()).toEqual(["Typed and not chosen"]);
});

describe("keys", () => {
  const dialog = () => page.getByRole("dialog", { name: "Keys" });

  it("c opens the form of a new link, / searches, and neither while somebody types", async () => {
    await page.goto(`${service.base}/app/demo/groups`);
    await page.keyboard.press("/");
    await page.keyboard.type("c?");
    expect(await page.locator("input[data-finds]").inputValue()).toBe("c?");
    expect(await dialog().count()).toBe(0);
    await page.locator("h1").click();
    await page.keyboard.press("Control+c");
    expect(new URL(page.url()).pathname).toBe("/app/demo/groups");
    await page.keyboard.press("c");
    await page.waitForURL("**/app/demo/links/new");
  });

  it("? lists them, and they can be switched off", async () => {
    await page.goto(`${service.base}/app/demo/groups`);
    await page.keyboard.press("?");
    expect((await dialog().innerText()).split(/\s*\n+\s*/)).toEqual([
      ...["/", "Search", "c", "New link", "?", "These keys"],
      ...["Keys work in this browser", "Close"],
    ]);
    expect(await findingsInBothSchemes(page)).toEqual([]);
    await screenshot(page, "keys");
    await dialog().getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await page.keyboard.press("?");
    expect(await dialog().count()).toBe(0);
    await page.goto(`${service.base}/app/demo/links/new`);
    await page.getByRole("button", { name: "Keys" }).click();
    await dialog().getByRole("checkbox").check();
    await dialog().getByRole("button", { name: "Close" }).click();
    await page.locator("h1").click();
    await page.keyboard.press("?");
    expect(await dialog().count()).toBe(1);
    await page.keyboard.press("Escape");
  });
});

it("the bookmarklet opens the form with the address of a page that lets no script in", async () => {
  await page.goto(`${service.base}/app/demo/links/new`);
  const code = (await page.getByRole("link", { name: "Shorten with Waymark" }).getAttribute("href")) ?? "";
  const strict = await opened.context.newPage();
  const headers = { "content-security-policy": "default-src 'none'; script-src 'none'" };
  await strict.route("https://shop.example/**", (route) =>
    route.fulfill({ contentType: "text/html", headers, body: "<title>Sale & more</title>" }),
  );
  await strict.goto("https://shop.example/sale?a=1&b=2#now");
  const form = strict.waitForEvent("popup");
  await strict.evaluate(code.replace("javascript:", ""));
  const popup = await form;
  await screenshot(popup, "from-anywhere");
  expect(await popup.getByLabel("Destination").inputValue()).toBe("https://shop.example/sale?a=1&b=2#now");
  expect(await popup.locator("#title").inputValue()).toBe("Sale & more");
  await popup.close();
  await strict.close();
});
