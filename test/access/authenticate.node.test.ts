import { describe, expect, it } from "vitest";
import { makeApiKey } from "../../src/access/api-key";
import { findKeyHash, findPrincipal, recordKeyUse } from "../../src/access/authenticate";
import {
  selectKey,
  selectKeyAnywhere,
  selectKeyByHash,
  updateLastUse,
  updateRevocation,
} from "../../src/access/key-repository";
import {
  expiresSoon,
  revokeApiKey,
  revokeApiKeyAnywhere,
  revokeApiKeyByText,
  toKeyState,
} from "../../src/access/keys";
import type { Context } from "../../src/context";
import { sha256Hex } from "../../src/lib/hash";
import { fakeDatabase, written } from "../fakes";

const NOW = 1_000_000_000;
const MINUTE = 60_000;
const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const zeros = (bytes: number) => new Uint8Array(bytes);
const KEY = makeApiKey(zeros);
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
const workspace = { id: 3, public_id: "W", name: "Acme", slug: "acme", suspended_at: null as number | null };
const VIEW = {
  id: ID,
  workspace: "acme",
  name: "Deploy",
  access: "full",
  last4: "CLNu",
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  created_at: "1970-01-01T00:00:00.000Z",
};

function context(...answers: (readonly unknown[][])[]) {
  const { db, reads, writes, notes } = fakeDatabase(...answers);
  const ctx = {
    db,
    now: () => NOW,
    random: zeros,
    actor: "operator",
    workspace: { rowId: 3, id: "W", name: "Acme", slug: "acme" },
  } as unknown as Context;
  return { ctx, reads, writes, notes };
}

describe("the hash of a request's key", () => {
  it.each([`Bearer ${KEY}`, `bearer   ${KEY}`])("comes from the header %s", async (authorization) => {
    expect(await findKeyHash(authorization)).toBe(await sha256Hex(KEY));
  });

  it.each([
    undefined,
    "",
    "Bearer",
    KEY,
    `Bearer${KEY}`,
    `xBearer ${KEY}`,
    `Bearer ${KEY} x`,
    `Bearer ${KEY}x`,
  ])("does not come from %s", async (authorization) => {
    expect(await findKeyHash(authorization)).toBeUndefined();
  });
});

describe("the principal of a request", () => {
  const principal = (fields: Partial<typeof key>, suspended_at: number | null = null) =>
    findPrincipal([{ key: { ...key, ...fields }, workspace: { ...workspace, suspended_at } }] as never, NOW);

  it("comes from the row of the key", () => {
    expect(principal({})).toEqual({
      keyId: 5,
      actor: `key:${ID}`,
      readOnly: false,
      suspended: false,
      workspace: { rowId: 3, id: "W", name: "Acme", slug: "acme" },
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

  it("has its use recorded at most once in ten minutes", async () => {
    const { ctx, notes } = context();
    await recordKeyUse(ctx, 5);
    expect(notes).toEqual([[written(updateLastUse(5, NOW, NOW - 10 * MINUTE))]]);
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

  it.each([
    ["its id in the workspace", revokeApiKey, ID.toLowerCase(), async () => [selectKey(3, ID)]],
    ["its id", revokeApiKeyAnywhere, ID.toLowerCase(), async () => [selectKeyAnywhere(ID)]],
    ["its text", revokeApiKeyByText, KEY, async () => [selectKeyByHash(await sha256Hex(KEY))]],
  ])("is revoked by %s, and returned in its new state", async (_, revoke, named, statements) => {
    const revoked = { ...key, revoked_at: 0 };
    const { ctx, reads, writes } = context([[{ key, workspace }]], [[{ key: revoked, workspace }]]);
    expect(await revoke(ctx, named)).toEqual({ ...VIEW, revoked_at: VIEW.created_at });
    expect(reads).toEqual([(await statements()).map(written)]);
    const entry = { workspaceId: 3, actor: "operator", action: "key.revoke", subject: ID, at: NOW };
    const change = { ...entry, guards: [expect.anything()] };
    expect(writes).toEqual([{ change, statements: [written(updateRevocation(5, NOW))] }]);
  });

  it("that disappears before it is revoked is returned as it was read", async () => {
    const { ctx } = context([[{ key, workspace }]], [[]]);
    expect(await revokeApiKeyAnywhere(ctx, ID)).toEqual(VIEW);
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
