import { domainAt } from "../http/host";
import { SHORT_HOST } from "../lib/slug-text";
import { unavailable } from "./answer";
import type { SlugRequest } from "./find-entry";
import { findSettings, unknownLink } from "./handle";

/** The file of a domain by which phones open its links in an app. The service's own hosts have none. */
export async function answerAppFile(asked: SlugRequest, kind: "apple" | "android"): Promise<Response> {
  const { request, env } = asked;
  const domain = domainAt(request.url, env);
  const found =
    domain === SHORT_HOST
      ? undefined
      : await findSettings(asked, domain).catch((error) => unavailable(request, error));
  if (found instanceof Response) return found;
  const file = found?.entry?.app_files?.[kind];
  if (file === undefined) return unknownLink(request);
  return new Response(file, {
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "max-age=300",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
