import type { Context as HonoContext } from "hono";
import type { z } from "zod";
import type { Membership, Person } from "../../access/sessions";
import type { Context } from "../../context";
import { invalid } from "../../errors";
import { readBody } from "../../http/request";
import type { TracedEnv } from "../../http/trace";
import { append } from "../../lib/multimap";
import { check, trimmed } from "../../lib/validation";
import { type Form, parseForm } from "./form-body";
import type { Problem } from "./problem";

/** What the middleware sets for a page. */
export interface ConsoleEnv extends TracedEnv {
  Variables: TracedEnv["Variables"] & {
    /** Of the Content-Security-Policy: scripts and styles need it to load. */
    nonce: string;
    person: Person;
    /** In the workspace of the path, with the person's role. */
    membership: Membership;
    /** The slug of the workspace. */
    workspace: string;
    /** Whether the person may change links, tags, Activity Groups and assets. */
    isEditor: boolean;
    ctx: Context;
    /** The form of the request, once it has been read. */
    form?: Form;
    /** Why the form was refused. */
    problem?: Problem;
  };
}

/** A handler asks only for the parameters of its path. */
export type PageContext = HonoContext<ConsoleEnv, "/:id/:operation/:email/:host">;

const MAX_FORM_BYTES = 64 * 1024;

/** Reads a form. 413 above `maxBytes`; 422 if the body is no form or has more than 500 fields. */
export async function readForm(c: PageContext, maxBytes = MAX_FORM_BYTES): Promise<Form> {
  const body = await readBody(c.req.raw, maxBytes);
  const form = await parseForm(body, c.req.header("Content-Type") ?? "");
  c.set("form", form);
  return form;
}

/** Validates input as the API does: trimmed, empty fields become null. 422 names every field that fails. */
export function checked<T>(schema: z.ZodType<T>, input: object): T {
  const result = check(schema, trimmed(input));
  if (!result.ok) throw invalid(result.failures);
  return result.value;
}

/** Validates the query of a page. Invalid parameters are ignored. */
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
