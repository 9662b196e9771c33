import type { ActivityGroup } from "../../src/client/api/wire-types";
import { etagOf } from "../../src/lib/etag";
import { createLink, deleteLink, getLink, SHORT_HOST_NAME, updateLink } from "./fake/links";
import { listGroups, listLinks, type Page } from "./fake/lists";
import { addGroup, type Body, type NewGroup, type Problem, Refusal, type State } from "./fake/state";
import { createTag, deleteTag, getTag, updateTag } from "./fake/tags";

/** A request that the service received. */
export interface Call {
  method: string;
  /** The path below `/api/v1` with the query. */
  path: string;
  url: URL;
  headers: Headers;
  /** The raw body. */
  text: string;
  body: Body | undefined;
}

export interface FakeService {
  url: string;
  key: string;
  fetch: typeof fetch;
  state: State;
  calls: Call[];
  /** All calls but GET. */
  writes(): Call[];
  addGroup(group: NewGroup): ActivityGroup;
  /** Intercepts calls. The call takes effect only when `answer` runs. */
  onCall: (call: Call, answer: () => Promise<Response>) => Promise<Response>;
}

/** Fails like a dropped connection. Call `answer` first for a response that is lost after the call took effect. */
export const dropped = (): never => {
  throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
};

/** The first half of the response body. */
export async function cutShort(response: Response): Promise<Response> {
  const text = await response.text();
  return new Response(text.slice(0, text.length / 2), response);
}

const MESSAGES: Record<number, string> = {
  409: "A request with this Idempotency-Key is still running.",
  429: "Too Many Attempts.",
  500: "Server Error",
  503: "Service temporarily unavailable.",
};

/** The error response of the service for this status. */
export const refused = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ message: MESSAGES[status] ?? "" }, { status, headers });

const fieldsOf = <Value>(problems: readonly Problem[], toValue: (problem: Problem) => Value | undefined) =>
  Object.fromEntries(problems.map((problem) => [problem.field, toValue(problem)]));

function toResponse({ status, message, problems }: Refusal): Response {
  if (problems.length === 0) return Response.json({ message }, { status });
  const hasConflicts = problems.some(({ conflict }) => conflict !== undefined);
  const body = {
    message,
    errors: fieldsOf(problems, (problem) => [problem.message]),
    codes: fieldsOf(problems, ({ code }) => [code]),
    ...(hasConflicts ? { conflicts: fieldsOf(problems, ({ conflict }) => conflict) } : {}),
  };
  return Response.json(body, { status });
}

interface Answer {
  status: number;
  body?: object;
  /** The link or tag whose ETag is sent. */
  entity?: object;
  headers?: Record<string, string>;
}

const changed = (noun: "link" | "tag", message: string, entity: object, status = 200): Answer => ({
  status,
  body: { message, [noun]: entity },
  entity,
});

async function assertMatch(call: Call, resource: object, noun: string): Promise<void> {
  const asked = call.headers.get("If-Match");
  if (asked === null || asked === (await etagOf(resource as never))) return;
  throw new Refusal(412, `The ${noun} has changed since it was read.`);
}

function listHeaders(call: Call, { after }: Page<unknown>): Record<string, string> {
  if (after === undefined) return {};
  const next = new URL(`https://go.example.com${call.url.pathname}${call.url.search}`);
  next.searchParams.set("page", String(Number(next.searchParams.get("page") ?? 1) + 1));
  next.searchParams.set("after", after);
  return { Link: `<${next}>; rel="next"` };
}

async function answerLinks(state: State, call: Call, id: string | undefined, sub?: string): Promise<Answer> {
  const input = call.body ?? {};
  if (id === undefined && call.method === "GET") {
    const page = listLinks(state, call.url.searchParams);
    return { status: 200, body: { links: page.items }, headers: listHeaders(call, page) };
  }
  if (id === undefined) return changed("link", "Link created successfully.", createLink(state, input), 201);
  const link = getLink(state, id);
  if (sub === "qr" && link.status === "archived") throw new Refusal(404, "Link not found.");
  if (call.method === "GET") return { status: 200, body: link, entity: link };
  await assertMatch(call, link, "link");
  if (call.method === "PATCH")
    return changed("link", "Link updated successfully.", updateLink(state, link, input));
  deleteLink(state, link);
  return { status: 204 };
}

async function answerTags(state: State, call: Call, id: string | undefined): Promise<Answer> {
  const input = call.body ?? {};
  if (call.method === "GET") return { status: 200, body: { tags: state.tags } };
  if (id === undefined) return changed("tag", "Tag created successfully.", createTag(state, input), 201);
  const tag = getTag(state, id);
  await assertMatch(call, tag, "tag");
  if (call.method === "PATCH")
    return changed("tag", "Tag updated successfully.", updateTag(state, tag, input));
  deleteTag(state, tag);
  return { status: 204 };
}

async function answer(state: State, call: Call, key: string): Promise<Answer> {
  if (call.headers.get("Authorization") !== `Bearer ${key}`) throw new Refusal(401, "Unauthenticated.");
  if (call.method !== "GET" && state.access === "read") throw new Refusal(403, "This API key is read-only.");
  const [resource, id, sub] = call.url.pathname.replace("/api/v1/", "").split("/");
  if (resource === "links") return answerLinks(state, call, id, sub);
  if (resource === "tags") return answerTags(state, call, id);
  const page = listGroups(state, call.url.searchParams);
  const body = { workspace: state.workspace, activity_groups: page.items };
  return { status: 200, body, headers: listHeaders(call, page) };
}

async function respond(state: State, call: Call, key: string): Promise<Response> {
  try {
    const { status, body, entity, headers = {} } = await answer(state, call, key);
    const etag = entity === undefined ? {} : { ETag: await etagOf(entity as never) };
    if (call.url.pathname.endsWith("/qr")) {
      const isPng = call.url.searchParams.get("format") === "png";
      const type = isPng ? "image/png" : "image/svg+xml";
      return new Response(isPng ? "\x89PNG" : "<svg/>", { headers: { "Content-Type": type } });
    }
    if (body === undefined) return new Response(null, { status });
    return Response.json(body, { status, headers: { ...headers, ...etag } });
  } catch (error) {
    if (error instanceof Refusal) return toResponse(error);
    throw error;
  }
}

/** Repeats the first 2xx response for the same `Idempotency-Key`. */
function replaying(state: State, key: string): (call: Call) => Promise<Response> {
  const kept = new Map<string, { request: string; response: Response }>();
  return async (call) => {
    const name = call.method === "POST" ? call.headers.get("Idempotency-Key") : null;
    if (name === null) return respond(state, call, key);
    const request = `${call.path} ${call.text}`;
    const first = kept.get(name);
    if (first !== undefined && first.request === request) return first.response.clone();
    if (first !== undefined) return refused(422);
    const response = await respond(state, call, key);
    if (response.ok) kept.set(name, { request, response: response.clone() });
    return response;
  };
}

async function toCall(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Promise<Call> {
  const request = new Request(input, init);
  const url = new URL(request.url);
  const text = await request.text();
  const body = text === "" ? undefined : (JSON.parse(text) as Body);
  const path = url.pathname.replace("/api/v1", "") + url.search;
  return { method: request.method, path, url, headers: request.headers, text, body };
}

const KEY = "lnk_0123456789abcdefghijABCDEFGHIJ01abcdef";

/** The service in memory, as a `fetch` function. Has only the rules that the package depends on. */
export function fakeService(
  options: Partial<Pick<State, "access" | "domains" | "primary">> = {},
): FakeService {
  const state: State = {
    workspace: { name: "Acme", slug: "acme" },
    access: options.access ?? "full",
    domains: options.domains ?? [],
    primary: options.primary,
    links: [],
    tags: [],
    groups: [],
    slugs: new Map(),
    serial: 0,
  };
  const run = replaying(state, KEY);
  const calls: Call[] = [];
  const service: FakeService = {
    url: `https://${SHORT_HOST_NAME}`,
    key: KEY,
    state,
    calls,
    writes: () => calls.filter(({ method }) => method !== "GET"),
    addGroup: (group) => addGroup(state, group),
    onCall: (_, answerCall) => answerCall(),
    async fetch(input, init) {
      const call = await toCall(input, init);
      calls.push(call);
      const response = await service.onCall(call, () => run(call));
      response.headers.set("X-Request-Id", `request-${calls.length}`);
      return response;
    },
  };
  return service;
}
