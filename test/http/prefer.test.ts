import { expect, it } from "vitest";
import { prefersStrict } from "../../src/http/request-body";

it.each([
  ["handling=strict", true],
  [' HANDLING = "Strict" ', true],
  ["return=minimal, handling=strict; wait=1", true],
  ["wait; handling=lenient, handling=strict", true],
  ['foo="a, b", handling=strict', true],
  ["handling=strict, handling=lenient", true],
  ["handling=lenient, handling=strict", false],
  ["handling, handling=strict", false],
  ["handling=lenient", false],
  ['foo="handling=strict"', false],
  ['foo="a, handling=strict"', false],
  ['foo="a; b", handling=strict', true],
  ['handling="strict;a"', false],
  ['handling="str,ict"', false],
  ['handling="strict;"', false],
  ["handling=strict=x", false],
  ["", false],
  [null, false],
])("Prefer: %j asks for strict handling: %s", (header, isStrict) => {
  expect(prefersStrict(header)).toBe(isStrict);
});
