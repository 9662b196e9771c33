import { createApiKey, revokeApiKey } from "../../../src/access/keys";
import { addMember } from "../../../src/access/members";
import { recordUse } from "../../../src/access/sessions";
import type { Origin } from "../../../src/analytics/visit-buffer";
import { writeCounts } from "../../../src/analytics/write-visits";
import type { Env, WorkspaceContext } from "../../../src/context";
import { literal } from "../../../src/db/literal";
import { DAY_MS } from "../../../src/lib/time";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import { releaseSlug } from "../../../src/redirect/slugs/release-slug";
import { createActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { blockHost, unblockHost } from "../../../src/resources/destinations/blocklist";
import { createAsset, createAssets, listAssets } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { recordActiveLinks } from "../../../src/resources/overview/active-links";
import {
  createWorkspace,
  getWorkspace,
  suspendWorkspace,
} from "../../../src/resources/workspaces/workspace-service";
import { API, send, serviceContext } from "../../harness";

// A database with rows of every kind, and the changes made during its backup.

export interface Furnished {
  ctx: WorkspaceContext;
  /** Calls the API and returns its body; throws if it answers with an error. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body
  call: (method: string, path: string, body?: object) => Promise<any>;
  /** Creates a link and returns its id. */
  link: (slug: string, more?: object) => Promise<string>;
}

/** Links that only an asset is moved between. Three, so that two moves do not lead back. */
const WAYS = ["way-1", "way-2", "way-3"];

/** A workspace with links in every state, tags, groups, assets, clicks, keys and members. */
export async function furnish(env: Env, name: string): Promise<Furnished> {
  const service = serviceContext(env);
  const fields = { name: `Zürich ${name}`, slug: name, link_limit: 50_000, time_zone: "Europe/Zurich" };
  await createWorkspace(service, fields);
  const ctx: WorkspaceContext = { ...service, workspace: await getWorkspace(service, name) };
  const { key } = await createApiKey(ctx, { name: "full" });
  await createApiKey(ctx, { name: "read", access: "read", expires_at: Date.UTC(2099, 0, 1) });
  await revokeApiKey(ctx, (await createApiKey(ctx, { name: "revoked" })).id);
  await addMember(ctx, { email: `owner@${name}.example`, role: "owner" });
  await addMember(ctx, { email: `viewer@${name}.example`, role: "viewer" });
  const use = { session: undefined, device: null, country: null };
  await recordUse(ctx, { email: `owner@${name}.example`, workspace: ctx.workspace.rowId, ...use });

  const call: Furnished["call"] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send(new Request(`${API}/api/v1/${path}`, { method, headers, ...init }), env);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
  const link: Furnished["link"] = async (slug, more = {}) => {
    const destination_url = `https://www.example.com/${slug}?a=%20b`;
    return (await call("POST", "links", { destination_url, slug: `${name}-${slug}`, ...more })).link.id;
  };

  for (const slug of ["spring", "autumn"]) {
    await createActivityGroup(ctx, {
      ...{ name: slug, slug, type: "campaign", status: "active", default_utm_campaign: `${slug}_1` },
    });
  }
  const tags: string[] = [];
  for (const tag of ["Print", "Été", "Unused"]) tags.push((await call("POST", "tags", { name: tag })).tag.id);
  const plain = await link("plain", {
    ...{ title: "One 'two' \"three\" \\ 😀 \u2028", activity_group_id: "spring", channel: "email" },
    tag_ids: tags.slice(0, 2),
  });
  const renamed = await link("first", { title: "Renamed", tag_ids: tags.slice(0, 1) });
  await call("PATCH", `links/${renamed}`, { slug: `${name}-second`, activity_group_id: "spring" });
  await call("PATCH", `links/${renamed}`, { activity_group_id: "autumn" });
  await call("PATCH", `links/${renamed}`, {
    ends_at: "2026-08-31T22:00:00Z",
    ended_url: "https://www.example.com/over",
  });
  const archived = await link("archived", { activity_group_id: "spring", tag_ids: tags.slice(1, 2) });
  await call("PATCH", `links/${archived}`, { status: "archived" });
  const deleted = await link("deleted", { activity_group_id: "spring", tag_ids: tags.slice(0, 1) });
  await call("DELETE", `links/${deleted}`);
  await call("DELETE", `links/${await link("reused")}`);
  await link("reused", { destination_url: "https://www.example.com/anew" });
  const blocked = await link("blocked", { destination_url: `https://${name}.blocked.example/` });
  await takeDown(ctx, await link("down"));
  await takeDown(ctx, await link("malware", { destination_url: "https://bad.example/" }), "bad.example");
  const poster = await createAsset(ctx, {
    ...{ name: "Poster", link: plain, status: "live", kind: "poster", quantity: 3 },
  });
  await createAsset(ctx, { name: "Flyer", link: archived, status: "retired", kind: "flyer", place: "Bern" });
  const moved = await createAsset(ctx, { name: "Moved", link: plain });
  await updateAsset(ctx, moved.id, { link: renamed });
  for (const slug of WAYS) await link(slug);
  await createAsset(ctx, { name: "Wanderer", link: `${name}-${WAYS[0]}` });
  const lost = await link("lost");
  await createAsset(ctx, { name: "Lost", link: lost });
  await call("DELETE", `links/${lost}`);
  const banned = await link("banned");
  await createAsset(ctx, { name: "Banned", link: banned });
  await takeDown(ctx, banned);
  for (const [index, [id, asset]] of [
    [plain, poster.id],
    [deleted, null],
    [blocked, moved.id],
  ].entries()) {
    const clicks = index + 1;
    const one = { link: id ?? "", hour: 3_600_000, bots: 2, after_end: 4, last: 3_700_000 };
    await writeCounts(ctx, {
      hours: [
        { ...one, asset: null, clicks, scans: 0 },
        { ...one, asset: asset ?? null, clicks: 0, scans: asset === null ? 0 : 3 },
      ],
      days: ["country", "device"].map((dimension) => ({
        ...{ link: id ?? "", day: 0, dimension: dimension as Origin, value: "CH", visits: clicks + 3 },
      })),
    });
  }
  return { ctx, call, link };
}

/** Rows of the database that belong to no workspace. */
export async function furnishRest(env: Env): Promise<void> {
  const service = serviceContext(env);
  await blockHost(service, "blocked.example");
  await createWorkspace(service, { name: "Gone", slug: "gone" });
  await suspendWorkspace(service, "gone");
  for (const now of [DAY_MS, 2 * DAY_MS]) await recordActiveLinks({ ...service, now: () => now });
}

let names = 0;

/** A change of each kind, to existing and to new rows. */
export const CHANGES: Readonly<Record<string, (made: Furnished) => Promise<unknown>>> = {
  "a link is made": ({ call, link }) => {
    const tag = call("GET", "tags").then(({ tags }) => tags[0].id);
    return tag.then((id) => link(`new-${++names}`, { tag_ids: [id], activity_group_id: "autumn" }));
  },
  "a link is made, renamed and deleted": async ({ ctx, call, link }) => {
    const id = await link(`short-${++names}`);
    await call("PATCH", `links/${id}`, { slug: `${ctx.workspace.slug}-renamed-${names}` });
    await call("DELETE", `links/${id}`);
  },
  "a slug goes to another link": async ({ ctx, call, link }) => {
    const slug = `${ctx.workspace.slug}-reused`;
    const [held] = (await call("GET", `links?slug=${slug}`)).links;
    await call("DELETE", `links/${held.id}`);
    await link("reused", { destination_url: `https://www.example.com/reused/${++names}` });
  },
  "a link is renamed and moves to another group": async ({ ctx, call }) => {
    const [held] = (await call("GET", "links?q=Renamed")).links;
    const group = held.activity_group.slug === "spring" ? "autumn" : "spring";
    await call("PATCH", `links/${held.id}`, {
      slug: `${ctx.workspace.slug}-third-${++names}`,
      activity_group_id: group,
    });
  },
  "a link is archived or brought back": async ({ ctx, call }) => {
    const [held] = (await call("GET", `links?slug=${ctx.workspace.slug}-plain&status=all`)).links;
    await call("PATCH", `links/${held.id}`, { status: held.status === "active" ? "archived" : "active" });
  },
  "a tag is made, put on a link, and another one of its name is deleted": async ({ call }) => {
    const [held] = (await call("GET", "links?q=Renamed")).links;
    const [old] = (await call("GET", "tags")).tags.filter((tag: { name: string }) => tag.name === "Late");
    if (old !== undefined) await call("DELETE", `tags/${old.id}`);
    const { tag } = await call("POST", "tags", { name: "Late" });
    await call("POST", `links/${held.id}/tags`, { tag_ids: [tag.id] });
  },
  "a key is issued and a member is added": async ({ ctx }) => {
    await createApiKey(ctx, { name: `late ${++names}` });
    await addMember(ctx, { email: `late-${names}@people.example`, role: "editor" });
  },
  "an asset is made and a link taken down": async ({ ctx, link }) => {
    const id = await link(`asset-${++names}`);
    await createAsset(ctx, { name: `Asset ${names}`, link: id, status: "draft" });
    await takeDown(ctx, await link(`down-${names}`));
  },
  "a takedown ends for a slug whose link is deleted, and another workspace gets it": async ({
    ctx,
    link,
  }) => {
    const id = await link(`given-${++names}`);
    const slug = `${ctx.workspace.slug}-given-${names}`;
    await takeDown(ctx, id);
    await deleteLink(ctx, id);
    await endTakedown(ctx, slug);
    // As when KV shows nothing of it any more.
    const settled = literal("update slugs set push_at = null, doubt_until = null where key = ?1", slug);
    await ctx.db.writeGuarded([settled]);
    await releaseSlug(ctx, slug, "gone");
  },
  "an asset is moved": async ({ ctx }) => {
    const asset = (await listAssets(ctx)).find(({ name }) => name === "Wanderer");
    const at = WAYS.findIndex((slug) => asset?.link.slug === `${ctx.workspace.slug}-${slug}`);
    await updateAsset(ctx, asset?.id ?? "", {
      link: `${ctx.workspace.slug}-${WAYS[(at + 1) % WAYS.length]}`,
    });
  },
  "assets are created, and their link deleted": async ({ ctx, link }) => {
    ++names;
    const gone = await link(`gone-${names}`);
    await createAssets(ctx, { link: gone, assets: [{ name: `A ${names}` }, { name: `B ${names}` }] });
    await deleteLink(ctx, gone);
  },
  "a host is blocked and another one no more": async ({ ctx }) => {
    await blockHost(ctx, `late-${++names}.example`);
    if (names > 1) await unblockHost(ctx, `late-${names}.example`);
    await blockHost(ctx, `later-${names}.example`);
  },
};
