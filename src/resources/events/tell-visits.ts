import type { ServiceContext } from "../../context";
import { idsInOrder } from "../../lib/ids";
import { shortUrlOf } from "../../lib/short-url";
import { isoTime } from "../../lib/time";
import {
  selectReceiversToTell,
  selectUntold,
  type ToldReceiver,
  tellStatements,
  type UntoldRow,
} from "./visits-repository";

const MAX_LINKS_OF_MESSAGE = 500;
/** Of a receiver in a run. The next run goes on. */
const MAX_MESSAGES = 4;
/** In a run. */
const MAX_RECEIVERS = 3;
const STATEMENTS_OF_RECEIVER = 5;

type Teller = Pick<ServiceContext, "db" | "config" | "now">;

const toLinkVisits = ({ config }: Teller, { link, domain, slug, clicks, scans }: UntoldRow) =>
  slug === null ? [] : [{ id: link, short_url: shortUrlOf(config, domain, slug), clicks, scans }];

async function tell(ctx: Teller, receiver: ToldReceiver): Promise<void> {
  const at = ctx.now();
  const [rows] = await ctx.db.read(selectUntold(receiver.id, MAX_MESSAGES * MAX_LINKS_OF_MESSAGE));
  if (rows.length === 0) return;
  const nextId = idsInOrder();
  const told: [event: string, data: string][] = [];
  const stored = rows.flatMap((row) => toLinkVisits(ctx, row));
  for (let first = 0; first < stored.length; first += MAX_LINKS_OF_MESSAGE) {
    const links = stored.slice(first, first + MAX_LINKS_OF_MESSAGE);
    const data = { from: isoTime(receiver.visits_from), to: isoTime(at), links };
    told.push([nextId(at), JSON.stringify(data)]);
  }
  const isWhole = rows.length < MAX_MESSAGES * MAX_LINKS_OF_MESSAGE;
  // While there are more links, the receiver stays due, with the same beginning but for a millisecond.
  const until = isWhole ? at : receiver.visits_from + 1;
  await ctx.db.writeGuarded(tellStatements(receiver, told, rows, { at, until }));
}

/** The job that queues what was counted of visits since each receiver heard of them, at most every so often. */
export async function tellVisits(ctx: Teller): Promise<void> {
  const [receivers] = await ctx.db.read(
    selectReceiversToTell(ctx.now() - ctx.config.visitsToldEveryMs, MAX_RECEIVERS),
  );
  for (const receiver of receivers)
    if (ctx.db.statementsLeft() >= STATEMENTS_OF_RECEIVER) await tell(ctx, receiver);
}
