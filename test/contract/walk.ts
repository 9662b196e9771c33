// Calls every operation, with what it accepts and what it refuses. Two kinds of requests are left out, because Prism never
// answers a body that is not JSON, and answers 500 to HEAD. The service's own tests send both.

const UNKNOWN_ID = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const UNKNOWN_KEY = "lnk_0000000000000000000000000000000000000a";
const DESTINATION = "https://www.example.com/walk";
/** More than the 64 KiB that a body may have. */
const PADDING = "x".repeat(70_000);

interface Call {
  query?: string;
  body?: object;
  headers?: Record<string, string>;
  /** The request does not fit the document either, so the proxy must report it. */
  isUndocumented?: boolean;
}

interface Answer {
  headers: Headers;
  /** An empty object if the answer is not JSON. */
  body: Record<string, unknown>;
}

export interface Seen {
  calls: number;
  /** `createLink 201` and so on. */
  answers: Set<string>;
  faults: string[];
}

interface Violation {
  location: string[];
  message: string;
}

/** The proxy shortens a header that would be too long, which then is no JSON. */
function readViolations(header: string | null): Violation[] {
  if (header === null) return [];
  try {
    return JSON.parse(header);
  } catch {
    return [{ location: ["response"], message: header }];
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const partOf = (answer: Answer, name: string): Record<string, unknown> => {
  const part = answer.body[name];
  return isObject(part) ? part : {};
};

async function readBody(response: Response): Promise<Record<string, unknown>> {
  if (response.headers.get("content-type")?.startsWith("application/json") !== true) {
    await response.arrayBuffer();
    return {};
  }
  const body: unknown = await response.json();
  return isObject(body) ? body : {};
}

/** Sends requests with the demo's key, and notes what came and what the proxy reports. */
export function openWalk(base: string, key: string, operationIdOf: (method: string, path: string) => string) {
  const seen: Seen = { calls: 0, answers: new Set(), faults: [] };

  async function call(status: number, method: string, path: string, how: Call = {}): Promise<Answer> {
    const { query = "", body, headers = {}, isUndocumented = false } = how;
    const response = await fetch(`${base}/api/v1${path}${query}`, {
      method,
      headers: {
        Accept: "application/json",
        Authorization: `Bearer ${key}`,
        ...(body && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const answer = { headers: response.headers, body: await readBody(response) };
    const operationId = operationIdOf(method, `/api/v1${path}`);
    const name = `${operationId} (${method} ${path}${query})`;
    seen.calls++;
    seen.answers.add(`${operationId} ${response.status}`);
    if (response.status !== status) {
      seen.faults.push(`${name}: ${response.status}, not ${status}: ${JSON.stringify(answer.body)}`);
    }
    const violations = readViolations(response.headers.get("sl-violations"));
    const ofRequest = violations.filter(({ location }) => location[0] === "request");
    for (const { location, message } of violations) {
      if (location[0] === "request" && isUndocumented) continue;
      seen.faults.push(`${name}, ${response.status}: ${location.join(".")} ${message}`);
    }
    if (isUndocumented && ofRequest.length === 0) {
      seen.faults.push(`${name}: the document allows a request that the service refuses`);
    }
    return answer;
  }
  return { seen, call };
}

/** The address of the next page, as the query that follows the path. */
const nextOf = ({ headers }: Answer): string =>
  /<[^>?]*(\?[^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "?page=no-next-page";

type CallApi = ReturnType<typeof openWalk>["call"];

const NO_KEY = { headers: { Authorization: "" }, isUndocumented: true };
const WRONG_KEY = { headers: { Authorization: `Bearer ${UNKNOWN_KEY}` } };
const ifMatch = (etag: string) => ({ headers: { "If-Match": etag } });
const STRICT = { Prefer: "handling=strict" };
const STALE = ifMatch('"stale"');
const etagOf = ({ headers }: Answer): string => headers.get("etag") ?? "no ETag";
const uniqueName = () => `walk-${crypto.randomUUID().slice(0, 8)}`;

async function refuseKeys(call: CallApi): Promise<void> {
  const link = `/links/${UNKNOWN_ID}`;
  const tag = `/tags/${UNKNOWN_ID}`;
  const withTags = { body: { tag_ids: [UNKNOWN_ID] } };
  await call(401, "GET", "/links", NO_KEY);
  await call(401, "GET", "/activity-groups", WRONG_KEY);
  await call(401, "GET", "/links", WRONG_KEY);
  await call(401, "POST", "/links", { ...WRONG_KEY, body: { destination_url: DESTINATION } });
  await call(401, "GET", link, WRONG_KEY);
  await call(401, "PATCH", link, { ...WRONG_KEY, body: { title: "Walk" } });
  await call(401, "DELETE", link, WRONG_KEY);
  await call(401, "GET", `${link}/qr`, WRONG_KEY);
  await call(401, "POST", `${link}/tags`, { ...WRONG_KEY, ...withTags });
  await call(401, "DELETE", `${link}/tags/${UNKNOWN_ID}`, WRONG_KEY);
  await call(401, "GET", "/tags", WRONG_KEY);
  await call(401, "POST", "/tags", { ...WRONG_KEY, body: { name: "Walk" } });
  await call(401, "PATCH", tag, { ...WRONG_KEY, body: { name: "Walk" } });
  await call(401, "DELETE", tag, WRONG_KEY);
}

async function refuseUnknown(call: CallApi): Promise<void> {
  const link = `/links/${UNKNOWN_ID}`;
  await call(404, "GET", link);
  await call(404, "PATCH", link, { body: { title: "Walk" } });
  await call(404, "DELETE", link);
  await call(404, "GET", `${link}/qr`);
  await call(404, "POST", `${link}/tags`, { body: { tag_ids: [UNKNOWN_ID] } });
  await call(404, "DELETE", `${link}/tags/${UNKNOWN_ID}`);
  await call(404, "PATCH", `/tags/${UNKNOWN_ID}`, { body: { name: "Walk" } });
  await call(404, "DELETE", `/tags/${UNKNOWN_ID}`);
  await call(404, "GET", "/links/no-id", { isUndocumented: true });
}

async function lookUpGroups(call: CallApi): Promise<string> {
  const all = await call(200, "GET", "/activity-groups");
  await call(200, "GET", "/activity-groups", { query: "?q=summer&type=campaign&status=active" });
  await call(200, "GET", "/activity-groups", { query: "?page=2&per_page=2" });
  await call(200, "GET", "/activity-groups", { query: `?id=${UNKNOWN_ID}` });
  await call(200, "GET", "/activity-groups", { query: "?slug=newsletter" });
  await call(422, "GET", "/activity-groups", { query: "?slog=newsletter", headers: STRICT });
  await call(422, "GET", "/activity-groups", { query: "?type=party", isUndocumented: true });
  await call(422, "GET", "/activity-groups", { query: "?per_page=101&page=0", isUndocumented: true });
  const [first] = Array.isArray(all.body["activity_groups"]) ? all.body["activity_groups"] : [];
  return isObject(first) ? String(first["id"]) : "";
}

async function walkTags(call: CallApi): Promise<{ id: string; slug: string }> {
  const whole = { name: uniqueName(), slug: uniqueName(), colour: "#b45309", description: "A walk" };
  const headers = { "Idempotency-Key": uniqueName() };
  const made = await call(201, "POST", "/tags", { body: whole, headers });
  await call(201, "POST", "/tags", { body: whole, headers });
  const bare = await call(201, "POST", "/tags", { body: { name: uniqueName(), colour: null } });
  const { id, slug } = partOf(made, "tag");
  const own = `/tags/${id}`;
  const other = partOf(bare, "tag")["id"];
  await call(422, "POST", "/tags", { body: { name: whole.name, slug: whole.slug } });
  await call(422, "POST", "/tags", { body: {}, isUndocumented: true });
  await call(413, "POST", "/tags", { body: { name: "Walk", padding: PADDING } });
  const changed = await call(200, "PATCH", own, { body: { slug: null, description: null } });
  await call(200, "PATCH", own, { body: { slug: String(slug) }, ...ifMatch(etagOf(changed)) });
  await call(412, "PATCH", own, { body: { name: "Walk" }, ...STALE });
  await call(413, "PATCH", own, { body: { name: "Walk", padding: PADDING } });
  await call(422, "PATCH", `/tags/${other}`, { body: { name: whole.name } });
  await call(422, "PATCH", own, { body: { slug: "Not A Slug" }, isUndocumented: true });
  await call(200, "GET", "/tags");
  await call(200, "GET", "/tags", { headers: STRICT });
  await call(422, "GET", "/tags", { query: "?q=walk", headers: STRICT });
  await call(412, "DELETE", `/tags/${other}`, STALE);
  await call(422, "DELETE", `/tags/${other}`, { query: "?force=1", headers: STRICT });
  await call(204, "DELETE", `/tags/${other}`);
  return { id: String(id), slug: String(slug) };
}

async function createLinks(
  call: CallApi,
  groupId: string,
  tagId: string,
): Promise<{ id: string; slug: string }> {
  const whole = {
    destination_url: `${DESTINATION}?a=1#b`,
    slug: uniqueName(),
    title: "A walk",
    channel: "poster",
    activity_group_id: groupId,
    utm_source: "walk",
    utm_medium: "print",
    utm_campaign: "walk",
    external_id: `walk:${uniqueName()}`,
    tag_names: ["PRINT"],
  };
  const headers = { "Idempotency-Key": uniqueName() };
  const made = await call(201, "POST", "/links", { body: whole, headers });
  await call(201, "POST", "/links", { body: whole, headers });
  await call(422, "POST", "/links", { body: { ...whole, title: "Another" }, headers });
  await call(201, "POST", "/links", {
    body: { destination_url: DESTINATION, slug: null, title: null, tag_ids: [tagId] },
    headers: STRICT,
  });
  await call(422, "POST", "/links", { body: { destination_url: DESTINATION, slug: whole.slug } });
  await call(422, "POST", "/links", {
    body: { destination_url: "https://192.0.2.1/", tag_ids: [UNKNOWN_ID] },
  });
  await call(422, "POST", "/links", { body: whole, headers: STRICT });
  await call(422, "POST", "/links", {
    body: { destination_url: DESTINATION, titel: "Walk" },
    headers: STRICT,
  });
  await call(422, "POST", "/links", {
    body: { destination_url: DESTINATION, tag_ids: [tagId], tag_names: ["Print"] },
  });
  await call(422, "POST", "/links", {
    body: { destination_url: "ftp://example.com/" },
    isUndocumented: true,
  });
  await call(422, "POST", "/links", { body: { title: "No destination" }, isUndocumented: true });
  await call(422, "POST", "/links", {
    body: whole,
    headers: { "Idempotency-Key": "k".repeat(256) },
    isUndocumented: true,
  });
  await call(413, "POST", "/links", { body: { destination_url: DESTINATION, padding: PADDING } });
  return { id: String(partOf(made, "link")["id"]), slug: whole.slug };
}

async function listLinks(call: CallApi, tag: string, slug: string): Promise<void> {
  await call(200, "GET", "/links");
  await call(200, "GET", "/links", { query: `?tag=${tag}&activity_group_id=summer-2026&channel=poster` });
  await call(200, "GET", "/links", { query: `?tag=${tag}&tag=print&status=all&sort=-updated_at` });
  await call(200, "GET", "/links", { query: `?slug=${slug}&slug=summer&q=s` });
  await call(200, "GET", "/links", { query: "?external_id=walk:1&external_id=walk:2", headers: STRICT });
  await call(200, "GET", "/links", { query: "?external_id_prefix=walk:" });
  await call(422, "GET", "/links", { query: "?colour=red", headers: STRICT });
  const page = await call(200, "GET", "/links", { query: "?status=all&sort=slug&per_page=2" });
  await call(200, "GET", "/links", { query: nextOf(page) });
  await call(200, "GET", "/links", { query: "?page=99&status=archived" });
  await call(422, "GET", "/links", { query: "?status=gone&per_page=0", isUndocumented: true });
}

async function changeLink(call: CallApi, link: string, tag: string): Promise<void> {
  const own = `/links/${link}`;
  const read = await call(200, "GET", own);
  await call(304, "GET", own, { headers: { "If-None-Match": etagOf(read) } });
  await call(422, "GET", own, { query: "?fields=slug", headers: STRICT });
  const moved = await call(200, "PATCH", own, {
    body: { activity_group_id: "newsletter", channel: "mail", utm_campaign: null, tag_ids: null },
    ...ifMatch(`W/${etagOf(read)}`),
  });
  await call(412, "PATCH", own, { body: { title: "Stale" }, ...ifMatch(etagOf(read)) });
  await call(422, "PATCH", own, { body: { activity_group_id: "no-such-group", slug: "summer" } });
  await call(422, "PATCH", own, { body: { slug: "summer", tag_names: ["No such tag"] }, headers: STRICT });
  await call(422, "PATCH", own, { body: { status: "gone" }, isUndocumented: true });
  await call(413, "PATCH", own, { body: { title: "Walk", padding: PADDING } });
  await call(412, "POST", `${own}/tags`, { body: { tag_ids: [tag] }, ...STALE });
  await call(200, "POST", `${own}/tags`, { body: { tag_ids: [tag] }, ...ifMatch(etagOf(moved)) });
  await call(422, "POST", `${own}/tags`, { body: { tag_ids: [UNKNOWN_ID] } });
  await call(422, "POST", `${own}/tags`, { body: { tag_ids: [] }, isUndocumented: true });
  await call(413, "POST", `${own}/tags`, { body: { tag_ids: [tag], padding: PADDING } });
  await call(200, "GET", own);
  await call(412, "DELETE", `${own}/tags/${tag}`, STALE);
  await call(422, "DELETE", `${own}/tags/${tag}`, { query: "?all=1", headers: STRICT });
  await call(204, "DELETE", `${own}/tags/${tag}`);
  await call(404, "DELETE", `${own}/tags/${tag}`);
  await call(200, "PATCH", own, {
    body: { activity_group_id: null, title: null, external_id: null, tag_names: ["Social", "print"] },
    headers: STRICT,
  });
}

async function drawQr(call: CallApi, link: string): Promise<void> {
  const own = `/links/${link}/qr`;
  const svg = await call(200, "GET", own);
  await call(304, "GET", own, { headers: { "If-None-Match": etagOf(svg) } });
  await call(200, "GET", own, { query: "?format=png&size=256&margin=8&ecc=H&download=1" });
  await call(422, "GET", own, { query: "?format=gif&size=1", isUndocumented: true });
  await call(422, "GET", own, { query: "?size=64&margin=16" });
  await call(422, "GET", own, { query: "?color=red" });
}

async function removeLinks(call: CallApi, link: string, tag: string): Promise<void> {
  const own = `/links/${link}`;
  await call(200, "PATCH", own, { body: { status: "archived" } });
  await call(404, "GET", `${own}/qr`);
  await call(412, "DELETE", own, STALE);
  await call(204, "DELETE", own);
  await call(404, "GET", own);
  await call(204, "DELETE", `/tags/${tag}`);
  // The demo's poster is live.
  const { body } = await call(200, "GET", "/links", { query: "?slug=summer" });
  const [summer] = Array.isArray(body["links"]) ? body["links"] : [];
  await call(422, "DELETE", `/links/${isObject(summer) ? summer["id"] : UNKNOWN_ID}`);
}

/** Sends the examples of the document as they stand. The one of `attachTagsToLink` has an id that no workspace knows. */
async function sendExamples(call: CallApi, exampleOf: (operationId: string) => object): Promise<void> {
  const link = await call(201, "POST", "/links", { body: exampleOf("createLink"), headers: STRICT });
  const tag = await call(201, "POST", "/tags", { body: exampleOf("createTag"), headers: STRICT });
  const ownLink = `/links/${partOf(link, "link")["id"]}`;
  const ownTag = `/tags/${partOf(tag, "tag")["id"]}`;
  await call(200, "PATCH", ownLink, { body: exampleOf("updateLink"), headers: STRICT });
  await call(200, "PATCH", ownTag, { body: exampleOf("updateTag"), headers: STRICT });
  await call(204, "DELETE", ownLink);
  await call(204, "DELETE", ownTag);
}

/** Calls all operations of the demo workspace. */
export async function readsAllPages(
  call: CallApi,
  exampleOf: (operationId: string) => object,
): Promise<void> {
  await refuseKeys(call);
  await refuseUnknown(call);
  const group = await lookUpGroups(call);
  const tag = await walkTags(call);
  const link = await createLinks(call, group, tag.id);
  await listLinks(call, tag.slug, link.slug);
  await changeLink(call, link.id, tag.id);
  await drawQr(call, link.id);
  await removeLinks(call, link.id, tag.id);
  await sendExamples(call, exampleOf);
}
