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

/** Entries by name, the most recently set ones last. Above `limit` it evicts the first. */
export class RecentMap<Value> extends Map<string, Value> {
  constructor(private readonly limit: number) {
    super();
  }

  override set(name: string, value: Value): this {
    this.delete(name);
    super.set(name, value);
    const [oldest = name] = this.keys();
    if (this.size > this.limit) this.delete(oldest);
    return this;
  }
}
