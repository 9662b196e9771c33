import { expect, it } from "vitest";
import { contrastToWhite, darkenTo } from "../../src/lib/colour";

it("a colour is made no darker than it must be", () => {
  for (const colour of ["#0f766e", "#ff0000", "#ffffff", "#ffff00", "#777777", "#010203"]) {
    const darker = darkenTo(7, colour);
    expect(contrastToWhite(darker), colour).toBeGreaterThanOrEqual(7);
    if (darker !== colour) expect(contrastToWhite(darker), colour).toBeLessThan(7.2);
  }
});

it.each([
  ["#0f766e", 7, "#0c645d"],
  ["#000000", 7, "#000000"],
  ["#0b3d91", 7, "#0b3d91"],
  ["#ffffff", 22, "#000000"],
])("%s is made darker to a contrast of %s: %s", (colour, contrast, darker) => {
  expect(darkenTo(contrast, colour)).toBe(darker);
});
