/** Inserts an entry as the most recent, and evicts the least recent above `limit`. */
export function remember<T>(entries: Map<string, T>, name: string, value: T, limit: number): void {
  entries.delete(name);
  entries.set(name, value);
  if (entries.size <= limit) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}
