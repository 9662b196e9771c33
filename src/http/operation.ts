import { type OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Config, Context } from "../context";
import { invalid, ServiceError } from "../errors";
import { entityTagsMatch, etagOf, etagOfFile, parseEntityTags } from "../lib/etag";
import { sha256Hex } from "../lib/hash";
import { newId } from "../lib/ids";
import { admit } from "./admit";
import { readBody } from "./body";
import { KeyHeld, Replay, withIdempotencyKey } from "./idempotency/service";
import { jsonResponse } from "./problem";
import {
  isNotKnown,
  prefersStrict,
  type QueryRules,
  readIdempotencyKey,
  readJson,
  readQuery,
} from "./request";
import type { TracedEnv } from "./trace";

const MAX_BODY_BYTES = 64 * 1024;

type Part<R, Name extends string> = R extends { request: { [K in Name]: infer S extends z.ZodType } }
  ? z.output<S>
  : Record<never, never>;

type BodyInput<R> = R extends {
  request: { body: { content: { "application/json": { schema: infer S extends z.ZodType } } } };
}
  ? z.output<S>
  : undefined;

type BodyOutput<R, Status extends number> = R extends {
  responses: { [K in Status]: { content: { "application/json": { schema: infer S extends z.ZodType } } } };
}
  ? z.output<S>
  : never;

interface Input<R> {
  params: Part<R, "params">;
  query: Part<R, "query">;
  body: BodyInput<R>;
}

interface Extras {
  /** The resource as GET returns it, for the ETag. */
  entity?: object;
  headers?: Record<string, string>;
}

interface File {
  bytes: Uint8Array<ArrayBuffer> | string;
  headers: Record<string, string>;
}

/** A response in the shape that the route documents for its status. */
type Reply<R> =
  | ({ status: 200; body: BodyOutput<R, 200> } & Extras)
  | ({ status: 201; body: BodyOutput<R, 201> } & Extras)
  | { status: 204 }
  | { status: 200; file: File };

interface Operation<R extends RouteConfig, Result> {
  run: (ctx: Context, input: Input<R>) => Promise<Result>;
  reply: (result: Result, request: { url: URL; config: Config }) => Reply<R>;
  /**
   * Throws 404 for an unknown resource and 412 for a stale `If-Match`, before errors of the input. It may return fields of
   * the resource. The request may send these again, although a rule has become stricter since.
   */
  assertPath?: (ctx: Context, params: Part<R, "params">) => Promise<unknown>;
  query?: QueryRules;
}

type Kept = Readonly<Record<string, unknown>>;

interface BodyRoute {
  content: { "application/json": { schema: z.ZodObject } };
}

/**
 * Registers an operation in the OpenAPI document and at its path. A request is checked in this order: `admit` (401, 429, 404
 * of a suspended workspace, 403), `assertPath` (404), the body's size (413), the form of an `Idempotency-Key` (422),
 * `If-Match` (412), the fields and then the rules (422). Refusals of `admit` come first although its database call is sent
 * with the first one of the verb.
 */
export function operation<R extends RouteConfig, Result>(
  app: OpenAPIHono<TracedEnv>,
  route: R,
  behaviour: Operation<R, Result>,
): void {
  const method = route.method.toUpperCase();
  app.openAPIRegistry.registerPath(route);
  app.on(method, route.path.replaceAll(/\/{(.+?)}/g, "/:$1"), async (c) => {
    const { ctx, keyId, assertAuthorized } = await admit(c, method !== "GET");
    try {
      const response = await perform(c, ctx, keyId);
      await assertAuthorized();
      return response;
    } catch (error) {
      // After a 5xx, D1 is unavailable and the check would fail too.
      if (error instanceof ServiceError && error.status < 500) await assertAuthorized();
      throw error;
    }
  });

  async function perform(c: HonoContext<TracedEnv>, admitted: Context, keyId: number): Promise<Response> {
    const ifMatch = method === "GET" ? undefined : c.req.header("if-match");
    const ctx: Context =
      ifMatch === undefined ? admitted : { ...admitted, ifMatch: parseEntityTags(ifMatch) };
    const request = { url: new URL(c.req.url), config: ctx.config };
    const { input, rawBody, idempotencyKey } = await readInput(c, route, behaviour, ctx);
    if (idempotencyKey === undefined)
      return send(c, behaviour.reply(await behaviour.run(ctx, input), request));

    const reservation = {
      apiKeyId: keyId,
      key: idempotencyKey,
      fingerprint: await sha256Hex(
        new Uint8Array(await new Blob([`${method}\n${c.req.path}\n`, rawBody]).arrayBuffer()),
      ),
      operationId: newId(ctx.now()),
      status: successOf(route),
    };
    try {
      const result = await withIdempotencyKey(ctx, reservation, (own) => behaviour.run(own, input));
      return await send(c, behaviour.reply(result, request));
    } catch (error) {
      if (!(error instanceof KeyHeld)) throw error;
      const { outcome } = error;
      // A stale `If-Match` does not prevent a replay.
      await behaviour.assertPath?.(outcome instanceof Replay ? admitted : ctx, input.params);
      if (outcome instanceof Replay)
        return replay(outcome, behaviour.reply(JSON.parse(outcome.body), request));
      throw outcome;
    }
  }
}

const successOf = ({ responses }: RouteConfig): number =>
  Number(Object.keys(responses).find((status) => status.startsWith("2")));

function replay<R>({ status, etag }: Replay, reply: Reply<R>): Response {
  if (!("body" in reply)) throw new TypeError("An operation with an Idempotency-Key must return JSON");
  return jsonResponse(JSON.stringify(reply.body), status, {
    "Idempotent-Replayed": "true",
    ...(etag !== null && { ETag: etag }),
  });
}

/** Reads and validates a request. On invalid input, 404 comes first, then 412, then the error of the input. */
async function readInput<R extends RouteConfig, Result>(
  c: HonoContext<TracedEnv>,
  route: R,
  behaviour: Operation<R, Result>,
  ctx: Context,
): Promise<{ input: Input<R>; rawBody: Uint8Array; idempotencyKey: string | undefined }> {
  const params = c.req.param() as Part<R, "params">;
  const bodyRoute = route.request?.body as BodyRoute | undefined;
  const querySchema = (route.request?.query ?? NO_FIELDS) as z.ZodObject;
  const isStrict = prefersStrict(c.req.header("prefer"));
  let checksVersion = false;
  let asserted: Promise<unknown> | undefined;
  const assertPath = (own: Context) => (asserted ??= behaviour.assertPath?.(own, params));
  try {
    const rawBody = bodyRoute === undefined ? new Uint8Array() : await readBody(c.req.raw, MAX_BODY_BYTES);
    const idempotencyKey =
      route.method === "post" ? readIdempotencyKey(c.req.raw.headers.get("idempotency-key")) : undefined;
    checksVersion = true;
    const query = readQuery(querySchema, new URL(c.req.url).searchParams, {
      ...(isStrict && { unknown: isNotKnown }),
      ...behaviour.query,
    });
    const readFields = (kept?: Kept) =>
      bodyRoute === undefined
        ? NO_BODY
        : readJson(
            bodyRoute.content["application/json"].schema,
            c.req.raw.headers.get("content-type"),
            rawBody,
            isStrict,
            kept,
          );
    const checked = readFields();
    const body = checked.ok ? checked : readFields((await assertPath(ctx)) as Kept | undefined);
    const failures = [query, body].flatMap((checked) => (checked.ok ? [] : checked.failures));
    if (!query.ok || !body.ok) throw invalid(failures);
    return {
      input: { params, query: query.value, body: body.value } as Input<R>,
      rawBody,
      idempotencyKey,
    };
  } catch (error) {
    const { ifMatch: _, ...unconditional } = ctx;
    await assertPath(checksVersion ? ctx : unconditional);
    throw error;
  }
}

const NO_FIELDS = z.object({});
const NO_BODY = { ok: true, value: undefined } as const;

async function send<R>(c: HonoContext<TracedEnv>, reply: Reply<R>): Promise<Response> {
  if (reply.status === 204) return new Response(null, { status: 204 });
  if ("file" in reply) return sendFile(c, reply.file);
  const headers = { ...reply.headers };
  if (reply.entity !== undefined) {
    headers["ETag"] = await etagOf(reply.entity);
    if (isFresh(c, headers["ETag"])) return new Response(null, { status: 304, headers });
  }
  return jsonResponse(JSON.stringify(reply.body), reply.status, headers);
}

async function sendFile(c: HonoContext<TracedEnv>, { bytes, headers }: File): Promise<Response> {
  const all = { ...headers, ETag: await etagOfFile(bytes) };
  return isFresh(c, all.ETag)
    ? new Response(null, { status: 304, headers: all })
    : new Response(bytes, { status: 200, headers: all });
}

function isFresh(c: HonoContext<TracedEnv>, etag: string): boolean {
  const header = c.req.header("if-none-match");
  const reads = c.req.raw.method === "GET" || c.req.raw.method === "HEAD";
  return reads && header !== undefined && entityTagsMatch(parseEntityTags(header), etag);
}
