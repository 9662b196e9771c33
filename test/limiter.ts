/** A counter that lets each key pass so often, and the keys that it was asked for. */
export function limiter(limit: number) {
  const counts = new Map<string, number>();
  const asked: string[] = [];
  const binding: RateLimit = {
    limit: async ({ key }) => {
      asked.push(key);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= limit };
    },
  };
  return { binding, asked, clear: () => counts.clear() };
}

/** Counters for bindings of the environment, by name. */
export function limiters<Name extends string>(limits: Readonly<Record<Name, number>>) {
  const all = Object.fromEntries(
    Object.entries<number>(limits).map(([name, limit]) => [name, limiter(limit)]),
  );
  return {
    bindings: Object.fromEntries(Object.entries(all).map(([name, { binding }]) => [name, binding])),
    /** How often a counter was asked. */
    countOf: (name: Name): number => all[name]?.asked.length ?? 0,
    clear: () => {
      for (const one of Object.values(all)) one.clear();
    },
  };
}
