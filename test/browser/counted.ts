import type { Page } from "playwright-core";
import { choose, follow, press, section, setting } from "./week-steps";

/**
 * Does what people do on a page, and counts it: each click, each field that is filled in and each option that is selected is a
 * step.
 */
export function countSteps(page: Page, hasScript: boolean) {
  let steps = 0;
  const counting =
    <Given extends unknown[]>(act: (...given: Given) => Promise<unknown>) =>
    async (...given: Given): Promise<void> => {
      const taken = await act(...given);
      steps += typeof taken === "number" ? taken : 1;
    };
  const main = page.locator("main");
  return {
    total: () => steps,
    press: counting((name: string | RegExp) => press(page, name)),
    follow: counting((name: string | RegExp) => follow(page, name)),
    section: counting((name: string) => section(page, name)),
    setting: counting((name: string) => setting(page, name)),
    choose: counting((label: string, option: string) => choose(page, label, option)),
    fill: counting((label: string, value: string) => main.getByLabel(label).first().fill(value)),
    /** A tag that exists. The script makes the checkboxes a field that is searched. */
    tag: counting(async (name: string) => {
      const tags = main.getByRole("group", { name: /^Tags/ });
      if (hasScript) return choose(page, "Find tags", name);
      return tags.getByLabel(name).check();
    }),
    /** Without scripts it loads the page again. */
    selectAll: counting((label: string) =>
      hasScript ? main.getByLabel(label).check() : main.getByRole("link", { name: label }).click(),
    ),
  };
}

export type CountedSteps = ReturnType<typeof countSteps>;
