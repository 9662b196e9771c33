import { expect, it } from "vitest";
import { toRawSignature } from "../../src/access/passkey-answer";
import { toDer } from "../authenticator";

const number = (...start: number[]) => [...start, ...Array.from({ length: 32 - start.length }, () => 7)];

it.each([
  ["long numbers", [...number(0x80, 1), ...number(0xff)]],
  ["usual numbers", [...number(0x7f), ...number(1)]],
  ["short numbers", [...number(0, 1), ...number(0, 0, 0x80)]],
  ["the shortest", [...Array.from({ length: 31 }, () => 0), 1, ...Array.from({ length: 32 }, () => 0)]],
])("an ECDSA signature with %s is read from DER", (_, raw) => {
  expect(toRawSignature(toDer(new Uint8Array(raw)))).toEqual(new Uint8Array(raw));
});

it("a text that is no DER signature is none", () => {
  const good = toDer(new Uint8Array([...number(1), ...number(2)]));
  const bad = [
    [],
    good.slice(0, -1),
    [...good, 0],
    [0x31, ...good.slice(1)],
    [...good.slice(0, 2), 0x03, ...good.slice(3)],
    [0x30, 4, 2, 200, 1, 2],
    [0x30, 37, 2, 33, ...Array.from({ length: 33 }, () => 9), 2, 1],
    [0x30, 0],
  ];
  for (const bytes of bad) expect(toRawSignature(new Uint8Array(bytes))).toBe(undefined);
});
