import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CONNECTION_LOST, withBatch } from "../../faulty";
import { hurry, type TestWorkspace } from "../../harness";
import {
  etagOf,
  furnished,
  type Ids,
  type Operation,
  perform,
  stateOf,
  writes,
} from "../../interface/operations";

// Loses each call of D1 of every write, before or after its effect. Lost once, a retry covers it. Lost repeatedly, the
// client gets 503 and sends the request again.

const TRIES = 3;
/** The calls of a write in an instance that has seen the key: one that reads, and the batch. */
const MAX_CALLS = 2;

/** The answer to a retry without `Idempotency-Key` after the effect: a second link, no change, 404, or a taken name. */
const AGAIN: Readonly<Record<string, number>> = {
  createLink: 201,
  updateLink: 200,
  deleteLink: 404,
  attachTagsToLink: 200,
  detachTagFromLink: 404,
  createTag: 422,
  updateTag: 200,
  deleteTag: 404,
};

/**
 * D1 that loses `times` calls in a row, from the `first` on, which may have taken effect; the record of a key's use is
 * not counted.
 */
function losing(first: number, times: number, takesEffect: boolean) {
  let calls = 0;
  return withBatch((send) => async (statements) => {
    const [{ statement }] = statements as [D1PreparedStatement & { statement: string }];
    if (statement.startsWith('update "api_keys"')) return send(statements);
    const lost = ++calls >= first && calls < first + times;
    if (lost && !(takesEffect && calls === first)) throw new Error(CONNECTION_LOST);
    const results = await send(statements);
    if (lost) throw new Error(CONNECTION_LOST);
    return results;
  });
}

const changesOf = async (ws: TestWorkspace): Promise<number> =>
  (await env.DB.prepare("select count(*) as n from audit_log where workspace_id = ? and actor <> 'operator'")
    .bind(ws.ctx.workspace.rowId)
    .first<number>("n")) ?? -1;

/** A workspace with a tagged link, and another tag to attach. */
async function prepared(operation: Operation): Promise<{ ws: TestWorkspace; ids: Ids }> {
  const { ws, ids } = await furnished();
  return operation.operationId === "attachTagsToLink"
    ? { ws, ids: { ...ids, tag: (await ws.tag()).id } }
    : { ws, ids };
}

// The pauses between retries do not matter here.
beforeEach(() => void hurry());
afterEach(() => void vi.unstubAllGlobals());

const CASES = writes.flatMap((operation) =>
  Array.from({ length: MAX_CALLS }, (_, index) => index + 1).flatMap((call) =>
    [false, true].flatMap((takesEffect) =>
      (operation.method === "POST" ? [false, true] : [false]).map((keyed) => ({
        operation,
        call,
        takesEffect,
        keyed,
        name: `${operation.operationId}${keyed ? ", with a key" : ""}: call ${call} lost ${takesEffect ? "after" : "before"} it took effect`,
      })),
    ),
  ),
);

describe("a write whose D1 call is lost", () => {
  it.each(CASES)(
    "once takes effect once and succeeds: $name",
    async ({ operation, call, takesEffect, keyed }) => {
      const { ws, ids } = await prepared(operation);
      const match = operation.path.includes("{id}") ? { "if-match": await etagOf(ws, operation, ids) } : {};
      const known = await changesOf(ws);
      const headers = { ...match, ...(keyed && { "idempotency-key": "k" }) };
      const answer = await perform(ws, operation, ids, { headers, env: losing(call, 1, takesEffect) });
      expect(answer.status).toBeLessThan(300);
      expect(await changesOf(ws)).toBe(known + 1);
      const after = await stateOf(ws);
      if (keyed) {
        const again = await perform(ws, operation, ids, { headers });
        expect([again.status, again.text]).toEqual([answer.status, answer.text]);
        expect(again.headers.get("idempotent-replayed")).toBe("true");
      }
      expect([await changesOf(ws), await stateOf(ws)]).toEqual([known + 1, after]);
    },
  );

  it.each(CASES)(
    "every time is 503, and takes effect once when sent again: $name",
    async ({ operation, call, takesEffect, keyed }) => {
      const { ws, ids } = await prepared(operation);
      const known = await changesOf(ws);
      const before = await stateOf(ws);
      const headers = keyed ? { "idempotency-key": "k" } : {};
      const answer = await perform(ws, operation, ids, { headers, env: losing(call, TRIES, takesEffect) });
      const commits = call === MAX_CALLS;
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      const done = commits && takesEffect;
      expect(await changesOf(ws)).toBe(known + (done ? 1 : 0));
      if (!done) expect(await stateOf(ws)).toEqual(before);

      const again = await perform(ws, operation, ids, { headers });
      const unseen = done && !keyed;
      if (unseen) expect(again.status).toBe(AGAIN[operation.operationId]);
      else expect(again.status).toBeLessThan(300);
      const twice = unseen && operation.operationId === "createLink";
      expect(await changesOf(ws)).toBe(known + (twice ? 2 : 1));
    },
  );
});
