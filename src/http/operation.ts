import type { OpenAPIHono, RouteConfig, z } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Config, Context, Workspace } from "../context";
import { ServiceError } from "../errors";
import { entityTagsMatch, etagOf, etagOfFile, parseEntityTags } from "../lib/etag";
import { type Answer, KeyHeld, withIdempotencyKey } from "./idempotency/idempotency";
import { jsonResponse } from "./problem";
import { type CheckedOperation, type CheckedRequest, checkRequest } from "./steps";
import type { TracedEnv } from "./trace";

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

interface Operation<R extends RouteConfig, Result>
  extends Omit<CheckedOperation<Part<R, "params">>, "route"> {
  run: (ctx: Context, input: Input<R>) => Promise<Result>;
  reply: (result: Result, request: { url: URL; config: Config; workspace: Workspace }) => Reply<R>;
}

/**
 * Registers an operation in the OpenAPI document and at its path. `steps.ts` has the order in which a request is checked. The
 * database call of the first step is sent with the verb's first one.
 */
export function operation<R extends RouteConfig, Result>(
  app: OpenAPIHono<TracedEnv>,
  route: R,
  behaviour: Operation<R, Result>,
): void {
  const method = route.method.toUpperCase();
  const checked: CheckedOperation = { route, ...behaviour };
  app.openAPIRegistry.registerPath(route);
  app.on(method, route.path.replaceAll(/\/{(.+?)}/g, "/:$1"), async (c) => {
    const request = await checkRequest(c, checked);
    try {
      return await perform(c, request);
    } catch (error) {
      // A verb may refuse before it asks D1. After a 5xx, D1 is unavailable and the check would fail too.
      if (error instanceof ServiceError && error.status < 500) await request.checkKey();
      throw error;
    }
  });

  async function perform(c: HonoContext<TracedEnv>, request: CheckedRequest): Promise<Response> {
    const { ctx, reservation } = request;
    const input = request as unknown as Input<R>;
    const toReply = async (result: Result) => {
      const { workspace } = await request.checkKey();
      return behaviour.reply(result, { url: new URL(c.req.url), config: ctx.config, workspace });
    };
    if (reservation === undefined) return send(c, await toReply(await behaviour.run(ctx, input)));

    try {
      const result = await withIdempotencyKey(ctx, reservation, (own) => behaviour.run(own, input));
      return await send(c, await toReply(result));
    } catch (error) {
      if (!(error instanceof KeyHeld)) throw error;
      const { outcome } = error;
      const isReplay = !(outcome instanceof ServiceError);
      // A stale `If-Match` does not prevent a replay.
      await behaviour.assertPath?.(isReplay ? request.unconditional : ctx, input.params);
      if (isReplay) return replay(outcome, await toReply(JSON.parse(outcome.body)));
      throw outcome;
    }
  }
}

function replay<R>({ status, etag }: Answer, reply: Reply<R>): Response {
  if (!("body" in reply)) throw new TypeError("An operation with an Idempotency-Key must return JSON");
  return jsonResponse(JSON.stringify(reply.body), status, {
    "Idempotent-Replayed": "true",
    ...(etag !== null && { ETag: etag }),
  });
}

async function send<R>(c: HonoContext<TracedEnv>, reply: Reply<R>): Promise<Response> {
  if (reply.status === 204) return new Response(null, { status: 204 });
  const isFile = "file" in reply;
  const etag = isFile ? await etagOfFile(reply.file.bytes) : reply.entity && (await etagOf(reply.entity));
  const headers = { ...(isFile ? reply.file.headers : reply.headers), ...(etag && { ETag: etag }) };
  if (etag !== undefined && isFresh(c, etag)) return new Response(null, { status: 304, headers });
  return isFile
    ? new Response(reply.file.bytes, { headers })
    : jsonResponse(JSON.stringify(reply.body), reply.status, headers);
}

function isFresh(c: HonoContext<TracedEnv>, etag: string): boolean {
  const header = c.req.header("if-none-match");
  const reads = c.req.raw.method === "GET" || c.req.raw.method === "HEAD";
  return reads && header !== undefined && entityTagsMatch(parseEntityTags(header), etag);
}
