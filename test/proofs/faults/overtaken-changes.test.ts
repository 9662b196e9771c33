import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import type { WorkspaceContext } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { ServiceError } from "../../../src/errors";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { createAsset, createAssets } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { addSlug } from "../../../src/resources/links/add-slug";
import { changeChosenLinks } from "../../../src/resources/links/change-many";
import { createLink } from "../../../src/resources/links/create-link";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { dropSlug } from "../../../src/resources/links/drop-slug";
import { createSeveral, importLinks } from "../../../src/resources/links/import-links";
import { attachTagsToLink, detachTagFromLink } from "../../../src/resources/links/link-tags";
import { deleteTag, mergeTags } from "../../../src/resources/links/remove-tag";
import { revertLink } from "../../../src/resources/links/revert/revert-link";
import { updateLink } from "../../../src/resources/links/update-link";
import { updateTag } from "../../../src/resources/tags/tag-service";
import { overtakenBy } from "../../faulty";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { addTags } from "../../rows";

/** Public ids by name or subject, from two columns of a query. */
async function idsOf(query: string, ...values: unknown[]): Promise<(name: string) => { id: string }> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<{ name: string; id: string }>();
  const ids = new Map(results.map(({ name, id }) => [name, id]));
  return (name) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`There is no ${name}.`);
    return { id };
  };
}

/**
 * Links that have an old slug, a group, a channel, an asset and two tags each, with the id of their last change; and others to
 * change. What no act changes they share, and what one call can make for all is made so.
 */
async function made(ws: TestWorkspace, host: string, count: number) {
  const { ctx } = ws;
  const names = Array.from({ length: count }, () => crypto.randomUUID().slice(0, 8));
  await addTags(
    ctx,
    names.flatMap((name) => [`Tag ${name}`, `Other ${name}`, `Third ${name}`]),
  );
  const tagOf = await idsOf(
    "select name, public_id as id from tags where workspace_id = ?",
    ctx.workspace.rowId,
  );
  const [group, next] = [
    await ws.group({ default_utm_campaign: "a" }),
    await ws.group({ default_utm_campaign: "b" }),
  ];
  const several = await createSeveral(
    ctx,
    names.map((name) => ({
      destination_url: "https://www.example.com/",
      slug: `old-${name}`,
      activity_group_id: group.id,
      channel: "print",
      tag_ids: [tagOf(`Tag ${name}`).id, tagOf(`Other ${name}`).id],
    })),
    [],
  );
  if ("refused" in several) throw new Error("A link was refused.");
  for (const [index, id] of several.ids.entries()) {
    await updateLink(ctx, id, { slug: `own-${names[index]}` });
    await updateLink(ctx, id, { title: "Other", channel: "mail" });
  }
  const lastOf = await idsOf(
    `select subject as name, operation_id as id from audit_log where id in
      (select max(id) from audit_log where workspace_id = ? group by subject)`,
    ctx.workspace.rowId,
  );
  const elsewhere = await createLink(ctx, { destination_url: "https://www.example.com/" });
  const strangers = await createAssets(ctx, { link: elsewhere.id, assets: names.map((name) => ({ name })) });
  const all = [];
  for (const [index, name] of names.entries()) {
    const link = { id: several.ids[index] ?? "" };
    const asset = await createAsset(ctx, { name, link: link.id });
    const [tag, other, third] = [tagOf(`Tag ${name}`), tagOf(`Other ${name}`), tagOf(`Third ${name}`)];
    const stranger = strangers[index] ?? asset;
    const last = lastOf(link.id).id;
    all.push({
      ...{ ws, host, name, link, last, tag, other, third, group, next, elsewhere, asset, stranger },
    });
  }
  return all;
}

type Made = Awaited<ReturnType<typeof made>>[number];
type Act = (ctx: WorkspaceContext, made: Made) => Promise<unknown>;

const ACTS: Readonly<Record<string, Act>> = {
  rename: (ctx, { link, name }) => updateLink(ctx, link.id, { slug: `new-${name}` }),
  "rename back": (ctx, { link, name }) => updateLink(ctx, link.id, { slug: `old-${name}` }),
  "to a domain": (ctx, { link, host }) => updateLink(ctx, link.id, { domain: host }),
  "to a domain, renamed": (ctx, { link, host, name }) =>
    updateLink(ctx, link.id, { domain: host, slug: `new-${name}` }),
  "create on a domain": (ctx, { name, host }) =>
    createLink(ctx, { destination_url: "https://c.example/", slug: `own-${name}`, domain: host }),
  archive: (ctx, { link }) => updateLink(ctx, link.id, { status: "archived" }),
  destination: (ctx, { link }) => updateLink(ctx, link.id, { destination_url: "https://b.example/" }),
  rules: (ctx, { link }) =>
    updateLink(ctx, link.id, { rules: [{ destination_url: "https://r.example/", share: 50 }] }),
  move: (ctx, { link, next }) => updateLink(ctx, link.id, { activity_group_id: next.id, channel: "sms" }),
  leave: (ctx, { link }) => updateLink(ctx, link.id, { activity_group_id: null }),
  "set tags": (ctx, { link, third, other }) => updateLink(ctx, link.id, { tag_ids: [third.id, other.id] }),
  attach: (ctx, { link, third }) => attachTagsToLink(ctx, link.id, [third.id]),
  detach: (ctx, { link, tag }) => detachTagFromLink(ctx, link.id, tag.id),
  delete: (ctx, { link }) => deleteLink(ctx, link.id),
  "archive many": (ctx, { link }) => changeChosenLinks(ctx, { ids: [link.id], change: "archive" }),
  "move many": (ctx, { link, next }) =>
    changeChosenLinks(ctx, { ids: [link.id], change: "move", activity_group_id: next.id }),
  "tag many": (ctx, { link, third }) =>
    changeChosenLinks(ctx, { ids: [link.id], change: "tag", tag: third.id }),
  "untag many": (ctx, { link, tag }) =>
    changeChosenLinks(ctx, { ids: [link.id], change: "untag", tag: tag.id }),
  revert: (ctx, { last }) => revertLink(ctx, last),
  create: (ctx, { name, tag, group }) =>
    createLink(ctx, {
      destination_url: "https://c.example/",
      slug: `new-${name}`,
      tag_ids: [tag.id],
      activity_group_id: group.id,
    }),
  "create on old": (ctx, { name }) =>
    createLink(ctx, { destination_url: "https://c.example/", slug: `old-${name}` }),
  import: (ctx, { name, tag, third }) =>
    importLinks(ctx, `i-${crypto.randomUUID()}`, [
      {
        number: 1,
        input: {
          destination_url: "https://d.example/",
          slug: `new-${name}`,
          tag_ids: [tag.id, third.id],
          channel: "x",
        },
        old_slugs: [`old-${name}`],
        archived: true,
      },
    ]),
  "delete tag": (ctx, { tag }) => deleteTag(ctx, tag.id),
  "delete new tag": (ctx, { third }) => deleteTag(ctx, third.id),
  "rename tag": (ctx, { tag, name }) => updateTag(ctx, tag.id, { name: `Renamed ${name}` }),
  "merge tags": (ctx, { tag, other }) => mergeTags(ctx, tag.id, other.id),
  "merge into new": (ctx, { tag, third }) => mergeTags(ctx, tag.id, third.id),
  "merge from new": (ctx, { tag, third }) => mergeTags(ctx, third.id, tag.id),
  "create assets": (ctx, { link, name }) =>
    createAssets(ctx, { link: link.id, assets: [{ name }, { name }] }),
  "move asset away": (ctx, { asset, elsewhere }) =>
    updateAsset(ctx, asset.id, { link: elsewhere.id, status: "live" }),
  "move asset here": (ctx, { stranger, link }) => updateAsset(ctx, stranger.id, { link: link.id }),
  "asset goes live": (ctx, { asset }) => updateAsset(ctx, asset.id, { status: "live" }),
  "add slug": (ctx, { ws, name }) => addSlug(ctx, `${ws.slug}.example/added-${name}`, `own-${name}`),
  "drop slug": (ctx, { link, name }) => dropSlug(ctx, link.id, `old-${name}`),
  "take down": (ctx, { link }) => takeDown(ctx, link.id),
  "take down by check": (ctx, { link }) => takeDown(ctx, link.id, "www.example.com"),
  "put back": (ctx, { link }) => endTakedown(ctx, link.id),
};

/** A refusal by a rule is allowed. An endless conflict is not. */
function allowRefusal(error: unknown): void {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error;
}

/** The links of a workspace whose search index entry is missing, outdated or left over. */
async function foundWrongly({ ws }: Made): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    `with kept as (select rowid as row from link_search where rowid >= (:w << 33) and rowid < ((:w + 1) << 33)),
      links_now as (select (workspace_id << 33) + (archived << 32) + id as row from links
        where workspace_id = :w and deleted_at is null)
      select * from (select * from kept except select * from links_now)
      union all select * from (select * from links_now except select * from kept)`.replaceAll(
      ":w",
      String(ws.ctx.workspace.rowId),
    ),
  ).all();
  return results;
}

it.each(Object.entries(ACTS))(
  "a change that another change overtakes between its read and its write keeps the database consistent: %s",
  async (_name, act) => {
    const ws = await makeWorkspace();
    const { host } = await addDomain(ws.ctx, `${ws.slug}.example`, true);
    const others = Object.entries(ACTS);
    const furnished = await made(ws, host, others.length);
    for (const [index, all] of furnished.entries()) {
      const [other, overtakes] = others[index] ?? ["none", act];
      const { DB } = overtakenBy(() => overtakes(all.ws.ctx, all).catch(allowRefusal));
      const db = createDatabase(DB);
      await act({ ...all.ws.ctx, db }, all).catch(allowRefusal);
      expect([other, await foundWrongly(all)]).toEqual([other, []]);
    }
    // After the file `setup.ts` checks the database's invariants, which would take longer after each change.
  },
);
