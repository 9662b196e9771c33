import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { setLogo } from "../../src/resources/branding/branding-service";
import {
  createCodeBranding,
  listCodeBrandings,
} from "../../src/resources/code-brandings/code-branding-service";
import { addDomain } from "../../src/resources/domains/domain-service";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { qrMatrix, renderPng } from "../../src/resources/qr/render";
import type { TestWorkspace } from "../harness";
import { unzip } from "../unzip";
import { makeMember, signInAs } from "./browser";
import { fieldsOf, wordsIn } from "./form-fields";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="alert(1)"><path d="M0 0h9v9z"/></svg>';
const BLUE = { name: "Posters in blue", colour: "#0b3d91", logo: "none", call: "" };
const INPUT = { ...BLUE, logo: "none" as const, call: null };

const fileOf = (text: string, name = "logo.svg") => new File([text], name);

/** The code that a form was sent to see, as SVG. */
const shownOn = (text: string): string =>
  decodeURIComponent(
    /<figure [^>]*id="shown"[^>]*><img class="qr" src="data:image\/svg\+xml,([^"]*)"/.exec(text)?.[1] ?? "",
  );

const brandingsOf = ({ slug }: TestWorkspace, more = "") => `/app/${slug}/brandings${more}`;

describe("brandings of codes", () => {
  it("are saved, shown, edited and deleted, and the trail says so without their logo", async () => {
    const { workspace, browser } = await makeMember("editor");
    const page = brandingsOf(workspace);
    const fields = { ...BLUE, logo: "own", call: "Scan <me>" };
    const saved = await browser.post(page, { ...fields, file: fileOf(SVG) });
    expect([saved.status, saved.location], saved.text).toEqual([303, page]);
    const [branding] = await listCodeBrandings(workspace.ctx);
    expect(branding).toMatchObject({
      name: BLUE.name,
      colour: BLUE.colour,
      call: "Scan <me>",
      logo_of: "own",
    });
    expect(atob(branding?.logo?.split(",")[1] ?? "")).toBe(
      SVG.replace(' onload="alert(1)"', "").replace("/>", "></path>"),
    );
    expect(wordsIn((await browser.get(page)).text)).toContain("Posters in blue");

    const own = `${page}/${branding?.id}`;
    const { etag = "" } = fieldsOf(await browser.get(own));
    // Without a file the logo stays.
    const changed = await browser.post(own, { ...fields, colour: "#7F1D1D", etag: String(etag) });
    expect(changed.status, changed.text).toBe(303);
    expect(await listCodeBrandings(workspace.ctx)).toMatchObject([
      { colour: "#7f1d1d", logo: branding?.logo },
    ]);
    const stale = await browser.post(own, { ...fields, etag: String(etag) });
    expect(stale.status).toBe(412);

    await browser.post(`${own}/delete`);
    expect(await listCodeBrandings(workspace.ctx)).toEqual([]);
    const trail = await browser.get(`/app/${workspace.slug}/audit?action=branding`);
    for (const done of ["saved the branding", "edited the branding", "deleted the branding"])
      expect(wordsIn(trail.text)).toContain(done);
    expect(trail.text).not.toContain("M0 0h9v9z");
  });

  it.each([
    [{ ...BLUE, colour: "#0f766e" }, "its contrast to white must be at least 7 to 1"],
    [{ ...BLUE, colour: "blue" }, "must be a colour such as #0b3d91"],
    [{ ...BLUE, call: "x".repeat(25) }, "must not have more than 24 characters"],
    [{ ...BLUE, name: "" }, "Enter the name."],
    [{ ...BLUE, name: "TAKEN" }, "The name is taken."],
    [{ ...BLUE, logo: "own" }, "Choose an SVG or a PNG."],
    [{ ...BLUE, logo: "pages" }, "Pages for visitors have no logo yet."],
  ])("are not saved as %j", async (fields, message) => {
    const { workspace, browser } = await makeMember("editor");
    await createCodeBranding(workspace.ctx, { ...INPUT, name: "Taken" });
    const answer = await browser.post(brandingsOf(workspace), fields);
    expect([answer.status, wordsIn(answer.text).includes(message)], answer.text).toEqual([422, true]);
    expect(await listCodeBrandings(workspace.ctx)).toHaveLength(1);
  });

  it("say which darker colour may be taken in place of one that is too light", async () => {
    const { workspace, browser } = await makeMember("editor");
    const refused = await browser.post(brandingsOf(workspace), { ...BLUE, colour: "#0F766E" });
    expect(wordsIn(refused.text)).toContain(
      "and is 5.4 to 1. The nearest colour that is dark enough is #0c645d.",
    );
    const saved = await browser.post(brandingsOf(workspace), { ...BLUE, colour: "#0c645d" });
    expect(saved.status).toBe(303);
  });

  it("are shown with what a form has, which is not saved", async () => {
    const { workspace, browser } = await makeMember("editor");
    const page = brandingsOf(workspace);
    const form = { ...BLUE, name: "", do: "show" };
    const shown = await browser.post(page, { ...form, call: "Scan <me>", logo: "own", file: fileOf(SVG) });
    expect(shown.status).toBe(200);
    const svg = shownOn(shown.text);
    expect(svg).toContain('fill="#0b3d91"');
    expect(svg).toContain("Scan &#60;me&#62;");
    expect(svg).toContain('xlink:href="data:image/svg+xml;base64,');
    expect(fieldsOf(shown)).toMatchObject({ colour: BLUE.colour, call: "Scan <me>", logo: "own" });
    expect(wordsIn(shown.text)).toContain("Choose the file of the logo again before that.");
    for (const wrong of [{ colour: "#0f766e" }, { logo: "pages" }]) {
      const refused = await browser.post(page, { ...form, ...wrong });
      expect([refused.status, shownOn(refused.text)]).toEqual([422, ""]);
    }
    expect(await listCodeBrandings(workspace.ctx)).toEqual([]);
    const viewer = await signInAs(workspace, "viewer");
    expect((await viewer.post(page, form)).status).toBe(403);
  });

  it("are shown with what is changed of one, with the own logo that it has", async () => {
    const { workspace, browser } = await makeMember("editor");
    const logo = new TextEncoder().encode(SVG);
    await createCodeBranding(workspace.ctx, { ...INPUT, logo: "own" }, logo);
    const [saved] = await listCodeBrandings(workspace.ctx);
    const page = brandingsOf(workspace, `/${saved?.id}`);
    const shown = await browser.post(page, { ...BLUE, colour: "#7f1d1d", logo: "own", do: "show" });
    expect(shown.status).toBe(200);
    expect(shownOn(shown.text)).toContain('fill="#7f1d1d"');
    expect(shownOn(shown.text)).toContain(`xlink:href="${saved?.logo}"`);
    expect(await listCodeBrandings(workspace.ctx)).toEqual([saved]);
  });

  it("are ten at most", async () => {
    const { workspace, browser } = await makeMember("editor");
    for (let number = 0; number < 10; number++)
      await createCodeBranding(workspace.ctx, { ...INPUT, name: `Number ${number}` });
    const answer = await browser.post(brandingsOf(workspace), BLUE);
    expect(answer.status).toBe(422);
    expect(wordsIn(answer.text)).toContain("The workspace has reached its limit of 10 brandings of codes.");
  });

  it("are not saved if the longest address is not read back with them", async () => {
    const { workspace, browser } = await makeMember("editor");
    const host = `${"long.".repeat(30)}${workspace.slug}.example`;
    await workspace.link({ slug: `${"a".repeat(50)}${workspace.slug.slice(0, 14)}` });
    await addDomain(workspace.ctx, host, true);
    const refused = await browser.post(brandingsOf(workspace), { ...BLUE, logo: "own", file: fileOf(SVG) });
    expect(refused.status).toBe(422);
    expect(wordsIn(refused.text)).toContain(
      "was not read back at 25 mm. Leave out the logo, or shorten that address.",
    );
    expect(await listCodeBrandings(workspace.ctx)).toEqual([]);
  });
});

/** A link and an asset of a workspace with a branding that uses the logo of pages. */
async function makeBranded() {
  const { workspace, browser } = await makeMember("editor");
  const link = await workspace.link();
  const asset = await createAsset(workspace.ctx, { name: "Poster", link: link.id });
  const png = await renderPng(qrMatrix("logo", "L"), 64, 4);
  await setLogo(workspace.ctx, png);
  await createCodeBranding(workspace.ctx, { ...INPUT, logo: "pages", call: "Scan me" });
  const [branding] = await listCodeBrandings(workspace.ctx);
  const id = branding?.id ?? "";
  const base = `/app/${workspace.slug}`;
  return {
    ...{ workspace, browser, link, asset, id, base },
    files: [
      `${base}/links/${link.id}/brandings/${id}`,
      `${base}/assets/${asset.id}/brandings/${id}`,
    ] as const,
  };
}

describe("codes with a branding", () => {
  it("are files of links and assets with colour, logo and frame", async () => {
    const { browser, files, link, asset } = await makeBranded();
    for (const [index, name] of [link.slug, asset.code].entries()) {
      const file = await browser.get(`${files[index]}?download=1`);
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
      expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${name}.svg"`);
      expect(file.headers.get("content-security-policy")).toBe("default-src 'none'; img-src data:; sandbox");
      for (const part of ['fill="#0b3d91"', ">Scan me</text>", 'xlink:href="data:image/png;base64,iVBOR'])
        expect(file.text).toContain(part);
    }
    const { headers } = await browser.get(files[0]);
    const known = { headers: { "if-none-match": headers.get("etag") ?? "" } };
    const again = await browser.get(files[0], known);
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  it("are on the pages that a link and an asset lead to, where the browser draws them as PNG", async () => {
    const { browser, base, link, asset, files } = await makeBranded();
    for (const [index, [page, query]] of [
      [`${base}/links/${link.id}`, `link=${link.id}`],
      [`${base}/assets/${asset.id}`, `asset=${asset.id}`],
    ].entries()) {
      expect((await browser.get(page ?? "")).text).toContain(`${base}/brandings?${query}`);
      const shown = await browser.get(`${base}/brandings?${query}`);
      expect(shown.text).toContain(`src="${files[index]}"`);
      expect(shown.text).toMatch(
        /data-png="[^"]+" data-pixels="295" data-density="[^"]+" data-name="[\w-]+-25mm\.png" hidden/,
      );
    }
  });

  it("do not exist for an archived link", async () => {
    const { workspace, browser, link, files, base } = await makeBranded();
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { status: "archived" } });
    for (const file of [...files, `${base}/brandings?link=${link.id}`])
      expect((await browser.get(file)).status).toBe(404);
  });

  it("are on print sheets from 25 mm on", async () => {
    const { browser, base, asset, id } = await makeBranded();
    const sheet = `${base}/assets/print?id=${asset.id}`;
    const plain = await browser.get(sheet);
    expect(plain.text).not.toContain("%230b3d91");
    expect(plain.text).toContain("Posters in blue");
    const branded = await browser.get(`${sheet}&branding=${id}`);
    expect(branded.text).toContain("%230b3d91");
    const small = await browser.get(`${sheet}&branding=${id}&size=24`);
    expect(small.text).not.toContain("%230b3d91");
    expect(wordsIn(small.text)).toContain("Give the codes at least that width.");
  });

  it("are on a sheet that says how wide the squares of a code are in the frame", async () => {
    const { browser, base, asset, id } = await makeBranded();
    const says = async (query: string) =>
      wordsIn((await browser.get(`${base}/assets/print?id=${asset.id}&size=50${query}`)).text);
    expect(await says("")).toContain("They include the white border of a code, which itself is 39 mm wide.");
    // 33 squares, with four white ones and one of the frame on each side.
    expect(await says(`&branding=${id}`)).toContain(
      "They include the frame and the white border of a code, which itself is 38 mm wide.",
    );
  });

  it("are the SVG files of a ZIP archive, whose PNG files are black on white", async () => {
    const { browser, base, files, asset, id } = await makeBranded();
    const filesOf = async (query: string) => {
      const { bytes } = await browser.download(`${base}/assets/qr.zip?id=${asset.id}&format=both${query}`);
      return unzip(bytes).map(([, content]) => new TextDecoder().decode(content));
    };
    const [plainSvg, plainPng] = await filesOf("&branding=");
    const [svg, png] = await filesOf(`&branding=${id}`);
    expect(svg).toBe((await browser.get(files[1])).text);
    expect(plainSvg).not.toContain("#0b3d91");
    expect(png).toBe(plainPng);
    expect(await filesOf("&branding=01JZ8Q4V6T3K9M2N5P7R8S0W1X")).toEqual([plainSvg, plainPng]);
  });

  it("are in no ZIP archive if the sheet refuses them", async () => {
    const { browser, base, asset, id } = await makeBranded();
    const query = `?id=${asset.id}&branding=${id}&size=24`;
    const refused = await browser.get(`${base}/assets/qr.zip${query}`);
    expect([refused.status, refused.location]).toEqual([303, `${base}/assets/print${query}`]);
    expect((await browser.get(`${base}/assets/qr.zip${query}&format=png`)).status).toBe(200);
  });

  it("are on the sheet of an Activity Group", async () => {
    const { workspace, browser, base, id } = await makeBranded();
    const group = await workspace.group();
    await workspace.link({ activity_group_id: group.id });
    const sheet = await browser.get(`${base}/groups/${group.id}/print?branding=${id}`);
    expect(sheet.text).toContain("%230b3d91");
  });

  it("leave the QR operation of the API as it is", async () => {
    const { workspace, link, id } = await makeBranded();
    const { status, text } = await workspace.call("GET", `/api/v1/links/${link.id}/qr`);
    expect([status, text.includes("#0b3d91")]).toEqual([200, false]);
    const asked = await workspace.call("GET", `/api/v1/links/${link.id}/qr?branding=${id}`);
    expect(asked.status).toBe(422);
  });
});

describe("the page says what may fail on the free plan", () => {
  it.each([
    ["", true],
    ["paid", false],
  ])("where CLOUDFLARE_PLAN is %j: %s", async (plan, isSaid) => {
    const { workspace } = await makeMember("editor");
    const browser = await signInAs(workspace, "editor", { ...env, CLOUDFLARE_PLAN: plan } as never);
    const page = wordsIn((await browser.get(brandingsOf(workspace))).text);
    expect(page.includes("On Cloudflare’s free plan codes with a branding and imports may fail")).toBe(
      isSaid,
    );
  });
});
