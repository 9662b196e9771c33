import { ServiceError } from "../../errors";
import {
  assertReadBack,
  type CodeBranding,
  chooseThree,
} from "../../resources/code-brandings/code-branding-service";
import { MIN_PRINT_MM } from "../../resources/code-brandings/read-back";
import type { SheetSettings } from "./print-settings";

export interface SheetBranding {
  brandings: readonly CodeBranding[];
  chosen: CodeBranding | undefined;
  refusal: string | undefined;
}

/** The branding of a sheet of these addresses, of which three are read back. An unknown branding is ignored. */
export async function chooseBranding(
  brandings: readonly CodeBranding[],
  { branding, size }: Pick<SheetSettings, "branding" | "size">,
  urls: readonly string[],
): Promise<SheetBranding> {
  const chosen = brandings.find(({ id }) => id === branding);
  if (chosen === undefined) return { brandings, chosen, refusal: undefined };
  if (size < MIN_PRINT_MM) {
    const refusal = `A code with a branding is read back at ${MIN_PRINT_MM} mm. Give the codes at least that width.`;
    return { brandings, chosen, refusal };
  }
  try {
    await assertReadBack(chooseThree(urls), chosen);
    return { brandings, chosen, refusal: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { brandings, chosen, refusal: error.message };
  }
}
