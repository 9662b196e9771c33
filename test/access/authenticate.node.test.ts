import { describe, expect, it } from "vitest";
import { makeApiKey } from "../../src/access/api-key";
import { findKeyHash, findPrincipal } from "../../src/access/authenticate";
import { expiresSoon, toKeyState } from "../../src/access/keys";
import { sha256Hex } from "../../src/lib/hash";

const NOW = 1_000_000_000;
const MINUTE = 60_000;
const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const KEY = makeApiKey((bytes) => new Uint8Array(bytes));
const key = {
  id: 5,
  public_id: ID,
  workspace_id: 3,
  name: "Deploy",
  access: "full",
  last4: "CLNu",
  expires_at: null as number | null,
  revoked_at: null as number | null,
  last_used_at: null as number | null,
  created_at: 0,
};
const workspace = {
  ...{ id: 3, public_id: "W", name: "Acme", slug: "acme", suspended_at: null as number | null },
  ...{ time_zone: "Europe/Zurich", earlier_zones: null, own_networks: null, created_at: 7 },
};
describe("the principal of a request", () => {
  const principal = (fields: Partial<typeof key>, suspended_at: number | null = null) =>
    findPrincipal([{ key: { ...key, ...fields }, workspace: { ...workspace, suspended_at } }] as never, NOW);

  it("comes from the row of the key", () => {
    expect(principal({})).toEqual({
      keyId: 5,
      actor: `key:${ID}`,
      readOnly: false,
      suspended: false,
      workspace: {
        ...{ rowId: 3, id: "W", name: "Acme", slug: "acme", createdAt: 7, timeZone: "Europe/Zurich" },
        zones: { zone: "Europe/Zurich", earlier: [] },
      },
      useIsDue: true,
    });
    expect(principal({ access: "read" }, 1)).toMatchObject({ readOnly: true, suspended: true });
  });

  it("is none for a key that is unknown, revoked or expired", () => {
    expect(findPrincipal([], NOW)).toBeUndefined();
    expect(principal({ revoked_at: NOW + 1 })).toBeUndefined();
    expect(principal({ expires_at: NOW })).toBeUndefined();
    expect(principal({ expires_at: NOW + 1 })).toBeDefined();
  });

  it.each([
    [NOW - 10 * MINUTE - 1, true],
    [NOW - 10 * MINUTE, false],
    [NOW, false],
  ])("is due for another record of use after a last use at %i: %s", (last_used_at, due) => {
    expect(principal({ last_used_at })?.useIsDue).toBe(due);
  });
});

describe("a key", () => {
  it.each([
    [null, null, "active"],
    [null, NOW + 1, "active"],
    [null, NOW, "expired"],
    [NOW + 1, null, "revoked"],
    [NOW, NOW, "revoked"],
  ])("that is revoked at %s and expires at %s is %s", (revoked, expires, state) => {
    const text = (time: number | null) => (time === null ? null : new Date(time).toISOString());
    expect(toKeyState({ revoked_at: text(revoked), expires_at: text(expires) }, NOW)).toBe(state);
  });
});

it.each([
  ["without an expiry", null, "does not expire soon"],
  ["that expires in more than seven days", NOW + 7 * 24 * 60 * MINUTE + 1, "does not expire soon"],
  ["that expires in seven days", NOW + 7 * 24 * 60 * MINUTE, "expires soon"],
  ["that has expired", NOW - 1, "expires soon"],
])("a key %s (%s) %s", (_, at, answer) => {
  const expires_at = at === null ? null : new Date(at).toISOString();
  expect(expiresSoon({ expires_at }, NOW)).toBe(answer === "expires soon");
});

it("a key is found behind one space or more, with or without white space behind it", async () => {
  for (const header of [`Bearer ${KEY}`, `bearer   ${KEY}`, `Bearer ${KEY} `, `Bearer ${KEY}\t\u00a0`])
    expect(await findKeyHash(header), header).toBe(await sha256Hex(KEY));
  for (const header of [`Bearer ${KEY} x`, `Bearer${KEY}`, ` Bearer ${KEY}`, KEY, undefined])
    expect(await findKeyHash(header), header).toBeUndefined();
});
