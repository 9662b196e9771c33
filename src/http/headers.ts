const text = (description: string, schema: object = {}) => ({
  description,
  schema: { type: "string" as const, ...schema },
});

const always = (description: string, schema: object = {}) => ({
  ...text(description, schema),
  required: true,
});

export const HEADERS = {
  "X-Request-Id": always("Names the request in the log of the service."),
  "RateLimit-Policy": always("The limit of each key: `q` requests in `w` seconds.", {
    example: '"key";q=3000;w=60',
  }),
  "Preference-Applied": text("Sent if the request had `Prefer: handling=strict`.", {
    enum: ["handling=strict"],
  }),
  ETag: always("The version of what is returned. The description of the interface has the formula.", {
    pattern: '^(W/)?"[!#-~]+"$',
  }),
  Link: text(
    "Absolute URLs of pages with the same filters (RFC 8288): `first`, `prev`, `next` and `last`, as far as they exist. Above 4 KB, as after long filters, `next` alone.",
  ),
  "Retry-After": always("Seconds to wait before the request is sent again.", { type: "integer", minimum: 1 }),
  "Idempotent-Replayed": text(
    "Sent if this is the answer to an earlier request with the same `Idempotency-Key`.",
    { enum: ["true"] },
  ),
  "WWW-Authenticate": always("How to authenticate.", { enum: ["Bearer"] }),
};

export type HeaderName = keyof typeof HEADERS;

const EVERYWHERE: readonly HeaderName[] = ["X-Request-Id", "RateLimit-Policy", "Preference-Applied"];

/** References to the headers of a response, those of every response included. */
export const headersOf = (names: readonly HeaderName[]) =>
  Object.fromEntries(
    [...names, ...EVERYWHERE].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
