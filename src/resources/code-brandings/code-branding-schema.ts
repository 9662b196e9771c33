import { z } from "zod";
import { contrastToWhite, darkenTo, hexColour } from "../../lib/colour";
import { refusedBy, text } from "../../lib/validation";

const MIN_CONTRAST = 7;
const MAX_CALL_CHARACTERS = 24;

/** None, that of pages for visitors, or another of the branding's own. */
export const LOGOS = ["none", "pages", "own"] as const;

export const COLOUR_EXAMPLE = "#0b3d91";

const tooLight = (contrast: number, colour: string) =>
  refusedBy(
    `must be darker, or phones do not read the codes: its contrast to white must be at least ${MIN_CONTRAST} to 1, and is ` +
      `${Math.floor(contrast * 10) / 10} to 1. The nearest colour that is dark enough is ${darkenTo(MIN_CONTRAST, colour)}`,
  );

export const codeBrandingInput = z.object({
  name: text(100),
  colour: hexColour(COLOUR_EXAMPLE).superRefine((colour, context) => {
    const contrast = contrastToWhite(colour);
    // What is no colour has none.
    if (contrast < MIN_CONTRAST) context.addIssue(tooLight(contrast, colour));
  }),
  logo: z.enum(LOGOS).default("none"),
  call: text(MAX_CALL_CHARACTERS).nullish(),
});

export type CodeBrandingInput = z.output<typeof codeBrandingInput>;

/** What codes look like with a branding, which has no name yet. */
export const codeBrandingLook = codeBrandingInput.omit({ name: true });

export type CodeBrandingLook = z.output<typeof codeBrandingLook>;
