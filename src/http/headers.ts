const text = (description: string, schema: object = {}) => ({
  description,
  schema: { type: "string" as const, ...schema },
});
const always = { required: true };

/** The headers of responses, as components of the OpenAPI document. */
export const HEADERS = {
  "X-Request-Id": { ...text("Names the request in the log of the service."), ...always },
  "RateLimit-Policy": {
    ...text("The limit of each key: `q` requests in `w` seconds.", { example: '"key";q=3000;w=60' }),
    ...always,
  },
  "Preference-Applied": text("Sent if the request had `Prefer: handling=strict`.", {
    enum: ["handling=strict"],
  }),
  ETag: {
    ...text("The version of what is returned. The description of the interface has the formula.", {
      pattern: '^(W/)?"[!#-~]+"$',
    }),
    ...always,
  },
  Link: {
    ...text(
      "Absolute URLs of pages with the same filters (RFC 8288): `first`, `prev`, `next` and `last`, as far as they exist.",
    ),
    ...always,
  },
  "Retry-After": {
    description: "Seconds to wait before the request is sent again.",
    schema: { type: "integer" as const, minimum: 1 },
    ...always,
  },
  "Idempotent-Replayed": text(
    "Sent if this is the answer to an earlier request with the same `Idempotency-Key`.",
    {
      enum: ["true"],
    },
  ),
  "WWW-Authenticate": { ...text("How to authenticate.", { enum: ["Bearer"] }), ...always },
};

export type HeaderName = keyof typeof HEADERS;

const EVERYWHERE: readonly HeaderName[] = ["X-Request-Id", "RateLimit-Policy", "Preference-Applied"];

/** References to the headers of a response, those of every response included. */
export const headersOf = (names: readonly HeaderName[]) =>
  Object.fromEntries(
    [...names, ...EVERYWHERE].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
