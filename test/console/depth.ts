import { testEnv } from "../harness";

/** An environment that measures how many D1 calls run in sequence. Parallel calls count once. */
export function watched(environment = testEnv) {
  let depth = 0;
  const db = new Proxy(environment.DB, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === "batch")
        return async (statements: D1PreparedStatement[]) => {
          const own = depth + 1;
          const results = await target.batch(statements);
          depth = Math.max(depth, own);
          return results;
        };
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    env: { ...environment, DB: db },
    /** The depth since the last call of this function. */
    depth: (): number => {
      const deepest = depth;
      depth = 0;
      return deepest;
    },
  };
}
