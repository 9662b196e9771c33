import { z } from "@hono/zod-openapi";
import { DOTS_PER_INCH } from "../../lib/print-size";
import { listCodeBrandings } from "../../resources/code-brandings/code-branding-service";
import { getAssetQr, hasQr, zipAssets } from "../../resources/engagement/asset-qr";
import type { Asset } from "../../resources/engagement/asset-service";
import { qrQuery } from "../../resources/qr/qr-schema";
import { PRINT_SIZES_MM, sheetQuery } from "../print/print-settings";
import { printedPng, sendQr } from "../print/qr-files";
import { PrintButton, Sheet, SheetFields } from "../print/sheet";
import { chooseBranding } from "../print/sheet-branding";
import { Button, ButtonLink } from "../shell/button";
import { sendFile } from "../shell/file-response";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import { TickAll, Ticks } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { HiddenFields, Select } from "../shell/post-form";
import { count, Empty } from "../shell/text";
import { readChoice } from "./asset-choice";

const FILE_FORMATS = [
  ["svg", "SVG, for any size"],
  ["png", "PNG"],
  ["both", "SVG and PNG"],
] as const;

const filesQuery = z.object({
  format: z.enum(["svg", "png", "both"]).default("svg"),
  print: z.coerce.number().pipe(z.literal(PRINT_SIZES_MM)).default(50),
});

const CAPTIONS = [
  { id: "name", name: "Name" },
  { id: "place", name: "Place" },
  { id: "url", name: "Address in the code" },
] as const;

const describe = (asset: Asset): string => {
  const place = asset.place === null || asset.place === asset.name ? "" : `, ${asset.place}`;
  return `${asset.name}${place}${hasQr(asset) ? "" : ` (its link is ${asset.link.status})`}`;
};

/** The QR codes of chosen assets, to print. The address keeps the choice and the settings. */
export async function showAssetPrint(c: PageContext): Promise<Response> {
  const { workspace } = c.var;
  const [{ link, group, groupName = "", of, isCut, offered, chosen }, brandings] = await Promise.all([
    readChoice(c),
    listCodeBrandings(c.var.ctx),
  ]);
  const settings = readQuery(sheetQuery, c);
  const files = filesQuery.parse({});
  const printed = chosen.filter(hasQr);
  const urls = printed.map(({ code_url: url }) => url);
  const branding = await chooseBranding(brandings, settings, urls);
  const none =
    of === undefined
      ? "No poster is selected. Select some in the list of posters."
      : `There are no posters of ${of} yet.`;
  return c.render(
    <Page
      title={printed.length === 0 ? "Print QR codes" : `QR codes of ${count(printed.length, "poster")}`}
      section="assets"
      crumbs={
        group === undefined
          ? [
              "assets",
              ...(link === undefined
                ? []
                : [{ label: `Posters of ${of}`, href: href.assets(workspace, { link }) }]),
            ]
          : ["groups", { label: groupName, href: href.group(workspace, group, { tab: "posters" }) }]
      }
      actions={
        <>
          {printed.length > 0 && <PrintButton />}
          {group !== undefined && (
            <ButtonLink to={href.groupPrint(workspace, group)} label="Codes of its links" />
          )}
        </>
      }
      class="stack"
    >
      {offered.length > 0 && (
        <form method="get" action={href.printAssets(workspace)} class="card screen">
          <HiddenFields fields={{ link, group }} />
          <details class="block" open={chosen.length === 0}>
            <summary>
              Posters: {chosen.length} of {offered.length} selected
            </summary>
            <div class="stack">
              <TickAll name="id" label="Select all" />
              <Ticks
                name="id"
                items={offered.map((asset) => ({ id: asset.id, name: describe(asset) }))}
                chosen={chosen.map(({ id }) => id)}
              />
            </div>
          </details>
          <SheetFields settings={settings} captions={CAPTIONS} branding={branding} />
          <fieldset class="part fields">
            <legend>Files for a designer or a printer</legend>
            <div class="search">
              <Select label="Format" name="format" value={files.format} options={FILE_FORMATS} required />
              <Select
                label={`Width of a PNG with its white border, at ${DOTS_PER_INCH} dpi`}
                name="print"
                value={String(files.print)}
                options={PRINT_SIZES_MM.map((millimetres) => [String(millimetres), `${millimetres} mm`])}
                required
              />
              <Button label="Download as ZIP" formaction={href.assetFiles(workspace)} />
            </div>
            {brandings.length > 0 && (
              <p class="hint">
                SVG files have the branding that is chosen above. PNG files are black on white.
              </p>
            )}
          </fieldset>
        </form>
      )}
      {isCut && (
        <p class="warning screen">There are more posters of {of}. Only the first ones are offered here.</p>
      )}
      {chosen.length > printed.length && (
        <p class="warning screen">
          {count(chosen.length - printed.length, "poster")} not on the sheet: nothing new is printed with an
          archived or deleted link.
        </p>
      )}
      {printed.length === 0 ? (
        <Empty text={offered.length > 0 ? "None of these posters is selected." : none}>
          <a href={href.assets(workspace)}>Show all</a>
        </Empty>
      ) : (
        <Sheet
          order="name, those with one name by their place"
          settings={settings}
          branding={branding}
          items={printed.map(({ code_url: url, name, place }) => ({ url, name, place }))}
        />
      )}
    </Page>,
  );
}

export const sendAssetQr = (c: PageContext): Promise<Response> =>
  sendQr(c, (options) => getAssetQr(c.var.ctx, c.req.param("id"), options));

/** The page of the sheet, which says why there is no archive. */
const toSheet = (c: PageContext): Response =>
  c.redirect(href.printAssets(c.var.workspace) + new URL(c.req.url).search, 303);

/** The QR files of chosen assets in an archive, its SVGs with the chosen branding. */
export async function sendAssetFiles(c: PageContext): Promise<Response> {
  const { chosen } = await readChoice(c);
  if (!chosen.some(hasQr)) return toSheet(c);
  const { format, print } = readQuery(filesQuery, c);
  const settings = readQuery(sheetQuery.pick({ branding: true, size: true }), c);
  const urls = chosen.filter(hasQr).map(({ code_url: url }) => url);
  const brandings =
    settings.branding === undefined || format === "png" ? [] : await listCodeBrandings(c.var.ctx);
  const { chosen: look, refusal } = await chooseBranding(brandings, settings, urls);
  if (refusal !== undefined) return toSheet(c);
  const svg = qrQuery.parse({ format: "svg" });
  const png = { ...svg, ...printedPng(print) };
  const formats = { svg: [svg], png: [png], both: [svg, png] }[format];
  return sendFile(c, { name: "qr-codes.zip", type: "application/zip" }, zipAssets(chosen, formats, look));
}
