import type { ServiceContext } from "../context";
import { retryLostRaces } from "../errors";
import { idsInOrder } from "../lib/ids";
import { randomSlug } from "../lib/slug-text";
import {
  insertAssetAudits,
  insertCodes,
  selectAssetsForCodes,
  selectCodesPosition,
  upsertCodesPosition,
} from "./repository";

const ASSETS_PER_ROUND = 1_000;
/** A round takes up to five of the 50 D1 queries of an invocation, which the other daily jobs share. */
const MAX_ROUNDS = 4;

type Giver = Pick<ServiceContext, "db" | "actor" | "now" | "random">;

/** Gives codes to the assets after a row id that have none. Returns the last row id, or 0 at the end. */
const giveCodesAfter = (ctx: Giver, position: number): Promise<{ made: number; last: number }> =>
  retryLostRaces(async () => {
    const [rows] = await ctx.db.read(selectAssetsForCodes(position, ASSETS_PER_ROUND));
    const last = rows.length < ASSETS_PER_ROUND ? 0 : (rows.at(-1)?.id ?? 0);
    const [first, ...others] = rows
      .filter(({ has_code: hasCode }) => hasCode === 0)
      .map((row) => ({ ...row, key: randomSlug(ctx.random) }));
    if (first === undefined) return { made: 0, last };
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
    return { made: 1 + others.length, last };
  });

/**
 * Gives a code to assets from before codes, in portions. Goes on where the last run ended, and begins again at the end,
 * because a release without codes may still create assets while a new one rolls out.
 */
export async function giveCodes(ctx: Giver): Promise<{ made: number }> {
  const [[stored]] = await ctx.db.read(selectCodesPosition());
  let position = Number(stored?.position ?? 0);
  let made = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const given = await giveCodesAfter(ctx, position);
    made += given.made;
    position = given.last;
    await ctx.db.writeUnaudited(upsertCodesPosition(String(position)));
    if (position === 0) break;
  }
  return { made };
}
