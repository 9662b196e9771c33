import type { Env } from "../../../src/context";

// Bindings that fail: one of a hundred calls of D1, half of them after they took effect, and one of fifty calls of KV.

const D1_FAULTS = 1 / 100;
const KV_FAULTS = 1 / 50;

const strikes = (share: number): boolean => Math.random() < share;

let struck = 0;

/** The number of failed calls so far. */
export const faults = (): number => struck;

async function strike<T>(share: number, error: string, call: () => Promise<T>): Promise<T> {
  if (!strikes(share)) return call();
  struck++;
  if (strikes(1 / 2)) await call();
  throw new Error(error);
}

/** The target with `methods` that fail while `isOn` returns true. */
const failing = <T extends object>(
  target: T,
  methods: readonly string[],
  share: number,
  error: string,
  isOn: () => boolean,
): T =>
  new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== "function") return value;
      return methods.includes(String(name))
        ? (...args: unknown[]) => strike(isOn() ? share : 0, error, () => Reflect.apply(value, object, args))
        : value.bind(object);
    },
  });

export const shakyD1 = (env: Env, isOn = () => true): D1Database =>
  failing(env.DB, ["batch"], D1_FAULTS, "D1_ERROR: Network connection lost.", isOn);

export const shakyKv = (env: Env, isOn = () => true): KVNamespace =>
  failing(env.KV, ["get", "put"], KV_FAULTS, "KV request failed: 503 Service Unavailable", isOn);
