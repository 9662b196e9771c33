import { z } from "zod";
import { contrastToWhite, hexColour } from "../../lib/colour";
import { refusedBy, text } from "../../lib/validation";

const MIN_CONTRAST = 7;
const MAX_CALL_CHARACTERS = 24;

/** None, that of pages for visitors, or another of the branding's own. */
export const LOGOS = ["none", "pages", "own"] as const;

export const COLOUR_EXAMPLE = "#0b3d91";

export const codeBrandingInput = z.object({
  name: text(100),
  colour: hexColour(COLOUR_EXAMPLE).refine(
    (colour) => contrastToWhite(colour) >= MIN_CONTRAST,
    refusedBy(
      `must be darker: its contrast to white must be at least ${MIN_CONTRAST} to 1, as that of ${COLOUR_EXAMPLE} is`,
    ),
  ),
  logo: z.enum(LOGOS).default("none"),
  call: text(MAX_CALL_CHARACTERS).nullish(),
});

export type CodeBrandingInput = z.output<typeof codeBrandingInput>;
