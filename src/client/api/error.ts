import { isObject, parseJson } from "../../lib/json";
import { parseRetryAfter } from "../../lib/retry-after";

type Details = Pick<WaymarkError, "status"> &
  Partial<Pick<WaymarkError, "errors" | "codes" | "conflicts" | "requestId" | "retryAfter">>;

/** Thrown if the service refuses a call, or gives no usable response to the last try. */
export class WaymarkError extends Error {
  override readonly name = "WaymarkError";
  /** 0 if there was no response. */
  readonly status: number;
  /** Messages by field. */
  readonly errors: Readonly<Record<string, readonly string[]>> = {};
  /** Stable codes by field, such as `taken`. */
  readonly codes: Readonly<Record<string, readonly string[]>> = {};
  /** By field, the id of the link, tag or group that already has the value. */
  readonly conflicts: Readonly<Record<string, string>> = {};
  readonly requestId: string | undefined;
  /** In seconds. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, ...details }: Details, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    Object.assign(this, details);
  }

  /** For programs. */
  toJSON() {
    const { message, status, errors, codes, conflicts, requestId, retryAfter } = this;
    const rest = { request_id: requestId ?? null, retry_after: retryAfter ?? null };
    return { message, status, errors, codes, conflicts, ...rest };
  }
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** Keeps the entries whose value has the expected type. */
function entriesOf<Value>(given: unknown, isExpected: (value: unknown) => value is Value) {
  const entries = Object.entries(isObject(given) ? given : {});
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
