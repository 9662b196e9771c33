import { slugFromName } from "../../lib/slug-text";

const MAX_NAME_CHARACTERS = 40;
const MAX_PLACE_CHARACTERS = 30;

/**
 * The name of an asset's file among `total` files: `01-poster-bern-k3f9x2q`. Lower-case ASCII letters, digits and hyphens are safe on
 * every system, and the number makes the name unique.
 */
export function assetFileName(
  index: number,
  total: number,
  { name, place, code }: { name: string; place: string | null; code: string },
): string {
  const number = String(index + 1).padStart(Math.max(2, String(total).length), "0");
  const parts = [
    slugFromName(name, MAX_NAME_CHARACTERS),
    place === name ? "" : slugFromName(place ?? "", MAX_PLACE_CHARACTERS),
    slugFromName(code, MAX_NAME_CHARACTERS),
  ];
  return [number, ...parts.filter((part) => part !== "")].join("-");
}
