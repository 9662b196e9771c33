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
} from "./request";
import type { TracedEnv } from "./trace";

const MAX_BODY_BYTES = 64 * 1024;

/** What the steps need to know of an operation. */
export interface CheckedOperation {
  route: RouteConfig;
  query?: QueryRules;
  /**
   * Throws 404 for an unknown resource and 412 for a stale `If-Match`. It may return fields of the resource. The request may
   * send these again, although a rule has become stricter since.
   */
  assertPath?(ctx: Context, params: Record<string, string>): Promise<unknown>;
}

/** A request, and what the steps have read of it. */
export interface CheckedRequest {
  /** Without the request's `If-Match`. */
  unconditional: Context;
  ctx: Context;
  keyId: number;
  params: Record<string, string>;
  rawBody: Uint8Array<ArrayBuffer>;
  idempotencyKey: string | undefined;
  query: unknown;
  body: unknown;
  /** What `assertPath` returns with the request's `If-Match`, once it was asked. */
  resource: Promise<unknown> | undefined;
  /** Checks the key now if no call of D1 has done so yet: 401, 429, 404 of a suspended workspace, 403. */
  assertAuthorized: () => Promise<void>;
}

/** Fields that the resource has already. */
type Kept = Readonly<Record<string, unknown>>;

type Check = (request: CheckedRequest, operation: CheckedOperation, c: HonoContext<TracedEnv>) => unknown;

interface Step {
  check: Check;
  /** It asks D1 for what the verb asks with its first call. So it is checked here only if a later step refuses. */
  isDeferred?: true;
}

/** The order of judgement: the first step that refuses a request answers it. The rules of the verb come last. */
const STEPS: readonly Step[] = [
  { check: keyIsValid, isDeferred: true },
  { check: pathExists, isDeferred: true },
  { check: bodyIsSmall },
  { check: idempotencyKeyIsWellFormed },
  { check: versionMatches, isDeferred: true },
  { check: fieldsAreValid },
];

/** Takes a request through the steps. Throws the refusal of the first one that fails. */
export async function checkRequest(
  c: HonoContext<TracedEnv>,
  operation: CheckedOperation,
): Promise<CheckedRequest> {
  const { ctx, keyId, assertAuthorized } = await admit(c, operation.route.method !== "get");
  const ifMatch = operation.route.method === "get" ? undefined : c.req.header("if-match");
  const request: CheckedRequest = {
    unconditional: ctx,
    ctx: ifMatch === undefined ? ctx : { ...ctx, ifMatch: parseEntityTags(ifMatch) },
    keyId,
    params: c.req.param(),
    rawBody: new Uint8Array(),
    idempotencyKey: undefined,
    query: undefined,
    body: undefined,
    resource: undefined,
    assertAuthorized,
  };
  let deferred: Check | undefined;
  for (const { check, isDeferred } of STEPS) {
    if (isDeferred) {
      deferred = check;
      continue;
    }
    try {
      await check(request, operation, c);
    } catch (error) {
      // Each deferred step includes the earlier ones.
      await deferred?.(request, operation, c);
      throw error;
    }
  }
  return request;
}

function keyIsValid({ assertAuthorized }: CheckedRequest) {
  return assertAuthorized();
}

async function pathExists(
  { unconditional, params, assertAuthorized }: CheckedRequest,
  { assertPath }: CheckedOperation,
) {
  await assertPath?.(unconditional, params);
  await assertAuthorized();
}

async function bodyIsSmall(request: CheckedRequest, { route }: CheckedOperation, c: HonoContext<TracedEnv>) {
  if (route.request?.body !== undefined) request.rawBody = await readBody(c.req.raw, MAX_BODY_BYTES);
}

function idempotencyKeyIsWellFormed(
  request: CheckedRequest,
  { route }: CheckedOperation,
  c: HonoContext<TracedEnv>,
) {
  if (route.method === "post")
    request.idempotencyKey = readIdempotencyKey(c.req.raw.headers.get("idempotency-key"));
}

/** Reads the resource at most once. */
function readResource(
  request: CheckedRequest,
  { assertPath }: CheckedOperation,
): Promise<unknown> | undefined {
  request.resource ??= assertPath?.(request.ctx, request.params);
  return request.resource;
}

async function versionMatches(request: CheckedRequest, operation: CheckedOperation) {
  await readResource(request, operation);
  await request.assertAuthorized();
}

interface BodyRoute {
  content: { "application/json": { schema: z.ZodObject } };
}

const NO_FIELDS = z.object({});
const NO_BODY = { ok: true, value: undefined } as const;

async function fieldsAreValid(
  request: CheckedRequest,
  operation: CheckedOperation,
  c: HonoContext<TracedEnv>,
) {
  const { body: content, query: querySchema = NO_FIELDS } = operation.route.request ?? {};
  const bodySchema = (content as BodyRoute | undefined)?.content["application/json"].schema;
  const isStrict = prefersStrict(c.req.header("prefer"));
  const query = readQuery(querySchema as z.ZodObject, new URL(c.req.url).searchParams, {
    ...(isStrict && { unknown: isNotKnown }),
    ...operation.query,
  });
  const readFields = (kept?: Kept) =>
    bodySchema === undefined
      ? NO_BODY
      : readJson(bodySchema, c.req.raw.headers.get("content-type"), request.rawBody, isStrict, kept);
  const checked = readFields();
  const body = checked.ok
    ? checked
    : readFields((await readResource(request, operation)) as Kept | undefined);
  if (!query.ok || !body.ok) throw invalid([query, body].flatMap((read) => (read.ok ? [] : read.failures)));
  request.query = query.value;
  request.body = body.value;
}
