import { describe, expect, it } from "vitest";
import { isCssColour, PALETTE } from "../../../src/console/shell/colour";

/** The contrast of two colours by WCAG 2.2, from 1 to 21. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** `--paper` and `--ground` of console.css, light and dark. */
const GROUNDS = ["#ffffff", "#f6f7f9", "#191c22", "#111318"];

describe("the palette of tags", () => {
  it.each(PALETTE)("%s %s is at least 3:1 from every background", (colour) => {
    for (const ground of GROUNDS) expect(contrast(colour, ground)).toBeGreaterThanOrEqual(3);
  });
});

it.each([
  ["#0f766e", true],
  ["#abc", true],
  ["#abcd", true],
  ["#0f766e80", true],
  ["teal", true],
  ["rgb(1 2 3 / 50%)", true],
  ["hsl(120, 50%, 40%)", true],
  ["#12345", false],
  ["our blue", false],
  ["url(https://evil.example)", false],
  ["var(--ink)", false],
  ['red" onload="x', false],
  ["", false],
  [null, false],
])("%j can be shown as a colour: %s", (text, isColour) => expect(isCssColour(text)).toBe(isColour));
