import { writeWithinLimit } from "../../access/room";
import { LIMITS } from "../../access/workspace-statements";
import { auditEntry, type Context } from "../../context";
import { assertFound, retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import { destinationHost, destinationProblem } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import { newId } from "../../lib/ids";
import { maskedUrl } from "../../lib/masked-url";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { checkHosts, hostProblem, toRefusedHosts } from "../destinations/hosts";
import { isLoopback } from "../destinations/outside";
import { dropWaitingOf } from "./message-repository";
import {
  countWaiting,
  deleteReceiver,
  ensureReceiverUnchanged,
  insertReceiver,
  type ReceiverRow,
  selectDeliveries,
  selectLastDeliveries,
  selectReceiver,
  selectReceivers,
  updateReceiver,
} from "./receiver-repository";
import { type ReceiverInput, receiverName } from "./receiver-schema";
import { newSecret } from "./webhook";

export const MAX_RECEIVERS = LIMITS.receiver.max;
const VISITS = "visits.counted";

const toReceiver = (row: ReceiverRow) => ({
  id: row.public_id,
  name: receiverName(row),
  /** The name that an owner gave it. */
  given_name: row.name,
  url: row.url,
  /** The URL without what may be a secret. */
  address: maskedUrl(row.url),
  kinds: JSON.parse(row.kinds) as string[],
  is_on: row.is_on === 1,
  /** Why the service has switched it off; null if it has not. */
  switched_off_by: row.is_on === 1 ? null : row.switched_off_by,
  switched_off_at: isoTimeOrNull(row.switched_off_at),
  failing_since: isoTimeOrNull(row.failing_since),
});

export type Receiver = ReturnType<typeof toReceiver>;

/** The receivers of a workspace, each with its last delivery, null if there is none. */
export async function listReceivers({ db, workspace }: Context) {
  const [rows, lasts] = await db.read(
    selectReceivers(workspace.rowId),
    selectLastDeliveries(workspace.rowId),
  );
  return rows.map((row) => {
    const last = lasts.find(({ receiver }) => receiver === row.public_id);
    return {
      ...toReceiver(row),
      last: last
        ? { at: isoTime(last.tried_at), is_delivered: last.delivered_at !== null, outcome: last.outcome }
        : null,
    };
  });
}

export type ListedReceiver = Awaited<ReturnType<typeof listReceivers>>[number];

/** A receiver with its last deliveries. Throws 404. */
export async function getReceiver({ db, workspace }: Context, path: string) {
  const id = storedId(path);
  const [[row], deliveries, [count]] = await db.read(
    selectReceiver(workspace.rowId, id),
    selectDeliveries(workspace.rowId, id),
    countWaiting(workspace.rowId, id),
  );
  return {
    ...toReceiver(assertFound(row, "Receiver")),
    waiting: count?.waiting ?? 0,
    deliveries: deliveries.map(({ created_at, due_at, tried_at, delivered_at, ...delivery }) => ({
      ...delivery,
      at: isoTime(created_at),
      tried_at: isoTimeOrNull(tried_at),
      /** When it is tried again; null if it is not. */
      next_at: isoTimeOrNull(due_at),
      is_delivered: delivered_at !== null,
    })),
  };
}

export type Delivery = Awaited<ReturnType<typeof getReceiver>>["deliveries"][number];

const isLocalUrl = ({ config }: Context, url: string): boolean =>
  config.isLocal && URL.canParse(url) && isLoopback(new URL(url).hostname);

/** Why messages cannot be sent to a URL: what the rules of destinations say, and that it needs https. */
async function urlProblem(ctx: Context, url: string): Promise<Failure | undefined> {
  if (isLocalUrl(ctx, url)) return undefined;
  const broken = destinationProblem(url, "url");
  if (broken !== undefined) return broken;
  if (new URL(url).protocol !== "https:")
    return { field: "url", reason: "rule", code: "scheme", rule: "must use https" };
  const host = destinationHost(url);
  const [[rows], checks] = await Promise.all([
    ctx.db.read(selectRefusedHosts([host])),
    checkHosts(ctx.config, [host]),
  ]);
  return hostProblem(ctx, "url", url, toRefusedHosts(rows, checks));
}

const fieldsOf = ({ name = null, url, kinds, is_on }: ReceiverInput) => ({
  name,
  url,
  host: destinationHost(url),
  kinds: JSON.stringify(kinds),
  is_on: Number(is_on),
});

type Described = Pick<ReceiverInput, "name" | "url" | "is_on"> & { kinds: readonly string[] };

/** What the audit trail shows of a receiver. */
const toTrail = ({ name, url, kinds, is_on }: Described) => ({
  name: receiverName({ name, url }),
  url: maskedUrl(url),
  kinds,
  is_on,
});

/** The secret is in no other answer. Throws 422. */
export async function createReceiver(ctx: Context, input: ReceiverInput) {
  assertNone([await urlProblem(ctx, input.url)]);
  const at = ctx.now();
  const id = newId(at);
  const secret = newSecret(ctx.random);
  const fields = fieldsOf(input);
  const row = {
    ...fields,
    public_id: id,
    workspace_id: ctx.workspace.rowId,
    secret,
    visits_from: input.is_on && input.kinds.includes(VISITS) ? at : null,
    created_at: at,
  };
  const change = { ...auditEntry(ctx, "receiver.create", id, at), change: toTrail(input) };
  await writeWithinLimit(ctx, ["receiver", 1], change, [insertReceiver(row)]);
  return { id, name: receiverName(input), secret };
}

/** Switched off, a receiver gets nothing of what waits. Throws 404 and 422. */
export async function changeReceiver(ctx: Context, path: string, input: ReceiverInput): Promise<void> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const problem = await urlProblem(ctx, input.url);
  return retryLostRaces(async () => {
    const [[found]] = await ctx.db.read(selectReceiver(workspaceId, id));
    const row = assertFound(found, "Receiver");
    assertNone([input.url === row.url ? undefined : problem]);
    const fields = fieldsOf(input);
    const at = ctx.now();
    const isTold = input.is_on && input.kinds.includes(VISITS);
    const next = {
      ...fields,
      ...(input.is_on && { switched_off_at: null, switched_off_by: null }),
      ...((input.url !== row.url || row.is_on === 0 || !input.is_on) && { failing_since: null }),
      visits_from: isTold ? (row.visits_from ?? at) : null,
    };
    const isSame = Object.entries(next).every(([name, value]) => row[name as keyof typeof row] === value);
    if (isSame) return;
    const entry = auditEntry(ctx, "receiver.update", id, at);
    const was = toTrail({ ...row, kinds: JSON.parse(row.kinds), is_on: row.is_on === 1 });
    // The URL stands in for a name that nobody gave, so another URL is no other name.
    const isNamed = row.name !== null || input.name != null;
    const will = { ...toTrail(input), ...(!isNamed && { name: was.name }) };
    const before = JSON.stringify(was);
    const guards = [ensureReceiverUnchanged(row)];
    await ctx.db.write({ ...entry, before, change: will, guards }, [
      updateReceiver(workspaceId, id, next),
      ...(input.is_on ? [] : dropWaitingOf(row.id)),
    ]);
  });
}

/** A new secret in place of the old one, which signs no more messages. It is in no other answer. Throws 404. */
export const replaceSecret = (ctx: Context, path: string) =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const id = storedId(path);
    const [[found]] = await ctx.db.read(selectReceiver(workspaceId, id));
    const row = assertFound(found, "Receiver");
    const name = receiverName(row);
    const secret = newSecret(ctx.random);
    const entry = auditEntry(ctx, "receiver.replace_secret", id, ctx.now());
    const guards = [ensureReceiverUnchanged(row)];
    await ctx.db.write({ ...entry, change: { name }, guards }, [updateReceiver(workspaceId, id, { secret })]);
    return { id, name, secret };
  });

/** Throws 404. */
export const removeReceiver = (ctx: Context, path: string): Promise<Receiver> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[found]] = await ctx.db.read(selectReceiver(workspaceId, storedId(path)));
    const row = assertFound(found, "Receiver");
    const entry = auditEntry(ctx, "receiver.delete", row.public_id, ctx.now());
    const change = { name: receiverName(row) };
    const guards = [ensureReceiverUnchanged(row)];
    await ctx.db.write({ ...entry, space: "frees", change, guards }, deleteReceiver(workspaceId, row.id));
    return toReceiver(row);
  });
