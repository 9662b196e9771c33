// Requests to servers that are not ours. They may redirect anywhere, never answer, or send a body that has no end or is
// compressed a thousandfold.

const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether a host is this machine, where http is as good as https. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

interface Question extends Pick<RequestInit, "method" | "headers" | "body"> {
  /** For the headers and the body together. */
  maxMs: number;
  /** No more of the body is read; without it nothing. */
  maxBytes?: number;
  /** Whether a body that breaks off is as good as a whole one. */
  allowsPart?: boolean;
  /** Whether the address may have http, as destinations may. */
  allowsHttp?: boolean;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Asks another server, and follows no redirect. Returns the response with the beginning of its body. Throws without an answer. */
export async function askOutside(
  url: string,
  { maxMs, maxBytes = 0, allowsPart = false, allowsHttp = false, ...init }: Question,
  send: Fetch = fetch,
): Promise<{ response: Response; text: string }> {
  const { protocol, hostname } = new URL(url);
  const isAllowed = protocol === "https:" || (protocol === "http:" && (allowsHttp || isLoopback(hostname)));
  if (!isAllowed) throw new TypeError("Not an https address");
  const signal = AbortSignal.timeout(maxMs);
  // Otherwise Cloudflare's cache may answer, or load a whole file.
  const response = await send(url, { ...init, redirect: "manual", cache: "no-store", signal });
  return { response, text: await beginningOf(response, maxBytes, allowsPart) };
}

async function beginningOf({ body }: Response, maxBytes: number, allowsPart: boolean): Promise<string> {
  if (maxBytes === 0) {
    body?.cancel().catch(() => undefined);
    return "";
  }
  const decoder = new TextDecoder();
  let text = "";
  let left = maxBytes;
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      left -= chunk.byteLength;
      // The loop's end cancels the rest.
      if (left <= 0) break;
    }
  } catch (error) {
    if (!allowsPart) throw error;
  }
  return text;
}

/** What another server answers in JSON. Throws for anything but a status of success with a body of that size. */
export async function askForJson(url: string, question: Question & { maxBytes: number }): Promise<unknown> {
  const { response, text } = await askOutside(url, question);
  if (!response.ok) throw new TypeError(`Status ${response.status}`);
  return JSON.parse(text);
}

/** The most of an answer of a resolver. */
const MAX_DNS_BYTES = 64 * 1024;

/** What a resolver answers in `application/dns-json`. */
export function askResolver(
  resolver: string,
  name: string,
  type: "A" | "TXT",
  maxMs: number,
): Promise<unknown> {
  const url = new URL(resolver);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  const headers = { Accept: "application/dns-json" };
  return askForJson(url.href, { headers, maxMs, maxBytes: MAX_DNS_BYTES });
}
