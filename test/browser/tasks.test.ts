import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp } from "../operations/cli/terminal";
import { openPage, openService, openSession, type Service, type Session } from "./chromium";

// The ten most frequent tasks of a marketing team in the demo workspace. A step is a click, or a choice from a list. Typing,
// which a person does in any product, is none.

let service: Service;
let session: Session;
beforeAll(async () => {
  service = await openService();
  session = await openSession(service);
}, 180_000);
afterAll(async () => {
  await service?.stop();
  cleanUp();
});

interface Steps {
  taken: number;
  click: (what: Locator) => Promise<void>;
}

/** The most steps. `week.test.ts` does the same without scripts and on a phone, where some take more. */
const MOST_STEPS = {
  "create a link": 2,
  "copy a link": 1,
  "find a link": 1,
  "get a QR code": 2,
  "change the destination": 2,
  "tag 20 links": 3,
  "see the last 7 days of a campaign": 2,
  "see the best link of a campaign": 1,
  "make a tag while creating a link": 1,
  "invite a person": 2,
} as const;
type Task = keyof typeof MOST_STEPS;

const MANY = 20;

/** Where each task begins, and how it is done. Throws, or fails an expectation, if it cannot be done. */
const TASKS: Readonly<Record<Task, { from: string; perform: (page: Page, steps: Steps) => Promise<void> }>> =
  {
    "create a link": {
      from: "",
      async perform(page, { click }) {
        await page.getByLabel("Shorten a link").fill("www.example.com/spring?colour=green");
        await click(page.getByRole("button", { name: "Shorten" }));
        await page.getByText("leads to https://www.example.com/spring?colour=green").waitFor();
      },
    },
    "copy a link": {
      from: "/links",
      async perform(page, { click }) {
        const row = page.locator("table.links tbody tr").first();
        await click(row.getByRole("button", { name: /Copy/ }));
        await row.getByText("Copied").waitFor();
        expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(
          /^http:\/\/localhost:\d+\/\S+$/,
        );
      },
    },
    "find a link": {
      from: "",
      async perform(page, { click }) {
        await page.locator("main").focus();
        await page.keyboard.press("/");
        await page.keyboard.type("zurich sommer");
        await click(page.locator(".found a", { hasText: "Ein Sommer in Zürich" }).first());
        await page.waitForURL(/\/links\/[0-9A-Z]{26}/);
        await page.getByRole("heading", { level: 1, name: "Ein Sommer in Zürich" }).waitFor();
      },
    },
    "get a QR code": {
      from: "/links",
      async perform(page, { click }) {
        const file = page.waitForEvent("download");
        await click(
          page
            .locator("table.links tbody")
            .getByRole("link", { name: /^QR code of/ })
            .first(),
        );
        expect((await file).suggestedFilename()).toMatch(/\.(svg|png)$/);
      },
    },
    "change the destination": {
      from: "/links?q=handbook",
      async perform(page, { click }) {
        // From the page of the link, which is where one sees a destination that is wrong.
        await page
          .getByRole("link", { name: /Handbook/ })
          .first()
          .click();
        await click(page.locator("main").getByRole("link", { name: "Edit", exact: true }));
        await page.getByLabel("Destination").fill(`https://www.example.com/handbook/${Date.now()}`);
        await click(page.getByRole("button", { name: "Save", exact: true }));
        await page.locator(".notice", { hasText: "Saved" }).waitFor();
      },
    },
    "tag 20 links": {
      from: "/links?q=tagged-in-bulk",
      async perform(page, steps) {
        const { click } = steps;
        await click(page.getByLabel("Select all on this page"));
        const bar = page.locator("fieldset[data-counts]");
        expect(await bar.innerText()).toContain(`${MANY} selected`);
        // A longer list of tags is searched instead.
        await bar.getByRole("combobox", { name: "Tag" }).selectOption({ label: "Print" });
        steps.taken++;
        await click(bar.getByRole("button", { name: "Add tag" }));
        await page.locator(".notice", { hasText: `${MANY} links` }).waitFor();
      },
    },
    "see the last 7 days of a campaign": {
      from: "/groups",
      async perform(page, { click }) {
        await click(page.locator("main").getByRole("link", { name: "Summer 2026" }).first());
        await click(page.getByRole("link", { name: "7 days" }).first());
        await page.getByText("Last 7 days").first().waitFor();
      },
    },
    "see the best link of a campaign": {
      from: "/groups",
      async perform(page, { click }) {
        await click(page.locator("main").getByRole("link", { name: "Summer 2026" }).first());
        await page.getByText("Most visited:").waitFor();
      },
    },
    "make a tag while creating a link": {
      from: "/links/new",
      async perform(page, { click }) {
        const name = "New while creating";
        await page.getByLabel("Destination").fill("https://www.example.com/new-tag");
        await page.getByText("Title, Activity Group and tags").click();
        const tags = page.getByRole("group", { name: /^Tags/ });
        await tags.getByRole("combobox").fill(name);
        await click(page.getByRole("option", { name: new RegExp(`Create.*${name}`) }));
        await page.getByRole("button", { name: "Create the link" }).click();
        await page.locator("main").getByRole("link", { name }).first().waitFor();
      },
    },
    "invite a person": {
      from: "",
      async perform(page, { click }) {
        await click(
          page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "People" }).first(),
        );
        await page.getByLabel("E-mail address").fill("new@demo.example");
        await click(page.getByRole("button", { name: "Invite" }));
        await page.getByText(/\/app\/sign-in\?token=sgn_/).waitFor();
      },
    },
  };

/** Links for the tasks that need many. */
async function makeLinks(): Promise<void> {
  for (let index = 0; index < MANY; index++) {
    const answer = await fetch(`${service.base}/api/v1/links`, {
      method: "POST",
      headers: { Authorization: `Bearer ${service.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        destination_url: "https://www.example.com/many",
        slug: `tagged-in-bulk-${index}`,
      }),
    });
    expect(answer.status).toBe(201);
  }
}

describe("the ten most frequent tasks", () => {
  beforeAll(makeLinks);

  it("take few steps on a wide screen with scripts", async () => {
    const taken: Partial<Record<Task, number>> = {};
    const { page, context, complaints } = await openPage(service.browser, {
      storageState: session,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    for (const [task, { from, perform }] of Object.entries(TASKS)) {
      const steps: Steps = {
        taken: 0,
        click: async (what) => {
          steps.taken++;
          await what.click();
        },
      };
      await page.goto(`${service.base}/app/demo${from}`);
      await perform(page, steps).catch((error: unknown) => {
        throw new Error(`${task}: ${error instanceof Error ? error.message : error}`);
      });
      taken[task as Task] = steps.taken;
    }
    await context.close();
    expect(complaints).toEqual([]);
    const tooMany = Object.entries(MOST_STEPS).filter(([task, most]) => (taken[task as Task] ?? 0) > most);
    expect({ taken, tooMany }).toEqual({ taken, tooMany: [] });
  });
});
