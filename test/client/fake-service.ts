import type { ActivityGroup } from "../../src/client/api/resources";
import { etagOf } from "../../src/lib/etag";
import { createLink, deleteLink, getLink, SHORT_HOST_NAME, updateLink } from "./fake/links";
import { listGroups, listLinks } from "./fake/lists";
import {
  addGroup,
  type Body,
  type NewGroup,
  type Problem,
  Refusal,
  required,
  type State,
} from "./fake/state";
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

function toResponse(error: Refusal, strict: boolean): Response {
  const { status, message, problems, headers } = error;
  if (problems.length === 0) return Response.json({ message }, { status, headers });
  const conflicts = fieldsOf(problems, ({ conflict }) => conflict);
  const hasConflicts = problems.some(({ conflict }) => conflict !== undefined);
  const explained = {
    codes: fieldsOf(problems, ({ code }) => [code]),
    ...(hasConflicts ? { conflicts } : {}),
  };
  const errors = fieldsOf(problems, (problem) => [problem.message]);
  return Response.json({ message, errors, ...(strict ? explained : {}) }, { status, headers });
}

interface Answer {
  status: number;
  body?: object;
  /** The link or tag whose ETag is sent. */
  entity?: object;
  headers?: Record<string, string>;
}

const isStrict = ({ headers }: Call): boolean => headers.get("Prefer") === "handling=strict";

const changed = (noun: "link" | "tag", message: string, entity: object, status = 200): Answer => ({
  status,
  body: { message, [noun]: entity },
  entity,
});

async function assertMatch(call: Call, resource: object, noun: string): Promise<void> {
  const tags = call.headers.get("If-Match")?.split(/\s*,\s*/);
  if (tags === undefined || tags.includes("*")) return;
  const etag = await etagOf(resource as never);
  if (tags.some((tag) => tag.replace(/^W\//, "") === etag)) return;
  throw new Refusal(412, `The ${noun} has changed since it was read.`);
}

function listHeaders(call: Call, page: { meta: { current_page: number }; nextAfter: string | undefined }) {
  if (page.nextAfter === undefined) return {};
  const next = new URL(`https://go.example.com${call.url.pathname}${call.url.search}`);
  next.searchParams.set("page", String(page.meta.current_page + 1));
  next.searchParams.set("after", page.nextAfter);
  return { Link: `<${next}>; rel="next"` };
}

async function answerLinks(state: State, call: Call, [id, sub, tagId]: string[]): Promise<Answer> {
  const strict = isStrict(call);
  const input = call.body ?? {};
  if (id === undefined && call.method === "GET") {
    const page = listLinks(state, call.url.searchParams, strict);
    return { status: 200, body: { links: page.items, meta: page.meta }, headers: listHeaders(call, page) };
  }
  if (id === undefined)
    return changed("link", "Link created successfully.", createLink(state, input, strict), 201);
  const link = getLink(state, id);
  if (call.method === "GET" && sub === "qr") {
    if (link.status === "archived") throw new Refusal(404, "Link not found.");
    return { status: 200 };
  }
  if (call.method === "GET") return { status: 200, body: link, entity: link };
  await assertMatch(call, link, "link");
  if (sub === "tags" && call.method === "POST") {
    const given = input["tag_ids"];
    if (!Array.isArray(given)) throw new Refusal(422, required("tag_ids").message, [required("tag_ids")]);
    const tag_ids = [...link.tags.map((tag) => tag.id), ...given];
    return changed("link", "Tags attached successfully.", updateLink(state, link, { tag_ids }, strict));
  }
  if (sub === "tags") {
    const tag = getTag(state, tagId ?? "");
    if (!link.tags.includes(tag)) throw new Refusal(404, "Tag not found.");
    link.tags = link.tags.filter((one) => one !== tag);
    return { status: 204 };
  }
  if (call.method === "PATCH")
    return changed("link", "Link updated successfully.", updateLink(state, link, input, strict));
  deleteLink(state, link);
  return { status: 204 };
}

async function answerTags(state: State, call: Call, id: string | undefined): Promise<Answer> {
  const strict = isStrict(call);
  if (call.method === "GET") return { status: 200, body: { tags: state.tags } };
  if (id === undefined)
    return changed("tag", "Tag created successfully.", createTag(state, call.body ?? {}, strict), 201);
  const tag = getTag(state, id);
  await assertMatch(call, tag, "tag");
  if (call.method === "PATCH")
    return changed("tag", "Tag updated successfully.", updateTag(state, tag, call.body ?? {}, strict));
  deleteTag(state, tag);
  return { status: 204 };
}

async function answer(state: State, call: Call, key: string): Promise<Answer> {
  if (call.headers.get("Authorization") !== `Bearer ${key}`) throw new Refusal(401, "Unauthenticated.");
  if (call.method !== "GET" && state.access === "read") throw new Refusal(403, "This API key is read-only.");
  const [resource, ...rest] = call.url.pathname.replace("/api/v1/", "").split("/");
  if (resource === "links") return answerLinks(state, call, rest);
  if (resource === "tags") return answerTags(state, call, rest[0]);
  if (resource !== "activity-groups") throw new Refusal(404, "Not found.");
  const page = listGroups(state, call.url.searchParams, true);
  const body = { workspace: state.workspace, activity_groups: page.items, meta: page.meta };
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
    if (error instanceof Refusal) return toResponse(error, isStrict(call));
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
  options: Partial<Pick<State, "access" | "linkLimit" | "domains" | "primary">> = {},
): FakeService {
  const state: State = {
    workspace: { name: "Acme", slug: "acme" },
    access: options.access ?? "full",
    linkLimit: options.linkLimit,
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
