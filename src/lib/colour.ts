import { refusedBy, text } from "./validation";

const HEX_COLOUR = /^#[0-9a-f]{6}$/;

export const hexColour = (example = "#0f766e") =>
  text(7)
    .toLowerCase()
    .refine((value) => HEX_COLOUR.test(value), refusedBy(`must be a colour such as ${example}`));

export const channelsOf = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Red, green and blue of WCAG's relative luminance. */
const WEIGHTS = [0.2126, 0.7152, 0.0722];

/** The contrast of a colour to white as WCAG has it: from 1 to 21. */
export function contrastToWhite(colour: string): number {
  const luminance = channelsOf(colour).reduce((sum, channel, index) => {
    const share = channel / 255;
    const linear = share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    return sum + linear * (WEIGHTS[index] ?? 0);
  }, 0);
  return 1.05 / (luminance + 0.05);
}

const toHex = (channels: readonly number[]): string =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;

/** The colour, made darker in its own hue until its contrast to white is at least this. */
export function darkenTo(contrast: number, colour: string): string {
  const channels = channelsOf(colour);
  for (let part = 255; part > 0; part--) {
    const darker = toHex(channels.map((channel) => Math.floor((channel * part) / 255)));
    if (contrastToWhite(darker) >= contrast) return darker;
  }
  return "#000000";
}
