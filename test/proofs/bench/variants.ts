import { COMMON_WORD, RARE_WORD } from "../scale/generate";

// The measured variants. Each is a load on a Worker in its own workerd. API variants of one size share a server.

export const TARGET = "https://www.example.com/sale?colour=blue&utm_source=newsletter&utm_medium=email";
export const HOT_SLUG = "summer";
/** A link whose rules lead nobody. */
export const RULES_SLUG = "rules";
/** Twice the memory of an instance, so that every request of a rotation is a memory miss. */
export const WARM_SLUGS = 2_000;
/** More D1 lookups than the simulator can do in a second. */
export const COLD_SLUGS_A_SECOND = 4_000;
const JUNK_PATH = "/wp-admin/foo.php";

/** The headers that every client sends and that classify a visit. */
export const BROWSER = {
  "User-Agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "Accept-Language": "de-CH,de;q=0.9,en;q=0.8,fr;q=0.7",
  Referer: "https://www.example.org/",
};

export type WorkerName = "floor" | "headers" | "page" | "kv" | "query" | "waymark";

export type Load =
  | { kind: "path"; path: string }
  /** `count` numbered slugs. With `fresh`, each round continues after the numbers of the previous one. */
  | { kind: "rotate"; prefix: string; count: number; fresh: boolean }
  /** In a path, `{link}` is a link's id and `{after}` is the cursor after 499 pages of one link. */
  | { kind: "api"; path: string; body?: string; connections?: number };

export interface Goal {
  against: string;
  /** The maximal ratio of CPU time per request. */
  cpu: number;
}

export interface Variant {
  name: string;
  worker: WorkerName;
  vars: Readonly<Record<string, string>>;
  /** The host that is visited, where it decides the answer. */
  host?: string;
  load: Load;
  /** The number of links in the workspace whose API is called. Variants with the same number share a server. */
  links?: number;
  /** The expected first response: its status and, for our Worker, its `X-Cache`. */
  expects: { status: number; cache?: string };
  goals: readonly Goal[];
}

/** The hosts of an installation, and a domain of a workspace. */
const HOSTS = { BASE_URL: "https://links.example.com", SHORT_BASE_URL: "https://s.example.com" };
const SHORT_NAME = new URL(HOSTS.SHORT_BASE_URL).hostname;
export const DOMAIN = "go.example.net";

const NO_CLICKS = { CLICK_PACK_SECONDS: "0" };
/** An instance buffers at most 20,000 visits per pack. Full load reaches that within 5 s, but not within 1 s. */
const ALL_CLICKS = { CLICK_PACK_SECONDS: "1" };

/** The numbers of links in the workspace that is called, one of twenty. */
export const SIZES = [1_000, 1_000_000];
/** Operations with their loads, and the limits of their CPU per request, of `query`. */
export const OPERATIONS: readonly [
  name: string,
  load: Omit<Load & { kind: "api" }, "kind">,
  limit?: number,
][] = [
  [
    "create",
    {
      path: "/api/v1/links",
      body: '{"destination_url":"https://www.example.com/sale","utm_source":"newsletter","title":"Sale"}',
    },
    5,
  ],
  ["get", { path: "/api/v1/links/{link}" }, 1.9],
  ["first page", { path: "/api/v1/links" }, 4],
  ["page 500 by next", { path: "/api/v1/links?per_page=1&page=500&after={after}" }],
  ["q, rare", { path: `/api/v1/links?q=${RARE_WORD}` }, 5],
  // One request at a time, since pending work at the end of a round would count towards the next one.
  ["q, common", { path: `/api/v1/links?q=${COMMON_WORD}`, connections: 1 }],
];
export const operationAt = (operation: string, links: number): string =>
  `API: ${operation}, ${links.toLocaleString("en-GB")} links`;

const HOT: Load = { kind: "path", path: `/${HOT_SLUG}` };
const JUNK: Load = { kind: "path", path: JUNK_PATH };
const WARM: Load = { kind: "rotate", prefix: "/w", count: WARM_SLUGS, fresh: false };
const HIT = { status: 302, cache: "hit" };
const ON_SHORT_HOST = { vars: HOSTS, host: SHORT_NAME, expects: HIT };
const ON_DOMAIN = { vars: HOSTS, host: DOMAIN, expects: HIT };

const variant = (
  name: string,
  worker: WorkerName,
  load: Load,
  more: Pick<Variant, "expects"> & Partial<Variant>,
): Variant => ({ name, worker, load, vars: {}, goals: [], ...more });

export const variants = (seconds: number): readonly Variant[] => [
  variant("floor", "floor", HOT, { expects: { status: 302 } }),
  variant("headers", "headers", HOT, { expects: HIT }),
  variant("hot", "waymark", HOT, {
    ...ON_SHORT_HOST,
    vars: { ...HOSTS, ...NO_CLICKS },
    goals: [{ against: "floor", cpu: 1.2 }],
  }),
  variant("hot, on a domain", "waymark", HOT, {
    ...ON_DOMAIN,
    vars: { ...HOSTS, ...NO_CLICKS },
    goals: [{ against: "hot", cpu: 1.05 }],
  }),
  variant(
    "hot, ten rules",
    "waymark",
    { kind: "path", path: `/${RULES_SLUG}` },
    {
      ...ON_SHORT_HOST,
      vars: { ...HOSTS, ...NO_CLICKS },
      goals: [{ against: "floor", cpu: 1.5 }],
    },
  ),
  variant("hot, clicks recorded", "waymark", HOT, {
    vars: ALL_CLICKS,
    expects: HIT,
    goals: [
      { against: "floor", cpu: 1.2 },
      { against: "headers", cpu: 1.1 },
    ],
  }),
  variant("page", "page", JUNK, { expects: { status: 404 } }),
  variant("junk path", "waymark", JUNK, {
    expects: { status: 404 },
    goals: [{ against: "page", cpu: 1.25 }],
  }),
  variant("kv", "kv", WARM, { expects: { status: 302 } }),
  variant("warm", "waymark", WARM, ON_SHORT_HOST),
  variant("warm, on a domain", "waymark", WARM, { ...ON_DOMAIN, goals: [{ against: "warm", cpu: 1.05 }] }),
  variant(
    "cold",
    "waymark",
    { kind: "rotate", prefix: "/c", count: COLD_SLUGS_A_SECOND * seconds, fresh: true },
    { expects: { status: 302, cache: "miss" } },
  ),
  variant("query", "query", { kind: "path", path: "/" }, { expects: { status: 200 } }),
  ...SIZES.flatMap((links) =>
    OPERATIONS.map(([operation, load, limit]) =>
      variant(
        operationAt(operation, links),
        "waymark",
        { kind: "api", ...load },
        {
          // A million links are nearly the database of the free plan.
          vars: { CLOUDFLARE_PLAN: "paid" },
          links,
          expects: { status: load.body === undefined ? 200 : 201 },
          goals: limit === undefined ? [] : [{ against: "query", cpu: limit }],
        },
      ),
    ),
  ),
];
