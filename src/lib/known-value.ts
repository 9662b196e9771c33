/**
 * A stored value as this release knows it. While two releases run, the later one may have stored another, which the
 * database does not refuse: it is `other` here.
 */
export function knownValue<Value extends string, Other extends string>(
  values: readonly Value[],
  stored: string,
  other: Other,
): Value | Other {
  return values.find((value) => value === stored) ?? other;
}
