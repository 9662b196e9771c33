import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import {
  findBrokenOrBlocked,
  getHealthOfLink,
  listBrokenLinks,
} from "../../../src/resources/destinations/health";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { makeMember } from "../../console/browser";
import { watched } from "../../console/depth";
import { makeWorkspace, serviceContext } from "../../harness";
import { ASKED_ENV, emptyHealth, freshHost } from "./net";

const AT = Date.UTC(2026, 4, 1, 8, 30);
const BADGE = "badge-broken_destination";

beforeEach(emptyHealth);

interface Stored {
  state: string;
  reason?: string | null;
  status?: number | null;
  since?: number | null;
}

const store = (url: string, { state, reason = "http", status = null, since = null }: Stored) =>
  env.DB.prepare(
    `insert into destination_health (url, host, domain, due_at, asked_at, state, reason, http_status, failing_since)
      values (?1, ?2, ?2, 0, ?3, ?4, ?5, ?6, ?7)`,
  )
    .bind(url, new URL(url).hostname, AT, state, reason, status, since)
    .run();

const BROKEN: Stored = { state: "broken", status: 404, since: AT - 86_400_000 };
const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
/** A page of the workspace while destinations are asked. */
const pageOf = async ({ workspace, browser }: Awaited<ReturnType<typeof makeMember>>, path: string) =>
  (await browser.get(`/app/${workspace.slug}/${path}`, {}, ASKED_ENV)).text;

const shortUrls = (html: string) =>
  [...html.matchAll(/data-copy="https:\/\/s\.example\/([^"]+)"/g)].map(([, slug]) => slug);

describe("the list of links", () => {
  it("has a badge for a broken destination, and only for links of the workspace that have it", async () => {
    const [member, other] = [await makeMember(), await makeMember()];
    const url = `https://${freshHost()}/`;
    await member.workspace.link({ destination_url: url });
    await member.workspace.link({ destination_url: `https://${freshHost()}/` });
    await other.workspace.link({ destination_url: `https://${freshHost()}/` });
    await store(url, BROKEN);
    const text = await pageOf(member, "links");
    expect(text.split(BADGE)).toHaveLength(2);
    expect(plain(text)).toContain("Broken destination");
    expect(await pageOf(other, "links")).not.toContain(BADGE);
  });

  it.each(["unknown", "ok", "failing", "unclear"])(
    "has no badge for a destination that is %s",
    async (state) => {
      const member = await makeMember();
      const url = `https://${freshHost()}/`;
      await member.workspace.link({ destination_url: url });
      await store(url, { state, status: 404 });
      expect(await pageOf(member, "links")).not.toContain(BADGE);
    },
  );

  it("filters by broken destinations, with other filters, in every order", async () => {
    const member = await makeMember();
    const { workspace } = member;
    const other = await makeWorkspace();
    const url = `https://${freshHost()}/`;
    const tag = await workspace.tag({ name: "Print" });
    const first = await workspace.link({ destination_url: url, title: "Beta sale" });
    const second = await workspace.link({ destination_url: url, title: "Alpha", tag_ids: [tag.id] });
    await workspace.link({ destination_url: `https://${freshHost()}/`, tag_ids: [tag.id] });
    const archived = await workspace.link({ destination_url: url });
    await workspace.call("PATCH", `/api/v1/links/${archived.id}`, { body: { status: "archived" } });
    const deleted = await workspace.link({ destination_url: url });
    await workspace.call("DELETE", `/api/v1/links/${deleted.id}`);
    await other.link({ destination_url: url });
    const failing = await workspace.link({ destination_url: `https://${freshHost()}/` });
    await store(failing.destination_url, { state: "failing", status: 404, since: AT });
    await store(url, BROKEN);
    const list = async (query: string) => shortUrls(await pageOf(member, `links?health=broken${query}`));
    expect(await list("")).toEqual([second.slug, first.slug]);
    expect(await list("&sort=created_at")).toEqual([first.slug, second.slug]);
    expect(await list("&sort=title")).toEqual([second.slug, first.slug]);
    expect(await list("&status=archived")).toEqual([archived.slug]);
    expect(await list("&status=all")).toEqual([archived.slug, second.slug, first.slug]);
    expect(await list(`&tag=${tag.slug}`)).toEqual([second.slug]);
    expect(await list("&q=sale")).toEqual([first.slug]);
    expect(await list(`&slug=${first.slug}`)).toEqual([first.slug]);
    expect(await list("&per_page=1&page=2")).toEqual([first.slug]);
    expect(plain(await pageOf(member, "links?health=broken&per_page=1"))).toContain("2 links");
  });

  it("filters the same if more destinations are broken than the workspace has links", async () => {
    const member = await makeMember();
    const url = `https://${freshHost()}/`;
    const { slug } = await member.workspace.link({ destination_url: url });
    await member.workspace.link();
    for (const broken of [url, ...Array.from({ length: 8 }, () => `https://${freshHost()}/`)]) {
      await store(broken, BROKEN);
    }
    expect(shortUrls(await pageOf(member, "links?health=broken"))).toEqual([slug]);
  });

  it("has neither badge nor filter while destinations are not asked", async () => {
    const member = await makeMember();
    const { workspace, browser } = member;
    const { destination_url: url, id } = await workspace.link({ destination_url: `https://${freshHost()}/` });
    await workspace.link();
    await store(url, BROKEN);
    const { text } = await browser.get(`/app/${workspace.slug}/links?health=broken`);
    expect(shortUrls(text)).toHaveLength(2);
    expect(text).not.toContain(BADGE);
    expect(text).not.toContain("Broken destination");
    expect((await browser.get(`/app/${workspace.slug}/links/${id}`)).text).not.toContain("Broken since");
    expect(await pageOf(member, "links")).toContain("Broken destination");
  });

  it("takes no more round trips than without", async () => {
    const { workspace, browser } = await makeMember();
    const { id } = await workspace.link();
    const asset = await createAsset(workspace.ctx, { name: "Poster", link: id, status: "live" });
    for (const path of ["links", `links/${id}`, `assets/${asset.id}`]) {
      const depthIn = async (env?: typeof ASKED_ENV) => {
        const seen = watched(env);
        await browser.get(`/app/${workspace.slug}/${path}`, {}, seen.env);
        return seen.depth();
      };
      // The first page also looks up the session, and one in thirty seconds adds up the visits that wait.
      await depthIn();
      const off = Math.min(await depthIn(), await depthIn());
      const on = Math.min(await depthIn(ASKED_ENV), await depthIn(ASKED_ENV));
      expect([path, on]).toEqual([path, off]);
    }
  });
});

it("a workspace learns nothing through the ids of another one’s links", async () => {
  const [one, two] = [await makeWorkspace(), await makeWorkspace()];
  const { id, destination_url: url } = await one.link({ destination_url: `https://${freshHost()}/` });
  await store(url, BROKEN);
  const inOne = { ...one.ctx, config: serviceContext(ASKED_ENV).config };
  const inTwo = { ...inOne, workspace: two.ctx.workspace };
  expect(await getHealthOfLink(inOne, id)).toMatchObject({ state: "broken" });
  expect(await getHealthOfLink(inTwo, id)).toMatchObject({ state: "unknown" });
  expect((await findBrokenOrBlocked(inOne, [id])).broken).toEqual(new Set([id]));
  expect((await findBrokenOrBlocked(inTwo, [id])).broken).toEqual(new Set());
});

const SINCE = "30 Apr 2026, 08:30 UTC";
const ASKED = "last asked 1 May 2026, 08:30 UTC";

it.each<[Stored, string]>([
  [BROKEN, `Broken since ${SINCE}: 404 Not Found, ${ASKED}.`],
  [
    { ...BROKEN, reason: "timeout", status: null },
    `Broken since ${SINCE}: no answer within ten seconds, ${ASKED}.`,
  ],
  [
    { ...BROKEN, state: "failing", reason: "dns", status: 530 },
    `Has failed since ${SINCE}: its host name does not exist (530), ${ASKED}. It counts as broken if it still fails a day after the first failure.`,
  ],
  [{ state: "unclear", status: 401 }, `Cannot be checked: the page asks for a sign-in (401), ${ASKED}.`],
  [{ state: "ok", status: 200 }, `The page is there: 200 OK, ${ASKED}.`],
])("the page of a link and of an asset say what is known: %j", async (stored, sentence) => {
  const member = await makeMember("viewer");
  const { workspace } = member;
  const { destination_url: url, id } = await workspace.link({ destination_url: `https://${freshHost()}/` });
  const asset = await createAsset(workspace.ctx, { name: "Poster", link: id, status: "live" });
  expect(plain(await pageOf(member, `links/${id}`))).toContain("Not checked yet.");
  await store(url, stored);
  for (const path of [`links/${id}`, `assets/${asset.id}`])
    expect(plain(await pageOf(member, path))).toContain(sentence);
});

it("the operator’s list has the broken links of all workspaces, or of one", async () => {
  const [one, two] = [await makeWorkspace(), await makeWorkspace()];
  const url = `https://${freshHost()}/`;
  const first = await one.link({ destination_url: url });
  const second = await two.link({ destination_url: url });
  await createAsset(two.ctx, { name: "Poster", link: second.id, status: "live" });
  await two.call("PATCH", `/api/v1/links/${second.id}`, { body: { status: "archived" } });
  await one.link({ destination_url: `https://${freshHost()}/` });
  await store(url, BROKEN);
  const ctx = serviceContext(ASKED_ENV);
  const { links, has_more: hasMore } = await listBrokenLinks(ctx);
  const row = {
    destination_url: url,
    reason: "404 Not Found",
    http_status: 404,
    failing_since: new Date(AT - 86_400_000).toISOString(),
    asked_at: new Date(AT).toISOString(),
  };
  expect(hasMore).toBe(false);
  expect(links).toEqual([
    { workspace: one.slug, id: first.id, slug: first.slug, status: "active", live_assets: 0, ...row },
    { workspace: two.slug, id: second.id, slug: second.slug, status: "archived", live_assets: 1, ...row },
  ]);
  expect((await listBrokenLinks(ctx, two.slug)).links.map(({ id }) => id)).toEqual([second.id]);
  await expect(listBrokenLinks(ctx, "no-such-workspace")).rejects.toMatchObject({ status: 404 });
});
