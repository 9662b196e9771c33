import { type PageLanguage, pageTexts } from "../../http/site/visitor-pages";
import { PAGE_LANGUAGES } from "../../resources/branding/branding-schema";
import { brandedSvg, type Look, widthInside } from "../../resources/code-brandings/branded-code";
import { qrMatrix, renderSvg } from "../../resources/qr/render";
import { currentPage } from "../shell/page-request";
import { Field, Select } from "../shell/post-form";
import {
  CAPTIONS,
  type Caption,
  LANGUAGES,
  MAX_COLUMNS,
  MAX_SIZE_MM,
  MIN_SIZE_MM,
  type SheetSettings,
  sheetStyle,
  sheetWarnings,
  widthWithoutBorder,
} from "./print-settings";
import type { SheetBranding } from "./sheet-branding";

interface SheetItem {
  url: string;
  name: string | null;
  place?: string | null;
}

/** The captions of a code, without those that repeat another. */
function captionsOf(item: SheetItem, { caption: wanted }: SheetSettings) {
  const texts = { ...item, preview: `${item.url}+` };
  const captions = CAPTIONS.filter((caption) => wanted.includes(caption));
  const lines = captions.map((caption) => ({ caption, text: texts[caption] ?? "" }));
  return lines.filter(
    ({ text }, index) => text !== "" && lines.findIndex((other) => other.text === text) === index,
  );
}

/** The short link without its scheme, as people type it. A line may end before the slug, not inside it. */
const ShortUrl = ({ url }: { url: string }) => {
  const typed = url.replace(/^https?:\/\//, "");
  const slugAt = typed.lastIndexOf("/") + 1;
  return (
    <span>
      <span class="unbroken">{typed.slice(0, slugAt)}</span>
      <wbr />
      <span class="unbroken">{typed.slice(slugAt)}</span>
    </span>
  );
};

/** The heading of the preview page, before its address. French has a space before a colon. */
const wordsBefore = (language: PageLanguage): string =>
  `${pageTexts(language).preview}${language === "fr" ? "\u00a0:" : ":"}`;

interface LineProperties {
  caption: Caption;
  text: string;
  /** The language of the words before the address of the preview page. */
  words: SheetSettings["words"];
}

const Line = ({ caption, text, words }: LineProperties) => {
  if (caption === "preview" && words !== "")
    return (
      <span lang={words}>
        {wordsBefore(words)} <ShortUrl url={text} />
      </span>
    );
  if (caption === "preview" || caption === "url") return <ShortUrl url={text} />;
  const isolated = <bdi>{text}</bdi>;
  return caption === "name" ? <strong>{isolated}</strong> : <span>{isolated}</span>;
};

export const PrintButton = () => (
  <button type="button" class="primary" data-print hidden>
    Print
  </button>
);

/** The picture of a code as an address, so that a sheet of many codes is one request. */
const toPicture = (url: string, look: Look | undefined): string =>
  `data:image/svg+xml,${encodeURIComponent(look === undefined ? renderSvg(qrMatrix(url, "M"), 512, 4) : brandedSvg(url, look, 512))}`;

/** The widths of codes without what is around them: longer addresses have more squares. */
function ownWidths(items: readonly SheetItem[], { size }: SheetSettings, look: Look | undefined): string {
  const widths = items.map(({ url }) =>
    look === undefined ? widthWithoutBorder(url, size) : widthInside(url, look, size),
  );
  const [least, most] = [Math.min(...widths), Math.max(...widths)];
  return least === most ? String(least) : `${least} to ${most}`;
}

interface SheetProperties {
  items: readonly SheetItem[];
  order: string;
  settings: SheetSettings;
  branding: SheetBranding;
}

export const Sheet = ({ items, order, settings, branding: { chosen: look, refusal } }: SheetProperties) =>
  refusal === undefined ? (
    <>
      <style nonce={currentPage().var.nonce}>{sheetStyle(settings)}</style>
      <div class="stack screen">
        {sheetWarnings(settings, items).map((warning) => (
          <p class="warning">{warning}</p>
        ))}
        <p class="hint">The codes are ordered by {order}.</p>
        <p class="hint">
          Print it at 100%, not fitted to the page, so that the widths are right. They include{" "}
          {look?.call ? "the frame and the white border" : "the white border"} of a code, which itself is{" "}
          {ownWidths(items, settings, look)} mm wide.
        </p>
        <noscript>
          <p class="hint">Print this page with your browser.</p>
        </noscript>
      </div>
      <ul class={["sheet", settings.marks && "marked", look && "branded"].filter(Boolean).join(" ")}>
        {items.map((item) => (
          <li>
            <figure>
              <img
                class="qr"
                src={toPicture(item.url, look)}
                alt={`QR code of ${item.url}`}
                width="224"
                {...(look === undefined && { height: "224" })}
              />
              <figcaption>
                {captionsOf(item, settings).map((line) => (
                  <Line {...line} words={settings.words} />
                ))}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </>
  ) : (
    <p class="warning">{refusal}</p>
  );

const PREVIEW_CAPTION = { id: "preview", name: "Address of the preview page (…/slug+)" } as const;

interface FieldsProperties {
  settings: SheetSettings;
  captions: readonly { id: Caption; name: string }[];
  branding: SheetBranding;
}

export const SheetFields = ({ settings, captions, branding: { brandings, chosen } }: FieldsProperties) => (
  <>
    <div class="filters">
      <Field
        label="Columns"
        name="columns"
        type="number"
        value={settings.columns}
        attributes={{ min: 1, max: MAX_COLUMNS }}
        required
      />
      <Field
        label="Code width in mm"
        name="size"
        type="number"
        value={settings.size}
        attributes={{ min: MIN_SIZE_MM, max: MAX_SIZE_MM }}
        required
      />
      {brandings.length > 0 && (
        <Select
          label="Branding"
          name="branding"
          value={chosen?.id}
          none="Black on white"
          options={brandings.map(({ id, name }) => [id, name])}
        />
      )}
      <label class="tick">
        <input type="checkbox" name="marks" value="1" checked={settings.marks !== undefined} />
        Cut marks
      </label>
    </div>
    <fieldset>
      <legend>Under each code</legend>
      <input type="hidden" name="caption" value="none" />
      <div class="row">
        {[...captions, PREVIEW_CAPTION].map(({ id, name }) => (
          <label class="tick">
            <input type="checkbox" name="caption" value={id} checked={settings.caption.includes(id)} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
    <div class="narrow">
      <Select
        label="Words before the address of the preview page"
        name="words"
        value={settings.words}
        none="None"
        options={LANGUAGES.map((language) => [
          language,
          `${PAGE_LANGUAGES[language]}: ${pageTexts(language).preview}`,
        ])}
        hint="That page says where the code leads, to people who look before they open it."
      />
    </div>
    <div>
      <button type="submit">Update the sheet</button>
    </div>
  </>
);
