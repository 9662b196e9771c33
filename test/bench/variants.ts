import { COMMON_WORD, RARE_WORD } from "../scale/generate";

// What is measured: each variant is a Worker in a workerd of its own, and a load; those of the API share one by size.

export const TARGET = "https://www.example.com/sale?colour=blue&utm_source=newsletter&utm_medium=email";
export const HOT_SLUG = "summer";
/** Twice what an instance remembers, so that a rotation finds nothing of it in memory. */
export const WARM_SLUGS = 2_000;
/** More look-ups of D1 than the simulator can do in a second. */
export const COLD_SLUGS_A_SECOND = 4_000;
const JUNK_PATH = "/wp-admin/foo.php";

/** What every client sends: the headers that a visit is judged by. */
export const BROWSER = {
  "User-Agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  Referer: "https://www.example.org/",
};

export type WorkerName = "floor" | "page" | "kv" | "query" | "waymark";

export type Load =
  | { kind: "path"; path: string }
  /** Numbered slugs, `count` of them; those of the next round follow on where `fresh` is set. */
  | { kind: "rotate"; prefix: string; count: number; fresh: boolean }
  /** `{link}` in a path is a link's id, `{after}` the place behind the links of 499 pages of one each. */
  | { kind: "api"; path: string; body?: string; connections?: number };

export interface Goal {
  against: string;
  /** At most this ratio of CPU per request. */
  cpu?: number;
  /** At least this ratio of requests a second. */
  rate?: number;
}

export interface Variant {
  name: string;
  worker: WorkerName;
  vars: Readonly<Record<string, string>>;
  load: Load;
  /** How many links the workspace has whose API is asked; variants of as many share a server. */
  links?: number;
  /** The first answer: its status and, where it is one of ours, its `X-Cache`. */
  expects: { status: number; cache?: string };
  goals: readonly Goal[];
}

const NO_CLICKS = { CLICK_PACK_SECONDS: "0" };
/** An instance gathers 20,000 visits at most between two packs, which a saturated one reaches in 5 s, but not in 1 s. */
const ALL_CLICKS = { CLICK_PACK_SECONDS: "1" };

/** Of links in the workspace that is asked, one of twenty. */
export const SIZES = [1_000, 1_000_000];
export const OPERATIONS: readonly [name: string, load: Omit<Load & { kind: "api" }, "kind">][] = [
  [
    "create",
    {
      path: "/api/v1/links",
      body: '{"destination_url":"https://www.example.com/sale","utm_source":"newsletter","title":"Sale"}',
    },
  ],
  ["get", { path: "/api/v1/links/{link}" }],
  ["first page", { path: "/api/v1/links" }],
  ["page 500 by next", { path: "/api/v1/links?per_page=1&page=500&after={after}" }],
  ["q, rare", { path: `/api/v1/links?q=${RARE_WORD}` }],
  // One at a time: what is still under way when a round ends would be counted to the next.
  ["q, common", { path: `/api/v1/links?q=${COMMON_WORD}`, connections: 1 }],
];
export const operationAt = (operation: string, links: number): string =>
  `API: ${operation}, ${links.toLocaleString("en-GB")} links`;

export const variants = (seconds: number): readonly Variant[] => [
  {
    name: "floor",
    worker: "floor",
    vars: {},
    load: { kind: "path", path: `/${HOT_SLUG}` },
    expects: { status: 302 },
    goals: [],
  },
  {
    name: "hot",
    worker: "waymark",
    vars: NO_CLICKS,
    load: { kind: "path", path: `/${HOT_SLUG}` },
    expects: { status: 302, cache: "hit" },
    goals: [{ against: "floor", cpu: 1.25, rate: 0.85 }],
  },
  {
    name: "hot, clicks recorded",
    worker: "waymark",
    vars: ALL_CLICKS,
    load: { kind: "path", path: `/${HOT_SLUG}` },
    expects: { status: 302, cache: "hit" },
    goals: [{ against: "floor", cpu: 1.25, rate: 0.85 }],
  },
  {
    name: "page",
    worker: "page",
    vars: {},
    load: { kind: "path", path: JUNK_PATH },
    expects: { status: 404 },
    goals: [],
  },
  {
    name: "junk path",
    worker: "waymark",
    vars: {},
    load: { kind: "path", path: JUNK_PATH },
    expects: { status: 404 },
    goals: [
      { against: "floor", cpu: 1.15 },
      { against: "page", cpu: 1.15 },
    ],
  },
  {
    name: "kv",
    worker: "kv",
    vars: {},
    load: { kind: "rotate", prefix: "/w", count: WARM_SLUGS, fresh: false },
    expects: { status: 302 },
    goals: [],
  },
  {
    name: "warm",
    worker: "waymark",
    vars: {},
    load: { kind: "rotate", prefix: "/w", count: WARM_SLUGS, fresh: false },
    expects: { status: 302, cache: "hit" },
    goals: [{ against: "kv", cpu: 1.1 }],
  },
  {
    name: "cold",
    worker: "waymark",
    vars: {},
    load: { kind: "rotate", prefix: "/c", count: COLD_SLUGS_A_SECOND * seconds, fresh: true },
    expects: { status: 302, cache: "miss" },
    goals: [],
  },
  {
    name: "query",
    worker: "query",
    vars: {},
    load: { kind: "path", path: "/" },
    expects: { status: 200 },
    goals: [],
  },
  ...SIZES.flatMap((links) =>
    OPERATIONS.map(
      ([operation, load]): Variant => ({
        name: operationAt(operation, links),
        worker: "waymark",
        vars: {},
        load: { kind: "api", ...load },
        links,
        expects: { status: load.body === undefined ? 200 : 201 },
        goals: operation === "create" && links === SIZES[0] ? [{ against: "floor", rate: 0.035 }] : [],
      }),
    ),
  ),
];
