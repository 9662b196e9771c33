import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createActivityGroup } from "../activity-groups/manage";
import type { Context, ServiceContext } from "../context";
import { createAsset } from "../engagement/service";
import { ServiceError } from "../errors";
import { createLink } from "../links/create";
import type { CreateLink } from "../links/schema";
import { updateLink } from "../links/update";
import { createTag } from "../tags/create";
import { authenticate } from "../workspaces/authenticate";
import { createApiKey } from "../workspaces/keys";
import { addMember, listMembers } from "../workspaces/members";
import { createWorkspace, getWorkspace, listWorkspaces, type WorkspaceView } from "../workspaces/service";
import { createSignInLink } from "../workspaces/sessions";

const DEMO_SLUG = "demo";

const GROUPS = [
  {
    name: "Summer 2026",
    slug: "summer-2026",
    type: "campaign",
    status: "active",
    default_utm_campaign: "summer_2026",
  },
  {
    name: "Developer Day",
    slug: "developer-day",
    type: "event",
    status: "scheduled",
    default_utm_campaign: "devday",
  },
  { name: "Website relaunch", slug: "relaunch", type: "project", status: "draft" },
  { name: "Handbook", slug: "handbook", type: "content", status: "completed" },
  {
    name: "Newsletter",
    slug: "newsletter",
    type: "always_on",
    status: "active",
    default_utm_campaign: "newsletter",
  },
  { name: "Winter 2025", slug: "winter-2025", type: "campaign", status: "archived" },
] as const;

const TAGS = [
  { name: "Print", colour: "#b45309", description: "Printed material" },
  { name: "Social", colour: "#1d4ed8" },
  { name: "Partner", colour: "#15803d", description: "Run together with a partner" },
  { name: "Été à Zürich" },
] as const;

/** Makes the workspace `demo` with groups, tags, links and assets of every kind, if there is none yet. */
export async function makeDemo(ctx: ServiceContext): Promise<{ workspace: WorkspaceView; created: boolean }> {
  const existing = (await listWorkspaces(ctx)).find((workspace) => workspace.slug === DEMO_SLUG);
  if (existing !== undefined) return { workspace: existing, created: false };
  const workspace = await createWorkspace(ctx, { name: "Demo", slug: DEMO_SLUG });
  const demo: Context = { ...ctx, workspace: await getWorkspace(ctx, DEMO_SLUG) };
  for (const group of GROUPS) await createActivityGroup(demo, group);
  const tags: string[] = [];
  for (const tag of TAGS) tags.push((await createTag(demo, tag)).id);
  const [print = "", social = "", partner = "", summer = ""] = tags;

  const poster = await link(demo, {
    destination_url: "https://www.example.com/summer?colour=blue#top",
    slug: "summer",
    title: "Summer sale",
    channel: "poster",
    activity_group_id: "summer-2026",
    utm_source: "poster",
    utm_medium: "print",
    tag_ids: [print, summer],
  });
  const flyer = await link(demo, {
    destination_url: "https://www.example.com/summer/flyer",
    slug: "summer-flyer",
    title: "Summer flyer",
    channel: "flyer",
    activity_group_id: "summer-2026",
    utm_source: "flyer",
    utm_medium: "print",
    tag_ids: [print],
  });
  await link(demo, {
    destination_url: "https://www.example.com/talks?utm_source=old&day=2",
    slug: "devday",
    title: "Developer Day programme",
    channel: "social",
    activity_group_id: "developer-day",
    utm_source: "social",
    utm_campaign: "devday_early_bird",
    tag_ids: [social, partner],
  });
  await link(demo, {
    destination_url: "https://www.example.com/zürich/été",
    title: "Ein Sommer in Zürich",
    tag_ids: [summer],
  });
  const renamed = await link(demo, {
    destination_url: "https://www.example.com/handbook",
    slug: "guide",
    title: "Handbook",
    activity_group_id: "handbook",
  });
  await updateLink(demo, renamed.id, { slug: "handbook" }).catch(ignoreRefusal);
  const old = await link(demo, {
    destination_url: "https://www.example.com/winter",
    slug: "winter",
    title: "Winter sale 2025",
    activity_group_id: "winter-2025",
    utm_source: "newsletter",
    utm_medium: "email",
  });
  await updateLink(demo, old.id, { status: "archived" });
  await createAsset(demo, {
    name: "Poster at the main station",
    link: poster.id,
    kind: "poster",
    status: "live",
  });
  await createAsset(demo, { name: "Flyer, second print", link: flyer.id, kind: "flyer", status: "draft" });
  await createAsset(demo, { name: "Flyer, first print", link: flyer.id, kind: "flyer", status: "retired" });
  const [made = workspace] = (await listWorkspaces(ctx)).filter(({ slug }) => slug === DEMO_SLUG);
  return { workspace: made, created: true };
}

const DEMO_OWNER = "owner@demo.example";

/** A secret that signs the owner of the demo workspace in, who is added where there is none yet. */
export async function demoSignIn(ctx: ServiceContext): Promise<string> {
  const demo = { ...ctx, workspace: await getWorkspace(ctx, DEMO_SLUG) };
  const members = await listMembers(demo);
  if (!members.some(({ email }) => email === DEMO_OWNER)) {
    await addMember(demo, { email: DEMO_OWNER, role: "owner" });
  }
  return (await createSignInLink(ctx, DEMO_OWNER)).token;
}

/** A slug that somebody else has already is no reason to have no demo. */
async function link(demo: Context, input: CreateLink) {
  try {
    return await createLink(demo, input);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 422) throw error;
    return createLink(demo, { ...input, slug: null });
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ServiceError) || error.status !== 422) throw error;
}

/** The key for the demo workspace that `file` keeps, or else a new one: it opens only the state that it lies beside. */
export async function demoKey(ctx: ServiceContext, file: string): Promise<string> {
  try {
    const kept = readFileSync(file, "utf8").trim();
    await authenticate(ctx, `Bearer ${kept}`);
    return kept;
  } catch {
    const demo = { ...ctx, workspace: await getWorkspace(ctx, DEMO_SLUG) };
    const { key } = await createApiKey(demo, { name: "npm run dev" });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return key;
  }
}
