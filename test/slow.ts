import { overriding } from "./overriding";

/** D1 whose batches take so many milliseconds, as it says. */
export const slow = (binding: D1Database, ms: number): D1Database =>
  overriding(binding, {
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await binding.batch(statements);
      for (const [index, { meta }] of results.entries()) meta.duration = index === 0 ? ms : 0;
      return results;
    },
  });
