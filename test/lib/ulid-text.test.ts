import { expect, it } from "vitest";
import { storedId } from "../../src/lib/ulid-text";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

it("an id is stored in upper case", () => {
  expect(storedId(ID)).toBe(ID);
  expect(storedId(ID.toLowerCase())).toBe(ID);
  expect(storedId(`7${"z".repeat(25)}`)).toBe(`7${"Z".repeat(25)}`);
});

it.each([
  "",
  ID.slice(1),
  `${ID}0`,
  `0${ID}`,
  `8${ID.slice(1)}`,
  ...Array.from("ILOUilou-ſ\u212aé", (letter) => ID.slice(0, 25) + letter),
])("%j is not an id, and finds nothing", (text) => {
  expect(storedId(text)).toBe("");
});
