import { describe, expect, it } from "vitest";
import {
  type Asset,
  createAsset,
  createAssets,
  getAsset,
  listAssetsOfLink,
} from "../../src/engagement/service";
import { updateAsset } from "../../src/engagement/update";
import { makeWorkspace, SHORT, visit } from "../harness";

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

  it("goes with the asset to another link", async () => {
    const workspace = await makeWorkspace();
    const from = await workspace.link({ destination_url: "https://www.example.com/from" });
    const to = await workspace.link({ destination_url: "https://www.example.com/to" });
    const asset = await createAsset(workspace.ctx, { name: "Poster", link: from.id, status: "live" });
    expect(await destination(asset)).toBe("https://www.example.com/from");
    const moved = await updateAsset(workspace.ctx, asset.id, { link: to.slug });
    expect(moved).toMatchObject({ code: asset.code, link: { id: to.id, slug: to.slug } });
    expect(await destination(asset)).toBe("https://www.example.com/to");
    expect(await listAssetsOfLink(workspace.ctx, from.id)).toEqual([]);
    expect(await listAssetsOfLink(workspace.ctx, to.id)).toEqual([moved]);
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

describe("a batch of assets", () => {
  it("is created in its order, each with its own code", async () => {
    const workspace = await makeWorkspace();
    const link = await workspace.link();
    const assets = Array.from({ length: 200 }, (_, index) => ({ name: `Poster ${index}` }));
    const made = await createAssets(workspace.ctx, { link: link.slug, kind: "poster", assets });
    expect(made.map(({ name }) => name)).toEqual(assets.map(({ name }) => name));
    expect(new Set(made.map(({ code }) => code)).size).toBe(200);
    expect(await destination(made[199] ?? { code: null })).toBe("https://www.example.com/");
    await expect(createAsset(workspace.ctx, { name: "One more", link: link.id })).rejects.toMatchObject({
      status: 422,
      body: {
        errors: { link: ["The link may not have more than 200 Offline Engagement assets."] },
      },
    });
  });
});
