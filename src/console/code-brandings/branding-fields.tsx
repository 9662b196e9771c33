import { COLOUR_EXAMPLE, codeBrandingInput } from "../../resources/code-brandings/code-branding-schema";
import { checked, currentPage, type Form } from "../shell/page-request";
import { Field, FileField, Select } from "../shell/post-form";

export const BrandingFields = () => (
  <>
    <Field name="name" label="Name" required hint="Such as “Posters in blue”" />
    <Field
      name="colour"
      label="Colour"
      type="code"
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

/** What was sent, with the bytes of its file. */
export async function readBranding(form: Form) {
  const file = form.file("file");
  const bytes = file === undefined || file.size === 0 ? undefined : new Uint8Array(await file.arrayBuffer());
  return [checked(codeBrandingInput, form.fields), bytes] as const;
}

/** Reading codes back takes as long as an import does. */
export const PlanWarning = () =>
  currentPage().var.ctx.config.isPaidPlan ? null : (
    <p class="warning">
      Saving and downloading codes with a branding may fail: like imports they need Cloudflare’s paid plan,
      which this service does not seem to have. Ask its operator.
    </p>
  );
