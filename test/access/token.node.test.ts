import { describe, expect, it } from "vitest";
import { covers, isInScope, type Scope, toScope, workspacesIn } from "../../src/access/scope";
import { isToken, makeToken } from "../../src/access/token";

const A = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const B = "01JZ8Q4V6T3K9M2N5P7R8S0W2X";

describe("a token", () => {
  it("is of its kind", () => {
    const token = makeToken("ses", (bytes) => new Uint8Array(bytes).fill(7));
    expect(token).toBe(`ses_${"07".repeat(32)}`);
    expect([isToken("ses", token), isToken("sgn", token)]).toEqual([true, false]);
  });

  it.each(["", "ses_", `ses_${"0".repeat(63)}`, `ses_${"0".repeat(64)}.`, `ses_${"0".repeat(64)}.x`, `${A}`])(
    "is not %j",
    (text) => expect(isToken("ses", text)).toBe(false),
  );
});

it.each<[Scope, Scope, boolean]>([
  [null, null, true],
  [null, toScope([A]), true],
  [toScope([A]), null, false],
  [toScope([A]), toScope([A]), true],
  [toScope([A]), toScope([A, B]), false],
  [toScope([A, B]), toScope([B]), true],
  ["", toScope([A]), false],
])("%j covers %j: %j", (scope, other, does) => {
  expect(covers(scope, other)).toBe(does);
});

it("a scope has its workspaces alone", () => {
  expect(isInScope(null, A)).toBe(true);
  expect([isInScope(toScope([A]), A), isInScope(toScope([A]), B)]).toEqual([true, false]);
  expect(workspacesIn(`${toScope([A, B])}`)).toEqual([A, B]);
});
