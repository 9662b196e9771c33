import { sql } from "drizzle-orm";
import { updateTagCount } from "../src/access/workspace-statements";
import type { Context } from "../src/context";
import { orm } from "../src/db/prepared";
import { newId } from "../src/lib/ids";
import { fold } from "../src/lib/slug-text";
import type { Tag } from "../src/resources/tags/tag-schema";
import { insertTags } from "../src/resources/tags/tag-statements";
import type { TestWorkspace } from "./harness";

// Furniture of a workspace, all rows in a batch, since a request for each takes long.

/** Adds tags with these names. */
export async function addTags(ctx: Context, names: readonly string[]): Promise<void> {
  const workspaceId = ctx.workspace.rowId;
  const at = ctx.now();
  const tags = names.map((name) => ({
    public_id: newId(at),
    name,
    name_key: fold(name),
    slug: fold(name).replaceAll(" ", "-"),
    colour: null,
    description: null,
  }));
  await ctx.db.writeOnce(insertTags(workspaceId, tags, at), updateTagCount(workspaceId, tags.length));
}

/** Adds numbered tags, and returns all tags of the workspace. */
export async function manyTags(ws: TestWorkspace, count: number): Promise<Tag[]> {
  const numbers = Array.from({ length: count }, (_, at) => String(at).padStart(2, "0"));
  await addTags(
    ws.ctx,
    numbers.map((number) => `Tag ${number}`),
  );
  return (await ws.call("GET", "/api/v1/tags")).body.tags;
}

/** Adds draft campaigns with these slugs, which are their names too. */
export async function addGroups(ctx: Context, slugs: readonly string[]): Promise<void> {
  const at = ctx.now();
  const groups = JSON.stringify(slugs.map((slug) => [newId(at), slug]));
  await ctx.db.writeOnce(
    orm.run(sql`insert into activity_groups (public_id, workspace_id, name, name_key, slug, type, status, search_text,
        created_at, updated_at)
      select value ->> 0, ${ctx.workspace.rowId}, value ->> 1, value ->> 1, value ->> 1, 'campaign', 'draft', value ->> 1,
        ${at}, ${at} from json_each(${groups})`),
  );
}
