import { type RouteConfig, z } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Context } from "../context";
import { ServiceError } from "../errors";
import { invalid } from "../field-errors";
import { parseEntityTags } from "../lib/etag";
import { sha256Hex } from "../lib/hash";
import { newId } from "../lib/ids";
import { takeShare } from "./fair-shares";
import { assertNotReused, type Reservation } from "./idempotency/idempotency";
import { identifyKey, openContext } from "./key-check";
import {
  prefersStrict,
  type QueryRules,
  readBody,
  readIdempotencyKey,
  readJson,
  readQuery,
} from "./request-body";
import type { TracedEnv } from "./trace";

const MAX_BODY_BYTES = 64 * 1024;
/** Reading the fields of a larger body is dear, so its key is checked before, which costs a call of D1. */
const MAX_UNCHECKED_BYTES = 16 * 1024;

type Kept = Readonly<Record<string, unknown>>;

export interface CheckedOperation<Params = Record<string, string>> {
  route: RouteConfig;
  query?: QueryRules;
  /**
   * Throws 404 for an unknown resource and 412 for a stale `If-Match`. It may return fields of the resource. The request may
   * send these again, although a rule has become stricter since.
   */
  assertPath?(ctx: Context, params: Params): Promise<unknown>;
}

/**
 * Takes a request through the steps, in the order in which the interface answers them. The database decides some of them, in the
 * first call of the verb. So what fails without the database is a value: `refuse` sends one call for the steps before it, and
 * then answers.
 */
export async function checkRequest(c: HonoContext<TracedEnv>, operation: CheckedOperation) {
  const { route, assertPath } = operation;
  const isRead = route.method === "get";
  const params = c.req.param();

  // 429 that this instance remembers, 401 for what cannot be a key, 429.
  const hash = await identifyKey(c);
  // 401, 429, 404 of a suspended workspace, 403: with the first call of D1.
  const { ctx: unconditional, keyId, payer, checkKey } = await openContext(c, hash, { writes: !isRead });
  // Lists search and sort. What names its resource reads it by an index.
  if (isRead && !route.path.includes("{")) await takeShare(c, "read", payer);

  const refuse = async (refusal: ServiceError): Promise<never> => {
    // 404 for what the path names.
    await assertPath?.(unconditional, params);
    await checkKey();
    throw refusal;
  };

  // 413, and 422 for a body that does not arrive.
  const hasBody = route.request?.body !== undefined;
  const rawBody = hasBody ? await readBody(c.req.raw, MAX_BODY_BYTES).catch(toRefusal) : new Uint8Array();
  if (rawBody instanceof ServiceError) return refuse(rawBody);

  // A malformed `Idempotency-Key`.
  const idempotencyKey =
    route.method === "post" ? readIdempotencyKey(c.req.header("idempotency-key")) : undefined;
  if (idempotencyKey instanceof ServiceError) return refuse(idempotencyKey);

  const reservation: Reservation | undefined =
    idempotencyKey === undefined
      ? undefined
      : {
          apiKeyId: keyId,
          key: idempotencyKey,
          fingerprint: await sha256Hex(
            new Uint8Array(await new Blob([`POST\n${c.req.path}\n`, rawBody]).arrayBuffer()),
          ),
          operationId: newId(unconditional.now()),
          status: successOf(route),
        };

  // 412: the verb compares `If-Match` with what it reads, before its rules.
  const ifMatch = isRead ? undefined : c.req.header("if-match");
  const ctx = ifMatch === undefined ? unconditional : { ...unconditional, ifMatch: parseEntityTags(ifMatch) };

  // Fields.
  if (rawBody.byteLength > MAX_UNCHECKED_BYTES) await checkKey();
  let fields = readFields(c, operation, rawBody);
  if (fields instanceof ServiceError) {
    // 404, 412, and 422 for a key that was used with another request, whatever else is wrong with this one.
    const kept = await assertPath?.(ctx, params);
    if (reservation !== undefined) await assertNotReused(ctx, reservation);
    await checkKey();
    fields = kept === undefined ? fields : readFields(c, operation, rawBody, kept as Kept);
    if (fields instanceof ServiceError) throw fields;
  }

  // Rules: the verb.
  return { unconditional, ctx, checkKey, params, reservation, ...fields };
}

export type CheckedRequest = Awaited<ReturnType<typeof checkRequest>>;

const successOf = ({ responses }: RouteConfig): number =>
  Number(Object.keys(responses).find((status) => status.startsWith("2")));

function toRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

interface BodyRoute {
  content: { "application/json": { schema: z.ZodObject } };
}

const NO_FIELDS = z.object({});

/** The query and the body, or 422. Fields that the resource has already, `kept`, need not be valid. */
function readFields(
  c: HonoContext<TracedEnv>,
  { route: { request = {} }, query: queryRules }: CheckedOperation,
  rawBody: Uint8Array,
  kept?: Kept,
): { query: unknown; body: unknown } | ServiceError {
  const isStrict = prefersStrict(c.req.header("prefer"));
  const query = readQuery((request.query ?? NO_FIELDS) as z.ZodObject, new URL(c.req.url).searchParams, {
    ...(isStrict && { unknown: "unknown_field" as const }),
    ...queryRules,
  });
  const schema = (request.body as BodyRoute | undefined)?.content["application/json"].schema;
  const body =
    schema === undefined
      ? ({ ok: true, value: undefined } as const)
      : readJson(schema, c.req.raw.headers, rawBody, isStrict, kept);
  if (query.ok && body.ok) return { query: query.value, body: body.value };
  return invalid([query, body].flatMap((read) => (read.ok ? [] : read.failures)));
}
