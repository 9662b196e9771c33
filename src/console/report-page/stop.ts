import { stopWeeklyReport } from "../../access/weekly-report";
import { addressOf, isRefused } from "../../http/rate-limit";
import { endedReportPage, stopReportPage, tooManyPage } from "../../http/site/pages";
import type { PageContext } from "../shell/request";
import { serviceContext } from "../shell/service-context";
import { refuse, respond, TOKEN } from "./page";

/** Asks before it stops: programs that scan mail open its links. The token is not looked up. */
export const showStopReport = (c: PageContext): Response => respond(c, stopReportPage());

/** Stops the weekly report of whoever has the token, signed in or not. */
export async function stopReport(c: PageContext): Promise<Response> {
  const token = c.req.param("token") ?? "";
  if (isRefused(c.env, "UNKNOWN_SLUG_RATE", addressOf(c.req.raw))) return respond(c, tooManyPage(), 429);
  const hasEnded = TOKEN.test(token) && (await stopWeeklyReport(serviceContext(c), token));
  return hasEnded ? respond(c, endedReportPage()) : refuse(c);
}
