import { afterEach, beforeEach, it, vi } from "vitest";
import type { Env, WorkspaceContext } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { type Sent, withBatch } from "../../faulty";
import { hurry, makeWorkspace } from "../../harness";
import { network } from "./network";
import { allowRefusal, SUBJECTS } from "./verbs";

// Every verb that writes, overtaken between its read and its write by each verb of the same subject. Links and tags are in
// `overtaken-changes.test.ts`.

beforeEach(() => {
  hurry();
  network();
});
afterEach(() => void vi.unstubAllGlobals());

/** D1 that does something else before the first batch that writes, as another request would. */
function overtaken(other: () => Promise<unknown>): Env["DB"] {
  let isOvertaken = false;
  return withBatch((send) => async (statements) => {
    const writes = (statements as Sent[]).some(({ statement }) => !/^(?:select|with)\b/.test(statement));
    if (writes && !isOvertaken) {
      isOvertaken = true;
      await other();
    }
    return send(statements);
  }).DB;
}

/** Links have their own test, and jobs share no row. */
const LEFT_OUT: ReadonlySet<string> = new Set(["link", "jobs"]);

const CASES = Object.entries(SUBJECTS).flatMap(([subject, { verbs }]) =>
  LEFT_OUT.has(subject) ? [] : Object.keys(verbs).map((name) => ({ subject, name })),
);

it.each(CASES)(
  "a verb that another overtakes ends, is refused or is done again: $name",
  async ({ subject, name }) => {
    const of = SUBJECTS[subject];
    if (of === undefined) throw new Error(subject);
    const { make, verbs } = of;
    for (const [other, overtakes] of Object.entries(verbs)) {
      const ws = await makeWorkspace();
      const made = { ...(await make(ws)), ws } as never;
      const background: Promise<unknown>[] = [];
      const ctx: WorkspaceContext = { ...ws.ctx, waitUntil: (work) => void background.push(work) };
      const db = createDatabase(overtaken(() => overtakes(ctx, made).catch(allowRefusal)));
      await verbs[name]?.({ ...ctx, db }, made)
        .catch(allowRefusal)
        .catch((error: unknown) => {
          throw new Error(`Overtaken by ${other}`, { cause: error });
        });
      await Promise.all(background);
    }
    // After the file `setup.ts` checks the database's invariants, which would take longer after each verb.
  },
);
