import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createActivityGroup } from "../activity-groups/manage";
import type { Context, ServiceContext } from "../context";
import type { NewAsset } from "../engagement/schema";
import { createAsset } from "../engagement/service";
import { ServiceError } from "../errors";
import { createLink } from "../links/create";
import type { CreateLink, UpdateLink } from "../links/schema";
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

const PRINT = "Print";
const SOCIAL = "Social";
const PARTNER = "Partner";
const SUMMER = "Été à Zürich";

const TAGS = [
  { name: PRINT, colour: "#b45309", description: "Printed material" },
  { name: SOCIAL, colour: "#1d4ed8" },
  { name: PARTNER, colour: "#15803d", description: "Run together with a partner" },
  { name: SUMMER },
] as const;

type TagName = (typeof TAGS)[number]["name"];

interface DemoLink {
  input: CreateLink;
  tags?: readonly TagName[];
  update?: UpdateLink;
  assets?: readonly Pick<NewAsset, "name" | "kind" | "status">[];
}

const LINKS: readonly DemoLink[] = [
  {
    input: {
      destination_url: "https://www.example.com/summer?colour=blue#top",
      slug: "summer",
      title: "Summer sale",
      channel: "poster",
      activity_group_id: "summer-2026",
      utm_source: "poster",
      utm_medium: "print",
    },
    tags: [PRINT, SUMMER],
    assets: [{ name: "Poster at the main station", kind: "poster", status: "live" }],
  },
  {
    input: {
      destination_url: "https://www.example.com/summer/flyer",
      slug: "summer-flyer",
      title: "Summer flyer",
      channel: "flyer",
      activity_group_id: "summer-2026",
      utm_source: "flyer",
      utm_medium: "print",
    },
    tags: [PRINT],
    assets: [
      { name: "Flyer, second print", kind: "flyer", status: "draft" },
      { name: "Flyer, first print", kind: "flyer", status: "retired" },
    ],
  },
  {
    input: {
      destination_url: "https://www.example.com/talks?utm_source=old&day=2",
      slug: "devday",
      title: "Developer Day programme",
      channel: "social",
      activity_group_id: "developer-day",
      utm_source: "social",
      utm_campaign: "devday_early_bird",
    },
    tags: [SOCIAL, PARTNER],
  },
  {
    input: {
      destination_url: "https://www.example.com/prize-draw",
      slug: "prize-draw",
      title: "Summer prize draw",
      activity_group_id: "summer-2026",
      ends_at: "2026-09-01T00:00:00.000Z",
      ended_url: "https://www.example.com/prize-draw/winners",
    },
    tags: [SOCIAL],
  },
  {
    input: { destination_url: "https://www.example.com/zürich/été", title: "Ein Sommer in Zürich" },
    tags: [SUMMER],
  },
  {
    input: {
      destination_url: "https://www.example.com/handbook",
      slug: "guide",
      title: "Handbook",
      activity_group_id: "handbook",
    },
    update: { slug: "handbook" },
  },
  {
    input: {
      destination_url: "https://www.example.com/winter",
      slug: "winter",
      title: "Winter sale 2025",
      activity_group_id: "winter-2025",
      utm_source: "newsletter",
      utm_medium: "email",
    },
    update: { status: "archived" },
  },
];

/** Creates the workspace `demo` with groups, tags, links and assets, unless it exists. */
export async function createDemo(
  ctx: ServiceContext,
): Promise<{ workspace: WorkspaceView; created: boolean }> {
  const existing = await findDemo(ctx);
  if (existing !== undefined) return { workspace: existing, created: false };
  const workspace = await createWorkspace(ctx, { name: "Demo", slug: DEMO_SLUG });
  const demo = await inDemo(ctx);
  for (const group of GROUPS) await createActivityGroup(demo, group);
  const tagIds = new Map<string, string>();
  for (const tag of TAGS) tagIds.set(tag.name, (await createTag(demo, tag)).id);
  for (const link of LINKS) await createDemoLink(demo, link, tagIds);
  // Read again, since it now has totals.
  return { workspace: (await findDemo(ctx)) ?? workspace, created: true };
}

const findDemo = async (ctx: ServiceContext): Promise<WorkspaceView | undefined> =>
  (await listWorkspaces(ctx)).find(({ slug }) => slug === DEMO_SLUG);

const inDemo = async (ctx: ServiceContext): Promise<Context> => ({
  ...ctx,
  workspace: await getWorkspace(ctx, DEMO_SLUG),
});

async function createDemoLink(
  demo: Context,
  { input, tags = [], update, assets = [] }: DemoLink,
  tagIds: ReadonlyMap<string, string>,
): Promise<void> {
  const withTags = { ...input, tag_ids: tags.map((name) => tagIds.get(name) ?? "") };
  // Another workspace may own the slug already.
  const { id } = await createLink(demo, withTags).catch((error) => {
    rethrowUnlessInvalid(error);
    return createLink(demo, { ...withTags, slug: null });
  });
  if (update !== undefined) await updateLink(demo, id, update).catch(rethrowUnlessInvalid);
  for (const asset of assets) await createAsset(demo, { ...asset, link: id });
}

function rethrowUnlessInvalid(error: unknown): void {
  if (!(error instanceof ServiceError) || error.status !== 422) throw error;
}

const DEMO_OWNER = "owner@demo.example";

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
  try {
    const key = readFileSync(file, "utf8").trim();
    await authenticate(ctx, `Bearer ${key}`);
    return key;
  } catch {
    const { key } = await createApiKey(await inDemo(ctx), { name: "npm run dev" });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return key;
  }
}
