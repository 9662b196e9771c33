// What an instance remembers.

/** Makes what belongs to a binding, which lives as long as the instance, and returns the same from then on. */
export function perBinding<Binding extends WeakKey, Value>(
  make: (binding: Binding) => Value,
): (binding: Binding) => Value {
  const known = new WeakMap<Binding, Value>();
  return (binding) => {
    const value = known.get(binding) ?? make(binding);
    known.set(binding, value);
    return value;
  };
}

/** Inserts an entry as the most recent, and evicts the least recent above `limit`. */
export function remember<Value>(
  entries: Map<string, Value>,
  name: string,
  value: Value,
  limit: number,
): void {
  entries.delete(name);
  entries.set(name, value);
  const [oldest = name] = entries.keys();
  if (entries.size > limit) entries.delete(oldest);
}
