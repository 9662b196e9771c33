import type { QueuedWorkspace } from "./push-queue";
import type { SlugTargetRow } from "./statements/targets";

/** A round of the sweep. */
interface SweepChunk {
  workspaces: readonly QueuedWorkspace[];
  rowsPerWorkspace: number;
}

/** Divides `maxRows` equally. With more workspaces than rows, the first ones get one row each. */
export function planSweepChunk(queue: readonly QueuedWorkspace[], maxRows: number): SweepChunk {
  const workspaces = queue.slice(0, maxRows);
  return {
    workspaces,
    rowsPerWorkspace: workspaces.length === 0 ? 0 : Math.floor(maxRows / workspaces.length),
  };
}

/**
 * The queue after a round that read `rows`, oldest first per workspace. A workspace that used its whole share may have more
 * rows, so it moves to the end. It continues after its last row, even if that push failed.
 */
export function nextQueue(
  queue: readonly QueuedWorkspace[],
  { workspaces, rowsPerWorkspace }: SweepChunk,
  rows: readonly Pick<SlugTargetRow, "workspace_id" | "push_at" | "key">[],
): QueuedWorkspace[] {
  const again = workspaces.flatMap(({ workspaceId }) => {
    const own = rows.filter((row) => row.workspace_id === workspaceId);
    const last = own.at(-1);
    if (last === undefined || own.length < rowsPerWorkspace) return [];
    return [{ workspaceId, after: { push_at: last.push_at ?? 0, key: last.key } }];
  });
  return [...queue.slice(workspaces.length), ...again];
}
