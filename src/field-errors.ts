import { ServiceError } from "./errors";
import { codeOf, type Failure, messageOf } from "./lib/failure";
import { MAX_FAILURES } from "./lib/field-codes";
import { append } from "./lib/multimap";

const byField = (failures: readonly Failure[], of: (failure: Failure) => string) => {
  const fields = new Map<string, string[]>();
  for (const failure of failures) append(fields, failure.field, of(failure));
  return Object.fromEntries(fields);
};

/** The stable words of the fields, and what is in their way. */
function explanationOf(failures: readonly Failure[]): object {
  if (failures.length === 0) return {};
  const conflicts = failures.flatMap(({ field, conflict }) =>
    conflict === undefined ? [] : [[field, conflict] as const],
  );
  return {
    codes: byField(failures, codeOf),
    ...(conflicts.length > 0 && { conflicts: Object.fromEntries(conflicts) }),
  };
}

/** The first sentence of several, with the number of the others. */
export function firstOf([first, ...others]: readonly string[]): string {
  const more = others.length;
  const suffix = more < 1 ? "" : more === 1 ? " (and 1 more error)" : ` (and ${more} more errors)`;
  return `${first ?? "The given data was invalid."}${suffix}`;
}

/** 422 with the invalid fields, at most 100. The message is the first one plus the number of others. */
export function invalid(found: readonly Failure[]): ServiceError {
  const failures = found.slice(0, MAX_FAILURES);
  const body = { message: firstOf(failures.map(messageOf)), errors: byField(failures, messageOf) };
  return new ServiceError(422, body, {}, undefined, failures, explanationOf(failures));
}

/** Throws 422 if any rule failed. `undefined` is a passed rule. */
export function assertNone(failures: readonly (Failure | undefined)[]): void {
  const failing = failures.filter((failure) => failure !== undefined);
  if (failing.length > 0) throw invalid(failing);
}

/** The error if something of the workspace has the value. */
export const takenBy = (error: Failure, owner: { id: string } | undefined): Failure | undefined =>
  owner && { ...error, conflict: owner.id };

/** The error of a workspace that can have no more of something. */
export const limitReached = (of: string, limit: number, noun: string): Failure => ({
  field: `${of}_limit`,
  reason: "workspace_full",
  limit,
  noun,
});

/** The error of a value that must be unique. */
export const alreadyTaken = (field: string): Failure => ({ field, reason: "taken" });

export const SLUG_TAKEN = alreadyTaken("slug");

/** The error of what the operator has taken down. */
export const takenDown = (field: string): Failure => ({ field, reason: "taken_down" });

/** The error of a link that can have no more of something. */
export const linkIsFull = (field: string, limit: number, noun: string): Failure => ({
  field,
  reason: "link_full",
  limit,
  noun,
});

/** The error of what a request names and the workspace does not have. */
export const notInWorkspace = (field: string, resource: string): Failure => ({
  field,
  reason: "not_in_workspace",
  resource,
});

/** The error of a value that names nothing in the workspace. */
export const unknownSelection = (field: string): Failure => ({ field, reason: "unknown_selection" });
