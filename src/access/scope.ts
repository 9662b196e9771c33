/**
 * The workspaces that a session opens: public ids, each followed by a dot; null for all. An owner vouches for a person in
 * their own workspace only: otherwise they could use an invitation themselves, and open the person's other workspaces.
 */
export type Scope = string | null;

export const toScope = (workspaces: readonly string[]): string => workspaces.map((id) => `${id}.`).join("");

/** The workspaces of a scope that is not all. */
export const workspacesIn = (scope: string): string[] => scope.split(".").slice(0, -1);

export const isInScope = (scope: Scope, workspace: string): boolean =>
  scope === null || scope.includes(workspace);

/** Whether one scope covers another. */
export const covers = (scope: Scope, other: Scope): boolean =>
  scope === null || (other !== null && workspacesIn(other).every((workspace) => isInScope(scope, workspace)));
