import { env } from "cloudflare:test";
import type { Env } from "../src/context";
import { testEnv } from "./harness";
import { overriding } from "./overriding";

// Bindings that fail before a call's effect or after it, or wait at a gate.

/** A statement as the simulator has it. */
export type Sent = D1PreparedStatement & { statement: string; params: unknown[] };

export type Batch = (statements: D1PreparedStatement[]) => Promise<D1Result[]>;

/** The environment with D1's `batch` replaced. */
export const withBatch = (batch: (send: Batch) => Batch): Env => ({
  ...testEnv,
  DB: overriding(env.DB, { batch: batch((statements) => env.DB.batch(statements)) }),
});

/** Replaces only batches that commit a change. They begin with its audit row. */
export const withCommit = (batch: (send: Batch) => Batch): Env =>
  withBatch((send) => {
    const commit = batch(send);
    return (statements) => {
      const [first] = statements as Sent[];
      return first?.statement.startsWith('insert into "audit_log"') ? commit(statements) : send(statements);
    };
  });

export const OVERLOADED = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";
export const CONNECTION_LOST = "D1_ERROR: Network connection lost.";

/** D1 that fails every call. */
export const withoutD1 = (message = OVERLOADED): Env =>
  withBatch(() => () => Promise.reject(new Error(message)));

/** A call of D1 or KV that waits until the gate opens. */
export const heldBack =
  <A extends unknown[], T>(passed: Promise<void>, call: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    await passed;
    return call(...args);
  };

/** D1 that loses the answer of the first commit after its effect. Later commits succeed. */
export const withLostAnswer = (): Env => {
  let commits = 0;
  return withCommit((send) => async (statements) => {
    const results = await send(statements);
    if (++commits === 1) throw new Error(CONNECTION_LOST);
    return results;
  });
};

/** D1 that loses the answer of each batch that writes, after its effect. Its repeat succeeds. */
export function losingEachAnswer(): Env {
  const lost = new Set<string>();
  return withBatch((send) => async (statements) => {
    const sent = (statements as Sent[]).map(({ statement, params }) => [statement, params]);
    const results = await send(statements);
    const text = JSON.stringify(sent);
    if (lost.has(text) || sent.every(([statement]) => /^(?:select|with)\b/.test(String(statement))))
      return results;
    lost.add(text);
    throw new Error(CONNECTION_LOST);
  });
}

/** D1 that does something else before the first commit, as another request would. */
export function overtakenBy(first: () => Promise<unknown>): Env {
  let isOvertaken = false;
  return withCommit((send) => async (statements) => {
    if (!isOvertaken) {
      isOvertaken = true;
      await first();
    }
    return send(statements);
  });
}

/** The environment with methods of KV replaced. */
export const withKv = (methods: Readonly<Record<string, unknown>>): Env => ({
  ...testEnv,
  KV: overriding(env.KV, methods),
});

export const kvFails = () => Promise.reject(new Error("KV request failed: 503 Service Unavailable"));

/** A gate whose `passed` resolves when it opens. */
export function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
