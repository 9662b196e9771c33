import { auditEntry, type Context } from "../../context";
import { assertFound, LostRace, notFound, retryLostRaces } from "../../errors";
import { invalid } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { newId } from "../../lib/ids";
import { MINUTE_MS, ownUntil } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { deliverNow } from "./deliver-events";
import { TEST_KIND } from "./event-kinds";
import {
  claimAgain,
  ensureMessage,
  insertClaimed,
  selectForDelivery,
  selectMessage,
} from "./receiver-repository";
import { receiverName } from "./receiver-schema";

/** A message that is sent by hand is claimed so long. */
const CLAIM_MS = 2 * MINUTE_MS;

const OFF: Failure = {
  field: "is_on",
  message: "The receiver is off: switch it on first.",
  code: "state",
};

async function findForDelivery(ctx: Context, path: string) {
  const [[found]] = await ctx.db.read(selectForDelivery(ctx.workspace.rowId, storedId(path)));
  const receiver = assertFound(found, "Receiver");
  if (receiver.is_on === 0) throw invalid([OFF]);
  return receiver;
}

/** Sends a message that says nothing, and returns what came of it. Throws 404 and 422. */
export async function sendTest(ctx: Context, path: string) {
  const { receiver, message } = await retryLostRaces(() => insertTest(ctx, path));
  return deliverNow(ctx, receiver, assertFound(message, "Message"));
}

async function insertTest(ctx: Context, path: string) {
  const receiver = await findForDelivery(ctx, path);
  const at = ctx.now();
  const event = newId(at);
  const data = JSON.stringify({ receiver: storedId(path) });
  const change = { name: receiverName(receiver) };
  const [[message]] = await ctx.db.write(
    { ...auditEntry(ctx, "receiver.test", storedId(path), at), change },
    [
      insertClaimed({
        workspace_id: ctx.workspace.rowId,
        receiver_id: receiver.id,
        event,
        kind: TEST_KIND,
        data,
        size: data.length,
        created_at: at,
        tries: 1,
        due_at: ownUntil(at + CLAIM_MS),
      }),
    ],
    selectMessage(ctx.workspace.rowId, receiver.id, event),
  );
  return { receiver, message };
}

/** Sends a delivery again with its id, and returns what came of it. Throws 404 and 422. */
export async function sendAgain(ctx: Context, path: string, event: string) {
  const receiver = await findForDelivery(ctx, path);
  const at = ctx.now();
  const until = ownUntil(at + CLAIM_MS);
  const change = {
    ...auditEntry(ctx, "receiver.send_again", storedId(path), at),
    change: { name: receiverName(receiver), message: event },
    guards: [ensureMessage(ctx.workspace.rowId, receiver.id, event)],
  };
  const [[message]] = await ctx.db
    .write(
      change,
      [claimAgain(ctx.workspace.rowId, receiver.id, event, until)],
      selectMessage(ctx.workspace.rowId, receiver.id, event),
    )
    .catch((error) => {
      throw error instanceof LostRace ? notFound("Delivery") : error;
    });
  return deliverNow(ctx, receiver, assertFound(message, "Delivery"));
}
