import type { Next } from "hono";
import { createMiddleware } from "hono/factory";
import { ServiceError } from "../../errors";
import { forgetPerson, rememberPerson } from "../../http/known-callers";
import type { CheckedPerson, DueUse, Person } from "../../workspaces/sessions";
import type { ConsoleEnv, PageContext } from "../shell/request";
import { noteUse } from "./use";

/** How a request proves who sends it. */
export interface Proof {
  /** What this instance remembers the person by. */
  name: string;
  /** `due` is what of their use is to be recorded. */
  check: (judge: (person: Person | undefined, due: DueUse) => Promise<void>) => CheckedPerson;
}

/** The person differs from what this instance remembers, so the rendered page must not be sent. */
export class PersonChanged extends Error {}

/** The number of used links changes with every creation. A page may show a number that is a moment old. */
const withoutUse = (person: Person): string =>
  JSON.stringify(person, (name, value: unknown) => (name === "used" ? undefined : value));

const seesSame = (one: Person, other: Person): boolean => withoutUse(one) === withoutUse(other);

/** Renders a page for a remembered person. The first call of D1 also checks them. */
export async function renderForRemembered(
  c: PageContext,
  next: Next,
  { name, check }: Proof,
  known: Person,
): Promise<void> {
  const checked = check(async (person, due) => {
    if (person !== undefined && seesSame(person, known)) {
      rememberPerson(c.env.KV, name, person);
      return noteUse(c, person, due);
    }
    forgetPerson(c.env.KV, name);
    throw new PersonChanged();
  });
  c.set("person", known);
  c.set("check", checked);
  await next();
  // A database that does not answer is not asked again.
  if (c.error === undefined || isRefusal(c.error)) await checked.assertChecked();
}

const isRefusal = (error: Error): boolean => error instanceof ServiceError && error.status < 500;

/** Dispatches the request again if the person has changed. Then the check comes before everything else. */
export const retryIfPersonChanged = (answer: (c: PageContext) => Response | Promise<Response>) =>
  createMiddleware<ConsoleEnv>(async function retryIfPersonChanged(c, next) {
    await next();
    if (!(c.error instanceof PersonChanged)) return;
    c.var.trace.workspace = null;
    c.res = undefined;
    c.res = await answer(c);
  });
