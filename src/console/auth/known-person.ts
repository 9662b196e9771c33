import type { Next } from "hono";
import { createMiddleware } from "hono/factory";
import { ServiceError } from "../../errors";
import { forgetPerson, rememberPerson } from "../../http/known-callers";
import type { CheckedPerson, Person } from "../../workspaces/sessions";
import type { ConsoleEnv, PageContext } from "../shell/request";

/** How a request proves who sends it. */
export interface Proof {
  /** What this instance remembers the person by. */
  name: string;
  check: (judge: (person: Person | undefined) => Promise<void>) => CheckedPerson;
}

/** The person is not as this instance remembers them: what was made for them is not sent. */
export class PersonChanged extends Error {}

/** Makes a page for a person as remembered, with their check in its first call of D1. */
export async function showAsKnown(
  c: PageContext,
  next: Next,
  { name, check }: Proof,
  known: Person,
): Promise<void> {
  const checked = check(async (person) => {
    if (JSON.stringify(person) === JSON.stringify(known)) return rememberPerson(c.env.KV, name, known);
    forgetPerson(c.env.KV, name);
    throw new PersonChanged();
  });
  c.set("person", known);
  c.set("check", checked);
  await next();
  // While the database does not answer there is no use in asking once more.
  if (c.error === undefined || isRefusal(c.error)) await checked.assertChecked();
}

const isRefusal = (error: Error): boolean => error instanceof ServiceError && error.status < 500;

/** Begins a request anew, now with a check before everything else, if the person has changed. */
export const againIfPersonChanged = (answer: (c: PageContext) => Response | Promise<Response>) =>
  createMiddleware<ConsoleEnv>(async function againIfPersonChanged(c, next) {
    await next();
    if (!(c.error instanceof PersonChanged)) return;
    c.var.trace.workspace = null;
    c.res = undefined;
    c.res = await answer(c);
  });
