import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { close, openOwner, type openPage, type Service } from "./chromium";

// Tests the script of the pages.

let service: Service;
let opened: Awaited<ReturnType<typeof openPage>>;
let page: Page;
beforeAll(async () => {
  ({ service, opened, page } = await openOwner());
});
afterAll(() => close(service, opened.complaints));

/** Opens a page with these contents. The script runs before the browser draws it and moves the focus. */
async function openFixture(contents: string): Promise<void> {
  await page.route("**/app/demo/fixture", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: `<!doctype html><html lang="en"><title>Fixture</title>
        <script type="module" blocking="render" src="/app/console.js"></script><main>${contents}</main>`,
    }),
  );
  await open("/app/demo/fixture");
  await page.unroute("**/app/demo/fixture");
}

/** Makes the script wait for the text of each response until the test gives it. */
const holdAnswers = () =>
  page.evaluate(`window.held = [];
    window.fetch = async () => ({ ok: true, redirected: false, text: () => new Promise((give) => held.push(give)) });`);
const held = (): Promise<number> => page.evaluate("held.length");
const give = (index: number, html: string) =>
  page.evaluate(`held[${index}](${JSON.stringify(html)}); new Promise((resolve) => setTimeout(resolve));`);

const CLIPBOARD_DENIED = "navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))";

const open = (path: string) => page.goto(service.base + path);
/** Stops the page's clock for this test, so that time passes only with `runFor`, however slow the machine is. */
async function stopClock(): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  onTestFinished(() => page.clock.resume());
}
/** The texts announced to screen readers since the page loaded. */
const announced = () => page.locator('main > p[role="status"].unseen').allInnerTexts();
const selected = (): Promise<string> => page.evaluate("getSelection().toString().trim()");

/** The copy button of the first link in the list, and its text. */
async function firstCopy() {
  await open("/app/demo/links");
  const button = page.locator("button[data-copy]").first();
  return { button, text: (await button.getAttribute("data-copy")) ?? "" };
}

it("a colour is typed or picked, and each field follows the other", async () => {
  await open("/app/demo/brandings");
  const typed = page.getByRole("textbox", { name: "Colour", exact: true });
  const picked = page.getByLabel("Pick a colour");
  await typed.fill("#0B3D91");
  expect(await picked.inputValue()).toBe("#0b3d91");
  await typed.fill("blue");
  expect(await picked.inputValue()).toBe("#0b3d91");
  await picked.fill("#7f1d1d");
  expect(await typed.inputValue()).toBe("#7f1d1d");
});

describe("a copy button", () => {
  it("announces the copy and then shows its label again, even if it is clicked repeatedly", async () => {
    await opened.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { button, text } = await firstCopy();
    expect(await button.innerText()).toMatch(/^Copy/);
    expect(await page.getByRole("button", { name: `Copy the short link ${text}` }).count()).toBe(1);
    expect(await announced()).toEqual([""]);
    await stopClock();
    await button.click();
    await page.getByRole("button", { name: `Copied the short link ${text}` }).waitFor();
    expect(await announced()).toEqual(["Copied"]);
    const copied = () => page.evaluate("navigator.clipboard.readText()");
    expect(await copied()).toBe(text);
    await page.clock.runFor(1_500);
    await page.evaluate("navigator.clipboard.writeText('')");
    await button.click();
    await expect.poll(copied).toBe(text);
    await page.clock.runFor(1_500);
    expect(await button.innerText()).toMatch(/^Copied/);
    await page.clock.runFor(1_000);
    await page.getByRole("button", { name: `Copy the short link ${text}` }).waitFor();
    expect(await announced()).toEqual([""]);
  });

  it.each([
    ["is refused", CLIPBOARD_DENIED],
    ["is missing", "Object.defineProperty(navigator, 'clipboard', { value: undefined })"],
  ])("selects the text for copying by hand if the clipboard %s", async (_, breakage) => {
    const { button, text } = await firstCopy();
    await page.evaluate(breakage);
    await button.click();
    await page.getByRole("button", { name: "Copy it by hand" }).waitFor();
    expect(await announced()).toEqual(["Copy it by hand"]);
    expect(await selected()).toBe(text);
  });
});

describe("a list that became a field", () => {
  it.each([
    ["Zürich", "Zurich time (Europe)"],
    ["zurich", "Zurich time (Europe)"],
    ["genf", "Zurich time (Europe)"],
    ["Gen", "Zurich time (Europe)"],
    ["Wien", "Vienna time (Europe)"],
    ["koln", "Berlin time (Europe)"],
    ["Milano", "Rome time (Europe)"],
    ["Kathmandu", "Kathmandu time (Asia)"],
  ])("finds a zone by %s", async (typed, zone) => {
    await open("/app/demo/workspace");
    const field = page.getByRole("combobox", { name: "Time zone" });
    await field.fill(typed);
    const first = page.getByRole("option").first();
    await expect.poll(() => first.innerText()).toBe(zone);
    await field.press("Enter");
    expect(await field.inputValue()).toBe(zone);
  });

  it("takes another name that was typed in full when it is left", async () => {
    await open("/app/demo/workspace");
    const field = page.getByRole("combobox", { name: "Time zone" });
    await field.fill("MÜNCHEN");
    await field.press("Escape");
    await field.press("Tab");
    expect(await field.inputValue()).toBe("Berlin time (Europe)");
  });

  it("takes the option that is marked when it is left, and is not saved with a text that finds none", async () => {
    await open("/app/demo/workspace");
    const field = page.getByRole("combobox", { name: "Time zone" });
    const zone = () => page.locator('select[name="time_zone"]').inputValue();
    await field.fill("Lond");
    await field.press("Tab");
    expect([await field.inputValue(), await zone()]).toEqual(["London time (Europe)", "Europe/London"]);
    await field.fill("Aust");
    await page.getByRole("option").nth(2).waitFor();
    await field.press("ArrowDown");
    await field.press("ArrowDown");
    const marked = await page.locator('[role=option][aria-selected="true"]').innerText();
    expect(marked).toBe(await page.getByRole("option").nth(2).innerText());
    await field.press("Tab");
    expect(await field.inputValue()).toBe(marked);
    await field.fill("Lond");
    await field.press("Tab");
    await field.fill("Atlantis");
    await page.evaluate("addEventListener('invalid', () => { window.said = true; }, { capture: true })");
    await field.press("Enter");
    expect(await page.evaluate("said")).toBe(true);
    await page.getByRole("button", { name: "Save changes" }).click();
    expect([await field.inputValue(), await zone()]).toEqual(["Atlantis", "Europe/London"]);
    expect(await field.evaluate((one: { validationMessage?: string }) => one.validationMessage)).toBe(
      "Choose one from the list.",
    );
    expect(await page.getByText("The workspace is saved.").count()).toBe(0);
  });

  const options = ["Café", "Cafe", "Tea"].map((name, index) => `<option value="${index}">${name}</option>`);
  const list = (name: string, attributes = "") =>
    `<label for="${name}">${name}</label><select id="${name}" name="${name}" data-searched="true" ${attributes}>
      <option value="">None</option>${options.join("")}</select>`;

  it("is seen where it keeps a form from being sent, also in folded parts", async () => {
    const folded = `<details><summary>Outer</summary><details open><summary>Inner</summary>${list("one")}</details></details>`;
    await openFixture(`<form>${folded}<button>Save</button></form>`);
    const field = page.locator("#one");
    const outer = page.getByText("Outer");
    await outer.click();
    await field.fill("Coffee");
    await page.getByText("Inner").click();
    await outer.click();
    expect(await field.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Save" }).click();
    expect(await field.isVisible()).toBe(true);
    expect(await page.locator(":focus").getAttribute("id")).toBe("one");
  });

  it("has the focus if it is the first that was refused", async () => {
    const refused = 'aria-invalid="true" autofocus';
    await openFixture(`<form>${list("one")}${list("two", refused)}${list("three", refused)}</form>`);
    await page.getByRole("combobox", { name: "three" }).waitFor();
    expect(await page.locator(":focus").getAttribute("id")).toBe("two");
    await openFixture(`<form><input id="first" ${refused}>${list("two", refused)}</form>`);
    await page.getByRole("combobox", { name: "two" }).waitFor();
    await expect.poll(() => page.locator(":focus").getAttribute("id")).toBe("first");
  });
});

it("the key / goes to the search, whose results are links", async () => {
  await open("/app/demo");
  await page.locator("main").focus();
  await page.keyboard.press("/");
  await page.keyboard.type("zurich sommer");
  await page.locator(".found a", { hasText: "Ein Sommer in Zürich" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Ein Sommer in Zürich" }).waitFor();
});

it("what is typed into the search before the script comes is searched for", async () => {
  let bring = (): void => undefined;
  const brought = new Promise<void>((resolve) => {
    bring = resolve;
  });
  await page.route("**/console.js", async (route) => {
    await brought;
    await route.continue();
  });
  await page.goto(`${service.base}/app/demo`, { waitUntil: "commit" });
  await page.locator("input[data-finds]").fill("zurich sommer");
  bring();
  await page.locator(".found a", { hasText: "Ein Sommer in Zürich" }).first().waitFor();
  await page.unroute("**/console.js");
});

describe("an answer that comes late", () => {
  it.each([
    ["does not replace what a later search found", "/app/demo", "input[data-finds]", ".found"],
    ["does not replace the preview of a later text", "/app/demo/links/new", "#destination_url", "#preview"],
  ])("%s", async (_, path, typedInto, shownIn) => {
    await open(path);
    await holdAnswers();
    const field = page.locator(typedInto);
    await field.fill("www.example.com/first");
    await expect.poll(held).toBe(1);
    await field.fill("www.example.com/second");
    await expect.poll(held).toBe(2);
    await give(1, "<p>Of the second</p>");
    await give(0, "<p>Of the first</p>");
    expect(await page.locator(shownIn).innerText()).toBe("Of the second");
  });
});

describe("a session that has ended", () => {
  it("puts nothing of the sign-in page into fields and suggestions", async () => {
    const cookies = await opened.context.cookies();
    const isSignIn = (response: { url: () => string }) => response.url().includes("/app/sign-in");

    await open("/app/demo/links/new");
    await page.evaluate(`window.values = [];
      slug.addEventListener("input", () => values.push(slug.value));`);
    await opened.context.clearCookies();
    const answered = page.waitForResponse(isSignIn);
    await page.getByRole("button", { name: "Generate" }).click();
    await answered;
    await opened.context.addCookies(cookies);
    await page.getByRole("button", { name: "Generate" }).click();
    await expect.poll(() => page.getByLabel("Short link").inputValue()).toMatch(/^[a-z2-9]{7}$/);
    expect(await page.evaluate("values.length")).toBe(1);

    await open("/app/demo/assets/new");
    await opened.context.clearCookies();
    await page.locator("input[data-suggests]").fill("summer");
    await expect.poll(async () => (await announced())[0]).toBe("0 suggestions");
    await opened.context.addCookies(cookies);
  });
});

describe("the checkbox that selects all links of a page", () => {
  it("has a range beside it: a click with Shift selects the rows from the last one", async () => {
    await open("/app/demo/links");
    const boxes = page.locator('input[name="ids"]');
    const checked = () => page.locator('input[name="ids"]:checked').count();
    await boxes.nth(1).click({ modifiers: ["Shift"] });
    expect(await checked()).toBe(1);
    await boxes.nth(4).click({ modifiers: ["Shift"] });
    expect(await checked()).toBe(4);
    expect(await page.locator("[data-count]").innerText()).toBe("4 selected links");
    await boxes.nth(3).click({ modifiers: ["Shift"] });
    expect(await checked()).toBe(2);
  });
});

describe("the enter key in a form that changes many links", () => {
  it("sends nothing, because no single field is meant", async () => {
    await open("/app/demo/links");
    await page.locator('input[name="ids"]').first().check();
    const path = page.url();
    const field = page.locator('input[name="with_tag"]');
    await field.fill("Autumn");
    let sent = false;
    await page.route("**/links/change*", (route) => {
      sent = true;
      return route.abort();
    });
    await field.press("Enter");
    await page.waitForTimeout(300);
    await page.unroute("**/links/change*");
    expect([sent, page.url()]).toEqual([false, path]);
  });
});

describe("the notice of an action", () => {
  it("has the focus, so that screen readers announce it", async () => {
    await open("/app/demo/tags");
    await page.getByText("New tag").click();
    await page.getByLabel("Name").first().fill("Heard");
    await page.getByRole("button", { name: /create/i }).click();
    const focused = page.locator(":focus");
    expect(await focused.getAttribute("class")).toBe("notice");
    expect(await focused.innerText()).toContain("Heard");
    await open("/app/demo/tags");
    expect(await page.locator(":focus").count()).toBe(0);
  });
});

describe("a form", () => {
  const slow = async () => {
    let asked = 0;
    await page.route("**/links/new", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      asked++;
      // The browser stays on the page.
      return route.fulfill({ status: 204 });
    });
    await open("/app/demo/links/new");
    await stopClock();
    await page.getByLabel("Destination").fill("https://www.example.com/once");
    return () => asked;
  };
  const create = () => page.getByRole("button", { name: "Create the link" });

  it("is sent once, shows that, and can be sent again after going back or a long wait", async () => {
    const asked = await slow();
    await create().click();
    await create().click({ force: true });
    await expect.poll(asked).toBe(1);
    expect(await create().getAttribute("aria-disabled")).toBe("true");
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    expect(await create().getAttribute("aria-disabled")).toBeNull();
    await create().click();
    await expect.poll(asked).toBe(2);
    await page.clock.runFor(15_000);
    await create().click();
    await expect.poll(asked).toBe(3);
    await page.unroute("**/links/new");
  });

  it("that gives a file can be sent again at once", async () => {
    await open("/app/demo/links");
    await page.locator('input[name="ids"]').first().check();
    const button = page.getByRole("button", { name: "Export", exact: true });
    const files: string[] = [];
    page.on("download", (file) => files.push(file.suggestedFilename()));
    await button.click();
    await expect.poll(() => files.length).toBe(1);
    expect(await page.locator('form button[aria-disabled="true"]').count()).toBe(0);
    await button.click();
    await expect.poll(() => files.length).toBe(2);
  });

  it("sends the value of the clicked button", async () => {
    await open("/app/demo/links");
    await page.locator('input[name="ids"]').first().check();
    await page.getByRole("button", { name: "Archive" }).dblclick();
    expect(await page.locator(".notice").innerText()).toContain("Archived 1 link.");
  });
});
