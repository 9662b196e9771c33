import { isObject } from "../../lib/json";
import { WaymarkError } from "./error";
import { parseUrl } from "./host";
import { LOCAL_HOSTS } from "./http";
import { createSend } from "./send";
import type { Report, WaymarkOptions } from "./wire-types";

const PATH = /^\/reports\/[0-9a-z]{32}(?:\.json|\.csv)?$/;

/** Where the figures of a report are, from the address of its page or of one of its files. */
export function toReportUrl(address: string): string {
  const url = parseUrl(address.trim());
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOCAL_HOSTS.test(url.hostname));
  if (url === undefined || !isSafe || !PATH.test(url.pathname)) {
    throw new TypeError("The address must be that of a report, such as https://go.example.com/reports/….");
  }
  return `${url.origin}${url.pathname.replace(/\.\w+$/, "")}.json`;
}

/** The figures of a shared report. Its address is all that it takes: no key is sent. */
export async function readReport(
  address: string,
  {
    fetch: fetchNow = (...request) => fetch(...request),
    onWait,
  }: Pick<WaymarkOptions, "fetch" | "onWait"> = {},
): Promise<Report> {
  const url = toReportUrl(address);
  const response = await createSend(
    fetchNow,
    onWait,
  )(new Request(url, { headers: { Accept: "application/json" } }));
  const body: unknown = await response.json();
  if (isObject(body) && isObject(body["report"])) return body as unknown as Report;
  throw new WaymarkError("The answer is no report. Check its address.", { status: 0 });
}
