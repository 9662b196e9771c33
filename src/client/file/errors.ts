/**
 * `problems`: the file names what the workspace does not have. `conflicts`: wanted slugs lead to other links. `removals`:
 * more than allowed. `stale`: the workspace changed after the plan. `saved_plan`: no saved plan, or one of another
 * service. `adopt`: the link cannot be adopted.
 */
export type RefusalReason = "problems" | "conflicts" | "removals" | "stale" | "saved_plan" | "adopt";

/** A refusal before the first write. */
export class PlanError extends Error {
  override readonly name = "PlanError";

  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }
}
