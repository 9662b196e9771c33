import type { Context } from "../context";
import { sortNaturally } from "../lib/natural-order";
import { pageOf } from "../lib/paging";
import { fold } from "../lib/slug-text";
import { selectNewestKeys } from "./key-repository";
import { type ApiKeyView, toApiKeyView, toKeyState } from "./keys";

export const KEYS_PER_PAGE = 50;

const STATES = ["active", "expired", "revoked"] as const;

/** Keys that work come first. In each state "Build 2" comes before "Build 10", then the newest first. */
const inOrder = (newest: readonly ApiKeyView[], now: number): ApiKeyView[] =>
  STATES.flatMap((state) => sortNaturally(newest.filter((key) => toKeyState(key, now) === state)));

/** A page of the keys, or of those with `q` in their name. A page after the last one is the last one. */
export async function listKeyPage(ctx: Context, { q, page }: { q: string; page: number }) {
  const [rows] = await ctx.db.read(selectNewestKeys(ctx.workspace.rowId));
  const keys = rows.map((row) => toApiKeyView(row, ctx.workspace.slug));
  const found = keys.filter(({ name }) => fold(name).includes(fold(q)));
  return {
    ...pageOf(inOrder(found, ctx.now()), page, KEYS_PER_PAGE),
    /** The number of keys without the search. */
    all: keys.length,
  };
}
