import { z } from "zod";
import { version } from "../../package.json";
import { linkSchema } from "../resources/links/link-schema";
import { listMigrations } from "./migrations";
import { reasonOf } from "./plain";
import { type Answer, describeAnswer, type Expected, findProblems } from "./smoke-checks";

/** How long a change may stay unseen. */
const MAX_UNSEEN_MS = 300_000;
/** How long the whole command may wait. */
const MAX_WAIT_MS = 360_000;
const PAUSE_MS = 5_000;
/** The longest answer that is read. Right ones are far shorter. */
const MAX_ANSWER_CHARACTERS = 1_000_000;

const LINKS = "/api/v1/links";

/** Destinations whose bytes a careless redirect would change, and where they lead with the link's UTM parameters. */
const toDestination = (page: string) => ({
  given: `https://www.example.com/${page}?a=b%20c&utm_source=old&flag#top`,
  location: `https://www.example.com/${page}?a=b%20c&utm_source=smoke&flag&utm_campaign=smoke%20test#top`,
});
const FIRST = toDestination("waymark-smoke-1");
const SECOND = toDestination("waymark-smoke-2");

const refused = (status: number, message: string): Expected => ({
  status,
  headers: { "Cache-Control": "no-store" },
  json: z.strictObject({ message: z.literal(message) }),
});

const toSchema = (slug: string) =>
  linkSchema.extend({
    slug: z.literal(slug),
    short_url: z.url().endsWith(`/${slug}`, `an address that ends with /${slug}.`),
  });

const withLink = (status: number, message: string, slug: string, destination: string): Expected => {
  const link = toSchema(slug).extend({ destination_url: z.literal(destination) });
  return {
    status,
    headers: { ETag: /^(?:W\/)?"[\w-]+"$/, "Server-Timing": /\bd1;dur=/ },
    json: z.object({ message: z.literal(message), link }),
  };
};

const redirectTo = (location: string): Expected => ({
  status: 302,
  headers: { Location: location, "Cache-Control": "private, no-store", "X-Cache": /^(?:hit|miss)$/ },
});

/** What a service sends could otherwise steer the terminal that shows it. */
const toPrintable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ANSWER_CHARACTERS) throw new Error("it is too long to be one");
  }
  return text;
}

const NO_SERVICE =
  "There is no Waymark service at this address: check --url. What comes after it was left out.";
const KEY_REFUSED =
  "The service refuses the key: it must be a key of this service that is not revoked. What comes after it was left out.";
const KEY_READS = "The key is read-only: give one with full access. What comes after it was left out.";

/** What the health of any release has. */
const isHealth = z.object({ status: z.string(), d1: z.boolean() });

interface Surroundings {
  /** The address of the API, without a path. */
  base: string;
  key: string;
  /** The slug of the link that is created. */
  slug: string;
  /** How long a request may take. */
  timeoutMs: number;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  print: (line: string) => void;
}

/** Creates, changes and deletes a link of a running service, and follows it as a visitor. Returns what is wrong. */
export async function smoke({ base, key, slug, timeoutMs, now, sleep, print }: Surroundings) {
  const startedAt = now();
  const problems: string[] = [];

  async function send(step: string, method: string, url: string, init: RequestInit = {}): Promise<Answer> {
    const sentAt = performance.now();
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { ...init, method, redirect: "manual", signal });
      const { status, headers } = response;
      const text = await readText(response);
      const json = await new Response(text).json().catch(() => undefined);
      const answer = { status, headers, text, json, ms: performance.now() - sentAt };
      print(toPrintable(describeAnswer(step, answer)));
      return answer;
    } catch (error) {
      throw new Error(
        `${step}: ${method} ${url} has no answer (${reasonOf(error)}). What comes after it was left out.`,
      );
    }
  }

  async function call(step: string, request: string, expected: Expected, more: object = {}, body?: object) {
    const [method = "", path = ""] = request.split(" ");
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...more };
    const init = body === undefined ? { headers } : { headers, body: JSON.stringify(body) };
    const answer = await send(step, method, base + path, init);
    problems.push(...findProblems(step, answer, expected));
    return answer;
  }

  /** Follows the short link until the answer is right or the time is over. */
  async function visit(step: string, url: string, expected: Expected, maxMs = 0): Promise<void> {
    const since = now();
    for (;;) {
      const wrong = findProblems(step, await send(step, "GET", url), expected);
      const waited = now() - since;
      if (wrong.length === 0 || waited >= maxMs || now() - startedAt >= MAX_WAIT_MS) {
        const after = maxMs === 0 ? "" : ` So it is after ${Math.round(waited / 1000)} s.`;
        problems.push(...wrong.map((problem) => problem + after));
        return;
      }
      await sleep(PAUSE_MS);
    }
  }

  /** Finds the link by its slug, also if its creation had no answer. */
  async function find() {
    const json = z.object({ links: z.array(toSchema(slug)) });
    const answer = await call("find it by its slug", `GET ${LINKS}?slug=${slug}`, { status: 200, json });
    const found = z.object({ links: z.array(linkSchema.pick({ id: true, short_url: true })) });
    return found.safeParse(answer.json).data?.links[0];
  }

  let mayExist = false;
  try {
    const schema = z.literal(listMigrations().at(-1));
    const isFine = { status: z.literal("ok"), d1: z.literal(true), kv: z.literal(true) };
    const health = z.object({ ...isFine, version: z.literal(version), schema_version: schema });
    // Without the key, which is no HEALTH_TOKEN.
    const answer = await send("read the health", "GET", `${base}/health`);
    problems.push(...findProblems("read the health", answer, { status: 200, json: health }));
    const { status, json } = answer;
    if (status < 500 && !isHealth.safeParse(json).success) throw new Error(NO_SERVICE);
    const wrongKey = { Authorization: "Bearer lnk_wrong" };
    await call("use a wrong key", `GET ${LINKS}`, refused(401, "Unauthenticated."), wrongKey);
    const isUnknown = refused(404, "Link not found.");
    const unknown = await call("read an unknown link", `GET ${LINKS}/${"0".repeat(26)}`, isUnknown);
    if (unknown.status === 401) throw new Error(KEY_REFUSED);
    const errors = z.object({ destination_url: z.array(z.string()) });
    const invalid = { status: 422, json: z.strictObject({ message: z.string(), errors }) };
    const empty = await call("send an empty object", `POST ${LINKS}`, invalid, {}, {});
    if (empty.status === 403) throw new Error(KEY_READS);

    mayExist = true;
    const utm = { utm_source: "smoke", utm_campaign: "smoke test" };
    const content = { slug, destination_url: FIRST.given, title: "npm run smoke", ...utm };
    const isCreated = withLink(201, "Link created successfully.", slug, FIRST.given);
    const created = await call("create a link", `POST ${LINKS}`, isCreated, {}, content);
    mayExist = created.status < 400 || created.status >= 500;
    const link = mayExist ? await find() : undefined;
    if (link === undefined) throw new Error("What needs a link was left out.");
    print(
      toPrintable(`(The link ${link.id}, once deleted, its slug ${slug} and rows of the audit log stay.)`),
    );

    const change = { destination_url: SECOND.given };
    const path = `${LINKS}/${link.id}`;
    await visit("follow it", link.short_url, redirectTo(FIRST.location));
    const changedSince = refused(412, "The link has changed since it was read.");
    await call("change another version", `PATCH ${path}`, changedSince, { "If-Match": '"other"' }, change);
    const isUpdated = withLink(200, "Link updated successfully.", slug, SECOND.given);
    const ifMatch = { "If-Match": created.headers.get("ETag") ?? "*" };
    await call("change it", `PATCH ${path}`, isUpdated, ifMatch, change);
    await visit("follow it after the change", link.short_url, redirectTo(SECOND.location), MAX_UNSEEN_MS);
    mayExist = (await call("delete it", `DELETE ${path}`, { status: 204 })).status !== 204;
    await call("read it after its deletion", `GET ${path}`, refused(404, "Link not found."));
    await visit("follow it after its deletion", link.short_url, { status: 404 }, MAX_UNSEEN_MS);
  } catch (error) {
    problems.push(reasonOf(error));
  }
  const deleteLeftover = async () => {
    const link = await find();
    if (link !== undefined)
      await call("delete it all the same", `DELETE ${LINKS}/${link.id}`, { status: 204 });
  };
  if (mayExist) await deleteLeftover().catch((error) => problems.push(reasonOf(error)));
  return problems.map(toPrintable);
}
