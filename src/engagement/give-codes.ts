import type { ServiceContext } from "../context";
import { retryLostRaces } from "../errors";
import { idsInOrder } from "../lib/ids";
import { randomSlug } from "../lib/slug-text";
import {
  insertCodes,
  selectAssetsWithoutCode,
  selectCodesPosition,
  selectLastAsset,
  upsertCodesPosition,
} from "./code-repository";
import { insertAssetAudits } from "./repository";

/** Bounds the rows that a statement reads: some two per asset. */
const LOOKED_PER_ROUND = 20_000;
const CODES_PER_ROUND = 1_000;
/** A round takes five of the 50 D1 queries of an invocation. The other daily jobs take eleven at most. */
const MAX_ROUNDS = 6;

type Giver = Pick<ServiceContext, "db" | "actor" | "now" | "random">;

/** Gives codes to assets after a row id. Returns the row id that the next round starts from, or 0 at the end. */
const giveCodesAfter = (ctx: Giver, position: number): Promise<{ made: number; next: number }> =>
  retryLostRaces(async () => {
    const [[looked], rows] = await ctx.db.read(
      selectLastAsset(position, LOOKED_PER_ROUND),
      selectAssetsWithoutCode(position, LOOKED_PER_ROUND, CODES_PER_ROUND),
    );
    const last = looked?.assets === LOOKED_PER_ROUND ? (looked.id ?? 0) : 0;
    const next = rows.length === CODES_PER_ROUND ? (rows.at(-1)?.id ?? 0) : last;
    const [first, ...others] = rows.map((row) => ({ ...row, key: randomSlug(ctx.random) }));
    if (first === undefined) return { made: 0, next };
    const at = ctx.now();
    const nextId = idsInOrder();
    const audit = { actor: ctx.actor, action: "asset.add_code", at };
    const entries = others.map(({ asset, key }) => ({
      id: nextId(at),
      asset,
      change: JSON.stringify({ code: key }),
    }));
    await ctx.db.write(
      { ...audit, workspaceId: first.workspace_id, subject: first.asset, change: { code: first.key } },
      [
        insertCodes([first, ...others], at),
        ...(entries.length === 0 ? [] : [insertAssetAudits(entries, audit)]),
      ],
    );
    return { made: 1 + others.length, next };
  });

/**
 * Gives a code to up to 6,000 assets from before codes, among 120,000 assets. Goes on where the last run ended, and begins
 * again at the end, because a release without codes may still create assets while a new one rolls out.
 */
export async function giveCodes(ctx: Giver): Promise<{ made: number }> {
  const [[stored]] = await ctx.db.read(selectCodesPosition());
  let position = Number(stored?.position ?? 0);
  let made = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const given = await giveCodesAfter(ctx, position);
    made += given.made;
    position = given.next;
    if (position === 0) break;
  }
  await ctx.db.writeUnaudited(upsertCodesPosition(String(position)));
  return { made };
}
