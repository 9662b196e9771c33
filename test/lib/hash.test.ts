import { expect, it } from "vitest";
import { crc32 } from "../../src/lib/hash";

it.each([
  ["", 0],
  ["123456789", 0xcbf43926],
  ["IEND", 0xae426082],
  ["\xff\x80", 0x3f456cad],
])("the CRC-32 of %j is the published one", (text, sum) => {
  expect(crc32(Uint8Array.from(text, (character) => character.charCodeAt(0)))).toBe(sum);
});
