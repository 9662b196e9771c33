import { describe, expect, it } from "vitest";
import type { Env } from "../../src/context";
import { getLinkDetails } from "../../src/resources/links/link-details";
import { changedWorkspace } from "../../src/resources/workspaces/workspace-schema";
import { updateWorkspace } from "../../src/resources/workspaces/workspace-service";
import { applyNow, ownD1 } from "../analytics/platform";
import { makeMember } from "../console/browser";
import { click } from "../console/clicks";
import { kvValue, makeWorkspace, otherInstance, type TestWorkspace, testEnv, visit } from "../harness";
import { selectValue } from "../sql";

const PERSON = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36";
const INSIDE = "192.0.2.77";
const OUTSIDE = "192.0.3.77";

const counting = (): Env => otherInstance({ ...testEnv, DB: ownD1(), CLICK_PACK_SECONDS: "0.01" });

const come = (slug: string, address: string | undefined, environment = counting()) =>
  visit(
    `/${slug}`,
    { headers: { "user-agent": PERSON, ...(address && { "cf-connecting-ip": address }) } },
    environment,
  );

const clicksOf = async ({ ctx }: TestWorkspace, id: string) => {
  await applyNow();
  return (await getLinkDetails(ctx, id)).visitTotals.clicks;
};

const setNetworks = ({ ctx }: TestWorkspace, own_networks: string | null) =>
  updateWorkspace(ctx, changedWorkspace.parse({ own_networks }));

describe("visits from a workspace's own networks", () => {
  it("are redirected and not counted, from D1, KV and memory", async () => {
    const ws = await makeWorkspace();
    const { id, slug, destination_url: url } = await ws.link();
    await setNetworks(ws, "192.0.2.0/24 2001:db8::/32");
    const instance = counting();
    for (const environment of [instance, instance, counting()]) {
      for (const address of [INSIDE, `::ffff:${INSIDE}`, "2001:db8:1::1"]) {
        const answer = await come(slug, address, environment);
        expect([answer.status, answer.headers.get("location")]).toEqual([302, url]);
      }
    }
    expect(await clicksOf(ws, id)).toBe(0);
    for (const address of [OUTSIDE, "2001:db9::1", undefined]) await come(slug, address, instance);
    expect(await clicksOf(ws, id)).toBe(3);
    expect(JSON.stringify(await kvValue(slug))).not.toContain("192.0.2");
  });

  it("count again without networks, and links that were in KV before hear of the first network", async () => {
    const ws = await makeWorkspace();
    const { id, slug } = await ws.link();
    await come(slug, INSIDE);
    expect(await kvValue(slug)).not.toHaveProperty("own_networks");
    await setNetworks(ws, "192.0.2.0/24");
    expect(await kvValue(slug)).toMatchObject({ own_networks: true });
    await come(slug, INSIDE);
    expect(await clicksOf(ws, id)).toBe(1);
    await setNetworks(ws, null);
    expect(await kvValue(slug)).not.toHaveProperty("own_networks");
    await come(slug, INSIDE);
    expect(await clicksOf(ws, id)).toBe(2);
  });

  it("count for other workspaces", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    await setNetworks(ws, INSIDE);
    const { id, slug } = await other.link();
    await come(slug, INSIDE);
    expect(await clicksOf(other, id)).toBe(1);
  });
});

it("owners set up to twenty networks in the settings, and what is none is refused", async () => {
  const { workspace, browser } = await makeMember();
  const page = `/app/${workspace.slug}/workspace`;
  const stored = () =>
    selectValue<string>`select own_networks from workspaces where slug = ${workspace.slug}`;
  const fields = { name: workspace.slug, shares_reports: "true", time_zone: "UTC" };
  const twenty = Array.from({ length: 20 }, (_, index) => `10.${index}.0.0/16`);
  expect((await browser.post(page, { ...fields, own_networks: twenty.join("\r\n") })).status).toBe(303);
  expect(JSON.parse((await stored()) ?? "")).toEqual(twenty);
  expect((await browser.get(page)).text).toContain("10.0.0.0/16\n10.1.0.0/16");
  const { id } = await workspace.link();
  await click(workspace, id, Date.now() - 86_400_000, { clicks: 1 });
  const said = async () =>
    (await browser.get(`/app/${workspace.slug}/links/${id}`)).text.includes("own networks are not counted");
  expect(await said()).toBe(true);
  for (const refused of [
    "10.0.0.1/16",
    "300.1.1.1",
    "10.0.0.0/33",
    "acme.example",
    "::1/129",
    [...twenty, "::1"].join(","),
  ]) {
    const answer = await browser.post(page, { ...fields, own_networks: refused });
    expect([answer.status, answer.text.includes("networks such as 192.0.2.0/24")], refused).toEqual([
      422,
      true,
    ]);
  }
  const tooWide = ["0.0.0.0/0", "0.0.0.0/7", "::/0", "2000::/15", "::/64", "::ffff:0:0/96"];
  for (const refused of [...tooWide, `10.0.0.0/8, ${tooWide[0]}`]) {
    const answer = await browser.post(page, { ...fields, own_networks: refused });
    expect([answer.status, answer.text.includes("a network wider than /8")], refused).toEqual([422, true]);
  }
  for (const taken of ["10.0.0.0/8", "2001::/16", "::ffff:10.0.0.0/104"])
    expect((await browser.post(page, { ...fields, own_networks: taken })).status, taken).toBe(303);
  expect((await browser.post(page, { ...fields, own_networks: "" })).status).toBe(303);
  expect(await stored()).toBeNull();
  expect(await said()).toBe(false);
});
