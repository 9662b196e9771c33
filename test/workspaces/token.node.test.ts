import { describe, expect, it } from "vitest";
import {
  covers,
  hashToken,
  isInScope,
  isInvitationTo,
  isToken,
  MAX_SCOPE,
  makeToken,
  type Scope,
  scopeOf,
  scopePrefix,
} from "../../src/workspaces/token";

const A = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const B = "01JZ8Q4V6T3K9M2N5P7R8S0W2X";
const random = (bytes: number) => new Uint8Array(bytes).fill(7);

const SCOPES: readonly (readonly [Scope, string])[] = [
  ["all", ""],
  [[A], `${A}.`],
  [[A, B], `${A}.${B}.`],
];

describe("a token", () => {
  it.each(SCOPES)(
    "for %j keeps its workspaces in what is stored, beside a hash of it all",
    async (scope, prefix) => {
      const token = makeToken("ses", random, scope);
      const hash = await hashToken(token);
      expect(hash).toMatch(new RegExp(`^${prefix.replaceAll(".", "\\.")}[0-9a-f]{64}$`));
      expect([isToken("ses", token), isToken("sgn", token), scopeOf(hash)]).toEqual([true, false, scope]);
      expect(scopePrefix(scope)).toBe(prefix);
    },
  );

  it("for other workspaces has another hash, so that nobody can widen a token", async () => {
    const token = makeToken("ses", random, [A]);
    const others = [token.replace(A, B), `${token}.${B}`, token.slice(0, -27)];
    const digest = (hash: string) => hash.slice(-64);
    const own = digest(await hashToken(token));
    for (const other of others) expect(digest(await hashToken(other))).not.toBe(own);
  });

  it("fits into a cookie", () => {
    const ids = Array.from({ length: MAX_SCOPE }, () => A);
    expect(makeToken("ses", random, ids).length).toBeLessThan(1_000);
    expect(isToken("ses", makeToken("ses", random, ids))).toBe(true);
    expect(isToken("ses", makeToken("ses", random, [...ids, A]))).toBe(false);
  });

  it.each(["", "ses_", `ses_${"0".repeat(63)}`, `ses_${"0".repeat(64)}.`, `ses_${"0".repeat(64)}.x`, `${A}`])(
    "is not %j",
    (text) => expect(isToken("ses", text)).toBe(false),
  );
});

it.each<[Scope, Scope, boolean]>([
  ["all", "all", true],
  ["all", [A], true],
  [[A], "all", false],
  [[A], [A], true],
  [[A], [A, B], false],
  [[A, B], [B], true],
])("%j covers %j: %j", (scope, other, does) => {
  expect(covers(scope, other)).toBe(does);
});

it("an invitation belongs to its workspace alone", () => {
  expect(isInScope("all", A)).toBe(true);
  expect([isInScope([A], A), isInScope([A], B)]).toEqual([true, false]);
  const token = makeToken("sgn", random, [A]);
  expect([isInvitationTo(A, token), isInvitationTo(B, token), isInvitationTo(A, `x${token}`)]).toEqual([
    true,
    false,
    false,
  ]);
});
