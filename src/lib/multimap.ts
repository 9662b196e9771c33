/** Appends to a key's values in place. Copying the list would take quadratic time. */
export function append<Key, Value>(values: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = values.get(key);
  if (known === undefined) values.set(key, [value]);
  else known.push(value);
}
