import { type RouteConfig, z } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Context } from "../context";
import { invalid } from "../errors";
import { parseEntityTags } from "../lib/etag";
import { admit } from "./admit";
import {
  isNotKnown,
  prefersStrict,
  type QueryRules,
  readBody,
  readIdempotencyKey,
  readJson,
  readQuery,
} from "./request-body";
import type { TracedEnv } from "./trace";

const MAX_BODY_BYTES = 64 * 1024;
/** The key of a larger body is checked before its fields, which costs a call of D1: reading them is dear. */
const MAX_UNCHECKED_BYTES = 16 * 1024;

/** What the steps need to know of an operation. */
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
 * Runs a check. If it refuses, `earlier` is checked first: what comes before and asks D1 for what the verb asks with its first
 * call.
 */
async function checkAfter<T>(earlier: () => Promise<void>, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    await earlier();
    throw error;
  }
}

/**
 * Takes a request through the steps in their order: key, path, size of the body, `Idempotency-Key`, `If-Match`, fields. The first
 * one that refuses answers it. The rules of the verb come last.
 */
export async function checkRequest(c: HonoContext<TracedEnv>, operation: CheckedOperation) {
  const { route, assertPath } = operation;
  const isRead = route.method === "get";
  const {
    ctx: unconditional,
    keyId,
    assertAuthorized,
  } = await admit(c, {
    writes: !isRead,
    // Lists search and sort. What names its resource reads it by an index.
    canBeDear: isRead && !route.path.includes("{"),
  });
  const ifMatch = isRead ? undefined : c.req.header("if-match");
  const ctx = ifMatch === undefined ? unconditional : { ...unconditional, ifMatch: parseEntityTags(ifMatch) };
  const params = c.req.param();
  let resource: Promise<unknown> | undefined;
  /** Reads the resource at most once. */
  const readResource = () => {
    resource ??= assertPath?.(ctx, params);
    return resource;
  };
  const assertFound = async () => {
    await assertPath?.(unconditional, params);
    await assertAuthorized();
  };
  const assertUnchanged = async () => {
    await readResource();
    await assertAuthorized();
  };
  const rawBody = await checkAfter(assertFound, () =>
    route.request?.body === undefined ? new Uint8Array() : readBody(c.req.raw, MAX_BODY_BYTES),
  );
  const idempotencyKey = await checkAfter(assertFound, () =>
    route.method === "post" ? readIdempotencyKey(c.req.raw.headers.get("idempotency-key")) : undefined,
  );
  if (rawBody.byteLength > MAX_UNCHECKED_BYTES) await assertAuthorized();
  const fields = await checkAfter(assertUnchanged, () => readFields(c, operation, rawBody, readResource));
  return {
    /** Without the request's `If-Match`. */
    unconditional,
    ctx,
    keyId,
    params,
    rawBody,
    idempotencyKey,
    ...fields,
    /** Checks the key now if no call of D1 has done so yet: 401, 429, 404 of a suspended workspace, 403. */
    assertAuthorized,
  };
}

export type CheckedRequest = Awaited<ReturnType<typeof checkRequest>>;

interface BodyRoute {
  content: { "application/json": { schema: z.ZodObject } };
}

const NO_FIELDS = z.object({});
const NO_BODY = { ok: true, value: undefined } as const;

/** The query and the body. Fields of the body that the resource has already need not be valid. */
async function readFields(
  c: HonoContext<TracedEnv>,
  { route, query: queryRules }: CheckedOperation,
  rawBody: Uint8Array,
  readResource: () => Promise<unknown> | undefined,
): Promise<{ query: unknown; body: unknown }> {
  const { body: content, query: querySchema = NO_FIELDS } = route.request ?? {};
  const bodySchema = (content as BodyRoute | undefined)?.content["application/json"].schema;
  const isStrict = prefersStrict(c.req.header("prefer"));
  const query = readQuery(querySchema as z.ZodObject, new URL(c.req.url).searchParams, {
    ...(isStrict && { unknown: isNotKnown }),
    ...queryRules,
  });
  const read = (kept?: Readonly<Record<string, unknown>>) =>
    bodySchema === undefined ? NO_BODY : readJson(bodySchema, c.req.raw.headers, rawBody, isStrict, kept);
  const checked = read();
  const kept = checked.ok ? undefined : ((await readResource()) as Record<string, unknown> | undefined);
  const body = kept === undefined ? checked : read(kept);
  if (!query.ok || !body.ok) throw invalid([query, body].flatMap((read) => (read.ok ? [] : read.failures)));
  return { query: query.value, body: body.value };
}
