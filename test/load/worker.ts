import type { Env } from "../../src/context";
import worker from "../../src/worker";

// The Worker with bindings that fail: one of a hundred calls of D1, half of them after they took effect, and one of fifty
// calls of KV.

const D1_FAULTS = 1 / 100;
const KV_FAULTS = 1 / 50;

const strikes = (share: number): boolean => Math.random() < share;

async function strike<T>(share: number, error: string, call: () => Promise<T>): Promise<T> {
  if (!strikes(share)) return call();
  if (strikes(1 / 2)) await call();
  throw new Error(error);
}

/** The target with `methods` that fail. */
const failing = <T extends object>(target: T, methods: readonly string[], share: number, error: string): T =>
  new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== "function") return value;
      return methods.includes(String(name))
        ? (...args: unknown[]) => strike(share, error, () => Reflect.apply(value, object, args))
        : value.bind(object);
    },
  });

let shaky: Env | undefined;

/** One environment for the instance's life: its memory hangs on the binding of KV. */
const shakyOf = (env: Env): Env => {
  shaky ??= {
    ...env,
    DB: failing(env.DB, ["batch"], D1_FAULTS, "D1_ERROR: Network connection lost."),
    KV: failing(env.KV, ["get", "put"], KV_FAULTS, "KV request failed: 503 Service Unavailable"),
  };
  return shaky;
};

export default {
  fetch: (request, env, execution) => worker.fetch(request, shakyOf(env), execution),
  scheduled: (controller, env, execution) => worker.scheduled(controller, shakyOf(env), execution),
} satisfies ExportedHandler<Env>;
