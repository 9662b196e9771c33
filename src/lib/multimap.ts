/** Adds a value to those of a key, in constant time: copying the list would make many values of one key quadratic. */
export function append<Key, Value>(values: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = values.get(key);
  if (known === undefined) values.set(key, [value]);
  else known.push(value);
}
