import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { findKeyHash, findPrincipal, selectPrincipal } from "../access/authenticate";
import { createApiKey } from "../access/keys";
import { addMember, listMembers } from "../access/members";
import { createSignInLink } from "../access/sessions";
import { writeVisits } from "../analytics/write-visits";
import type { ServiceContext, WorkspaceContext } from "../context";
import { ServiceError } from "../errors";
import { toDate } from "../lib/range";
import { DAY_MS } from "../lib/time";
import { recordBroken } from "../operations/health/health-job";
import { createActivityGroup } from "../resources/activity-groups/manage-groups";
import { addDomain } from "../resources/domains/domain-service";
import { createAsset } from "../resources/engagement/asset-service";
import { checkFile } from "../resources/imports/check-file";
import { continueImport } from "../resources/imports/continue-import";
import { createLink } from "../resources/links/create-link";
import { updateLink } from "../resources/links/update-link";
import { recordActiveLinksOn } from "../resources/overview/active-links";
import { createTag } from "../resources/tags/tag-service";
import { createWorkspace, getWorkspace, listWorkspaces } from "../resources/workspaces/workspace-service";
import type { WorkspaceView } from "../resources/workspaces/workspace-view";
import { type DemoLink, GROUPS, IMPORTED, LINKS, TAGS } from "./demo-data";
import { makeVisits, type Visited } from "./demo-visits";

const DEMO_SLUG = "demo";
/** Browsers resolve names below localhost by themselves. */
export const DEMO_HOST = "go.localhost";

/** How long ago things happened, in days. */
const WORKSPACE_MADE = 61;
const LINKS_MADE = 60;
const MEMBER_ADDED = 40;
const BROKEN = 3;
const IMPORTED_AT = 2;

/**
 * Creates the workspace `demo` with groups, tags, links, assets, an import and a member, unless it exists. It is two months
 * old and has had visits since.
 */
export async function createDemo(ctx: ServiceContext) {
  const existing = await findDemo(ctx);
  if (existing !== undefined) return { workspace: existing, created: false };
  const now = ctx.now();
  const daysAgo = <C extends ServiceContext>(context: C, days: number): C => ({
    ...context,
    now: () => now - days * DAY_MS,
  });
  const workspace = await createWorkspace(daysAgo(ctx, WORKSPACE_MADE), { name: "Demo", slug: DEMO_SLUG });
  const demo = await inDemo(ctx);
  const past = daysAgo(demo, LINKS_MADE);
  for (const { days, ...group } of GROUPS) {
    const [starts = null, ends = null] = (days ?? []).map((day) => toDate(Math.floor(now / DAY_MS) + day));
    await createActivityGroup(past, { ...group, starts_on: starts, ends_on: ends });
  }
  // A deployed service has no hosts below localhost, and another workspace may have this one.
  await addDomain(past, DEMO_HOST, true).catch(rethrowUnlessInvalid);
  for (const tag of TAGS) await createTag(past, tag);
  const visited: Visited[] = [];
  for (const link of LINKS) visited.push(await createDemoLink(past, link));
  await addMember(daysAgo(demo, MEMBER_ADDED), { email: DEMO_EDITOR, role: "editor" });
  // An import adds to the links of the beginning.
  await recordActiveLinksOn(demo, timesBetween(now, LINKS_MADE, IMPORTED_AT));
  await importDemoFile(daysAgo(demo, IMPORTED_AT));
  await recordActiveLinksOn(demo, timesBetween(now, IMPORTED_AT - 1, 0));
  await writeVisits(demo, makeVisits(visited, now));
  for (const { destination_url: url, isBroken } of LINKS) {
    if (isBroken === true) await recordBroken(demo, url, { status: 404, since: now - BROKEN * DAY_MS });
  }
  // Read again, since it now has totals.
  return { workspace: (await findDemo(ctx)) ?? workspace, created: true };
}

/** Times a day apart, from so many days ago to so many days ago. */
const timesBetween = (now: number, first: number, last: number): number[] =>
  Array.from({ length: first - last + 1 }, (_, day) => now - (first - day) * DAY_MS);

async function importDemoFile(demo: WorkspaceContext): Promise<void> {
  const bytes = new TextEncoder().encode(IMPORTED);
  const found = await checkFile(demo, { name: "autumn.csv", bytes });
  if ("id" in found) await continueImport(demo, found.id);
}

const findDemo = async (ctx: ServiceContext): Promise<WorkspaceView | undefined> =>
  (await listWorkspaces(ctx)).find(({ slug }) => slug === DEMO_SLUG);

const inDemo = async (ctx: ServiceContext): Promise<WorkspaceContext> => ({
  ...ctx,
  workspace: await getWorkspace(ctx, DEMO_SLUG),
});

async function createDemoLink(
  demo: WorkspaceContext,
  { update, isOnDomain, assets = [], visits, isBroken: _, ...input }: DemoLink,
): Promise<Visited> {
  // Another workspace may own the slug already.
  const { id } = await createLink(demo, input).catch((error) => {
    rethrowUnlessInvalid(error);
    return createLink(demo, { ...input, slug: null });
  });
  if (update !== undefined) await updateLink(demo, id, update).catch(rethrowUnlessInvalid);
  if (isOnDomain === true) {
    // A move leaves the former address, so the link has both and its current one is where it was.
    for (const domain of [DEMO_HOST, demo.config.shortHost])
      await updateLink(demo, id, { domain }).catch(rethrowUnlessInvalid);
  }
  const live: string[] = [];
  for (const asset of assets) {
    const created = await createAsset(demo, { ...asset, link: id });
    if (asset.status === "live") live.push(created.id);
  }
  return { link: id, assets: live, endsAt: Date.parse(input.ends_at ?? "") || Infinity, profile: visits };
}

function rethrowUnlessInvalid(error: unknown): void {
  if (!(error instanceof ServiceError) || error.status !== 422) throw error;
}

const DEMO_OWNER = "owner@demo.example";
const DEMO_EDITOR = "editor@demo.example";

/** Creates a sign-in token for the owner of the demo workspace. Adds the owner if they are not a member. */
export async function createDemoSignIn(ctx: ServiceContext): Promise<string> {
  const demo = await inDemo(ctx);
  const members = await listMembers(demo);
  if (!members.some(({ email }) => email === DEMO_OWNER)) {
    await addMember(demo, { email: DEMO_OWNER, role: "owner" });
  }
  return (await createSignInLink(ctx, DEMO_OWNER)).token;
}

/** Reads the demo workspace's API key from `file`. Creates and writes another if it is missing or no longer valid. */
export async function getDemoKey(ctx: ServiceContext, file: string): Promise<string> {
  const stored = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  const hash = await findKeyHash(`Bearer ${stored}`);
  const [rows] = await ctx.db.read(selectPrincipal(hash ?? ""));
  if (findPrincipal(rows, ctx.now()) !== undefined) return stored;
  const { key } = await createApiKey(await inDemo(ctx), { name: "npm run dev" });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}
