import { describe, expect, it } from "vitest";
import { systemRandom } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { messageOf } from "../../../src/lib/failure";
import { randomSlug } from "../../../src/lib/slug-text";
import { check } from "../../../src/lib/validation";
import { recountWorkspaces } from "../../../src/operations/consistency/doctor";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import { releaseSlug } from "../../../src/redirect/slugs/release-slug";
import { getAssetQr } from "../../../src/resources/engagement/asset-qr";
import { newAssets } from "../../../src/resources/engagement/asset-schema";
import {
  type Asset,
  createAsset,
  createAssets,
  getAsset,
  listAssetsOfLinks,
} from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { createLink } from "../../../src/resources/links/create-link";
import { dropSlug } from "../../../src/resources/links/drop-slug";
import { exportLinks } from "../../../src/resources/links/export-links";
import { importLinks } from "../../../src/resources/links/import-links";
import { getLinkDetails } from "../../../src/resources/links/link-details";
import { updateLink } from "../../../src/resources/links/update-link";
import type { QrOptions } from "../../../src/resources/qr/render";
import { withCommit } from "../../faulty";
import { counted, makeWorkspace, SHORT, serviceContext, type TestWorkspace, visit } from "../../harness";
import { selectRows, selectValue } from "../../sql";

const CODE = /^[a-z2-9]{7}$/;

const destination = async (asset: Pick<Asset, "code">): Promise<string | number | null> => {
  const response = await visit(`/${asset.code}`);
  return response.status === 302 ? response.headers.get("location") : response.status;
};

describe("an asset's code", () => {
  it("opens the asset's link, in every status of the asset", async () => {
    const workspace = await makeWorkspace();
    const link = await workspace.link({ destination_url: "https://www.example.com/a", utm_source: "poster" });
    const asset = await createAsset(workspace.ctx, { name: "Poster", link: link.id });
    expect(asset.code).toMatch(CODE);
    expect(asset.code_url).toBe(`${SHORT}/${asset.code}`);
    const target = "https://www.example.com/a?utm_source=poster";
    expect(await destination(asset)).toBe(target);
    for (const status of ["live", "retired"] as const) {
      expect((await updateAsset(workspace.ctx, asset.id, { status })).code).toBe(asset.code);
      expect([status, await destination(asset)]).toEqual([status, target]);
    }
    expect(await getAsset(workspace.ctx, asset.id)).toMatchObject({ code: asset.code });
  });

  it("is a tombstone when its link is deleted, and opens again when the asset is moved", async () => {
    const workspace = await makeWorkspace();
    const link = await workspace.link();
    const asset = await createAsset(workspace.ctx, { name: "Poster", link: link.id });
    expect(await destination(asset)).toBe("https://www.example.com/");
    await workspace.call("DELETE", `/api/v1/links/${link.id}`);
    expect(await destination(asset)).toBe(404);
    const other = await workspace.link({ destination_url: "https://www.example.com/other" });
    await updateAsset(workspace.ctx, asset.id, { link: other.id, status: "live" });
    expect(await destination(asset)).toBe("https://www.example.com/other");
  });
});

const slugsOf = async (ws: TestWorkspace): Promise<number | null> =>
  selectValue<number>`select slug_claims from workspaces where id = ${ws}`;

/** A link with an asset, and its code. */
async function withCode(ws: TestWorkspace) {
  const link = await ws.link();
  const asset = await createAsset(ws.ctx, { name: "Poster", link: link.id });
  return { link, asset, code: asset.code ?? "" };
}

describe("a code is no slug of its link", () => {
  it("it is not counted, not listed, not found, not exported and not dropped", async () => {
    const ws = await makeWorkspace();
    const { link, code } = await withCode(ws);
    expect(await slugsOf(ws)).toBe(1);
    expect((await getLinkDetails(ws.ctx, link.id)).old_slugs).toEqual([]);
    expect((await ws.call("GET", `/api/v1/links/${link.id}`)).body).toMatchObject({
      slug: link.slug,
      short_url: `${SHORT}/${link.slug}`,
    });
    expect((await ws.call("GET", `/api/v1/links?slug=${code}&status=all`)).body.links).toEqual([]);
    expect((await ws.call("GET", `/api/v1/links?q=${code}&status=all`)).body.links).toEqual([]);
    let exported = "";
    for await (const part of await exportLinks(ws.ctx)) exported += part;
    expect(exported).toContain(link.slug);
    expect(exported).not.toContain(code);
    await expect(dropSlug(ws.ctx, link.id, code)).rejects.toMatchObject({
      status: 422,
      body: { errors: { slug: ["The slug does not open this link."] } },
    });
    await expect(createAsset(ws.ctx, { name: "Sign", link: code })).rejects.toMatchObject({
      body: { errors: { link: ["No link of this workspace has this slug or ID."] } },
    });
    expect(await destination({ code })).toBe("https://www.example.com/");
  });

  it("a link may have a hundred slugs beside its codes, and a workspace its slug limit", async () => {
    const ws = await makeWorkspace();
    const old_slugs = Array.from({ length: 98 }, () => `s-${crypto.randomUUID()}`);
    const input = { destination_url: "https://www.example.com/", slug: unusedCode() };
    await importLinks(ws.ctx, "slugs", [{ number: 1, input, old_slugs }]);
    const [link] = (await ws.call("GET", "/api/v1/links")).body.links;
    await createAssets(ws.ctx, { link: link.id, assets: Array.from({ length: 150 }, () => ({ name: "P" })) });
    const unknown = await ws.call("PATCH", `/api/v1/links/${link.id}`, {
      body: { slug: `${link.slug}-other`, activity_group_id: "unknown" },
    });
    expect(Object.keys(unknown.body.errors)).toEqual(["activity_group_id"]);
    const last = await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { slug: `${link.slug}-1` } });
    expect(last.status).toBe(200);
    const refused = await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { slug: `${link.slug}-x` } });
    expect(refused.body.errors).toEqual({ slug: ["The link may not have more than 100 slugs."] });
    expect(await slugsOf(ws)).toBe(100);
    expect(
      (await recountWorkspaces(ws.ctx)).repaired.filter(({ workspace }) => workspace === ws.slug),
    ).toEqual([]);
  });

  const TAKEN = "The slug has already been taken.";
  const strict = { headers: { prefer: "handling=strict" } };

  it.each(["open", "a tombstone", "taken down"])("no link can claim it while it is %s", async (state) => {
    const ws = await makeWorkspace();
    const { link, code } = await withCode(ws);
    const other = await ws.link();
    if (state === "a tombstone") await ws.call("DELETE", `/api/v1/links/${link.id}`);
    if (state === "taken down") await takeDown(ws.ctx, link.id);
    const taken = { errors: { slug: [TAKEN] }, codes: { slug: ["taken"] } };
    for (const slug of [code, code.toUpperCase()]) {
      const created = await ws.call("POST", "/api/v1/links", {
        body: { destination_url: "https://www.example.com/", slug },
        ...strict,
      });
      expect([created.status, created.body]).toEqual([422, { message: TAKEN, ...taken }]);
      const renamed = await ws.call("PATCH", `/api/v1/links/${other.id}`, { body: { slug }, ...strict });
      expect([renamed.status, renamed.body]).toEqual([422, { message: TAKEN, ...taken }]);
    }
    if (state === "open") {
      const own = await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { slug: code }, ...strict });
      expect([own.status, own.body]).toEqual([422, { message: TAKEN, ...taken }]);
    }
    const destination_url = "https://a.example/";
    const imported = await importLinks(ws.ctx, "both", [
      { number: 1, input: { destination_url, slug: code } },
      { number: 2, input: { destination_url }, old_slugs: [code] },
    ]);
    expect(imported.refused).toEqual([
      { number: 1, errors: [{ field: "slug", message: TAKEN }] },
      {
        number: 2,
        errors: [{ field: "old_slugs", message: `The old slug ${code} has already been taken.` }],
      },
    ]);
    const foreign = await makeWorkspace();
    const claimed = await foreign.call("POST", "/api/v1/links", {
      body: { destination_url: "https://www.example.com/", slug: code },
      ...strict,
    });
    expect(claimed.body).toEqual({ message: TAKEN, ...taken });
    if (state !== "taken down") {
      await expect(releaseSlug(serviceContext(), code, foreign.slug)).rejects.toMatchObject({
        status: 422,
        body: { message: `The slug ${code} is the code of an Offline Engagement asset.` },
      });
    }
    expect(await slugsOf(ws)).toBe(2);
  });

  it.each(["created", "renamed", "imported"])(
    "a link that is %s while the code is made is refused",
    async (how) => {
      const ws = await makeWorkspace();
      const [link, other] = [await ws.link(), await ws.link()];
      const slug = unusedCode();
      let made: Asset | undefined;
      const { DB } = withCommit((send) => async (statements) => {
        const random = (bytes: number) =>
          bytes === 7 ? bytesOf(slug) : crypto.getRandomValues(new Uint8Array(bytes));
        made ??= await createAsset({ ...ws.ctx, random }, { name: "Poster", link: link.id });
        return send(statements);
      });
      const ctx = { ...ws.ctx, db: createDatabase(DB) };
      const input = { destination_url: "https://www.example.com/other" };
      const refused = { status: 422, body: { errors: { slug: [TAKEN] } } };
      if (how === "created") await expect(createLink(ctx, { ...input, slug })).rejects.toMatchObject(refused);
      if (how === "renamed") await expect(updateLink(ctx, other.id, { slug })).rejects.toMatchObject(refused);
      if (how === "imported") {
        const result = await importLinks(ctx, "race", [{ number: 1, input: { ...input, slug } }]);
        expect(result.refused).toEqual([{ number: 1, errors: [{ field: "slug", message: TAKEN }] }]);
      }
      expect(made?.code).toBe(slug);
      expect(await destination({ code: slug })).toBe("https://www.example.com/");
    },
  );

  it("an asset whose first code is claimed gets another one", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const taken = unusedCode();
    let asked = 0;
    const random = (bytes: number) =>
      asked++ === 0 ? bytesOf(taken) : crypto.getRandomValues(new Uint8Array(bytes));
    await ws.link({ slug: taken });
    const asset = await createAsset({ ...ws.ctx, random }, { name: "Poster", link: link.id });
    expect(asked).toBeGreaterThan(1);
    expect(asset.code).not.toBe(taken);
    expect(await destination(asset)).toBe("https://www.example.com/");
  });
});

/** A text that `randomSlug` could make, and that nobody has claimed. */
const unusedCode = (): string => randomSlug(systemRandom);

/** Random bytes of which `randomSlug` makes this text. */
const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text, (letter) => "abcdefghjkmnpqrstuvwxyz23456789".indexOf(letter));

describe("an asset", () => {
  const LINK_TAKEN_DOWN = { status: 422, body: { errors: { link: ["The link has been taken down."] } } };
  const CODE_TAKEN_DOWN = {
    status: 422,
    body: {
      errors: {
        link: ["The link of this poster has been taken down, and its code with it."],
      },
    },
  };

  it("shows the page of a takedown, and cannot leave it, not even after its link's deletion", async () => {
    const ws = await makeWorkspace();
    const { link, asset, code } = await withCode(ws);
    const other = await ws.link({ destination_url: "https://www.example.com/other" });
    const lone = await createAsset(ws.ctx, { name: "Lone", link: other.id });
    await takeDown(ws.ctx, code);
    expect((await (await visit(`/${code}`)).text()).includes("taken down")).toBe(true);
    await expect(createAsset(ws.ctx, { name: "New", link: link.id })).rejects.toMatchObject(LINK_TAKEN_DOWN);
    await expect(updateAsset(ws.ctx, lone.id, { link: link.id })).rejects.toMatchObject(LINK_TAKEN_DOWN);
    await expect(updateAsset(ws.ctx, asset.id, { link: other.id })).rejects.toMatchObject(CODE_TAKEN_DOWN);
    expect((await updateAsset(ws.ctx, asset.id, { status: "live", place: "Hall" })).place).toBe("Hall");
    await updateAsset(ws.ctx, asset.id, { status: "retired" });
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    expect((await (await visit(`/${code}`)).text()).includes("taken down")).toBe(true);
    await expect(updateAsset(ws.ctx, asset.id, { link: other.id })).rejects.toMatchObject(CODE_TAKEN_DOWN);
    await endTakedown(ws.ctx, code);
    expect(await destination(asset)).toBe(404);
    await updateAsset(ws.ctx, asset.id, { link: other.id });
    expect(await destination(asset)).toBe("https://www.example.com/other");
  });

  it("moves only to a link of its own workspace", async () => {
    const [ws, foreign] = [await makeWorkspace(), await makeWorkspace()];
    const { link, asset } = await withCode(ws);
    const elsewhere = await withCode(foreign);
    const unknown = {
      status: 422,
      body: { errors: { link: ["No link of this workspace has this slug or ID."] } },
    };
    for (const to of [elsewhere.link.id, elsewhere.code, asset.code ?? ""])
      await expect(updateAsset(ws.ctx, asset.id, { link: to })).rejects.toMatchObject(unknown);
    await expect(updateAsset(foreign.ctx, asset.id, { link: elsewhere.link.id })).rejects.toMatchObject({
      status: 404,
    });
    expect(await getAsset(ws.ctx, asset.id)).toEqual(asset);
    expect((await listAssetsOfLinks(foreign.ctx, [link.id])).items).toEqual([]);
    expect(await updateAsset(ws.ctx, asset.id, { link: link.slug })).toEqual(asset);
  });

  it("of a deleted link is not moved to that link", async () => {
    const ws = await makeWorkspace();
    const { link, asset } = await withCode(ws);
    await updateAsset(ws.ctx, asset.id, { status: "retired" });
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    await expect(updateAsset(ws.ctx, asset.id, { link: link.id })).rejects.toMatchObject({ status: 422 });
  });

  it("keeps its old link from being deleted only while it is on it", async () => {
    const ws = await makeWorkspace();
    const { link, asset } = await withCode(ws);
    const other = await ws.link({ status: "active" });
    await updateAsset(ws.ctx, asset.id, { status: "live" });
    await updateAsset(ws.ctx, asset.id, { link: other.id, name: "Moved" });
    expect((await ws.call("DELETE", `/api/v1/links/${link.id}`)).status).toBe(204);
    expect((await ws.call("DELETE", `/api/v1/links/${other.id}`)).status).toBe(422);
    const results = await selectRows`select action, before ->> 'link' as was, change ->> 'link' as link
      from audit_log where subject = ${asset.id} order by id`;
    expect(results).toEqual([
      { action: "asset.create", was: null, link: link.id },
      { action: "asset.update", was: link.id, link: null },
      { action: "asset.update", was: link.id, link: other.id },
    ]);
  });

  it("takes two D1 calls to create or update, and three to move", async () => {
    const ws = await makeWorkspace();
    const { asset } = await withCode(ws);
    const other = await ws.link();
    const { env: environment, trips } = counted();
    const ctx = { ...ws.ctx, db: createDatabase(environment.DB) };
    const callsOf = async (act: () => Promise<unknown>): Promise<number> => {
      const before = trips.d1;
      await act();
      return trips.d1 - before;
    };
    expect(await callsOf(() => createAsset(ctx, { name: "P", link: other.id }))).toBe(2);
    const assets = Array.from({ length: 100 }, (_, index) => ({ name: `P${index}` }));
    expect(await callsOf(() => createAssets(ctx, { link: other.id, assets }))).toBe(2);
    expect(await callsOf(() => updateAsset(ctx, asset.id, { name: "Q" }))).toBe(2);
    // The fourth records the push, behind the answer.
    expect(await callsOf(() => updateAsset(ctx, asset.id, { link: other.id }))).toBeLessThanOrEqual(4);
  });
});

describe("a batch of assets", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Poster ${index}` }));
  const FULL = {
    status: 422,
    body: { errors: { link: ["The link may not have more than 200 posters."] } },
  };

  it("is created in its order, each with its own code", async () => {
    const workspace = await makeWorkspace();
    const link = await workspace.link();
    const made = await createAssets(workspace.ctx, { link: link.slug, kind: "poster", assets: many(200) });
    expect(made.map(({ name, kind, status }) => [name, kind, status])).toEqual(
      many(200).map(({ name }) => [name, "poster", "draft"]),
    );
    expect(new Set(made.map(({ code }) => code)).size).toBe(200);
    expect((await listAssetsOfLinks(workspace.ctx, [link.id])).items).toEqual(made);
    expect(await destination(made[199] ?? { code: "" })).toBe("https://www.example.com/");
    const results = await selectRows`select subject, change ->> 'code' as code from audit_log
      where workspace_id = ${workspace} and action = 'asset.create' order by subject`;
    expect(results).toEqual(made.map(({ id, code }) => ({ subject: id, code })));
    await expect(createAsset(workspace.ctx, { name: "One more", link: link.id })).rejects.toMatchObject(FULL);
    const other = await createAsset(workspace.ctx, { name: "Other", link: (await workspace.link()).id });
    await expect(updateAsset(workspace.ctx, other.id, { link: link.id })).rejects.toMatchObject(FULL);
  });

  it("is refused as a whole if the link has no room for all of it", async () => {
    const workspace = await makeWorkspace();
    const link = await workspace.link();
    await createAssets(workspace.ctx, { link: link.id, assets: many(150) });
    await expect(createAssets(workspace.ctx, { link: link.id, assets: many(51) })).rejects.toMatchObject(
      FULL,
    );
    expect((await listAssetsOfLinks(workspace.ctx, [link.id])).items).toHaveLength(150);
    expect(await createAssets(workspace.ctx, { link: link.id, assets: many(50) })).toHaveLength(50);
  });

  it("has errors keyed by the index of the asset", () => {
    const failures = (input: object) => {
      const result = check(newAssets, input);
      return result.ok ? [] : result.failures.map((failure) => [failure.field, messageOf(failure)]);
    };
    expect(failures({ link: "l", kind: "poster", assets: many(200) })).toEqual([]);
    expect(failures({ link: "l", assets: many(201) })).toEqual([
      ["assets", "The assets field must not have more than 200 items."],
    ]);
    expect(failures({ link: "l", assets: [] })).toEqual([["assets", "The assets field is required."]]);
    const wrong = [
      { name: " A ", place: " ", quantity: " 3 " },
      { name: " " },
      { name: "x".repeat(101), quantity: "many" },
      "D",
    ];
    expect(failures({ link: "l", assets: wrong })).toEqual([
      ["assets.1.name", "The assets.1.name field is required."],
      ["assets.2.name", "The assets.2.name field must not be greater than 100 characters."],
      ["assets.2.quantity", "The assets.2.quantity field must be an integer."],
      ["assets.3", "The assets.3 field must be an object."],
    ]);
  });

  it("and moves at once leave exactly 200 assets on a link", async () => {
    const workspace = await makeWorkspace();
    const [link, other] = [await workspace.link(), await workspace.link()];
    await createAssets(workspace.ctx, { link: link.id, assets: many(180) });
    const movers = await createAssets(workspace.ctx, { link: other.id, assets: many(12) });
    const attempts = [
      ...movers.map(
        ({ id }) =>
          () =>
            updateAsset(workspace.ctx, id, { link: link.id }),
      ),
      ...many(12).map((asset) => () => createAsset(workspace.ctx, { ...asset, link: link.id })),
      ...[3, 4, 5].map((size) => () => createAssets(workspace.ctx, { link: link.id, assets: many(size) })),
    ];
    const outcomes = await Promise.allSettled(attempts.map((attempt) => attempt()));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(FULL);
    }
    expect((await listAssetsOfLinks(workspace.ctx, [link.id])).items).toHaveLength(200);
  });
});

it("the QR file of an asset is 404 while its link is archived", async () => {
  const ws = await makeWorkspace();
  const { link, asset } = await withCode(ws);
  const options: QrOptions = { format: "svg", size: 472, margin: 4, ecc: "M" };
  expect((await getAssetQr(ws.ctx, asset.id, options)).slug).toBe(asset.code);
  await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { status: "archived" } });
  await expect(getAssetQr(ws.ctx, asset.id, options)).rejects.toMatchObject({
    status: 404,
    body: { message: "This poster has no QR code: its link is archived." },
  });
});
