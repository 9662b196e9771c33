import { env } from "cloudflare:test";
import type { TestWorkspace } from "../../harness";

/** Inserts tombstones until the workspace owns the given number of slugs. */
export async function fillSlugs(ws: TestWorkspace, claims: number): Promise<void> {
  const { rowId } = ws.ctx.workspace;
  const counted = env.DB.prepare("select count(*) as n from slugs where workspace_id = ?").bind(rowId);
  const more = claims - ((await counted.first<number>("n")) ?? 0);
  await env.DB.batch([
    env.DB.prepare(
      `insert into slugs (key, workspace_id, created_at) with recursive numbers(n) as
        (select 1 union all select n + 1 from numbers where n < ?1) select ?2 || '-' || n, ?3, 0 from numbers where ?1 > 0`,
    ).bind(more, crypto.randomUUID().slice(0, 13), rowId),
    env.DB.prepare("update workspaces set slug_claims = ? where id = ?").bind(claims, rowId),
  ]);
}

/** Recounts the slugs of every workspace, after a test has inserted rows directly. */
export const countClaims = (): Promise<unknown> =>
  env.DB.prepare(
    "update workspaces set slug_claims = (select count(*) from slugs where workspace_id = workspaces.id)",
  ).run();
