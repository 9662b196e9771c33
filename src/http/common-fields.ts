import { z } from "@hono/zod-openapi";
import { isCursor } from "../lib/paging";
import { anyText, text, wholeNumber } from "../lib/validation";

const DEFAULT_PER_PAGE = 15;

export const publicId = () =>
  z.string().openapi({
    pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$",
    description: "A ULID that never changes",
    example: "01JZ8Q4V6T3K9M2N5P7R8S0W1X",
  });

export const metaSchema = z
  .object({
    current_page: z.int().openapi({ example: 1 }),
    last_page: z.int().openapi({ description: "At least 1", example: 1 }),
    per_page: z.int().openapi({ example: DEFAULT_PER_PAGE }),
    total: z.int().openapi({ description: "The number of items on all pages", example: 1 }),
  })
  .openapi("PageMeta");

/** An id in a path, in upper or lower case. */
export const pathId = (of: "link" | "tag") =>
  z.string().openapi({
    description: `The id of the ${of}, in upper or lower case. Anything else is 404`,
    pattern: "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$",
    example: "01JZ8Q4V6T3K9M2N5P7R8S0W1X",
  });

/** A whole number of a query, with its bounds in the document. */
export const integerParameter = (
  description: string,
  bounds: { minimum: number; maximum: number; default: number },
) =>
  wholeNumber(bounds.minimum, bounds.maximum)
    .default(bounds.default)
    .openapi({ type: "integer", ...bounds, description, example: bounds.default });

/** `after` is an example of a cursor. */
export const pageQuery = (after: string) => ({
  page: integerParameter("The number of the page. One past the last is empty", {
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
  }),
  per_page: integerParameter("The number of items on a page", {
    minimum: 1,
    maximum: 100,
    default: DEFAULT_PER_PAGE,
  }),
  after: text(16_384)
    .refine(isCursor, "The after field is malformed.")
    .optional()
    .openapi({ description: "Opaque. Use the `next` URL of the `Link` header as it is", example: after }),
});

/** A text by which a list is filtered. */
export const textFilter = (max: number, description: string, example: string) =>
  anyText(max).optional().openapi({ description, example });
