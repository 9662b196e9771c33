import type { Turn } from "./due";
import type { SlugTargetRow } from "./repository";

/** The workspaces that take part in the next round, and how many rows each of them may push in it. */
export interface Round {
  turns: readonly Turn[];
  rowsEach: number;
}

/** Shares `room` rows out: as many to each workspace, one to each of the first where there are more than rows. */
export function planRound(queue: readonly Turn[], room: number): Round {
  const turns = queue.slice(0, room);
  return { turns, rowsEach: turns.length === 0 ? 0 : Math.floor(room / turns.length) };
}

/**
 * The queue after a round that gave these rows, the oldest of each workspace first: a workspace that used its whole share
 * may have more, and goes to the end with the position behind its last row, whether or not that row could be pushed.
 */
export function afterRound(
  queue: readonly Turn[],
  { turns, rowsEach }: Round,
  rows: readonly Pick<SlugTargetRow & { workspace_id: number }, "workspace_id" | "push_at" | "key">[],
): Turn[] {
  const again = turns.flatMap(({ workspaceId }) => {
    const own = rows.filter((row) => row.workspace_id === workspaceId);
    const last = own.at(-1);
    if (last === undefined || own.length < rowsEach) return [];
    return [{ workspaceId, after: { push_at: last.push_at ?? 0, key: last.key } }];
  });
  return [...queue.slice(turns.length), ...again];
}
