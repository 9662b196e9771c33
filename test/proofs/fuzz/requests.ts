import fc from "fast-check";
import { base64Url } from "../../../src/lib/hash";
import { components, type DocumentedOperation, requestSchema, type Schema } from "../../interface/document";

// Requests generated from the published document: valid ones, and the same with one error. Values that only a
// prepared workspace has are placeholders (`__LINK_0__`), replaced before sending.

export interface Operation extends DocumentedOperation {
  method: string;
  path: string;
}

export interface Parts {
  path: string;
  query: [name: string, value: string][];
  headers: Record<string, string | null>;
  /** Undefined without a body. Sent as JSON, unless it is text or bytes. */
  body: unknown;
}

export interface Attempt {
  parts: Parts;
  /** A description of the error, for failure messages. */
  how: string;
  /** The allowed statuses: undefined for a valid request, empty for any documented one. */
  expected: readonly number[] | undefined;
  /** The field or parameter that a 422 is on, if it can only be this one. */
  on?: string;
  /** Whether a read is repeated with HEAD. */
  head: boolean;
}

type Values = fc.Arbitrary<unknown>;

export const POOL = 4;
const MAX_BODY_BYTES = 64 * 1024;
const UNKNOWN_ID = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const LONE_SURROGATES = ["a\ud800b", "a\udc00b"];
const CONTROLS = ["a\u0000b", "a\u001fb", "a\nb", "a\u0085b", "a\u007fb"];
const EXOTIC = [
  "' or 1=1 --",
  '"*" NEAR(a b)',
  "%_\\",
  "<script>$(x)</script>",
  "__proto__",
  "NaN",
  "ΌΔΟΣ ς",
  "İIıi ǆ ß",
  "e\u0301\u0301\u0301",
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "a\u200db\u200c",
  "\u2028\ufffe\uffff",
  "﷽﷽",
  "𝒳".repeat(20),
];

const pooled = (...kinds: string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...kinds), fc.nat(POOL - 1)).map(([kind, index]) => `__${kind}_${index}__`);

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components[schema.$ref.replace("#/components/schemas/", "")] ?? {});
const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat();

/** Well-formed text without control and invisible characters, rarely of the maximal length. Never blank, since that means null. */
function textOf({ minLength = 1, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, "x");
  const cut = (text: string) => [...text].slice(0, maxLength).join("");
  return fc
    .oneof(
      fc.string({ unit: "binary", minLength, maxLength: Math.min(maxLength, 30) }),
      fc.string({ unit: "grapheme-ascii", minLength, maxLength: Math.min(maxLength, 30) }),
      fc.constantFrom(...EXOTIC),
      fc.constantFrom("a", "é", "👍").map((letter) => letter.repeat(maxLength)),
    )
    .map((text) => cut(plain(text)))
    .filter((text) => text.trim() !== "");
}

const RESERVED = /^(api|app|assets|cdn-cgi|docs|health)$/i;
const HOSTS = [
  "www.example.com",
  "EXAMPLE.org",
  "a.b-c.test",
  "shop.example:8443",
  "москва.com",
  "bücher.example",
];
const destinations = fc
  .tuple(
    fc.constantFrom("https", "http", "HTTPS"),
    fc.constantFrom(...HOSTS),
    fc.webPath(),
    fc.option(fc.webQueryParameters()),
    fc.option(fc.webFragments()),
  )
  .map(([scheme, host, path, query, fragment]) => {
    const rest = `${query === null ? "" : `?${query}`}${fragment === null ? "" : `#${fragment}`}`;
    return `${scheme}://${host}${path}${rest}`;
  });

/** Moments in any zone and precision. A start is before an end, which the schema cannot say. */
const moments = (min: string, max: string): Values =>
  fc
    .tuple(fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true }), fc.nat(4))
    .map(([date, form]) => {
      const text = date.toISOString();
      return (
        [text, text.replace(/\.\d+/, ""), `${text.slice(0, 16)}Z`, text.replace("Z", "-11:30")][form] ??
        text.replace("Z", "456789+14:00")
      );
    });

/** Values that the schema cannot provide: existing resources and working destinations. */
const KNOWN: Record<string, Values> = {
  destination_url: destinations,
  ended_url: destinations,
  rules: fc.array(
    fc.record({
      destination_url: destinations,
      devices: fc.subarray(["ios", "android", "desktop"], { minLength: 1 }),
      countries: fc.constantFrom(null, [], ["CH"], ["AT", "DE", "AT"]),
      share: fc.option(fc.integer({ min: 1, max: 99 })),
    }),
    { maxLength: 10 },
  ),
  starts_at: moments("2000-01-01", "2049-12-31"),
  ends_at: moments("2050-01-01", "2099-12-31"),
  activity_group_id: pooled("GROUP", "group", "GROUPSLUG"),
  domain: fc.constantFrom("s.example", "S.EXAMPLE", "s.example."),
  tag_ids: fc.array(pooled("TAG", "tag"), { minLength: 1, maxLength: 60 }),
  tag_names: fc.array(pooled("TAGNAME"), { minLength: 1, maxLength: 60 }),
  tag: fc.array(pooled("TAG", "TAGSLUG"), { minLength: 1, maxLength: 3 }),
  slug_filter: fc.array(pooled("SLUG", "TAGSLUG", "GROUPSLUG"), { minLength: 1, maxLength: 3 }),
  external_id_filter: fc.array(textOf({ maxLength: 255 }), { minLength: 1, maxLength: 3 }),
};

function valuesOf(name: string, schema: Schema): Values {
  const types = typesOf(schema);
  if (types.includes("null"))
    return fc.option(valuesOf(name, { ...schema, type: types.filter((t) => t !== "null") }));
  const known = KNOWN[types.includes("array") && KNOWN[name] === undefined ? `${name}_filter` : name];
  if (known !== undefined) return known;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (types.includes("integer"))
    return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? Number.MAX_SAFE_INTEGER });
  if (schema.pattern !== undefined)
    return fc
      .stringMatching(new RegExp(schema.pattern), { maxLength: schema.maxLength ?? 64 })
      .filter((text) => !RESERVED.test(text));
  return name === "q" || name === "slug"
    ? fc.oneof(pooled("SLUG", "TAGSLUG", "GROUPSLUG"), textOf({ ...schema, maxLength: 64 }))
    : textOf(schema);
}

const bodySchema = (operation: Operation): Schema | undefined => {
  const schema = requestSchema(operation);
  return schema === undefined ? undefined : resolved(schema);
};
const parametersOf = ({ parameters = [] }: Operation, place: string) =>
  parameters.filter((parameter) => parameter.in === place);
const HEADERS: Record<string, fc.Arbitrary<string>> = {
  "Idempotency-Key": fc.oneof(
    fc.constantFrom("one", "two", "~".repeat(255)),
    fc.string({ unit: "grapheme-ascii", minLength: 1 }).map((text) => text.replaceAll(" ", "_")),
  ),
  "If-Match": fc.constantFrom("*", "__ETAG__", "W/__ETAG__", '"x", __ETAG__', ' __ETAG__ , W/"y"'),
  "If-None-Match": fc.constantFrom("*", "__ETAG__", "W/__ETAG__", '"x"', "x", ""),
};

const pathOf = (operation: Operation): fc.Arbitrary<string> => {
  const isTag = operation.path.startsWith("/api/v1/tags");
  return fc
    .tuple(isTag ? pooled("TAG", "tag") : pooled("LINK", "link"), pooled("TAG", "tag"))
    .map(([id, tagId]) => operation.path.replace("{tagId}", tagId).replace("{id}", id));
};

const withOneTagField = ({ tag_names: names, ...body }: Record<string, unknown>): object =>
  names === undefined || "tag_ids" in body ? body : { ...body, tag_names: names };

/** Valid requests. */
function fine(operation: Operation): fc.Arbitrary<Parts> {
  const schema = bodySchema(operation);
  const properties = Object.entries(schema?.properties ?? {});
  const query = parametersOf(operation, "query").filter(({ name }) => name !== "after");
  return fc.record({
    path: pathOf(operation),
    // Few filters at a time, since a list with every filter is empty.
    query: fc
      .subarray(query, { maxLength: Math.min(3, query.length) })
      .chain((some) =>
        fc.record(Object.fromEntries(some.map(({ name, schema: each }) => [name, valuesOf(name, each)]))),
      )
      .map((values) =>
        Object.entries(values).flatMap(([name, value]) =>
          [value].flat().map((each): [string, string] => [name, String(each)]),
        ),
      ),
    headers: fc.record(
      Object.fromEntries(
        parametersOf(operation, "header").map(({ name }) => [name, HEADERS[name] ?? fc.constant("x")]),
      ),
      { requiredKeys: [] },
    ) as fc.Arbitrary<Record<string, string>>,
    body:
      schema === undefined
        ? fc.constant(undefined)
        : fc
            .record(Object.fromEntries(properties.map(([name, each]) => [name, valuesOf(name, each)])), {
              requiredKeys: schema.required ?? [],
            })
            .map(withOneTagField),
  });
}

interface Breaking extends Pick<Attempt, "how" | "on"> {
  expected: readonly number[];
  change: (parts: Parts) => Partial<Parts>;
}

const breaking = (
  how: string,
  expected: readonly number[],
  values: Values,
  change: (value: never, parts: Parts) => Partial<Parts>,
): fc.Arbitrary<Breaking> =>
  values.map((value) => ({ how, expected, change: (parts) => change(value as never, parts) }));

/** These breakings where they apply. */
const when = (applies: boolean, ...breakings: fc.Arbitrary<Breaking>[]): fc.Arbitrary<Breaking>[] =>
  applies ? breakings : [];

/** The same breakings, all of one field or parameter. */
const on = (name: string, breakings: fc.Arbitrary<Breaking>[]): fc.Arbitrary<Breaking>[] =>
  breakings.map((each) => each.map((one) => ({ ...one, on: name })));

const NOTHING_HERE = [
  "__OTHERTAG__",
  "__OTHERGROUP__",
  UNKNOWN_ID,
  "nothing",
  "__LINK_0__",
  "a".repeat(9000),
];

const withField = (name: string, value: unknown, { body }: Parts) => ({
  body: { ...(body as object), [name]: value },
});

const outside = ({ minimum, maximum }: Schema): Values =>
  fc.oneof(
    fc.constantFrom("-1", "0x10", "1.5", "1e2", "ten", "٣", "+1", "--1", "Infinity"),
    ...(minimum === undefined ? [] : [fc.integer({ max: minimum - 1 }).map(String)]),
    ...(maximum === undefined
      ? []
      : [fc.bigInt({ min: BigInt(maximum) + 1n, max: BigInt(maximum) + 2n ** 31n }).map(String)]),
  );

const isNoneOf =
  ({ enum: values, pattern }: Schema) =>
  (text: string): boolean =>
    pattern === undefined ? !values?.includes(text) : !new RegExp(pattern).test(text);

/** Ways to make a field, or an item of a list, invalid by its schema. */
function brokenField(name: string, schema: Schema, required: boolean): fc.Arbitrary<Breaking>[] {
  const types = typesOf(schema);
  const isList = types.includes("array");
  const put = (value: never, parts: Parts) => withField(name, isList ? [value] : value, parts);
  const wrong = [0, true, {}, { length: 1 }, 1e300];
  const types422 = fc.constantFrom<unknown>(...wrong, ...(isList ? ["text"] : [[], ["text"]]));
  return on(name, [
    breaking(`${name} of another type`, [422], types422, (value, parts) => withField(name, value, parts)),
    breaking(`${name} that is bad text`, [422], fc.constantFrom(...CONTROLS, ...LONE_SURROGATES), put),
    ...when(
      !types.includes("null"),
      breaking(`${name} that is null`, [422], fc.constantFrom(null, "", " \t"), (value, parts) =>
        withField(name, value, parts),
      ),
    ),
    ...when(
      required,
      breaking(`no ${name}`, [422], fc.constant(0), (_, { body }) => {
        const { [name]: __, ...rest } = body as Record<string, unknown>;
        return { body: rest };
      }),
    ),
    ...when(
      schema.maxLength !== undefined,
      breaking(
        `too long a ${name}`,
        [422],
        fc.tuple(fc.constantFrom("a", "é", "👍"), fc.integer({ min: 1, max: 3000 })),
        ([letter, more]: [string, number], parts: Parts) =>
          put(letter.repeat((schema.maxLength ?? 0) + more) as never, parts),
      ),
    ),
    ...when(
      schema.enum !== undefined || schema.pattern !== undefined,
      breaking(
        `${name} of no known form`,
        [422],
        fc.constantFrom(...["?", "Active", "a b", "é", "-.-"].filter(isNoneOf(schema))),
        put,
      ),
    ),
    ...when(
      name === "activity_group_id" || name === "tag_ids",
      breaking(`${name} that names nothing here`, [422], fc.constantFrom(...NOTHING_HERE), put),
    ),
  ]);
}

/** Ways to make a whole body invalid. */
function brokenBody(): fc.Arbitrary<Breaking>[] {
  const whole = (value: unknown): Partial<Parts> => ({ body: value });
  const padded = (body: unknown, bytes: number): string => {
    const text = JSON.stringify({ ...(body as object), padding: "" });
    return text.replace(
      /""}$/,
      `"${"x".repeat(Math.max(0, bytes - new TextEncoder().encode(text).length))}"}`,
    );
  };
  const json = fc.constantFrom<unknown>([], [{}], "text", 0, null, true, '"text"', "[");
  const bad = fc.constantFrom(
    "{",
    "nul",
    '{"a":1,}',
    "{'a':1}",
    "\u0000",
    "{}{}",
    " ",
    "\ufeff\ufeff{}",
    "[".repeat(60_000),
  );
  return [
    breaking("a body that is no JSON object", [422], json, (value) => whole(JSON.stringify(value))),
    breaking("malformed JSON", [422], bad, whole),
    breaking("JSON that is cut off", [422], fc.integer({ min: 1, max: 50 }), (cut, { body }) =>
      whole(JSON.stringify(body).slice(0, -cut)),
    ),
    // Names in the body may be shorter than what stands for them.
    breaking("a body above the limit", [413], fc.integer({ min: 2_000, max: 200_000 }), (more, { body }) =>
      whole(padded(body, MAX_BODY_BYTES + more)),
    ),
    breaking("a body just within the limit", [], fc.nat(3), (less, { body }) =>
      whole(padded(body, MAX_BODY_BYTES - less)),
    ),
    breaking(
      "a field that nobody knows",
      [],
      fc.tuple(
        fc.constantFrom(
          "__proto__",
          "constructor",
          "toString",
          "id",
          "workspace_id",
          "status",
          "",
          "0",
          "\ud800",
        ),
        fc.jsonValue(),
      ),
      ([name, value]: [string, unknown], { body }: Parts) =>
        whole(
          `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`.replace(
            "{,",
            "{",
          ),
        ),
    ),
    breaking("a field that is nested deeply", [], fc.integer({ min: 1, max: 30_000 }), (depth, { body }) =>
      whole(
        `{"deep":${"[".repeat(depth)}${"]".repeat(depth)},${JSON.stringify(body).slice(1)}`.replace(
          ",}",
          "}",
        ),
      ),
    ),
  ];
}

const asCursor = (value: unknown): string => base64Url(new TextEncoder().encode(JSON.stringify(value)));

/** Ways to make a query parameter invalid. `strict` means that unknown parameters are refused. */
function brokenQuery(operation: Operation): fc.Arbitrary<Breaking>[] {
  const known = parametersOf(operation, "query");
  const without = (name: string, { query }: Parts) => query.filter(([each]) => each !== name);
  const pair = (name: string, value: string): Parts["query"][number] => [name, value];
  const add = (name: string) => (value: string, parts: Parts) => ({
    query: [...without(name, parts), pair(name, value)],
  });
  const strict = operation.operationId === "getLinkQr";
  return [
    ...known.flatMap(({ name, schema }) => {
      const types = typesOf(schema);
      const inner = schema.items ?? schema;
      const isText = inner.enum === undefined && !types.includes("integer");
      return on(name, [
        ...when(
          !types.includes("array"),
          breaking(`${name} twice`, [422], fc.constantFrom("a", "1"), (value: string, parts: Parts) => ({
            query: [...without(name, parts), pair(name, value), pair(name, value)],
          })),
          breaking(`${name}[]`, [422], fc.constantFrom("a", "1"), (value: string, parts: Parts) => ({
            query: [...without(name, parts), pair(`${name}[]`, value)],
          })),
        ),
        breaking(`${name} that is bad text`, [422], fc.constantFrom(...CONTROLS), add(name)),
        breaking(`${name} that is empty`, [], fc.constantFrom("", " ", "\t"), add(name)),
        breaking(`${name} of any text`, [], textOf({ maxLength: 2000 }), add(name)),
        ...when(
          types.includes("integer"),
          breaking(`${name} out of bounds`, [422], outside(schema), add(name)),
        ),
        ...when(
          inner.enum !== undefined,
          breaking(
            `${name} of no known value`,
            [422],
            fc.constantFrom("?", "ALL", "svg,png", "0"),
            add(name),
          ),
        ),
        ...when(
          isText && inner.maxLength !== undefined,
          breaking(
            `too long a ${name}`,
            [422],
            fc.constantFrom("a", "é", "👍").map((letter) => letter.repeat((inner.maxLength ?? 0) + 1)),
            add(name),
          ),
        ),
        ...when(
          name === "after",
          breaking(
            "a malformed cursor",
            [422],
            fc.constantFrom("x", "W10", "e30", "bnVsbA", "!", "____"),
            add(name),
          ),
          breaking(
            "a forged cursor",
            [200, 422],
            fc.tuple(
              fc.constantFrom("name", "-created_at", "created_at", "updated_at", "slug", "title"),
              fc.oneof(fc.constantFrom(null, 1e308, -1, 1.5, "", "\u0000", "\ud800"), fc.jsonValue()),
              fc.oneof(fc.constantFrom("", "zzz", UNKNOWN_ID, 7), fc.jsonValue()),
            ),
            ([sort, value, id]: [string, unknown, unknown], parts: Parts) => ({
              query: [
                ...without("sort", { ...parts, query: without("after", parts) }),
                ...(sort === "name" ? [] : [pair("sort", sort)]),
                pair("after", asCursor([sort, value, id])),
              ],
            }),
          ),
          breaking("a cursor of some list", [200, 422], fc.constant("__AFTER__"), add(name)),
        ),
      ]);
    }),
    breaking(
      "a parameter that nobody knows",
      strict ? [422] : [],
      fc.constantFrom("color", "__proto__", "constructor", "0", "\u0000", "ids", "é"),
      (name: string, { query }: Parts) => ({ query: [...query, pair(name, "1")] }),
    ),
    ...when(
      known.length > 0,
      breaking(
        "bytes in the query that are no UTF-8",
        [],
        fc.constantFrom("q", "slug", "x"),
        (name: string) => ({ query: [pair(name, "__BYTES__")] }),
      ),
    ),
  ];
}

/** Ways to make an id in the path invalid. */
function brokenPath(operation: Operation): fc.Arbitrary<Breaking>[] {
  const names = operation.path.match(/{.+?}/g) ?? [];
  const malformed = fc.oneof(
    fc.constantFrom(
      "",
      "%00",
      "%2e%2e%2f",
      "%zz",
      "a".repeat(5000),
      "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
      "01JZ8Q4V6T3%E2%84%AA9M2N5P7R8S0W1X",
      "__LINK_0__0",
      "%20__LINK_0__",
    ),
    textOf({ maxLength: 40 })
      .map(encodeURIComponent)
      .filter((text) => !/^(\.|%2e)+$/i.test(text)),
  );
  const put = (name: string, id: string, { path }: Parts): Partial<Parts> => {
    const places = operation.path.split("/");
    const segments = path.split("/");
    segments[places.indexOf(name)] = id;
    return { path: segments.join("/") };
  };
  const nothing = fc.constantFrom(
    UNKNOWN_ID,
    UNKNOWN_ID.toLowerCase(),
    "__OTHERLINK__",
    "__OTHERTAG__",
    "__GROUP_0__",
  );
  return names.flatMap((name) => [
    breaking(`${name} that names nothing`, [404], nothing, (id: string, parts: Parts) =>
      put(name, id, parts),
    ),
    breaking(`${name} that is malformed`, [404], malformed, (id: string, parts: Parts) =>
      put(name, id, parts),
    ),
  ]);
}

/** `interface/tenancy.test.ts` has every kind of wrong key, `interface/links-headers.test.ts` and others the headers. */
const noGoodKey: fc.Arbitrary<Breaking> = breaking(
  "no good key",
  [401],
  fc.constantFrom(null, "", "Bearer x", "__KEY__"),
  (authorization: string | null, { headers }: Parts) => ({ headers: { ...headers, authorization } }),
);

const brokenFields = (operation: Operation): fc.Arbitrary<Breaking>[] => {
  const schema = bodySchema(operation);
  return Object.entries(schema?.properties ?? {}).flatMap(([name, each]) =>
    brokenField(name, each, (schema?.required ?? []).includes(name)),
  );
};

/** Half valid requests, half with one error. */
export function attempts(operation: Operation): fc.Arbitrary<Attempt> {
  const places = [
    brokenFields(operation),
    bodySchema(operation) === undefined ? [] : brokenBody(),
    brokenQuery(operation),
    brokenPath(operation),
    [noGoodKey],
  ].filter((place) => place.length > 0);
  const breakings = fc.oneof(...places.map((place) => fc.oneof(...place)));
  const head = fc.nat(3).map((number) => number === 0);
  return fc.oneof(
    fc
      .record({ parts: fine(operation), head })
      .map(({ parts, head }) => ({ parts, how: "fine", expected: undefined, head })),
    fc
      .record({ parts: fine(operation), breaking: breakings, head })
      .map(({ parts, breaking: { change, ...breaking }, head }) => ({
        ...breaking,
        parts: { ...parts, ...change(parts) },
        head,
      })),
  );
}
