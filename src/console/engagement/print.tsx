import type { Child } from "hono/jsx";
import { hasQr } from "../../resources/engagement/qr";
import { DOTS_PER_INCH, PRINT_SIZES_MM, sheetQuery } from "../print/settings";
import { PrintButton, Sheet, SheetFields, Tick } from "../print/sheet";
import { HiddenFields, Select } from "../shell/form";
import { here, href } from "../shell/href";
import { Page } from "../shell/layout";
import { isTicked, TickAll } from "../shell/list";
import { type PageContext, readQuery } from "../shell/request";
import { count, Empty } from "../shell/text";
import { type Choice, readChoice } from "./choose";
import { DEFAULT_PRINT_MM, FILE_FORMATS } from "./files";

const AssetTicks = ({ offered, chosen }: Pick<Choice, "offered" | "chosen">) => (
  <details class="block" open={chosen.length === 0}>
    <summary>
      Assets: {chosen.length} of {offered.length} selected
    </summary>
    <div class="stack">
      <TickAll name="id" label="Select all" />
      <div class="ticks">
        {offered.map((asset) => (
          <Tick name="id" value={asset.id} checked={chosen.includes(asset) || isTicked("id", asset.id)}>
            <bdi>{asset.name}</bdi>
            {asset.place !== null && asset.place !== asset.name && (
              <span class="soft">
                , <bdi>{asset.place}</bdi>
              </span>
            )}
            {!hasQr(asset) && <span class="soft"> (its link is {asset.link.status})</span>}
          </Tick>
        ))}
      </div>
    </div>
  </details>
);

const Settings = ({
  choice: { link, group, offered, chosen },
  children,
}: {
  choice: Choice;
  children: Child;
}) => (
  <form method="get" action={here.printAssets()} class="card screen">
    <HiddenFields fields={{ link, group }} />
    <AssetTicks offered={offered} chosen={chosen} />
    {children}
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
        <button type="submit" formaction={here.assetFiles()}>
          Download as ZIP
        </button>
      </div>
    </fieldset>
  </form>
);

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
        <Settings choice={choice}>
          <SheetFields
            settings={settings}
            captions={[
              ["name", "Name"],
              ["place", "Place"],
              ["url", "Address in the code"],
            ]}
          />
        </Settings>
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
