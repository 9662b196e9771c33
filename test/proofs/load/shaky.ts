import type { Env } from "../../../src/context";

// Bindings that fail: one of a hundred calls of D1, half of them after they took effect, and one of fifty calls of KV.

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

export const shakyD1 = (env: Env): D1Database =>
  failing(env.DB, ["batch"], D1_FAULTS, "D1_ERROR: Network connection lost.");

export const shakyKv = (env: Env): KVNamespace =>
  failing(env.KV, ["get", "put", "delete"], KV_FAULTS, "KV request failed: 503 Service Unavailable");
