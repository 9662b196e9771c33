import type { Context } from "../../context";
import { selectNames } from "./audit-repository";
import { OPERATOR } from "./audit-statements";

export interface Actor {
  id: string;
  kind: "member" | "key" | "operator" | "schedule" | "other";
  /** The e-mail address of a member or the name of a key; null if there is none or the reader may not see it. */
  name: string | null;
}

export const findKeyId = (actor: string): string | undefined =>
  actor.startsWith("key:") ? actor.slice("key:".length) : undefined;

const isOperator = (actor: string): boolean => actor === OPERATOR || actor.startsWith(`${OPERATOR}:`);

export function toActor(actor: string, nameOfKey: (id: string) => string | undefined): Actor {
  const key = findKeyId(actor);
  if (key !== undefined) return { id: actor, kind: "key", name: nameOfKey(key) ?? null };
  if (actor.startsWith("member:")) return { id: actor, kind: "member", name: actor.slice("member:".length) };
  // Members do not see which of the operators it was.
  if (isOperator(actor)) return { id: OPERATOR, kind: "operator", name: null };
  const kind = actor === "schedule" ? actor : "other";
  return { id: actor, kind, name: null };
}

/** Reads who these actors are. `seesKeys` shows the names of keys. */
export async function findActors(
  ctx: Context,
  actors: readonly string[],
  seesKeys: boolean,
): Promise<(actor: string) => Actor> {
  const keys = [...new Set(seesKeys ? actors.flatMap((actor) => findKeyId(actor) ?? []) : [])];
  const [rows] = await ctx.db.read(
    keys.length === 0 ? undefined : selectNames(ctx.workspace.rowId, "key", keys),
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (actor) => toActor(actor, (key) => names.get(key));
}
