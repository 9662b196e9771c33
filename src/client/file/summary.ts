import type { Applied } from "./apply";
import type { Action, Plan } from "./plan";

interface Counts {
  create: number;
  update: number;
  archive: number;
  delete: number;
  create_tag: number;
  unchanged: number;
  kept: number;
  conflicts: number;
}

export function countsOf({ actions, tags, unchanged, kept, conflicts }: Plan): Counts {
  const count = (op: Action["op"]) => actions.filter((action) => action.op === op).length;
  return {
    create: count("create"),
    update: count("update"),
    archive: count("archive"),
    delete: count("delete"),
    create_tag: tags.length,
    unchanged: unchanged.size,
    kept,
    conflicts: conflicts.length,
  };
}

/** True if an apply would write something. */
export const hasChanges = ({ actions, tags }: Plan): boolean => actions.length + tags.length > 0;

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The last line of a plan. Counts of zero are left out, but for the three main ones. */
export function countLine(plan: Plan): string {
  const counts = countsOf(plan);
  const remove = counts.archive + counts.delete;
  const verb = counts.delete > 0 ? "to delete" : "to archive";
  return `${[
    `Plan: ${counts.create} to create`,
    `${counts.update} to update`,
    `${remove} ${remove > 0 ? verb : "to remove"}`,
    ...(counts.create_tag > 0 ? [`${plural(counts.create_tag, "tag")} to create`] : []),
    `${counts.unchanged} unchanged`,
    ...(counts.kept > 0 ? [`${counts.kept} kept without a key`] : []),
    ...(counts.conflicts > 0 ? [plural(counts.conflicts, "conflict")] : []),
  ].join(", ")}.`;
}

/** The last line of an apply. */
export function appliedLine({ done, failed, skipped }: Applied): string {
  if (done.length + failed.length + skipped.length === 0)
    return "Nothing to do: the workspace is as the file says.";
  const rest = [
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ];
  return `${[`Applied: ${done.length} done`, ...rest].join(", ")}.`;
}
