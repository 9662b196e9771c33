import { describe, expect, it, vi } from "vitest";
import { selectUsage } from "../../../src/access/workspace-statements";
import type { Env } from "../../../src/context";
import { setDomainAddresses } from "../../../src/resources/domains/domain-addresses";
import {
  addDomain,
  checkDomain,
  listDomains,
  setPrimaryDomain,
} from "../../../src/resources/domains/domain-service";
import { finishReleases, releaseDomain } from "../../../src/resources/domains/release-domain";
import { removeDomain } from "../../../src/resources/domains/remove-domain";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { withKv } from "../../faulty";
import {
  counted,
  kvName,
  makeWorkspace,
  otherInstance,
  SHORT,
  send,
  serviceContext,
  type TestWorkspace,
  visit,
} from "../../harness";
import { limiters } from "../../limiter";
import { runSql, selectValue } from "../../sql";

const unique = () => `d${crypto.randomUUID().slice(0, 8)}`;
const hostname = () => `${unique()}.acme.example`;

const get = (url: string, headers: Record<string, string> = {}, own: Env = otherInstance()) =>
  send(new Request(url, { redirect: "manual", headers }), own);
const leadsTo = async (url: string) => (await get(url)).headers.get("location");

const linkOf = async (ws: TestWorkspace, body: object) =>
  (await ws.call("POST", "/api/v1/links", { body: { destination_url: "https://www.example.com/", ...body } }))
    .body;

async function withDomain() {
  const ws = await makeWorkspace();
  return { ws, host: (await addDomain(ws.ctx, hostname(), true)).host };
}

/** Releases a removed host as the operator does, with all its slugs. */
async function release(host: string) {
  const ctx = serviceContext();
  await releaseDomain(ctx, host);
  // What the job does within some minutes.
  await runSql`update slugs set push_at = null, doubt_until = null where domain = ${host}`;
  await finishReleases({ ...ctx, db: { ...ctx.db, statementsLeft: () => 10 } });
}

/** Lets a proved host answer with the mark of this installation. */
async function makeActive(ws: TestWorkspace, host: string) {
  vi.stubGlobal("fetch", async () => Response.json({ installation: ws.ctx.config.installation }));
  expect((await checkDomain(ws.ctx, host)).state).toBe("active");
  vi.unstubAllGlobals();
}

describe("a domain", () => {
  it("serves the links of its workspace alone, beside the same slug on other hosts", async () => {
    const [{ ws, host }, other] = [await withDomain(), await withDomain()];
    const slug = unique();
    const at = async (own: TestWorkspace, domain: string | null, to: string) =>
      (await linkOf(own, { slug, domain, destination_url: to })).link.short_url;
    expect(await at(ws, host, "https://one.example/")).toBe(`https://${host}/${slug}`);
    expect(await at(ws, "S.example.", "https://two.example/")).toBe(`${SHORT}/${slug}`);
    expect(await at(other.ws, other.host, "https://three.example/")).toBe(`https://${other.host}/${slug}`);
    expect(await leadsTo(`https://${host}/${slug}`)).toBe("https://one.example/");
    expect(await leadsTo(`https://${host.toUpperCase()}:8443/${slug.toUpperCase()}`)).toBe(
      "https://one.example/",
    );
    expect(await leadsTo(`https://${host}./${slug}`)).toBe("https://one.example/");
    expect(await leadsTo(`${SHORT}/${slug}`)).toBe("https://two.example/");
    expect(await leadsTo(`https://${other.host}/${slug}`)).toBe("https://three.example/");
    const foreign = await linkOf(ws, { domain: other.host });
    expect(foreign.errors).toEqual({ domain: ["The selected domain is invalid."] });
  });

  it("is not found in the path of another host, also while its address is in memory", async () => {
    const { ws, host } = await withDomain();
    const { slug } = (await linkOf(ws, { domain: host })).link;
    const own = otherInstance();
    expect((await get(`https://${host}/${slug}`, {}, own)).status).toBe(302);
    for (const path of [`/${host}/${slug}`, `/${host}%2F${slug}`, `/${host}/`, `/${host}`])
      expect((await get(SHORT + path, {}, own)).status, path).toBe(404);
  });

  it("has nothing but short links and its own files, and another host has nothing", async () => {
    const { host } = await withDomain();
    for (const path of ["/", "/robots.txt", "/favicon.ico", "/.well-known/waymark"])
      expect([path, (await get(`https://${host}${path}`)).status]).toEqual([path, 200]);
    for (const path of ["/app", "/docs", "/health", "/llms.txt", "/api/v1/tags"])
      expect([path, (await get(`https://${host}${path}`)).status]).toEqual([path, 404]);
    for (const path of ["/", "/robots.txt", "/favicon.ico", "/.well-known/waymark", "/health", "/x"])
      expect([path, (await get(`https://${hostname()}${path}`)).status]).toEqual([path, 404]);
  });

  it("leads from / and from unknown slugs to the addresses that its owner gave", async () => {
    const { ws, host } = await withDomain();
    await setDomainAddresses(ws.ctx, host, {
      root_url: "https://www.example.com/home",
      not_found_url: "https://www.example.com/lost",
    });
    expect(await leadsTo(`https://${host}/`)).toBe("https://www.example.com/home");
    expect(await leadsTo(`https://${host}/${unique()}?a=1`)).toBe("https://www.example.com/lost");
    const json = await get(`https://${host}/${unique()}`, { accept: "application/json" });
    expect([json.status, await json.json()]).toEqual([404, { message: "Not found." }]);
    await expect(
      setDomainAddresses(ws.ctx, host, { root_url: "https://s.example/x", not_found_url: null }),
    ).rejects.toMatchObject({ status: 422 });
  });

  it("is not written to KV where its owner saves the same addresses again", async () => {
    const { ws, host } = await withDomain();
    const puts: string[] = [];
    const { KV: kv } = withKv({ put: async (name: string) => void puts.push(name) });
    const addresses = { root_url: "https://www.example.com/", not_found_url: null };
    for (const _ of ["first", "again"]) await setDomainAddresses({ ...ws.ctx, kv }, host, addresses);
    expect(puts).toEqual([kvName(`${host}/`)]);
  });

  it("is no destination of a new or changed link once it is active, as the hosts below it are", async () => {
    const { ws, host } = await withDomain();
    const { link } = await linkOf(ws, { destination_url: `https://${host}/kept` });
    await makeActive(ws, host);
    const other = await makeWorkspace();
    const message = "The destination url field leads to a host that serves short links itself.";
    expect((await linkOf(other, { destination_url: `https://${host}/x` })).errors).toEqual({
      destination_url: [message],
    });
    expect((await linkOf(other, { destination_url: `https://www.${host}/x` })).link.slug).toBeDefined();
    const path = `/api/v1/links/${link.id}`;
    const titled = { title: "Kept", destination_url: link.destination_url };
    expect((await ws.call("PATCH", path, { body: titled })).status).toBe(200);
    const changed = await ws.call("PATCH", path, { body: { ended_url: `https://${host}/over` } });
    expect(Object.keys(changed.body.errors)).toEqual(["ended_url"]);
  });

  it("that is primary gets new links, codes and imports, unless told otherwise", async () => {
    const { ws, host } = await withDomain();
    expect(await setPrimaryDomain(ws.ctx, host)).toMatchObject({ host, is_primary: true });
    const slug = unique();
    expect((await linkOf(ws, { slug })).link).toMatchObject({ domain: host, slug });
    expect((await linkOf(ws, { slug })).errors).toEqual({ slug: ["The slug has already been taken."] });
    expect((await linkOf(ws, { slug, domain: "s.example" })).link.domain).toBe("s.example");
    await setPrimaryDomain(ws.ctx, "s.example");
    expect((await linkOf(ws, {})).link.domain).toBe("s.example");
  });

  it("can be given to a link, whose former address goes on redirecting", async () => {
    const { ws, host } = await withDomain();
    const { link } = await linkOf(ws, { slug: unique() });
    const path = `/api/v1/links/${link.id}`;
    const moved = await ws.call("PATCH", path, { body: { domain: host } });
    expect(moved.body.link).toMatchObject({ domain: host, slug: link.slug });
    for (const address of [`https://${host}/${link.slug}`, `${SHORT}/${link.slug}`])
      expect(await leadsTo(address)).toBe("https://www.example.com/");
    const taken = await linkOf(ws, { domain: host, slug: link.slug });
    expect(taken.errors).toEqual({ slug: ["The slug has already been taken."] });
    expect((await ws.call("PATCH", path, { body: { domain: null } })).status).toBe(422);
    expect((await ws.call("DELETE", path)).status).toBe(204);
    for (const address of [`https://${host}/${link.slug}`, `${SHORT}/${link.slug}`])
      expect((await get(address)).status).toBe(404);
  });

  it("filters a list, which finds a slug on every domain", async () => {
    const { ws, host } = await withDomain();
    const slug = unique();
    await linkOf(ws, { slug, domain: host });
    await linkOf(ws, { slug });
    const found = async (query: string) => {
      const { body } = await ws.call("GET", `/api/v1/links?${query}`);
      expect(body.meta.total).toBe(body.links.length);
      return body.links.map(({ domain }: { domain: string }) => domain).toSorted();
    };
    expect(await found(`domain=${host.toUpperCase()}`)).toEqual([host]);
    expect(await found("domain=s.example")).toEqual(["s.example"]);
    expect(await found(`domain=${hostname()}`)).toEqual([]);
    expect(await found(`slug=${slug}`)).toEqual([host, "s.example"].toSorted());
    expect(await found(`slug=${slug}&domain=${host}`)).toEqual([host]);
    expect(await found("sort=slug")).toEqual([host, "s.example"].toSorted());
    expect(await found(`q=${slug}&domain=s.example`)).toEqual(["s.example"]);
  });

  it("cannot be removed in use; removed, it leads nowhere until it is added again", async () => {
    const { ws, host } = await withDomain();
    const { link } = await linkOf(ws, { domain: host });
    await expect(removeDomain(ws.ctx, host)).rejects.toMatchObject({ status: 422 });
    await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { domain: "s.example" } });
    await removeDomain(ws.ctx, host);
    expect(await listDomains(ws.ctx)).toEqual([]);
    expect((await get(`https://${host}/${link.slug}`)).status).toBe(404);
    const other = await makeWorkspace();
    await expect(addDomain(other.ctx, host, true)).rejects.toMatchObject({ status: 422 });
    await addDomain(ws.ctx, host, true);
    expect(await leadsTo(`https://${host}/${link.slug}`)).toBe("https://www.example.com/");
  });

  it("that the operator releases is free with all its slugs for another workspace", async () => {
    const [{ ws, host }, other] = [await withDomain(), await makeWorkspace()];
    await expect(releaseDomain(serviceContext(), host)).rejects.toMatchObject({ status: 422 });
    const { link } = await linkOf(ws, { domain: host });
    await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { domain: "s.example" } });
    await removeDomain(ws.ctx, host);
    await release(host);
    await addDomain(other.ctx, host, true);
    expect((await get(`https://${host}/${link.slug}`)).status).toBe(404);
    const theirs = await linkOf(other, {
      domain: host,
      slug: link.slug,
      destination_url: "https://b.example/",
    });
    expect(theirs.link.short_url).toBe(`https://${host}/${link.slug}`);
    expect(await leadsTo(`https://${host}/${link.slug}`)).toBe("https://b.example/");
  });

  it("that is being released takes no link, also where a retired asset moves, and a second release takes what is left", async () => {
    const { ws, host } = await withDomain();
    const [one, two] = [await ws.link(), await ws.link()];
    await setPrimaryDomain(ws.ctx, host);
    const { id } = await createAsset(ws.ctx, { name: "Poster", link: one.id });
    await updateAsset(ws.ctx, id, { status: "retired" });
    await removeDomain(ws.ctx, host);
    await releaseDomain(serviceContext(), host);
    await updateAsset(ws.ctx, id, { link: two.id });
    const linked = () => selectValue`select count(link_id) from slugs where domain = ${host}`;
    expect(await linked()).toBe(0);
    await runSql`update slugs set link_id = (select max(id) from links where workspace_id = ${ws}) where domain = ${host} and asset is not null`;
    await release(host);
    expect([
      await linked(),
      await releaseDomain(serviceContext(), host).catch(({ status }) => status),
    ]).toEqual([0, 404]);
  });

  it("that the operator releases counts its slugs again if the same workspace adds it again", async () => {
    const { ws, host } = await withDomain();
    const claims = async () => {
      const [[row]] = await ws.ctx.db.read(selectUsage(ws.ctx.workspace.rowId));
      return row?.slug_claims;
    };
    const { link } = await linkOf(ws, { domain: host });
    await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { domain: "s.example" } });
    expect(await claims()).toBe(2);
    await removeDomain(ws.ctx, host);
    await release(host);
    expect(await claims()).toBe(1);
    await addDomain(ws.ctx, host, false);
    await removeDomain(ws.ctx, host);
    expect(await claims()).toBe(1);
    for (const again of [1, 2]) {
      await addDomain(ws.ctx, host, true);
      expect(await claims(), `${again}`).toBe(2);
      if (again === 1) await removeDomain(ws.ctx, host);
    }
    await linkOf(ws, { domain: host, slug: link.slug });
    expect(await claims()).toBe(2);
  });

  it("is refused if it is no public host name, the service's own, or the twenty-first", async () => {
    const ws = await makeWorkspace();
    for (const host of ["acme", "127.0.0.1", "s.example", "api.example", "a b.example", "go.localhost"])
      await expect(addDomain(ws.ctx, host, true), host).rejects.toMatchObject({ status: 422 });
    expect((await addDomain(ws.ctx, `go.${unique()}.s.example`, true)).state).toBe("verified");
    expect((await addDomain(ws.ctx, `Bücher-${unique()}.example.`, true)).host).toMatch(/^xn--bcher-/);
    for (let more = 2; more < 20; more++) await addDomain(ws.ctx, hostname(), true);
    await expect(addDomain(ws.ctx, hostname(), true)).rejects.toMatchObject({ status: 422 });
  });
});

it("the proof of a domain is a TXT record that a resolver finds; the mark of the host makes it active", async () => {
  const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
  const host = hostname();
  const { state, proof } = await addDomain(ws.ctx, host, false);
  expect([state, proof?.name]).toEqual(["pending", `_waymark.${host}`]);
  await addDomain(other.ctx, host, false);
  let records: object[] = [];
  let mark = "another";
  vi.stubGlobal("fetch", async (url: URL | string) =>
    String(url).includes("/.well-known/")
      ? Response.json({ installation: mark })
      : Response.json({ Status: 0, Answer: records }),
  );
  try {
    expect((await checkDomain(ws.ctx, host)).state).toBe("pending");
    records = [{ type: 16, data: '"waymark=" "wrong"' }];
    expect((await checkDomain(ws.ctx, host)).state).toBe("pending");
    records = [{ type: 16, data: JSON.stringify(proof?.value) }];
    expect((await checkDomain(other.ctx, host)).state).toBe("pending");
    expect((await checkDomain(ws.ctx, host)).state).toBe("verified");
    records = [];
    mark = ws.ctx.config.installation;
    expect(await checkDomain(ws.ctx, host)).toMatchObject({ state: "active", proof: null });
    expect((await checkDomain(other.ctx, host)).state).toBe("pending");
  } finally {
    vi.unstubAllGlobals();
  }
});

it("the mark of a host is read up to a kilobyte, whatever its body has", async () => {
  const { ws, host } = await withDomain();
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent++;
      controller.enqueue(new Uint8Array(500).fill(32));
    },
  });
  vi.stubGlobal("fetch", async () => new Response(endless));
  expect((await checkDomain(ws.ctx, host)).state).toBe("verified");
  vi.unstubAllGlobals();
  expect(sent).toBeLessThan(10);
});

it("an address that asks unknown hosts for their files is counted, and refused with one call of D1 a second", async () => {
  const { bindings } = limiters({ UNKNOWN_SLUG_RATE: 2 });
  const { env: own, trips } = counted({ ...otherInstance(), ...bindings });
  const statuses: number[] = [];
  for (let time = 0; time < 5; time++)
    statuses.push(
      (await get(`https://${hostname()}/robots.txt`, { "cf-connecting-ip": "203.0.113.7" }, own)).status,
    );
  expect(statuses).toEqual([404, 404, 429, 429, 429]);
  // Over its limit an address has one look-up a second, since the slug may exist.
  // Behind its first answer the instance asks for the list of doubts.
  expect(trips.d1).toBe(5);
});

it("a visit of a domain costs as much as one of the short host, and its unknown slug two reads of KV and one call of D1", async () => {
  const { ws, host } = await withDomain();
  const { slug } = (await linkOf(ws, { domain: host })).link;
  const { env: own, trips } = counted(otherInstance());
  const costOf = async (path: string) => {
    const before = { ...trips };
    await get(`https://${host}${path}`, {}, own);
    return [trips.kvReads - before.kvReads, trips.d1 - before.d1];
  };
  await visit("/no-slug", {}, own);
  expect(await costOf(`/${slug}`)).toEqual([1, 1]);
  expect(await costOf(`/${slug}`)).toEqual([0, 0]);
  expect(await costOf("/no.slug")).toEqual([0, 0]);
  await costOf("/");
  // The page shows what the workspace gave it, which D1 is asked for once.
  await costOf(`/${unique()}`);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await costOf(`/${unique()}`))[1]).toBe(1);
});
