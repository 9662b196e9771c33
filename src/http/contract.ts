import { type RouteConfig, z } from "@hono/zod-openapi";
import { type HeaderName, headersOf } from "./headers";

const errorSchema = z.object({ message: z.string().openapi({ example: "Not found." }) }).openapi("ErrorBody");

const validationErrorSchema = z
  .object({
    message: z.string().openapi({
      description: "The first sentence, and how many errors there are besides.",
      example: "The name has already been taken.",
    }),
    errors: z.record(z.string(), z.array(z.string())).openapi({
      description: "Every failing field with its sentences. Items of a list are named `tag_ids.0`.",
      example: { name: ["The name has already been taken."] },
    }),
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

export const empty = (description: string, ...headers: readonly HeaderName[]) => ({
  description,
  headers: headersOf(headers),
});

export const json = <S extends z.ZodType>(
  description: string,
  schema: S,
  ...headers: readonly HeaderName[]
) => ({ ...empty(description, ...headers), content: { "application/json": { schema } } });

export const notModified = () => empty("Still the version of `If-None-Match`", "ETag");

const REFUSALS = {
  401: json("The key is missing, malformed, unknown, expired or revoked", errorSchema, "WWW-Authenticate"),
  403: json("The key is read-only", errorSchema),
  404: json("Not found in this workspace, or the workspace is suspended", errorSchema),
  409: json("A request with this `Idempotency-Key` is still running", errorSchema, "Retry-After"),
  412: json("No longer the version of `If-Match`. Nothing was changed", errorSchema),
  413: json("The body is larger than 64 KiB", errorSchema),
  422: json("A field or a rule fails. Nothing was changed", validationErrorSchema),
  429: json("Too many requests", errorSchema, "Retry-After"),
  500: json("A fault of the service", errorSchema),
  503: json("The database does not answer", errorSchema, "Retry-After"),
};

export const refusals = (...statuses: (keyof typeof REFUSALS)[]): RouteConfig["responses"] =>
  Object.fromEntries(
    ([401, ...statuses, 429, 500, 503] as const).map((status) => [status, REFUSALS[status]]),
  );

export const jsonBody = <S extends z.ZodType>(schema: S) => ({
  required: true,
  content: { "application/json": { schema } },
});

const header = (name: string, description: string, schema: object = {}) =>
  z.object({
    [name]: z
      .string()
      .optional()
      .openapi({ description, ...schema }),
  });

export const IDEMPOTENCY_KEY = header(
  "Idempotency-Key",
  "Makes a retry safe. For 24 hours the same request with the same key gets the first 2xx answer again, and changes nothing. Another request with the key is 422 on `idempotency_key`. It belongs to the API key that sends it, not to the workspace.",
  { minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
);
export const IF_MATCH = header(
  "If-Match",
  "Changes nothing (412) unless the link or tag in the path still has one of these ETags. `*` matches each. Weak ETags count as strong ones.",
);
export const IF_NONE_MATCH = header("If-None-Match", "Answers 304 if the ETag is still one of these.");

export const message = (example: string) => z.string().openapi({ example });
