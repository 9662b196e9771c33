import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WorkspaceContext } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { ServiceError } from "../../../src/errors";
import { losingEachAnswer } from "../../faulty";
import { hurry, makeWorkspace, type TestWorkspace } from "../../harness";
import { network } from "./network";
import { allowRefusal, MAKES_MORE, SUBJECTS, type Subject } from "./verbs";

// Every verb that writes, run twice at once and with the answer of each of its writes lost.

beforeEach(() => {
  hurry();
  network();
});
afterEach(() => void vi.unstubAllGlobals());

const TABLES =
  "api_keys members domains links slugs tags link_tags activity_groups activity_group_items offline_assets imports saved_views saved_channels code_brandings reports".split(
    " ",
  );

/** How much a workspace has of everything, what it counts, and what its audit log says. */
async function amountsOf({ ctx, slug }: TestWorkspace): Promise<unknown> {
  const id = ctx.workspace.rowId;
  const [totals, entries, ...counts] = await env.DB.batch<Record<string, unknown>>([
    env.DB.prepare(
      "select active_links, archived_links, tag_count, slug_claims from workspaces where id = ?",
    ).bind(id),
    env.DB.prepare("select action, count(*) as n from audit_log where workspace_id = ? group by action").bind(
      id,
    ),
    env.DB.prepare("select count(*) as sessions from sessions where email like ?").bind(`%@${slug}.example`),
    env.DB.prepare("select count(*) as passkeys from passkeys where email like ?").bind(`%@${slug}.example`),
    env.DB.prepare("select count(*) as mails from sent_mails where email like ?").bind(`%@${slug}.example`),
    env.DB.prepare(
      "select action, count(*) as n from audit_log where workspace_id is null and subject like ? group by action",
    ).bind(`%@${slug}.example`),
    ...TABLES.map((table) =>
      env.DB.prepare(`select '${table}' as name, count(*) as n from ${table} where workspace_id = ?`).bind(
        id,
      ),
    ),
  ]);
  return [totals?.results, entries?.results, counts.map(({ results }) => results)];
}

interface Case {
  name: string;
  subject: Subject;
}

async function furnished({ name, subject }: Case) {
  const ws = await makeWorkspace();
  const made = { ...(await subject.make(ws)), ws } as never;
  const act = subject.verbs[name];
  if (act === undefined) throw new Error(name);
  const background: Promise<unknown>[] = [];
  const ctx: WorkspaceContext = { ...ws.ctx, waitUntil: (work) => void background.push(work) };
  const run = async (own: Partial<WorkspaceContext> = {}) => {
    await act({ ...ctx, ...own }, made).catch(allowRefusal);
    await Promise.all(background.splice(0));
  };
  return { ws, run };
}

const CASES = Object.values(SUBJECTS).flatMap((subject) =>
  Object.keys(subject.verbs).map((name): Case => ({ name, subject })),
);

describe("a verb that writes", () => {
  it.each(CASES)(
    "takes effect once, whichever answers are lost, and if it is sent twice: $name",
    async (one) => {
      const [undisturbed, lossy, twice] = [await furnished(one), await furnished(one), await furnished(one)];
      await undisturbed.run();
      const expected = await amountsOf(undisturbed.ws);
      // What is not repeated is 503, and the next run goes on.
      await lossy.run({ db: createDatabase(losingEachAnswer().DB) }).catch((error: unknown) => {
        if (!(error instanceof ServiceError) || error.status !== 503 || !one.name.match(JOBS)) throw error;
        return lossy.run();
      });
      expect(await amountsOf(lossy.ws)).toEqual(expected);
      await Promise.all([twice.run(), twice.run()]);
      if (!MAKES_MORE.has(one.name)) {
        await twice.run();
        expect(await amountsOf(twice.ws)).toEqual(expected);
      }
    },
  );
});

/** Of the schedule. */
const JOBS = /^(?:analytics|operations)\/|takeOffRemovedTags|recordActiveLinks|remove-tag/;
