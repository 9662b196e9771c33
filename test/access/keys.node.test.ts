import { describe, expect, it } from "vitest";
import { selectKey } from "../../src/access/key-repository";
import { createApiKeyOnce, expiresSoon } from "../../src/access/keys";
import type { Context } from "../../src/context";
import type { Database } from "../../src/db/client";
import { LostRace } from "../../src/errors";
import { fakeDatabase, written } from "../fakes";

const NOW = 1_000_000_000;
const DAY = 24 * 3_600_000;
const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const made = {
  id: 5,
  public_id: ID,
  workspace_id: 3,
  name: "Deploy",
  access: "full" as "full" | "read",
  last4: "CLNu",
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  created_at: 0,
};

/** A workspace in which a write fails with each of these errors before one succeeds. It has at most one key. */
function context(key: typeof made | undefined, ...failures: Error[]) {
  const { db, reads, writes } = fakeDatabase([
    key === undefined ? [] : [{ key, workspace: { slug: "acme" } }],
  ]);
  const write: Database["write"] = async (change, statements, ...selects) => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return db.write(change, statements, ...selects);
  };
  const ctx = {
    db: { ...db, write },
    now: () => NOW,
    random: (bytes: number) => new Uint8Array(bytes),
    actor: "operator",
    workspace: { rowId: 3, id: "W", name: "Acme", slug: "acme" },
  } as unknown as Context;
  return { ctx, reads, writes };
}

const INPUT = { name: "Deploy", access: "full" } as const;
const issuedIn = (once: object) =>
  "issued" in once ? (once.issued as { id: string; key: string }) : undefined;

const idOf = async (input: { name: string; access: "full" | "read" }, formId: string): Promise<string> =>
  issuedIn(await createApiKeyOnce(context(undefined).ctx, input, formId))?.id ?? "";

describe("a form for a new key", () => {
  it("makes a key whose id has the time of the form", async () => {
    const { ctx, reads, writes } = context(undefined);
    const issued = issuedIn(await createApiKeyOnce(ctx, INPUT, ID.toLowerCase()));
    expect(issued?.id).toMatch(/^01ARZ3NDEK[0-9A-F]{16}$/);
    expect(issued?.key.slice(0, 4)).toBe("lnk_");
    expect(writes.map(({ change }) => change.subject)).toEqual([issued?.id]);
    expect(reads).toEqual([]);
  });

  it("without an id makes a key with one of its own", async () => {
    const { ctx, writes } = context(undefined);
    const issued = issuedIn(await createApiKeyOnce(ctx, INPUT, "none"));
    expect(issued?.id).toMatch(/^[0-9A-Z]{26}$/);
    expect(writes.map(({ change }) => change.subject)).toEqual([issued?.id]);
  });

  it.each([INPUT, { name: "Deploy" }])("that is sent twice makes one key: %j", async (input) => {
    const id = await idOf(INPUT, ID);
    const { ctx, reads, writes } = context({ ...made, public_id: id }, new LostRace());
    expect(await createApiKeyOnce(ctx, input, ID)).toEqual({
      made: {
        id,
        workspace: "acme",
        name: "Deploy",
        access: "full",
        last4: "CLNu",
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
        created_at: "1970-01-01T00:00:00.000Z",
      },
    });
    expect(reads).toEqual([[written(selectKey(3, id))]]);
    expect(writes).toEqual([]);
  });

  it.each([
    ["another name", { name: "Other", access: "full" as const }, ID],
    ["another access", { name: "Deploy", access: "read" as const }, ID],
    ["the id of another form", INPUT, `${ID.slice(0, -1)}W`],
  ])("makes another key with %s", async (_, input, formId) => {
    expect(await idOf(input, formId)).not.toBe(await idOf(INPUT, ID));
  });

  it("fails if the database does", async () => {
    const { ctx, reads } = context(made, new Error("D1 is down"));
    await expect(createApiKeyOnce(ctx, INPUT, ID)).rejects.toThrow("D1 is down");
    expect(reads).toEqual([]);
  });
});

it.each([
  ["without an expiry", null, "does not expire soon"],
  ["that expires in more than seven days", NOW + 7 * DAY + 1, "does not expire soon"],
  ["that expires in seven days", NOW + 7 * DAY, "expires soon"],
  ["that has expired", NOW - 1, "expires soon"],
])("a key %s (%s) %s", (_, at, answer) => {
  const expires_at = at === null ? null : new Date(at).toISOString();
  expect(expiresSoon({ expires_at }, NOW)).toBe(answer === "expires soon");
});
