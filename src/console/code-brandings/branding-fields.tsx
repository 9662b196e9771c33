import { brandedSvg, type Look } from "../../resources/code-brandings/branded-code";
import {
  COLOUR_EXAMPLE,
  codeBrandingInput,
  codeBrandingLook,
} from "../../resources/code-brandings/code-branding-schema";
import { previewCodeBranding } from "../../resources/code-brandings/code-branding-service";
import { Button } from "../shell/button";
import { checked, currentPage, type Form, type PageContext } from "../shell/page-request";
import { ColourField, Field, FileField, Select } from "../shell/post-form";

/** A code as an example, which nobody prints. */
export const Example = ({ of, look }: { of: string; look: Look }) => {
  const { ctx } = currentPage().var;
  const svg = brandedSvg(`${ctx.config.shortBaseUrl}/summer`, look, 512);
  return (
    <img
      class="qr"
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      alt={`Example of ${of}`}
      width="512"
    />
  );
};

export const BrandingFields = () => (
  <>
    <Field name="name" label="Name" required hint="Such as “Posters in blue”" />
    <ColourField
      name="colour"
      label="Colour"
      required
      hint={`A dark one, such as ${COLOUR_EXAMPLE}, or phones do not read it: its contrast to white must be at least 7 to 1.`}
    />
    <Select
      name="logo"
      label="Logo in the middle"
      required
      options={[
        ["none", "None"],
        ["pages", "The logo of pages for visitors"],
        ["own", "Another, from a file"],
      ]}
    />
    <FileField
      label="File of another logo"
      isOptional
      accept=".svg,.png,image/svg+xml,image/png"
      hint="An SVG or a PNG of at most 20 KB. Of an SVG only shapes and colours are kept."
    />
    <Field
      name="call"
      label="Call to action in a frame"
      isOptional
      attributes={{ maxlength: 24 }}
      hint="Such as “Scan me”, at most 24 characters. If empty, there is no frame."
    />
  </>
);

const SHOWN_ID = "shown";
const DOES = { name: "do", value: "show" };

interface Sends {
  action: string;
  label: string;
  cancel?: string;
  /** What the second button showed. */
  shown: Look | undefined;
}

/** The button that saves the form of this action, and one that shows a code with what is in it. */
export const BrandingButtons = ({ action, label, cancel, shown }: Sends) => (
  <>
    {shown && (
      <figure class="stack" id={SHOWN_ID}>
        <Example of="this branding" look={shown} />
        <figcaption class="hint">
          Nothing is saved yet. Codes are read back when you save.
          {currentPage().var.form?.file("file")?.size
            ? " Choose the file of the logo again before that."
            : ""}
        </figcaption>
      </figure>
    )}
    <div class="row">
      <Button label={label} kind="primary" />
      <Button label="Show a code" {...DOES} formaction={`${action}#${SHOWN_ID}`} formnovalidate />
      {cancel !== undefined && <a href={cancel}>Cancel</a>}
    </div>
  </>
);

async function fileOf(form: Form): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = form.file("file");
  return file === undefined || file.size === 0 ? undefined : new Uint8Array(await file.arrayBuffer());
}

/** What was sent, with the bytes of its file. */
export const readBranding = async (form: Form) =>
  [checked(codeBrandingInput, form.fields), await fileOf(form)] as const;

/** How codes look with the form, if it was sent to see that; else undefined. */
export const readShown = async (c: PageContext, form: Form, id?: string): Promise<Look | undefined> =>
  form.fields[DOES.name] === DOES.value
    ? previewCodeBranding(c.var.ctx, checked(codeBrandingLook, form.fields), await fileOf(form), id)
    : undefined;

/** Reading codes back takes as long as an import does. */
export const PlanWarning = () =>
  currentPage().var.ctx.config.isPaidPlan ? null : (
    <p class="warning">
      On Cloudflare’s free plan codes with a branding and imports may fail. Ask the operator of this service
      if one does.
    </p>
  );
