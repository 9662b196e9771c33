import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { newMeter } from "../../src/db/meter";
import { createLiteralDatabase } from "../../src/db/send";
import { type SlugKey, settingsKey, slugKey } from "../../src/lib/slug-text";
import { checkDestinations } from "../../src/operations/moderation/checks";
import { takeDown } from "../../src/operations/moderation/takedown";
import { findTarget } from "../../src/redirect/slugs/lookup";
import { releaseSlug } from "../../src/redirect/slugs/release-slug";
import { selectTargets } from "../../src/redirect/slugs/statements/targets";
import { updateActivityGroup } from "../../src/resources/activity-groups/manage-groups";
import { changedBranding } from "../../src/resources/branding/branding-schema";
import { changeBranding, setLogo } from "../../src/resources/branding/branding-service";
import { blockHost } from "../../src/resources/destinations/blocklist";
import { setAppFiles } from "../../src/resources/domains/app-files";
import { setDomainAddresses } from "../../src/resources/domains/domain-addresses";
import { addDomain } from "../../src/resources/domains/domain-service";
import { removeDomain } from "../../src/resources/domains/remove-domain";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { updateAsset } from "../../src/resources/engagement/update-asset";
import { updateLink } from "../../src/resources/links/update-link";
import { suspendWorkspace, updateWorkspace } from "../../src/resources/workspaces/workspace-service";
import { start, stopClock } from "../clock";
import { makeWorkspace, serviceContext, type TestWorkspace, testEnv } from "../harness";
import { runSql } from "../sql";

// Each column that a value is made of is changed by its verb, which must put the slugs that it touches into the outbox.

/** Those that name a row, and those of the outbox. They do not change, or not alone. */
const NOT_CHANGED = [
  ...["slugs.key", "slugs.slug", "slugs.domain", "slugs.rev", "slugs.doubt_until", "slugs.asset"],
  ...["links.id", "links.public_id", "links.workspace_id"],
  ...[
    "workspaces.id",
    "workspaces.public_id",
    "activity_groups.id",
    "activity_groups.public_id",
    "activity_groups.workspace_id",
  ],
  ...["domains.workspace_id", "domains.host", "link_rules.workspace_id", "link_rules.link_id"],
];

const unique = () => `c${crypto.randomUUID().slice(0, 8)}`;
const OVER = "https://over.example/";
const LOGO = '<svg viewBox="0 0 1 1"><path d="M0 0h1"/></svg>';

interface Scene {
  ws: TestWorkspace;
  id: string;
  key: SlugKey;
  patch: (body: object) => Promise<unknown>;
}

async function scene(fields: object = {}): Promise<Scene> {
  const ws = await makeWorkspace();
  const { id, slug } = await ws.link(fields);
  const patch = async (body: object) => {
    const answer = await ws.call("PATCH", `/api/v1/links/${id}`, { body });
    expect(answer.status, answer.text).toBe(200);
  };
  return { ws, id, key: slugKey("", slug), patch };
}

/** A change that is about to be made, of the slug or the settings with a key. */
interface Change {
  key: SlugKey;
  make: () => Promise<unknown>;
}

const edit =
  (body: object, fields: object = {}) =>
  async (): Promise<Change> => {
    const { key, patch } = await scene(fields);
    return { key, make: () => patch(body) };
  };

async function groupScene(group: object, link: object = {}) {
  const ws = await makeWorkspace();
  const { id } = await ws.group(group);
  const { slug } = await ws.link({ activity_group_id: id, ...link });
  const change = (fields: object) => () => updateActivityGroup(ws.ctx, id, fields);
  return { change, settings: settingsKey("group", id), key: slugKey("", slug) };
}

async function codeScene() {
  const { ws, id } = await scene();
  await updateWorkspace(ws.ctx, { scans_name_asset: true });
  const asset = await createAsset(ws.ctx, { name: "Poster", link: id });
  return { ws, asset, key: slugKey("", asset.code) };
}

async function domainScene() {
  const ws = await makeWorkspace();
  const { host } = await addDomain(ws.ctx, `${unique()}.acme.example`, true);
  return { ws, host, key: slugKey(host, "") };
}

const RULE = { destination_url: "https://rule.example/", countries: ["CH"] };

/** By the columns that it changes. */
const CHANGES: readonly (readonly [columns: readonly string[], prepare: () => Promise<Change>])[] = [
  [["links.destination_url"], edit({ destination_url: "https://next.example/" })],
  ...["source", "medium", "campaign", "term", "content"].map(
    (name) => [[`links.utm_${name}`], edit({ [`utm_${name}`]: "x" })] as const,
  ),
  [["links.starts_at"], edit({ starts_at: "2999-01-01T00:00:00Z" })],
  [["links.ends_at"], edit({ ends_at: "2020-01-01T00:00:00Z" })],
  [["links.ended_url"], edit({ ended_url: OVER }, { ends_at: "2020-01-01T00:00:00Z" })],
  [["links.rules"], edit({ rules: [RULE] })],
  ...["title", "text", "image_url"].map(
    (name) =>
      [
        [`links.preview_${name}`],
        async () => {
          const { ws, id, key } = await scene();
          const none = { preview_title: null, preview_text: null, preview_image_url: null };
          return {
            key,
            make: () => updateLink(ws.ctx, id, { ...none, [`preview_${name}`]: "https://a.example/" }),
          };
        },
      ] as const,
  ),
  [
    ["links.taken_down_at", "slugs.taken_down_at"],
    async () => {
      const { ws, id, key } = await scene();
      return { key, make: () => takeDown(ws.ctx, id) };
    },
  ],
  [
    ["slugs.link_id"],
    async () => {
      const { ws, id, key } = await scene();
      return { key, make: () => ws.call("DELETE", `/api/v1/links/${id}`) };
    },
  ],
  [
    ["slugs.workspace_id"],
    async () => {
      const [{ ws, id, key }, next] = [await scene(), await makeWorkspace()];
      await ws.call("DELETE", `/api/v1/links/${id}`);
      await runSql`update slugs set push_at = null, doubt_until = null where key = ${key}`;
      return { key, make: () => releaseSlug(serviceContext(), key, next.slug) };
    },
  ],
  [
    ["links.activity_group_id"],
    async () => {
      const { ws, key, patch } = await scene();
      const group = await ws.group({ ends_at: 0, ends_links: true });
      return { key, make: () => patch({ activity_group_id: group.id }) };
    },
  ],
  ...(["destination_host", "ended_host", "preview_image_host"] as const).map(
    (name) =>
      [
        [`links.${name}`],
        async () => {
          const host = `${unique()}.example`;
          const url = `https://www.${host}/`;
          const { ws, id, key } = await scene({
            ...(name === "destination_host" && { destination_url: url }),
            ...(name === "ended_host" && { ends_at: "2020-01-01T00:00:00Z", ended_url: url }),
          });
          if (name === "preview_image_host") {
            await updateLink(ws.ctx, id, { preview_title: "T", preview_text: null, preview_image_url: url });
          }
          return { key, make: () => blockHost(serviceContext(), host) };
        },
      ] as const,
  ),
  [
    ["link_rules.destination_host"],
    async () => {
      const host = `${unique()}.example`;
      const { key } = await scene({ rules: [{ ...RULE, destination_url: `https://${host}/` }] });
      return { key, make: () => blockHost(serviceContext(), host) };
    },
  ],
  [
    ["link_rules.host_check"],
    async () => {
      const host = `${unique()}.example`;
      const { key } = await scene({ rules: [{ ...RULE, destination_url: `https://${host}/` }] });
      vi.stubGlobal("fetch", async (url: string) =>
        Response.json({ Status: 0, Answer: url.includes(host) ? [{ data: "0.0.0.0" }] : [] }),
      );
      const checked = { ...testEnv, DESTINATION_DNS_CHECK: "https://resolver.example/dns-query" };
      return { key, make: () => checkDestinations(serviceContext(checked)) };
    },
  ],
  [
    ["offline_assets.name"],
    async () => {
      const { ws, asset, key } = await codeScene();
      return { key, make: () => updateAsset(ws.ctx, asset.id, { name: "Flyer" }) };
    },
  ],
  [
    ["workspaces.own_networks"],
    async () => {
      const ws = await makeWorkspace();
      return {
        key: settingsKey("workspace", ws.ctx.workspace.rowId),
        make: () => updateWorkspace(ws.ctx, { own_networks: '["192.0.2.0/24"]' }),
      };
    },
  ],
  [
    ["workspaces.own_networks"],
    async () => {
      const { ws, key } = await scene();
      return { key, make: () => updateWorkspace(ws.ctx, { own_networks: '["192.0.2.0/24"]' }) };
    },
  ],
  [
    ["workspaces.scans_name_asset"],
    async () => {
      const { ws, key } = await codeScene();
      return { key, make: () => updateWorkspace(ws.ctx, { scans_name_asset: false }) };
    },
  ],
  [
    ["workspaces.suspended_at"],
    async () => {
      const { ws, key } = await scene();
      return { key, make: () => suspendWorkspace(ws.ctx, ws.slug) };
    },
  ],
  [
    ["workspaces.suspended_at"],
    async () => {
      const { ws, key } = await domainScene();
      return { key, make: () => suspendWorkspace(ws.ctx, ws.slug) };
    },
  ],
  ...[{ shows_name: true }, { colour: "#123456" }, { time_zone: "Europe/Zurich" }].map(
    (input) =>
      [
        Object.keys(input).map((name) => `workspaces.${name}`),
        async () => {
          const { ctx } = await makeWorkspace();
          const key = settingsKey("workspace", ctx.workspace.rowId);
          return { key, make: () => updateWorkspace(ctx, input) };
        },
      ] as const,
  ),
  ...(
    [
      ["page_texts", { ended_de: "Danke!" }],
      ["button_label", { button_label: "Shop", button_url: OVER }],
      ["button_url", { button_label: "Shop", button_url: OVER }],
    ] as const
  ).map(
    ([name, input]) =>
      [
        [`workspaces.${name}`],
        async () => {
          const { ctx } = await makeWorkspace();
          const key = settingsKey("workspace", ctx.workspace.rowId);
          return { key, make: () => changeBranding(ctx, changedBranding.parse(input)) };
        },
      ] as const,
  ),
  [
    ["workspaces.button_host"],
    async () => {
      const { ctx } = await makeWorkspace();
      const key = settingsKey("workspace", ctx.workspace.rowId);
      const host = `${unique()}.example`;
      const input = { button_label: "Shop", button_url: `https://www.${host}/` };
      await changeBranding(ctx, changedBranding.parse(input));
      return { key, make: () => blockHost(serviceContext(), host) };
    },
  ],
  [
    ["workspaces.logo"],
    async () => {
      const { ctx } = await makeWorkspace();
      const key = settingsKey("workspace", ctx.workspace.rowId);
      return { key, make: () => setLogo(ctx, new TextEncoder().encode(LOGO)) };
    },
  ],
  [
    ["workspaces.suspended_at"],
    async () => {
      const ws = await makeWorkspace();
      await setLogo(ws.ctx, new TextEncoder().encode(LOGO));
      const key = settingsKey("workspace", ws.ctx.workspace.rowId);
      return { key, make: () => suspendWorkspace(ws.ctx, ws.slug) };
    },
  ],
  [
    ["workspaces.name"],
    async () => {
      const { ctx } = await makeWorkspace();
      await updateWorkspace(ctx, { shows_name: true });
      const key = settingsKey("workspace", ctx.workspace.rowId);
      return { key, make: () => updateWorkspace(ctx, { name: "Renamed" }) };
    },
  ],
  [
    ["activity_groups.ends_links"],
    async () => {
      const { key, change } = await groupScene({ ends_at: 0 });
      return { key, make: change({ ends_links: true }) };
    },
  ],
  [
    ["activity_groups.ends_at"],
    async () => {
      const { settings: key, change } = await groupScene({ ends_links: true });
      return { key, make: change({ ends_at: 5 }) };
    },
  ],
  [
    ["activity_groups.ended_url"],
    async () => {
      const { settings: key, change } = await groupScene({ ended_url: "https://a.example/" });
      return { key, make: change({ ended_url: OVER }) };
    },
  ],
  [
    ["activity_groups.ended_url"],
    async () => {
      const { settings: key, change } = await groupScene({}, { ends_at: "2020-01-01T00:00:00Z" });
      return { key, make: change({ ended_url: OVER }) };
    },
  ],
  [
    ["activity_groups.ended_host"],
    async () => {
      const host = `${unique()}.example`;
      const { settings: key } = await groupScene({ ended_url: `https://${host}/` });
      return { key, make: () => blockHost(serviceContext(), host) };
    },
  ],
  ...(["root", "not_found"] as const).map(
    (name) =>
      [
        [`domains.${name}_url`],
        async () => {
          const { ws, host, key } = await domainScene();
          const none = { root_url: null, not_found_url: null };
          return { key, make: () => setDomainAddresses(ws.ctx, host, { ...none, [`${name}_url`]: OVER }) };
        },
      ] as const,
  ),
  ...(["root", "not_found"] as const).map(
    (name) =>
      [
        [`domains.${name}_host`],
        async () => {
          const { ws, host, key } = await domainScene();
          const bad = `${unique()}.example`;
          const none = { root_url: null, not_found_url: null };
          await setDomainAddresses(ws.ctx, host, { ...none, [`${name}_url`]: `https://${bad}/` });
          return { key, make: () => blockHost(serviceContext(), bad) };
        },
      ] as const,
  ),
  ...(["apple_app_site_association", "assetlinks"] as const).map(
    (name) =>
      [
        [`domains.${name}`],
        async () => {
          const { ws, host, key } = await domainScene();
          const none = { apple_app_site_association: null, assetlinks: null };
          const apple = '{"appclips":{"apps":["ABCDE12345.com.example.app"]}}';
          const android =
            '[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"web","site":"https://a.example"}}]';
          const file = name === "assetlinks" ? android : apple;
          return { key, make: () => setAppFiles(ws.ctx, host, { ...none, [name]: file }) };
        },
      ] as const,
  ),
  [
    ["domains.removed_at", "domains.state"],
    async () => {
      const { ws, host } = await domainScene();
      const { id, slug } = await ws.link({ domain: host });
      await ws.call("PATCH", `/api/v1/links/${id}`, { body: { domain: "s.example" } });
      return { key: slugKey(host, slug), make: () => removeDomain(ws.ctx, host) };
    },
  ],
];

stopClock();
afterEach(() => {
  vi.unstubAllGlobals();
});

const entryOf = async (key: SlugKey) =>
  (await findTarget(createLiteralDatabase(env.DB, newMeter()), key, start))?.entry;

describe("a value in KV", () => {
  it("has no other columns than these", () => {
    const keys = [slugKey("", "s"), settingsKey("group", "G"), settingsKey("workspace", 1)];
    const text = selectTargets(keys)
      .map((statement) => statement.sql)
      .join(" ");
    const tables = /\b(?:slugs|links|link_rules|workspaces|activity_groups|offline_assets|domains)\.\w+/g;
    const changed = CHANGES.flatMap(([columns]) => columns);
    const read = new Set(text.match(tables));
    expect([...read].filter((column) => !changed.includes(column) && !NOT_CHANGED.includes(column))).toEqual(
      [],
    );
    expect(changed.filter((column) => !read.has(column))).toEqual([]);
  });

  it.each(CHANGES)("goes into the outbox when %j changes", async (_, prepare) => {
    const { key, make } = await prepare();
    await runSql`update slugs set push_at = null, doubt_until = null`;
    await runSql`delete from doubts`;
    const before = await entryOf(key);
    await make();
    const after = await entryOf(key);
    expect({ ...after, rev: 0 }).not.toEqual({ ...before, rev: 0 });
    const row = await env.DB.prepare("select rev, push_at, doubt_until from slugs where key = ?")
      .bind(key)
      .first();
    expect(row).toMatchObject({ push_at: expect.any(Number), doubt_until: 1e14 + start });
    expect(row?.["rev"]).toBeGreaterThan(before?.rev ?? 0);
  });
});
