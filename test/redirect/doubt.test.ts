import { expect, it } from "vitest";
import { markChanged, slugMemoryOf } from "../../src/redirect/slugs/memory";
import { withBatch } from "../faulty";
import { makeWorkspace, otherInstance, visit } from "../harness";

const MAX_OUTDATED = 2_000;

/** An instance on which a workspace has changed more slugs than it keeps. */
function instanceInDoubtOf(workspaceId: number) {
  const instance = otherInstance();
  const memory = slugMemoryOf(instance.KV);
  for (let number = 0; number <= MAX_OUTDATED; number++)
    markChanged(memory, { key: `changed-${number}`, workspace_id: workspaceId }, Date.now());
  return instance;
}

const outage = () => withBatch(() => () => Promise.reject(new Error("D1_ERROR: D1 DB is overloaded."))).DB;

it("a workspace in doubt reads D1, and others still read KV", async () => {
  const [changing, other] = [await makeWorkspace(), await makeWorkspace()];
  const [doubtful, known] = [await changing.link(), await other.link()];
  for (const { slug } of [doubtful, known]) await visit(`/${slug}`);
  const instance = instanceInDoubtOf(changing.ctx.workspace.rowId);
  const cacheOf = async (slug: string) => (await visit(`/${slug}`, {}, instance)).headers.get("x-cache");
  expect([await cacheOf(doubtful.slug), await cacheOf(known.slug)]).toEqual(["miss", "hit"]);
});

it("in an outage a workspace in doubt is served from KV, but no slug that is known to have changed", async () => {
  const ws = await makeWorkspace();
  const [doubtful, changed] = [await ws.link(), await ws.link()];
  for (const { slug } of [doubtful, changed]) await visit(`/${slug}`);
  const { rowId } = ws.ctx.workspace;
  const instance = { ...instanceInDoubtOf(rowId), DB: outage() };
  markChanged(
    slugMemoryOf(instance.KV),
    { key: changed.slug.toLowerCase(), workspace_id: rowId },
    Date.now(),
  );
  const answerOf = async (slug: string) => {
    const { status, headers } = await visit(`/${slug}`, {}, instance);
    return [status, headers.get("x-cache")];
  };
  expect(await answerOf(doubtful.slug)).toEqual([302, "stale"]);
  expect((await answerOf(changed.slug))[0]).toBe(503);
});
