import { hasQr } from "../../resources/engagement/asset-qr";
import type { Asset } from "../../resources/engagement/asset-service";
import { DOTS_PER_INCH, PRINT_SIZES_MM, sheetQuery } from "../print/print-settings";
import { PrintButton, Sheet, SheetFields } from "../print/sheet";
import { Button } from "../shell/button";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import { TickAll, Ticks } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { HiddenFields, Select } from "../shell/post-form";
import { count, Empty } from "../shell/text";
import { type Choice, DEFAULT_PRINT_MM, FILE_FORMATS, readChoice } from "./choose";

const describe = (asset: Asset): string =>
  [
    asset.name,
    ...(asset.place === null || asset.place === asset.name ? [] : [`, ${asset.place}`]),
    ...(hasQr(asset) ? [] : [` (its link is ${asset.link.status})`]),
  ].join("");

/** What a person should know about the chosen assets before they print them. */
function remarksOn({ chosen, isCut, of }: Choice): string[] {
  const without = chosen.filter((asset) => !hasQr(asset)).length;
  return [
    ...(isCut ? [`There are more assets of ${of}. Only the first ones are offered here.`] : []),
    ...(without > 0
      ? [
          `${count(without, "asset")} not on the sheet: nothing new is printed with an archived or deleted link.`,
        ]
      : []),
  ];
}

const nothingText = (choice: Choice): string =>
  choice.offered.length > 0
    ? "None of these assets is selected."
    : choice.of === undefined
      ? "No asset is selected. Select some in the list of assets."
      : `There are no assets of ${choice.of} yet.`;

/** The QR codes of chosen assets, to print. The address keeps the choice and the settings. */
export async function showAssetPrint(c: PageContext): Promise<Response> {
  const { workspace } = c.var;
  const choice = await readChoice(c);
  const { link, group, of } = choice;
  const settings = readQuery(sheetQuery, c);
  const printed = choice.chosen.filter(hasQr);
  return c.render(
    <Page
      title={printed.length === 0 ? "Print QR codes" : `QR codes of ${count(printed.length, "asset")}`}
      section="assets"
      crumbs={[
        "assets",
        ...(link === undefined ? [] : [{ label: `Assets of ${of}`, href: href.assets(workspace, { link }) }]),
        ...(group === undefined
          ? []
          : [{ label: `QR codes of ${of}`, href: href.groupPrint(workspace, group) }]),
      ]}
      actions={printed.length > 0 && <PrintButton />}
      class="stack"
    >
      {choice.offered.length > 0 && (
        <form method="get" action={href.printAssets(workspace)} class="card screen">
          <HiddenFields fields={{ link, group }} />
          <details class="block" open={choice.chosen.length === 0}>
            <summary>
              Assets: {choice.chosen.length} of {choice.offered.length} selected
            </summary>
            <div class="stack">
              <TickAll name="id" label="Select all" />
              <Ticks
                name="id"
                items={choice.offered.map((asset) => ({ id: asset.id, name: describe(asset) }))}
                chosen={choice.chosen.map(({ id }) => id)}
              />
            </div>
          </details>
          <SheetFields
            settings={settings}
            captions={[
              { id: "name", name: "Name" },
              { id: "place", name: "Place" },
              { id: "url", name: "Address in the code" },
            ]}
          />
          <fieldset class="change">
            <legend>Files for a designer or a printer</legend>
            <div class="row">
              <Select label="Format" name="format" value="svg" options={FILE_FORMATS} required />
              <Select
                label={`Width of a PNG, at ${DOTS_PER_INCH} dpi`}
                name="print"
                value={String(DEFAULT_PRINT_MM)}
                options={PRINT_SIZES_MM.map((millimetres) => [String(millimetres), `${millimetres} mm`])}
                required
              />
              <Button label="Download as ZIP" formaction={href.assetFiles(workspace)} />
            </div>
          </fieldset>
        </form>
      )}
      {remarksOn(choice).map((remark) => (
        <p class="warning screen">{remark}</p>
      ))}
      {printed.length === 0 ? (
        <Empty text={nothingText(choice)}>
          <a href={href.assets(workspace)}>Show all</a>
        </Empty>
      ) : (
        <Sheet
          order="name, those with one name by their place"
          settings={settings}
          items={printed.map(({ code_url: url, name, place }) => ({ url, captions: { name, place, url } }))}
        />
      )}
    </Page>,
  );
}
