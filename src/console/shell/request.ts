import type { Context as HonoContext } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { z } from "zod";
import { type Context, parseConfig, type ServiceContext, systemRandom } from "../../context";
import { createDatabase } from "../../db/client";
import { invalid, ServiceError } from "../../errors";
import { readBody } from "../../http/body";
import type { TracedEnv } from "../../http/trace";
import { append } from "../../lib/multimap";
import { check, trimmed } from "../../lib/validation";
import { logBehind } from "../../log";
import type { Membership, Person } from "../../workspaces/sessions";
import { type Form, type Posted, parseForm } from "./form-body";

/** What a request to the web application carries from its middleware to its page. */
export interface ConsoleEnv extends TracedEnv {
  Variables: TracedEnv["Variables"] & {
    /** Of the policy: what has it in the page may run. */
    nonce: string;
    person: Person;
    /** In the workspace of the path, and what the person may do there. */
    membership: Membership;
    ctx: Context;
    /** The form of the request, once it is read. */
    posted?: Posted;
  };
}

export type PageContext = HonoContext<ConsoleEnv>;

export const serviceContext = (c: PageContext): ServiceContext => ({
  db: createDatabase(c.env.DB, c.var.trace.d1),
  kv: c.env.KV,
  config: parseConfig(c.env, new URL(c.req.url).origin),
  actor: "visitor",
  now: Date.now,
  random: systemRandom,
  later: (work) => c.executionCtx.waitUntil(logBehind(c.var.trace, c.req.method, work)),
});

const MAX_FORM_BYTES = 64 * 1024;

/** Reads a form of at most `maxBytes`; 413 above them, 422 where the body is no form or has more than 500 fields. */
export async function readForm(c: PageContext, maxBytes = MAX_FORM_BYTES): Promise<Form> {
  const body = await readBody(c.req.raw, maxBytes);
  const form = await parseForm(body, c.req.header("Content-Type") ?? "");
  c.set("posted", form.posted);
  return form;
}

/** Input checked by a schema, as the API checks it: trimmed, empty fields null; 422 on every field that fails. */
export function checked<T>(schema: z.ZodType<T>, input: object): T {
  const result = check(schema, trimmed(input));
  if (!result.ok) throw invalid(result.failures);
  return result.value;
}

/** The query of a page, checked; parameters that do not pass are taken as not given. */
export function readQuery<T>(schema: z.ZodObject & z.ZodType<T>, c: PageContext): T {
  const given = new Map<string, string[]>();
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (value.trim() !== "") append(given, name, value.trim());
  }
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const values = given.get(name);
    if (values === undefined) return [];
    const candidates = [values.at(-1), values];
    const value = candidates.find((candidate) => field.safeParse(candidate).success);
    return value === undefined ? [] : [[name, value]];
  });
  return checked(schema, Object.fromEntries(fields));
}

/** Why a form was refused: shown above it, and at its fields. */
export interface Problem {
  status: ServiceError["status"];
  message: string;
  errors: Readonly<Record<string, readonly string[]>>;
}

/** What a person can mend, to be shown with the form; anything else goes on. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ServiceError) || ![404, 409, 412, 413, 422].includes(error.status)) throw error;
  return { status: error.status, message: error.body.message, errors: error.body.errors ?? {} };
}

const NOTICE = "__Host-notice";
export const COOKIE = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;

/** Ends an action: the page at `to` says what has happened. */
export function done(c: PageContext, to: string, notice: string): Response {
  setCookie(c, NOTICE, notice, { ...COOKIE, maxAge: 60 });
  return c.redirect(to, 303);
}

/** What the action before has said, once. */
export function takeNotice(c: PageContext): string | undefined {
  const notice = getCookie(c, NOTICE);
  if (notice !== undefined) setCookie(c, NOTICE, "", { ...COOKIE, maxAge: 0 });
  return notice;
}

/** The fields of a form that differ from what it was made of, which it carries as `was`: others' changes stay. */
export function changedFields({ was, ...fields }: Form["fields"]): Record<string, string> {
  const before = shownBefore(was);
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== before.get(name)));
}

function shownBefore(was: string | undefined): ReadonlyMap<string, unknown> {
  try {
    const shown: unknown = JSON.parse(was ?? "");
    return new Map(typeof shown === "object" && shown !== null ? Object.entries(shown) : []);
  } catch {
    return new Map();
  }
}

/** What an edit form is made of, as it is posted: empty where nothing is set. */
export const wasOf = (values: object): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value == null ? "" : String(value)]),
    ),
  );
