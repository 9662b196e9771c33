import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createApiKey } from "../../src/access/keys";
import { addMember } from "../../src/access/members";
import { consoleApp } from "../../src/console/app";
import { FORM_PATHS } from "../../src/console/routes";
import { DAY_MS, isoTime } from "../../src/lib/time";
import { createSavedChannel, listSavedChannels } from "../../src/resources/channels/channel-service";
import {
  createCodeBranding,
  listCodeBrandings,
} from "../../src/resources/code-brandings/code-branding-service";
import { addDomain } from "../../src/resources/domains/domain-service";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { createReceiver } from "../../src/resources/events/receivers";
import { checkFile } from "../../src/resources/imports/check-file";
import { createLink } from "../../src/resources/links/create-link";
import { createReport } from "../../src/resources/reports/report-links";
import { createView, listViews } from "../../src/resources/views/views";
import { makeWorkspace, type TestWorkspace, testEnv } from "../harness";
import { metered } from "../metered";
import { selectValue } from "../sql";
import { type Browser, openBrowser, signInAs } from "./browser";

// The routes are read from the application itself, so these rules hold for new pages too.

interface Route {
  method: "GET" | "POST";
  path: string;
}

/** The id for a parameter, by the path segment before it. */
type Ids = Record<(typeof SECTIONS)[number], string>;

const SECTIONS = [
  ...(["links", "groups", "tags", "assets", "keys", "import", "members", "domains", "reports"] as const),
  ...(["channels", "brandings", "views", "audit", "sessions", "passkeys", "receivers", "again"] as const),
] as const;

const idsOf = (id: (section: string, index: number) => string): Ids =>
  Object.fromEntries(SECTIONS.map((name, index) => [name, id(name, index)])) as Ids;

/** Open without a session. */
const PUBLIC = new Set([
  "GET /app/account/search/:workspace",
  "GET /app/sign-in",
  "POST /app/sign-in",
  "GET /app/sign-out",
  "POST /app/sign-out",
  "GET /app/sign-in/mail",
  "POST /app/sign-in/mail",
  "GET /app/sign-in/passkey",
  "POST /app/sign-in/passkey",
  "GET /app/sign-in/challenge",
  "POST /app/sign-in/challenge",
  "GET /reports/:token",
  "GET /reports/start/:token",
  "POST /reports/start/:token",
  "GET /reports/stop/:token",
  "POST /reports/stop/:token",
]);

/** A person's own setting in a workspace, whatever their role. `test/operations/weekly-report.test.ts` sends it. */
const PERSONAL = new Set(["POST /app/:workspace/workspace/weekly-report"]);

/** A person's own pages, in no workspace. */
const OWN = [
  "GET /app",
  "GET /app/account/share",
  "GET /app/account/sessions",
  "GET /app/account/sessions/end-others",
  "GET /app/account/sessions/:id/end",
  "POST /app/account/sessions/end-others",
  "POST /app/account/sessions/:id/end",
  "GET /app/account/passkeys",
  "POST /app/account/passkeys",
  "GET /app/account/passkeys/challenge",
  "POST /app/account/passkeys/challenge",
  "GET /app/account/passkeys/:id",
  "POST /app/account/passkeys/:id",
  "GET /app/account/passkeys/:id/remove",
  "POST /app/account/passkeys/:id/remove",
];

/** The address of a form, which redirects a browser to the form's page. */
const isFormRedirect = ({ method, path }: Route): boolean => method === "GET" && FORM_PATHS.has(path);

/** Only for owners: conventions, domains, keys, members, old slugs and the workspace itself. Editors may use the others. */
const isOwners = ({ method, path }: Route): boolean =>
  (/^\/app\/:workspace\/(?:keys|domains|receivers)\b/.test(path) && !isFormRedirect({ method, path })) ||
  (method === "POST" &&
    !PERSONAL.has(`${method} ${path}`) &&
    /^\/app\/:workspace\/(?:members|workspace|links\/:id\/drop-slug|values\/convention)\b/.test(path));

/** Fields that are valid in most forms of a section. */
const FORMS: Readonly<Record<string, (ids: Ids) => Record<string, string>>> = {
  links: ({ tags, links }) => ({
    name: "Changed",
    destination_url: "https://www.example.com/changed",
    status: "archived",
    action: "archive",
    id: links,
    ids: links,
    tag: tags,
  }),
  groups: () => ({ name: "Changed", slug: "changed", type: "event", status: "archived" }),
  tags: ({ tags }) => ({ name: "Changed", into: tags, tag: tags }),
  assets: ({ links }) => ({ name: "Changed", kind: "flyer", status: "live", link: links }),
  keys: () => ({ name: "Changed", access: "read", overlap: "0", days: "0" }),
  domains: () => ({ host: "changed.example", root_url: "", not_found_url: "https://www.example.com/" }),
  receivers: () => ({ url: "https://changed.example/", kinds: "link.created", is_on: "true" }),
  reports: () => ({ last: "30", ends_on: isoTime(Date.now() + DAY_MS).slice(0, 10) }),
  channels: () => ({ name: "Changed", slug_pattern: "{link}-x" }),
  brandings: () => ({ name: "Changed", colour: "#0b3d91" }),
  values: () => ({
    values: HOSTILE,
    to: "x",
    field: "channel",
    strictness: "only",
    letters: "any",
    space: "-",
  }),
  members: () => ({ email: "changed@people.example", role: "viewer" }),
  workspace: () => ({ name: "Changed" }),
};

const routes: Route[] = [
  ...new Map(
    consoleApp.routes
      .filter(({ method, path }) => ["GET", "POST"].includes(method) && !path.endsWith("*"))
      .map(({ method, path }) => [`${method} ${path}`, { method, path } as Route]),
  ).values(),
];
/** A form that changes something of a workspace. */
const FORM_OF_WORKSPACE = /<form[^>]* method="post"[^>]* action="\/app\/(?!sign-out)[^"]*"/;
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const inWorkspace = routes.filter(({ path }) => path.startsWith("/app/:workspace"));
const formRedirects = inWorkspace.filter(isFormRedirect);
const named = inWorkspace.filter(
  (route) => !isFormRedirect(route) && route.path.slice("/app/:workspace".length).includes(":"),
);
const table = (list: readonly Route[]) => list.map((route) => [nameOf(route), route] as const);

/** The path with the ids filled in. Throws if the segment before a parameter is unknown. */
function pathOf({ path }: Route, workspace: { slug: string }, ids: Ids): string {
  const segments = path.split("/");
  return segments
    .map((segment, index) => {
      if (!segment.startsWith(":")) return segment;
      if (index === 2) return workspace.slug;
      const id = Reflect.get(ids, segments[index - 1] ?? "");
      if (typeof id !== "string") throw new Error(`${path}: there is no id for ${segments[index - 1]}`);
      return encodeURIComponent(id);
    })
    .join("/");
}

const ask = (browser: Browser, { method, path }: Route, to: string, ids: Ids) =>
  method === "GET" ? browser.get(to) : browser.post(to, FORMS[path.split("/")[3] ?? ""]?.(ids) ?? {});

/** What people may type, which pages show as text. */
const HOSTILE = `"><script>alert(1)</script>`;

async function furnished(): Promise<{ workspace: TestWorkspace; ids: Ids }> {
  const workspace = await makeWorkspace();
  const { ctx } = workspace;
  const [tag, group] = [
    await workspace.tag({ name: HOSTILE, description: HOSTILE, colour: "url(//evil)" }),
    await workspace.group({ name: HOSTILE, status: "active", default_utm_campaign: HOSTILE }),
  ];
  const link = await workspace.link({
    title: HOSTILE,
    channel: HOSTILE,
    tag_ids: [tag.id],
    activity_group_id: group.id,
  });
  await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { title: `${HOSTILE}!` } });
  const asset = await createAsset(ctx, { name: HOSTILE, place: HOSTILE, link: link.id });
  const key = await createApiKey(ctx, { name: HOSTILE });
  const member = await addMember(ctx, { email: `${workspace.slug}@people.example`, role: "editor" });
  const domain = await addDomain(ctx, `${workspace.slug}.example`, true);
  const ends_on = isoTime(Date.now() + DAY_MS).slice(0, 10);
  const report = await createReport(ctx, { kind: "group", subject: group.id, ends_on });
  const file = `destination_url,title\nhttps://www.example.com/imported,"""${HOSTILE}"\n`;
  const bytes = new TextEncoder().encode(file.replace(`"""">`, `""">`));
  const checked = await checkFile(ctx, { name: `${HOSTILE}.csv`, bytes });
  const operation = await selectValue<string>`select operation_id from audit_log
    where subject = ${link.id} and action = 'link.update'`;
  await createSavedChannel(workspace.ctx, { name: HOSTILE, utm_source: HOSTILE, tag_ids: [tag.id] });
  await createCodeBranding(workspace.ctx, {
    name: HOSTILE,
    colour: "#0b3d91",
    logo: "none",
    call: HOSTILE.slice(0, 24),
  });
  const [branding] = await listCodeBrandings(workspace.ctx);
  await createView(workspace.ctx, { name: HOSTILE, query: "status=all" });
  const [savedView] = await listViews(workspace.ctx);
  const receiver = await createReceiver(ctx, {
    url: "https://hooks.example/",
    kinds: ["link.created"],
    is_on: true,
  });
  await createLink(ctx, { destination_url: "https://www.example.com/" });
  const event = await selectValue<string>`select event from messages where workspace_id = ${workspace}`;
  const [savedChannel] = await listSavedChannels(workspace.ctx);
  return {
    workspace,
    ids: {
      links: link.id,
      groups: group.id,
      tags: tag.id,
      assets: asset.id,
      keys: key.id,
      import: "id" in checked ? checked.id : checked.earlier.id,
      members: member.email,
      domains: domain.host,
      reports: report.id,
      channels: savedChannel?.id ?? "",
      brandings: branding?.id ?? "",
      views: savedView?.id ?? "",
      audit: operation ?? "",
      sessions: UNKNOWN.sessions,
      receivers: receiver.id,
      again: event ?? "",
      passkeys: UNKNOWN.passkeys,
    },
  };
}

const UNKNOWN: Ids = {
  ...idsOf((_, index) => `01JZ8Q4V6T3K9M2N5P7R8S0W${index.toString(36).toUpperCase()}X`),
  members: "nobody@people.example",
  domains: "nobody.example",
};

/** What cannot be an id. */
const JUNK = idsOf(() => "x".repeat(300));

const { db, rows } = metered(testEnv.DB);
const counting = { ...testEnv, DB: db };

/** Nothing in the database changes while `work` runs. */
async function expectNothingWritten(work: () => Promise<void>): Promise<void> {
  rows.written = 0;
  await work();
  expect(rows.written).toBe(0);
}

let own: Awaited<ReturnType<typeof furnished>>;
let other: Awaited<ReturnType<typeof furnished>>;
let owner: Browser;
let editor: Browser;
let viewer: Browser;
let stranger: Browser;

beforeAll(async () => {
  // The check of a domain asks a host and a resolver.
  vi.stubGlobal("fetch", async () => new Response(null, { status: 404 }));
  [own, other] = [await furnished(), await furnished()];
  owner = await signInAs(own.workspace, "owner", counting);
  editor = await signInAs(own.workspace, "editor", counting);
  viewer = await signInAs(own.workspace, "viewer", counting);
  stranger = await signInAs(other.workspace, "owner", counting);
});
// Other files run in the same isolate.
afterAll(() => {
  vi.unstubAllGlobals();
});

it("every route is in a workspace, or signs in or out, or is a person's own", () => {
  const outside = routes.filter((route) => !inWorkspace.includes(route)).map(nameOf);
  expect(outside.sort()).toEqual([...PUBLIC, ...OWN].sort());
  expect(inWorkspace.length).toBeGreaterThan(5);
});

it("the address of every form has a page, so that loading it again works", () => {
  const shape = ({ path }: Route) => path.replaceAll(/:\w+/g, ":");
  const pages = new Set(inWorkspace.filter(({ method }) => method === "GET").map(shape));
  const deadEnds = inWorkspace.filter((route) => !pages.has(shape(route))).map(nameOf);
  // Only the script requests it.
  expect(deadEnds).toEqual(["POST /app/:workspace/links/preview"]);
});

async function expectNoAccessWithoutSession(route: Route): Promise<void> {
  const page = await ask(openBrowser(counting), route, pathOf(route, own.workspace, own.ids), own.ids);
  expect([page.status, page.location?.split("?")[0]], "without a session").toEqual(
    route.method === "GET" ? [303, "/app/sign-in"] : [401, undefined],
  );
}

async function expectUnknownToStranger(route: Route): Promise<void> {
  const [page, unknown] = [
    await ask(stranger, route, pathOf(route, own.workspace, own.ids), own.ids),
    await ask(stranger, route, pathOf(route, { slug: "no-such-workspace" }, own.ids), own.ids),
  ];
  expect([page.status, unknown.status], "for an owner of another workspace").toEqual([404, 404]);
  expect(page.text.includes(own.workspace.ctx.workspace.name), "it names the workspace").toBe(false);
}

/** 403 for own, foreign and unknown ids. */
async function expectForbidden(person: Browser, route: Route, who: string): Promise<void> {
  for (const ids of [own.ids, other.ids, UNKNOWN]) {
    const page = await ask(person, route, pathOf(route, own.workspace, ids), ids);
    expect(page.status, who).toBe(403);
  }
}

/** 404 for a foreign id, an unknown one and what is none, although the form would be valid for an own id. */
async function expectOwnIdsOnly(person: Browser, route: Route, who: string): Promise<void> {
  for (const ids of [other.ids, UNKNOWN, JUNK]) {
    const page = await ask(person, route, pathOf(route, own.workspace, ids), own.ids);
    expect(page.status, who).toBe(404);
  }
}

/** A form that only an owner may send. */
const FORM_OF_OWNER =
  /<form[^>]* action="\/app\/[^"]*\/(?:drop-slug|keys|domains|receivers|members|workspace|convention)[/?"]/;

/** Pages are read in a shared workspace. Forms change it, so each is sent in its own workspace. */
async function expectOpen(route: Route, role: "owner" | "editor"): Promise<void> {
  const isRead = route.method === "GET";
  const { workspace, ids } = isRead ? own : await furnished();
  const shared = role === "owner" ? owner : editor;
  const browser = isRead ? shared : await signInAs(workspace, role);
  const page = await ask(browser, route, pathOf(route, workspace, ids), ids);
  // 412: the form was sent without its version.
  expect([200, 303, 412, 422], `for an ${role}`).toContain(page.status);
  const html = page.text.startsWith("<") ? page.text : "";
  expect(html.match(/<script>alert|fill="url\(/), "what people typed is not shown as text").toBeNull();
  if (role === "editor") expect(page.text.match(FORM_OF_OWNER), "an editor is offered a form").toBeNull();
}

it.each(table(routes.filter((route) => !PUBLIC.has(nameOf(route)) && !inWorkspace.includes(route))))(
  "%s needs a session",
  (_, route) => expectNothingWritten(() => expectNoAccessWithoutSession(route)),
);

it.each(table(inWorkspace.filter((route) => PERSONAL.has(nameOf(route)))))(
  "%s is closed without a session and for strangers",
  (_, route) =>
    expectNothingWritten(async () => {
      await expectNoAccessWithoutSession(route);
      await expectUnknownToStranger(route);
    }),
);

const ofRoles = inWorkspace.filter((route) => !PERSONAL.has(nameOf(route)));

it.each(table(ofRoles))("%s is open for its roles and own ids alone", async (_, route) => {
  await expectNothingWritten(async () => {
    await expectNoAccessWithoutSession(route);
    await expectUnknownToStranger(route);
    if (route.method === "POST") await expectForbidden(viewer, route, "for a viewer");
    else {
      const page = await ask(viewer, route, pathOf(route, own.workspace, own.ids), own.ids);
      expect([200, 303, 403], "for a viewer").toContain(page.status);
      expect(page.text.match(FORM_OF_WORKSPACE), "a viewer is offered a form").toBeNull();
    }
    if (isOwners(route)) await expectForbidden(editor, route, "for an editor");
    if (named.includes(route)) {
      await expectOwnIdsOnly(owner, route, "for an owner");
      if (!isOwners(route)) await expectOwnIdsOnly(editor, route, "for an editor");
    }
  });
  // An owner may all that an editor may, so a form is sent by the lowest role that may send it.
  if (!isOwners(route)) await expectOpen(route, "editor");
  if (isOwners(route) || route.method === "GET") await expectOpen(route, "owner");
});

it.each(table(formRedirects))(
  "%s redirects to its form's page, whether the id exists or not",
  async (_, route) => {
    const at = (await ask(owner, route, pathOf(route, own.workspace, own.ids), own.ids)).location ?? "";
    expect((await owner.get(at)).status).toBe(200);
    for (const ids of [other.ids, UNKNOWN]) {
      const page = await ask(owner, route, pathOf(route, own.workspace, ids), ids);
      expect(page.status).toBe(303);
      const there = await owner.get(page.location ?? "");
      expect([404, 200]).toContain(there.status);
      if (there.status === 200) expect(page.location).toBe(at);
    }
  },
);
