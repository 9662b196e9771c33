import { describe, expect, it } from "vitest";
import { widthWithoutBorder } from "../../../src/console/print/print-settings";
import { type Asset, createAsset, createAssets } from "../../../src/resources/engagement/asset-service";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { rasterise, read } from "../../resources/qr/decode";
import { unzip } from "../../unzip";
import { makeMember, openBrowser } from "../browser";

const UNKNOWN = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";

const pathOf = ({ slug }: TestWorkspace, page = "print"): string => `/app/${slug}/assets/${page}`;

const idsOf = (assets: readonly Pick<Asset, "id">[]): string => assets.map(({ id }) => `id=${id}`).join("&");

/** What the codes on a sheet have, in their order. */
const printed = (text: string): string[] =>
  Array.from(
    text.matchAll(/<img class="qr" src="data:image\/svg\+xml,([^"]*)"/g),
    ([, svg = ""]) => read(rasterise(decodeURIComponent(svg))) ?? "",
  );

/** The assets that are offered, each with whether it is chosen. */
const offered = (text: string): [id: string, isChosen: boolean][] =>
  Array.from(text.matchAll(/name="id" value="(\w+)"( checked="")?/g), ([, id, checked]) => [
    id ?? "",
    checked !== undefined,
  ]);

it("a size is that of the code with its white border, and says what the code itself has", () => {
  // 25 and 29 squares, with four white ones on each side.
  expect(widthWithoutBorder("https://s.example/abc", 50)).toBe(38);
  expect(widthWithoutBorder("https://s.example/a-much-longer-slug", 50)).toBe(39);
  expect(widthWithoutBorder("https://s.example/a-much-longer-slug", 25)).toBe(20);
});

const make = async (workspace: TestWorkspace, names: readonly string[], link?: { id: string }) =>
  createAssets(workspace.ctx, {
    link: (link ?? (await workspace.link())).id,
    assets: names.map((name) => ({ name, place: `At ${name}` })),
  });

describe("a print sheet", () => {
  it("has the chosen assets, and its address keeps the choice and the settings", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const [one, two, three] = (await make(workspace, ["One", "Two", "Three"])) as [Asset, Asset, Asset];
    const { status, text, headers } = await browser.get(
      `${pathOf(workspace)}?link=${one.link.id}&id=${three.id}&id=${one.id}&columns=2&size=35&caption=none&caption=name&marks=1`,
    );
    expect(status).toBe(200);
    expect(printed(text)).toEqual([one.code_url, three.code_url]);
    expect(offered(text)).toEqual([
      [one.id, true],
      [three.id, true],
      [two.id, false],
    ]);
    const nonce = /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1];
    expect(text).toContain(
      `<style nonce="${nonce}">.sheet { --columns: 2; --code: 35mm; --cell: 35mm; --space: 4mm; }`,
    );
    expect(text).toContain('<ul class="sheet marked">');
    expect(text).toMatch(/<input type="number" value="2"[^>]* name="columns"/);
    expect(text).toMatch(/<input type="number" value="35"[^>]* name="size"/);
    expect(text).toContain('name="caption" value="name" checked=""');
    expect(text).toContain('name="caption" value="place"/>');
    expect(text).toContain('name="marks" value="1" checked=""');
    expect(text).toContain(`<input type="hidden" name="link" value="${one.link.id}"/>`);
    expect(text).toContain("<figcaption><strong><bdi>One</bdi></strong></figcaption>");
  });

  it("has the address of the preview page, with words before it in the language that was chosen", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const [{ id, code }] = (await make(workspace, ["One"])) as [Asset];
    const captions = async (more: string) => {
      const { status, text } = await browser.get(
        `${pathOf(workspace)}?id=${id}&caption=none&caption=preview${more}`,
      );
      const caption = /<figcaption>(.*?)<\/figcaption>/.exec(text)?.[1] ?? "";
      return [status, caption.replaceAll(/<(?!span lang)[^>]*>/g, "")];
    };
    const address = `s.example/${code}+`;
    expect(await captions("")).toEqual([200, address]);
    expect(await captions("&words=")).toEqual([200, address]);
    expect(await captions("&words=de")).toEqual([200, `<span lang="de">Wohin dieser Link führt: ${address}`]);
    expect(await captions("&words=fr")).toEqual([200, `<span lang="fr">Où mène ce lien\u00a0: ${address}`]);
    expect(await captions("&words=xx")).toEqual([200, address]);
    const { text } = await browser.get(`${pathOf(workspace)}?id=${id}&words=it`);
    expect(text).toContain('<option value="it" selected="">Italian: Dove porta questo link</option>');
  });

  it("has all assets of a link or of the links of a group that are not retired", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const group = await workspace.group({ status: "active" });
    const link = await workspace.link({ activity_group_id: group.id });
    const [one] = await make(workspace, ["One"], link);
    const gone = await createAsset(workspace.ctx, { name: "Gone", link: link.id, status: "retired" });
    const [two] = await make(workspace, ["Two"], await workspace.link({ activity_group_id: group.id }));
    await make(workspace, ["Elsewhere"]);
    const { text } = await browser.get(`${pathOf(workspace)}?link=${link.id}`);
    expect(printed(text)).toEqual([one?.code_url]);
    expect(offered(text)).toEqual([
      [gone.id, false],
      [one?.id, true],
    ]);
    const ofGroup = await browser.get(`${pathOf(workspace)}?group=${group.id}`);
    expect(printed(ofGroup.text)).toEqual([one?.code_url, two?.code_url]);
    expect((await browser.get(`/app/${workspace.slug}/groups/${group.id}/print`)).text).toContain(
      `href="${pathOf(workspace)}?group=${group.id}"`,
    );
  });

  it("leaves out an asset whose link is archived, and says so", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const [asset] = (await make(workspace, ["One"])) as [Asset];
    const [archived] = (await make(workspace, ["Two"])) as [Asset];
    await workspace.call("PATCH", `/api/v1/links/${archived.link.id}`, { body: { status: "archived" } });
    const { text } = await browser.get(`${pathOf(workspace)}?${idsOf([asset, archived])}`);
    expect(printed(text)).toEqual([asset.code_url]);
    expect(text).toContain(
      "1 poster not on the sheet: nothing new is printed with an archived or deleted link.",
    );
    const none = await browser.get(`${pathOf(workspace)}?${idsOf([archived])}`);
    expect([none.status, printed(none.text)]).toEqual([200, []]);
  });
});

it("the order of a print sheet is that of the names, numbers by their value, and of the places for one name", async () => {
  const { workspace, browser } = await makeMember("viewer");
  const { id: link } = await workspace.link();
  const assets = [
    ["Poster 10", null],
    ["poster 2", null],
    ["Flyer", "Gate 11"],
    ["Flyer", "Gate 9"],
    ["Flyer", null],
  ] as const;
  const made = await createAssets(workspace.ctx, {
    link,
    assets: assets.map(([name, place]) => ({ name, place })),
  });
  const ordered = [4, 3, 2, 1, 0].map((index) => made[index]?.code_url);
  for (const query of [`link=${link}`, idsOf(made)]) {
    const { text } = await browser.get(`${pathOf(workspace)}?${query}`);
    expect(printed(text)).toEqual(ordered);
    expect(text).toContain("The codes are ordered by name, those with one name by their place.");
  }
  const { bytes } = await browser.download(`${pathOf(workspace, "qr.zip")}?${idsOf(made)}`);
  expect(unzip(bytes).map(([name]) => /^\d+-(?:flyer|poster-\d+)/.exec(name)?.[0])).toEqual([
    "01-flyer",
    "02-flyer",
    "03-flyer",
    "04-poster-2",
    "05-poster-10",
  ]);
});

describe.each(["print", "qr.zip"] as const)("the choice of %s", (page) => {
  it("is 404 with an asset, link or group of another workspace or of nobody", async () => {
    const { workspace, browser } = await makeMember();
    const own = await make(workspace, ["Mine"]);
    const other = await makeWorkspace();
    const group = await other.group({ status: "active" });
    const strange = await make(other, ["Theirs"], await other.link({ activity_group_id: group.id }));
    for (const query of [
      idsOf(strange),
      idsOf([...own, ...strange]),
      `link=${strange[0]?.link.id}`,
      `group=${group.id}`,
      `id=${UNKNOWN}`,
      "id=nonsense",
      `link=${UNKNOWN}`,
    ]) {
      const { status, text } = await browser.get(`${pathOf(workspace, page)}?${query}`);
      expect([query, status]).toEqual([query, 404]);
      expect(text).not.toContain("Theirs");
      expect(text).not.toContain(strange[0]?.code);
    }
    expect((await browser.get(`${pathOf(other, page)}?${idsOf(strange)}`)).status).toBe(404);
    expect((await openBrowser().get(`${pathOf(workspace, page)}?${idsOf(own)}`)).status).toBe(303);
  });

  it("takes 200 assets and not more", async () => {
    const { workspace, browser } = await makeMember();
    const names = Array.from({ length: 200 }, (_, index) => `No ${index}`);
    const most = await make(workspace, names);
    expect((await browser.download(`${pathOf(workspace, page)}?${idsOf(most)}`)).status).toBe(200);
    const [more] = (await make(workspace, ["One more"])) as [Asset];
    const refused = await browser.get(`${pathOf(workspace, page)}?${idsOf([...most, more])}`);
    expect([refused.status, refused.text.includes("At most 200 posters")]).toEqual([422, true]);
  });
});

it("offers the first 200 assets of a group, and says if there are more", async () => {
  const { workspace, browser } = await makeMember("viewer");
  const group = await workspace.group();
  const fill = async (count: number) => {
    const link = await workspace.link({ activity_group_id: group.id });
    const assets = Array.from({ length: count }, () => ({ name: "Poster" }));
    await createAssets(workspace.ctx, { link: link.id, assets });
  };
  const sheet = async () => (await browser.get(`${pathOf(workspace)}?group=${group.id}`)).text;
  const remark = `There are more posters of the group ${group.name}.`;
  await fill(200);
  expect(await sheet()).not.toContain(remark);
  await fill(1);
  expect(offered(await sheet())).toHaveLength(200);
  expect(await sheet()).toContain(remark);
});
