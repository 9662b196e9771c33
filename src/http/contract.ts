import { type RouteConfig, z } from "@hono/zod-openapi";

const errorSchema = z.object({ message: z.string().openapi({ example: "Not found." }) }).openapi("Error");

const validationErrorSchema = z
  .object({
    message: z.string().openapi({ example: "The name has already been taken." }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .openapi({ example: { name: ["The name has already been taken."] } }),
    codes: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .openapi({
        description:
          "With `Prefer: handling=strict` alone: for each sentence a stable word. The description of the interface lists them.",
        example: { name: ["taken"] },
      }),
    conflicts: z
      .record(z.string(), z.string())
      .optional()
      .openapi({
        description:
          "With `Prefer: handling=strict` alone: for a field the id of the workspace's link, tag or group that is in the way.",
        example: { name: "01JZ8Q4V6T3K9M2N5P7R8S0W1X" },
      }),
  })
  .openapi("ValidationError");

const DESCRIPTIONS = {
  401: "Missing or invalid authentication",
  403: "The API key is read-only",
  404: "Not found, or another workspace's",
  409: "A request with this Idempotency-Key is still running",
  412: "Changed since it was read (If-Match)",
  413: "The request body is too large",
  422: "Validation or rule failure",
  429: "Too many requests",
  500: "Server error",
  503: "The database does not answer",
} as const;

type Refusal = keyof typeof DESCRIPTIONS;

/** The error responses of an operation: the given ones and those of every operation. */
export const refusals = (...statuses: Refusal[]): RouteConfig["responses"] =>
  Object.fromEntries(
    [401 as const, ...statuses, 429 as const, 500 as const, 503 as const].map((status) => [
      status,
      {
        description: DESCRIPTIONS[status],
        content: { "application/json": { schema: status === 422 ? validationErrorSchema : errorSchema } },
      },
    ]),
  );

export const json = <S extends z.ZodType>(description: string, schema: S) => ({
  description,
  content: { "application/json": { schema } },
});

export const jsonBody = <S extends z.ZodType>(schema: S) => ({
  required: true,
  content: { "application/json": { schema } },
});

export const BEARER = [{ bearer: [] }];

const header = (name: string, description: string, limits: object = {}) =>
  z.object({
    [name]: z
      .string()
      .optional()
      .openapi({ description, ...limits }),
  });

export const IDEMPOTENCY_KEY = header(
  "Idempotency-Key",
  "1 to 255 visible ASCII characters; within 24 hours the same request gives the first 2xx answer again",
  { minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
);
export const IF_MATCH = header("If-Match", "Changes nothing (412) unless the resource still has this ETag");
export const IF_NONE_MATCH = header("If-None-Match", "Answers 304 where the resource still has this ETag");
