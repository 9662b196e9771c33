import { type OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Config, Context, Reservation } from "../context";
import { invalid, Replay, ServiceError } from "../errors";
import { releaseReservation, withStoredAnswer } from "../idempotency/service";
import { entityTagsMatch, etagOf, etagOfFile, parseEntityTags } from "../lib/etag";
import { hex, sha256Hex } from "../lib/hash";
import { newId } from "../lib/ids";
import { prefersStrict } from "../lib/prefer";
import { type Admission, admit } from "./admit";
import { readBody } from "./body";
import { jsonResponse } from "./problem";
import { isNotKnown, type QueryRules, readIdempotencyKey, readJson, readQuery } from "./request";
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

/** Registers an operation in the OpenAPI document and at its path. */
export function operation<R extends RouteConfig, Result>(
  app: OpenAPIHono<TracedEnv>,
  route: R,
  behaviour: Operation<R, Result>,
): void {
  const method = route.method.toUpperCase();
  app.openAPIRegistry.registerPath(route);
  app.on(method, route.path.replaceAll(/\/{(.+?)}/g, "/:$1"), async (c) => {
    const admission = await admit(c, method !== "GET");
    return sendAdmitted(admission, () => perform(c, admission));
  });

  async function perform(
    c: HonoContext<TracedEnv>,
    { ctx: admitted, keyId, db }: Admission,
  ): Promise<Response> {
    const ifMatch = method === "GET" ? undefined : c.req.header("if-match");
    const ctx: Context =
      ifMatch === undefined ? admitted : { ...admitted, ifMatch: parseEntityTags(ifMatch) };
    const request = { url: new URL(c.req.url), config: ctx.config };
    const { input, rawBody, idempotencyKey } = await readInput(c, route, behaviour, ctx);

    if (idempotencyKey === undefined)
      return send(c, behaviour.reply(await behaviour.run(ctx, input), request));

    const reservation: Reservation = {
      apiKeyId: keyId,
      key: idempotencyKey,
      fingerprint: await sha256Hex(
        new Uint8Array(await new Blob([`${method}\n${c.req.path}\n`, rawBody]).arrayBuffer()),
      ),
      formerFingerprint: () => sha256Hex(`${method}\n${c.req.path}\n${hex(rawBody)}`),
      operationId: newId(ctx.now()),
      status: successOf(route),
    };
    try {
      const result = await withStoredAnswer(ctx, reservation, (own) => behaviour.run(own, input));
      return await send(c, behaviour.reply(result, request));
    } catch (error) {
      if (error instanceof Replay)
        throw toResponseReplay(error, (kept) => behaviour.reply(kept as Result, request));
      await releaseReservation({ db }, reservation).catch(() => undefined);
      throw error;
    }
  }
}

/** Makes sure that the key is checked before any response or error is sent. */
async function sendAdmitted(
  { assertAdmitted }: Admission,
  perform: () => Promise<Response>,
): Promise<Response> {
  try {
    const response = await perform();
    await assertAdmitted();
    return response;
  } catch (error) {
    // After a 5xx, D1 is unavailable and the check would fail too.
    if (error instanceof ServiceError && error.status < 500) await assertAdmitted();
    throw error;
  }
}

const successOf = ({ responses }: RouteConfig): number =>
  Number(Object.keys(responses).find((status) => status.startsWith("2")));

/** Turns a stored resource into its response. The previous release stored whole responses, which have a message. */
function toResponseReplay<R>(replay: Replay, reply: (kept: unknown) => Reply<R>): Replay {
  const kept: object = JSON.parse(replay.body);
  if ("message" in kept) return replay;
  const response = reply(kept);
  if (!("body" in response)) throw new TypeError("An operation with an Idempotency-Key must return JSON");
  return new Replay(replay.status, JSON.stringify(response.body), replay.etag);
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
    const judged = readFields();
    const body = judged.ok ? judged : readFields((await assertPath(ctx)) as Kept | undefined);
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
