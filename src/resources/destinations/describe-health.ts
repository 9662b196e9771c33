import type { Health, Reason } from "../../lib/health-state";

const STATUS_NAMES: Readonly<Record<number, string>> = {
  200: "OK",
  400: "Bad Request",
  404: "Not Found",
  410: "Gone",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

const REFUSALS: Readonly<Record<number, string>> = {
  401: "the page asks for a sign-in (401)",
  403: "the page refuses automatic requests (403)",
  429: "the page refuses frequent requests (429)",
};

const REASONS: Readonly<Record<Exclude<Reason, "http">, string>> = {
  redirects: "it redirects in a circle or more than five times",
  forbidden: "its address, or one that it redirects to, is not allowed as a destination",
  timeout: "no answer within ten seconds",
  dns: "its host name does not exist",
  tls: "a secure connection fails (TLS)",
  connection: "its host does not answer",
  unreachable: "its host cannot be reached: the name has no address, or a secure connection fails",
};

/** The last finding in plain words, such as "404 Not Found". */
export function describe({ reason, http_status: status }: Pick<Health, "reason" | "http_status">): string {
  if (reason === null) return "not asked yet";
  if (reason !== "http")
    return status === null || reason === "forbidden" || reason === "redirects"
      ? REASONS[reason]
      : `${REASONS[reason]} (${status})`;
  if (status === null) return "no answer";
  return REFUSALS[status] ?? `${status} ${STATUS_NAMES[status] ?? ""}`.trim();
}
