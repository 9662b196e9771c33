import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { updateLastSeen } from "./member-repository";
import { updateSessionUse } from "./session-repository";
import { SESSION_MS, USE_INTERVAL_MS } from "./sessions";
import type { Place } from "./sign-in";

/** A use that is to be recorded: of a session, by its hash, and of a workspace, by its row id. */
interface Use extends Pick<Place, "device" | "country"> {
  email: string;
  session: string | undefined;
  workspace: number | undefined;
}

/** Records a person's use, and extends their session. Writes nothing if another request did so within the hour. */
export async function recordUse(
  ctx: Pick<ServiceContext, "db" | "now">,
  { email, session, workspace, device, country }: Use,
): Promise<void> {
  const at = ctx.now();
  const notSince = at - USE_INTERVAL_MS;
  const statements: Statement[] = [];
  if (session !== undefined) {
    const use = { last_used_at: at, expires_at: at + SESSION_MS, device, country };
    statements.push(updateSessionUse(session, use, notSince));
  }
  if (workspace !== undefined) statements.push(updateLastSeen(workspace, email, at, notSince));
  if (statements.length > 0) await ctx.db.writeGuarded(statements);
}
