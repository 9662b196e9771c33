import type { Form } from "./request";

/** The values that an edit form starts with, for its hidden field `was`. Null and undefined are empty. */
export const serialiseInitialFields = (values: object): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value == null ? "" : String(value)]),
    ),
  );

/** The fields that a person changed. The others are left out, so that saving does not undo other people's changes. */
export function changedFields({ was, ...fields }: Form["fields"]): Record<string, string> {
  const initial = parseInitialFields(was);
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== initial.get(name)));
}

function parseInitialFields(was: string | undefined): ReadonlyMap<string, unknown> {
  try {
    const initial: unknown = JSON.parse(was ?? "");
    return new Map(typeof initial === "object" && initial !== null ? Object.entries(initial) : []);
  } catch {
    return new Map();
  }
}
