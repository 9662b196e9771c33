import { env } from "cloudflare:test";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { GROUP_STATUSES } from "../../../src/lib/group-status";
import type { Link } from "../../../src/resources/links/link-schema";
import type { Tag } from "../../../src/resources/tags/tag-schema";
import { API, makeWorkspace, send, type TestWorkspace } from "../../harness";
import { document, faults } from "../../interface/document";
import { type Attempt, attempts, type Operation, POOL } from "./requests";

// Sends valid and invalid requests to every operation of the published document, and checks every answer
// against the document.

/** The same seed in every run, unless another is given. */
const SEED = 1;
const RUNS = Number(env.RUNS) || 500;
const MS_PER_RUN = 200;

/** The rules that a valid request may still fail. */
const RULES =
  /^(The (slug|name|external id) has already been taken\.|The idempotency key has already been used .*|The workspace has reached its limit .*|At \d+ pixels a module would be smaller .*)$/;

const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    path,
    method: method.toUpperCase(),
  })),
);

interface World {
  ws: TestWorkspace;
  names: Map<string, string>;
}

const isRead = ({ method }: Operation): boolean => method === "GET";

export const changesLinks = (operation: Operation): boolean =>
  !isRead(operation) && operation.path.startsWith("/api/v1/links");

/** A workspace with every kind of resource, and another one whose ids must not be found. */
async function prepared(): Promise<World> {
  const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
  const foreign = { LINK: await other.link(), TAG: await other.tag(), GROUP: await other.group() };
  const names = new Map(Object.entries(foreign).map(([name, { id }]) => [`OTHER${name}`, id]));
  names.set("KEY", ws.key).set("BYTES", "%ED%A0%80%FF");
  const world = { ws, names };
  for (let index = 0; index < POOL; index++) {
    const group = await ws.group({
      default_utm_campaign: index === 0 ? "inherited" : null,
      status: GROUP_STATUSES[index + 1] ?? "draft",
      ...(index % 2 === 0 && { starts_at: 0, ends_at: 1 }),
    });
    names.set(`GROUP_${index}`, group.id).set(`group_${index}`, group.id.toLowerCase());
    names.set(`GROUPSLUG_${index}`, group.slug);
    putTag(world, index, await ws.tag());
  }
  for (let index = 0; index < POOL; index++) putLink(world, index, await newLink(world));
  const first = await ws.call("GET", "/api/v1/links?per_page=1");
  names.set("AFTER", /after=([^&>]+)/.exec(first.headers.get("link") ?? "")?.[1] ?? "");
  return world;
}

let sharedByReads: Promise<World> | undefined;

function worldOf(operation: Operation): Promise<World> {
  if (!isRead(operation)) return prepared();
  sharedByReads ??= prepared();
  return sharedByReads;
}

const putTag = ({ names }: World, index: number, { id, slug, name }: Tag) =>
  names
    .set(`TAG_${index}`, id)
    .set(`tag_${index}`, id.toLowerCase())
    .set(`TAGSLUG_${index}`, slug)
    .set(`TAGNAME_${index}`, name);

const putLink = ({ names }: World, index: number, { id, slug }: Link) =>
  names.set(`LINK_${index}`, id).set(`link_${index}`, id.toLowerCase()).set(`SLUG_${index}`, slug);

const tagIds = ({ names }: World): string[] =>
  Array.from({ length: POOL }, (_, index) => names.get(`TAG_${index}`) ?? "");
const newLink = (world: World): Promise<Link> => world.ws.link({ tag_ids: tagIds(world) });

/** Restores the resources that an operation changed, for the next attempt. */
async function restore(world: World, { operationId }: Operation, path: string): Promise<void> {
  const [, , , , id = "", , tagId = ""] = path.toUpperCase().split(/[/?]/);
  const index = Array.from({ length: POOL }, (_, each) => each).find((each) =>
    [world.names.get(`LINK_${each}`), world.names.get(`TAG_${each}`)].includes(id),
  );
  if (index === undefined) return;
  // Old slugs stay, so the link is recreated. Another test covers many renames.
  if (operationId === "updateLink") await world.ws.call("DELETE", `/api/v1/links/${id}`);
  if (operationId === "deleteLink" || operationId === "updateLink")
    putLink(world, index, await newLink(world));
  if (operationId === "deleteTag") putTag(world, index, await world.ws.tag());
  if (operationId === "detachTagFromLink")
    await world.ws.call("POST", `/api/v1/links/${id}/tags`, { body: { tag_ids: [tagId] } });
}

interface Sent {
  status: number;
  headers: Headers;
  type: string;
  text: string;
}

async function sent(
  method: string,
  path: string,
  headers: Headers,
  body: BodyInit | undefined,
): Promise<Sent> {
  const request = new Request(`${API}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const response = await send(request);
  const bytes = await response.arrayBuffer();
  const type = response.headers.get("content-type")?.replace(/\s*;.*/, "") ?? "";
  return { status: response.status, headers: response.headers, type, text: new TextDecoder().decode(bytes) };
}

/** The current ETag of the resource in a path. */
async function etagOf({ ws }: World, operation: Operation, path: string): Promise<string> {
  const [resource = path] = /^\/api\/v1\/(?:links|tags)\/[^/?]+/.exec(path) ?? [];
  const answer = isRead(operation)
    ? await ws.call("HEAD", path)
    : await ws.call("PATCH", resource, { body: {} });
  expect(answer.status).not.toBe(429);
  expect(answer.status).toBeLessThan(500);
  return answer.headers.get("etag") ?? '"none"';
}

/** Sends an attempt with its placeholders replaced. */
async function make(world: World, operation: Operation, { parts }: Attempt) {
  const fill = (text: string): string =>
    text.replace(/__(\w+?)__/g, (all, name) => world.names.get(name) ?? all);
  const query = parts.query.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  const path = fill(parts.path + (query === "" ? "" : `?${query}`));
  const headers = new Headers({ authorization: `Bearer ${world.ws.key}`, accept: "application/json" });
  const { body } = parts;
  if (body !== undefined) headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(parts.headers)) {
    if (value === null) headers.delete(name);
    else {
      const filled = fill(value);
      headers.set(
        name,
        filled.includes("__ETAG__")
          ? filled.replace("__ETAG__", await etagOf(world, operation, path))
          : filled,
      );
    }
  }
  const raw =
    body === undefined || body instanceof Uint8Array
      ? (body as Uint8Array<ArrayBuffer> | undefined)
      : fill(typeof body === "string" ? body : JSON.stringify(body));
  // `Request` would otherwise set a Content-Type for text.
  const bytes = typeof raw === "string" ? new TextEncoder().encode(raw) : raw;
  const answer = await sent(operation.method, path, headers, bytes);
  return { path, headers, answer };
}

/** The state that a refused request must not change. */
const totalsOf = async ({ ws }: World): Promise<string> =>
  JSON.stringify(
    await env.DB.prepare(
      `select w.active_links, w.archived_links, w.tag_count,
        (select json_array(count(*), sum(version), max(updated_at), count(deleted_at)) from links where workspace_id = w.id) as links,
        (select json_array(count(*), sum(version)) from tags where workspace_id = w.id) as tags,
        (select count(*) from link_tags where workspace_id = w.id) as link_tags,
        (select json_array(count(*), count(link_id)) from slugs where workspace_id = w.id) as slugs,
        (select count(*) from audit_log where workspace_id = w.id) as changes
      from workspaces w where w.slug = ?`,
    )
      .bind(ws.slug)
      .first(),
  );

function checkBody({ responses }: Operation, { status, type, text, headers }: Sent): void {
  const content = responses[String(status)]?.content;
  if (content === undefined) {
    expect(text).toBe("");
    return;
  }
  const schema = content[type]?.schema;
  expect(Object.keys(content)).toContain(type);
  if (type !== "application/json" || schema === undefined) {
    expect(text).toMatch(type === "image/png" ? /^.PNG/ : /^<svg/);
    expect(headers.get("etag")).toMatch(/^"[\w-]+"$/);
    return;
  }
  const body = JSON.parse(text);
  expect(faults(schema, body)).toEqual([]);
  if (status !== 422) return;
  const messages = Object.values<string[]>(body.errors).flat();
  const more = messages.length - 1;
  const rest = more === 0 ? "" : more === 1 ? " (and 1 more error)" : ` (and ${more} more errors)`;
  expect(body.message).toBe(`${messages[0]}${rest}`);
}

function checkStatus(operation: Operation, { expected, on }: Attempt, { status, text }: Sent): void {
  expect(status).toBeLessThan(500);
  expect(Object.keys(operation.responses)).toContain(String(status));
  const errors: Record<string, string[]> = status === 422 ? JSON.parse(text).errors : {};
  if (expected !== undefined) {
    if (expected.length > 0) expect(expected).toContain(status);
    const fields = Object.keys(errors).map((field) => field.replace(/\.\d+$/, ""));
    // A value may be valid after all, and what the others are together may be refused.
    const isOnOther = fields.includes("idempotency_key") || fields.includes("qr");
    if (on !== undefined && status === 422 && !isOnOther) expect(fields).toContain(on);
    return;
  }
  if (status < 400) return;
  expect(status).toBe(422);
  const messages = Object.values(errors).flat();
  expect(messages.filter((message) => !RULES.test(message))).toEqual([]);
}

function checkHeaders({ operationId }: Operation, { status, headers }: Sent): void {
  const isFile = operationId === "getLinkQr" && (status === 200 || status === 304);
  expect(headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  expect(headers.get("ratelimit-policy")).toBe('"key";q=3000;w=60');
  expect(headers.get("cache-control")).toBe(isFile ? "private, no-cache" : "no-store");
  expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
}

const shown = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id" && name !== "server-timing"));

/** Tests that every answer of these operations matches the published document. */
export function holdToContract(isAsked: (operation: Operation) => boolean): void {
  const statuses: Record<string, Record<number, number>> = {};

  describe("every response matches the published document", () => {
    it.each(operations.filter(isAsked))(
      `$operationId, in ${RUNS} requests`,
      { timeout: 60_000 + RUNS * MS_PER_RUN },
      async (operation) => {
        const world = await worldOf(operation);
        let totals = await totalsOf(world);
        const counts: Record<number, number> = {};
        statuses[operation.operationId] = counts;

        async function attempt(each: Attempt): Promise<void> {
          const { path, headers, answer } = await make(world, operation, each);
          counts[answer.status] = (counts[answer.status] ?? 0) + 1;
          if (answer.status < 400) await restore(world, operation, path);
          const before = totals;
          if (!isRead(operation)) totals = await totalsOf(world);
          try {
            checkStatus(operation, each, answer);
            checkBody(operation, answer);
            checkHeaders(operation, answer);
            if (answer.status >= 400) expect(totals).toBe(before);
            if (isRead(operation) && each.head) {
              const head = await sent("HEAD", path, headers, undefined);
              expect({ ...head, headers: shown(head.headers) }).toEqual({
                ...answer,
                text: "",
                headers: shown(answer.headers),
              });
            }
          } catch (error) {
            const told = `${operation.method} ${path} (${each.how}) answered ${answer.status} ${answer.text.slice(0, 500)}`;
            throw new Error(`${told}\n${error instanceof Error ? error.message : error}`);
          }
        }

        await fc.assert(fc.asyncProperty(attempts(operation), attempt), {
          numRuns: RUNS,
          // Shrinking the longest bodies takes thousands of requests.
          endOnFailure: true,
          seed: Number(env.SEED) || SEED,
        });
        expect(await totalsOf(world)).toBe(totals);
        // A few requests may all be of one kind.
        if (RUNS < 100) return;
        expect(Object.keys(counts).some((status) => Number(status) < 300)).toBe(true);
        expect(Object.keys(counts).some((status) => Number(status) >= 400)).toBe(true);
      },
    );
  });

  afterAll(() => {
    console.error(
      Object.entries(statuses)
        .map(([name, counts]) => `${name} ${JSON.stringify(counts)}`)
        .join("\n"),
    );
  });
}
