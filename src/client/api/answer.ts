import { isObject, parseJson } from "../../lib/json";
import { parseRetryAfter } from "../../lib/retry-after";
import { WaymarkError } from "./error";

const isText = (value: unknown): value is string => typeof value === "string";
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** Keeps the entries whose value has the expected type. */
function entriesOf<Value>(
  value: unknown,
  isExpected: (value: unknown) => value is Value,
): Record<string, Value> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value);
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => isExpected(entry[1])));
}

const requestIdOf = ({ headers }: Response): string | undefined => headers.get("X-Request-Id") ?? undefined;

/** A truncated response, or one that is not from the service. A refusal keeps its status. */
export class UnreadableAnswer extends WaymarkError {
  constructor(response: Response) {
    const status = response.ok ? 0 : response.status;
    super("The response of the service was not readable.", { status, requestId: requestIdOf(response) });
  }
}

function messageOf(status: number, body: Readonly<Record<string, unknown>>): string {
  if (isText(body["message"])) return body["message"];
  return status >= 300 && status < 400
    ? "The service answered with a redirect. Check its address."
    : `The service answered ${status} without a message. Check its address.`;
}

/** Converts a response other than 2xx. */
export async function toError(response: Response): Promise<WaymarkError> {
  const { status, headers } = response;
  const pauseMs = parseRetryAfter(headers.get("Retry-After"), Date.now());
  const parsed = parseJson(await response.text());
  const isJson = headers.get("Content-Type")?.startsWith("application/json");
  if (isJson && parsed === undefined) return new UnreadableAnswer(response);
  const body = isObject(parsed) ? parsed : {};
  return new WaymarkError(messageOf(status, body), {
    status,
    errors: entriesOf(body["errors"], isTextList),
    codes: entriesOf(body["codes"], isTextList),
    conflicts: entriesOf(body["conflicts"], isText),
    requestId: requestIdOf(response),
    retryAfter: pauseMs === null ? undefined : Math.ceil(pauseMs / 1000),
  });
}

/** Reads the whole body, because the connection can end in the middle of it. */
export async function readWhole(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (status === 204) return response;
  if (headers.get("Content-Type")?.startsWith("image/")) {
    return new Response(await response.arrayBuffer(), { status, headers });
  }
  const text = await response.text();
  if (parseJson(text) === undefined) throw new UnreadableAnswer(response);
  return new Response(text, { status, headers });
}
