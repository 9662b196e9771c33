import { env } from "cloudflare:test";
import type { Env } from "../src/context";
import { testEnv } from "./harness";

// Bindings that fail on purpose: before a call takes effect, after it did, or held at a gate.

export type Batch = (statements: D1PreparedStatement[]) => Promise<D1Result[]>;

/** The target with other methods. As a new object it is the binding of an instance that remembers nothing. */
export function overriding<T extends object>(target: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Object.hasOwn(methods, name) ? methods[String(name)] : Reflect.get(object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}

/** The test's environment in which every call of D1 goes the way that `batch` makes of the real one. */
export const withBatch = (batch: (send: Batch) => Batch): Env => ({
  ...testEnv,
  DB: overriding(env.DB, { batch: batch((statements) => env.DB.batch(statements)) }),
});

/** The same for the batches alone that commit a change: they begin with its audit row. */
export const withCommit = (batch: (send: Batch) => Batch): Env =>
  withBatch((send) => {
    const commit = batch(send);
    return (statements) => {
      const [first] = statements as (D1PreparedStatement & { statement: string })[];
      return first?.statement.startsWith('insert into "audit_log"') ? commit(statements) : send(statements);
    };
  });

export const OVERLOADED = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";
export const CONNECTION_LOST = "D1_ERROR: Network connection lost.";

/** D1 does not answer at all. */
export const withoutD1 = (message = OVERLOADED): Env =>
  withBatch(() => () => Promise.reject(new Error(message)));

/** A call of D1 or KV that answers only when the gate is open. */
export const heldBack =
  <A extends unknown[], T>(passed: Promise<void>, call: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    await passed;
    return call(...args);
  };

/** The first commit takes effect and loses its answer; later ones go through. */
export const withLostAnswer = (): Env => {
  let commits = 0;
  return withCommit((send) => async (statements) => {
    const results = await send(statements);
    if (++commits === 1) throw new Error(CONNECTION_LOST);
    return results;
  });
};

/** The test's environment with other methods of KV. */
export const withKv = (methods: Readonly<Record<string, unknown>>): Env => ({
  ...testEnv,
  KV: overriding(env.KV, methods),
});

export const kvFails = () => Promise.reject(new Error("KV request failed: 503 Service Unavailable"));

/** A gate that holds whoever awaits `passed` until it is opened. */
export function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
