import { describe, expect, it } from "vitest";
import { listAssets } from "../../../src/resources/engagement/asset-service";
import { SHORT, type TestWorkspace } from "../../harness";
import { decodePng, rasterise, read } from "../../resources/qr/decode";
import { unzip } from "../../unzip";
import { makeMember } from "../browser";
import { withoutDensity } from "./density";

const pathOf = ({ slug }: TestWorkspace, page = "several"): string => `/app/${slug}/assets/${page}`;

/** Forty places as a spreadsheet is pasted. */
const FORTY = Array.from(
  { length: 40 },
  (_, index) => `Poster ${index + 1}\tZürich, Platz ${index + 1}\t${index + 2}`,
);

const form = (list: string, fields: Record<string, string> = {}) => ({
  kind: "poster",
  status: "live",
  list,
  ...fields,
});

describe("forty posters with their places", () => {
  it("are created from a pasted list, printed on a sheet, and packed with codes that decode", async () => {
    const { workspace, browser } = await makeMember("editor");
    const link = await workspace.link();
    const path = pathOf(workspace);
    const list = FORTY.join("\r\n");

    const checked = await browser.post(path, form(list, { link: `${SHORT}/${link.slug}` }));
    expect(checked.status).toBe(200);
    expect(checked.text).toContain(`40 posters of /${link.slug}`);
    expect(await listAssets(workspace.ctx)).toEqual([]);

    const created = await browser.post(path, form(list, { link: link.slug, do: "create" }));
    expect(created.status).toBe(303);
    const assets = await listAssets(workspace.ctx);
    expect(
      assets.map(({ name, place, quantity, kind, status }) => [name, place, quantity, kind, status]),
    ).toEqual(
      FORTY.map((line) => line.split("\t")).map(([name, place, quantity]) => [
        name,
        place,
        Number(quantity),
        "poster",
        "live",
      ]),
    );

    const ids = assets.map(({ id }) => `id=${id}`).join("&");
    expect(created.location).toBe(`${pathOf(workspace, "print")}?${ids}`);
    const sheet = await browser.get(created.location ?? "");
    expect(sheet.status).toBe(200);
    expect(sheet.text).toContain("40 live posters are created.");
    expect(sheet.text.match(/<img class="qr"/g)).toHaveLength(40);
    for (const { code_url: url } of assets) expect(sheet.text).toContain(`" alt="QR code of ${url}"`);

    const zip = `${pathOf(workspace, "qr.zip")}?format=both&print=25&${ids}`;
    const { headers, bytes } = await browser.download(zip);
    expect(headers.get("content-type")).toBe("application/zip");
    expect(headers.get("content-disposition")).toBe('attachment; filename="qr-codes.zip"');
    const files = unzip(bytes);
    expect(files.map(([name]) => name)).toEqual(
      assets.flatMap(({ code }, index) => {
        const base = `${String(index + 1).padStart(2, "0")}-poster-${index + 1}-zurich-platz-${index + 1}-${code}`;
        return [`${base}.svg`, `${base}.png`];
      }),
    );
    for (const [index, [name, file]] of files.entries()) {
      const image = name.endsWith(".png")
        ? await decodePng(withoutDensity(file))
        : rasterise(new TextDecoder().decode(file));
      expect([name, read(image)]).toEqual([name, assets[Math.floor(index / 2)]?.code_url]);
    }
  });

  it("come from a CSV file too, whose text stays in the form", async () => {
    const { workspace, browser } = await makeMember("editor");
    const link = await workspace.link();
    const file = new File(["\uFEFFOrt;Anzahl\r\nBern;3\r\nThun;viele\r\n"], "orte.csv", { type: "text/csv" });
    const wrong = await browser.post(pathOf(workspace), { ...form("", { link: link.id }), file });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("1 line of 2 cannot be used.");
    expect(wrong.text).toContain("The quantity must be a whole number.");
    expect(wrong.text).toContain("Ort;Anzahl\nBern;3\nThun;viele\n</textarea>");
    const both = await browser.post(pathOf(workspace), { ...form("Bern", { link: link.id }), file });
    expect(both.status).toBe(422);
    expect(both.text).toContain("Give a list or a file, not both.");
    const excel = new File([Uint8Array.of(0x50, 0x4b, 3, 4)], "orte.xlsx");
    const archive = await browser.post(pathOf(workspace), { ...form("", { link: link.id }), file: excel });
    expect(archive.text).toContain("The file is a spreadsheet or an archive");
    expect(await listAssets(workspace.ctx)).toEqual([]);
  });
});

it("a list with errors creates nothing, says which line is wrong, and keeps what was typed", async () => {
  const { workspace, browser } = await makeMember("editor");
  const link = await workspace.link();
  const list = 'name;place;quantity\nA;"<b>Bern</b>";1\nB;Thun;x\n;Biel;2';
  for (const step of ["check", "create"]) {
    const page = await browser.post(
      pathOf(workspace),
      form(list, { link: link.slug, do: step, kind: "signage" }),
    );
    expect(page.status).toBe(422);
    expect(page.text).toContain("2 lines of 3 cannot be used. Correct the list, and check it again.");
    expect(page.text).toContain("Enter the name.");
    expect(page.text).toContain(
      "name;place;quantity\nA;&quot;&lt;b&gt;Bern&lt;/b&gt;&quot;;1\nB;Thun;x\n;Biel;2</textarea>",
    );
    expect(page.text).toContain(`value="${link.slug}"`);
    expect(page.text).toContain('<option value="signage" selected');
    expect(page.text).toContain('<option value="live" selected');
    expect(page.text).not.toContain('value="create"');
  }
  expect(await listAssets(workspace.ctx)).toEqual([]);
});

it("adding several assets does not create an asset that was retired", async () => {
  const { workspace, browser } = await makeMember("editor");
  const link = await workspace.link();
  const page = await browser.post(
    pathOf(workspace),
    form("Bern", { link: link.id, do: "create", status: "retired" }),
  );
  expect([page.status, await listAssets(workspace.ctx)]).toEqual([422, []]);
});
