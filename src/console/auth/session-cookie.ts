import { getCookie } from "hono/cookie";
import { type DueUse, type Person, SESSION_SECONDS } from "../../access/sessions";
import { recordUse } from "../../access/use";
import { deleteCookie, storeCookie } from "../shell/cookies";
import type { PageContext } from "../shell/request";
import { serviceContext } from "../shell/service-context";
import { countryCode, deviceInWords } from "./device";

const SESSION_COOKIE = "__Host-session";

export const readSession = (c: PageContext): string | undefined => getCookie(c, SESSION_COOKIE);

export const storeSession = (c: PageContext, session: string): void =>
  storeCookie(c, SESSION_COOKIE, session, SESSION_SECONDS);

export const forgetSession = (c: PageContext): void => deleteCookie(c, SESSION_COOKIE);

/** Where a request comes from, as far as it is known. */
export const placeOf = (c: PageContext) => ({
  device: deviceInWords(c.req.header("User-Agent") ?? ""),
  country: countryCode(c.req.raw.cf?.["country"]),
});

/** Records a use that is due, after the response. The cookie lasts as long as the session. A failure is logged. */
export function noteUse(c: PageContext, { email, memberships }: Person, due: DueUse): void {
  const slug = /^\/app\/([^/]+)/.exec(c.req.path)?.[1] ?? "";
  const opened = memberships.find(({ workspace, suspended }) => workspace.slug === slug && !suspended);
  const workspace = due.workspaces.has(slug) ? opened?.workspace.rowId : undefined;
  const token = readSession(c);
  if (due.session !== undefined && token !== undefined) storeSession(c, token);
  if (due.session === undefined && workspace === undefined) return;
  const ctx = serviceContext(c);
  const work = recordUse(
    { db: ctx.backgroundDb ?? ctx.db, now: ctx.now },
    { email, session: due.session, workspace, ...placeOf(c) },
  );
  ctx.waitUntil(work);
}
