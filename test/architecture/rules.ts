// Who may import whom. Paths are below src and have no extension. `*` is a part of a name, `**` any path.

/** A file imports its own folder and folders of lower lines. */
export const LAYERS: readonly (readonly string[])[] = [
  ["worker", "client"],
  ["app"],
  ["cli", "console", "api"],
  ["schedule"],
  ["backup"],
  ["removal", "doctor"],
  ["redirect"],
  ["site"],
  ["imports", "engagement", "moderation", "health", "overview"],
  ["qr"],
  ["links"],
  ["alerts"],
  ["activity-groups", "tags", "slugs", "audit", "clicks"],
  ["hosts"],
  ["http"],
  ["idempotency"],
  ["workspaces"],
  ["log"],
  ["context"],
  ["db"],
  ["errors"],
  ["lib"],
];

export interface Rule {
  files: readonly string[];
  except?: readonly string[];
  /** The only allowed imports. */
  only?: readonly string[];
  never?: readonly string[];
  /** The folder that the code belongs in. */
  because: string;
}

const HTTP = ["hono", "hono/**", "@hono/**", "http/**", "api/**"];
const SQL = [
  "drizzle-orm",
  "drizzle-orm/**",
  "db/schema",
  "db/columns",
  "db/list",
  "db/blocked-host",
  "db/broken-links",
];
const ROUTES = ["*/routes"];
const PURE = ["lib/**", "qr/render", "workspaces/api-key"];
/** The dependencies of the client's own package.json. */
const CLIENT_LIBRARIES = ["@modelcontextprotocol/**", "openapi-fetch", "yaml", "zod"];
const SCHEMAS = ["*/schema", "*/*-schema"];
const REPOSITORIES = ["*/repository", "*/*-repository"];
/** The files outside the repositories that contain SQL. */
const STATEMENTS = [
  "links/find/query",
  "links/list/**",
  "links/search-table",
  "links/write/**",
  "slugs/changes",
  "slugs/owners",
  "slugs/push-queue",
  "slugs/limits",
  "slugs/pointers",
  "health/links-of",
  "clicks/owners",
  "imports/row-id",
  "engagement/guards",
  "backup/tables",
];
const FEATURES = [
  "activity-groups/**",
  "alerts/**",
  "audit/**",
  "backup/**",
  "clicks/**",
  "doctor/**",
  "engagement/**",
  "health/**",
  "hosts/**",
  "idempotency/**",
  "imports/**",
  "links/**",
  "moderation/**",
  "overview/**",
  "qr/**",
  "removal/**",
  "slugs/**",
  "tags/**",
  "workspaces/**",
];

export const RULES: readonly Rule[] = [
  {
    files: PURE,
    only: ["lib/**", "papaparse", "qrcode-svg", "qr/qrcode-svg", "tldts-icann", "ulidx", "zod"],
    because: "Pure modules import small libraries. Pass in what they need.",
  },
  {
    files: ["client/**"],
    except: ["client/build/**"],
    only: ["client/**", "lib/**", ...CLIENT_LIBRARIES, "node:**"],
    because: "The client knows only the public interface.",
  },
  {
    files: ["client/index", "client/api/**"],
    only: ["client/api/**", "client/generated/**", "lib/**", "openapi-fetch"],
    because: "The typed client also runs in Workers and bundles. Commands are in client/command.",
  },
  {
    files: ["http/**"],
    never: ["*/routes", "*/schema", ...REPOSITORIES, ...SQL],
    because: "http is for every feature, so it knows none.",
  },
  {
    files: FEATURES,
    except: [...ROUTES, ...SCHEMAS],
    never: HTTP,
    because: "Services know no HTTP. Take arguments, and answer in routes.",
  },
  {
    files: ["db/**", "errors", "context", "log"],
    never: ["hono", "hono/**", "@hono/**", "zod"],
    because: "What every feature imports knows no HTTP.",
  },
  {
    files: ["**"],
    except: ["cli/**", "client/**"],
    never: ["node:**", "wrangler"],
    because: "The Worker runs without Node. Only commands import it.",
  },
  {
    files: FEATURES,
    except: [...REPOSITORIES, ...STATEMENTS],
    never: SQL,
    because: "SQL is in repositories and statements. Services compose them.",
  },
  {
    files: REPOSITORIES,
    never: ["*/service", "*/manage", "*/keys", ...REPOSITORIES],
    because: "A repository has the SQL of its own tables. Features are composed in a service.",
  },
  {
    files: ["backup/repository", "backup/restore-repository", "backup/tables"],
    only: ["backup/tables", "db/**", "drizzle-orm", "drizzle-orm/**"],
    because: "A backup copies tables as the schema has them, so it knows no feature.",
  },
  {
    files: SCHEMAS,
    except: ["db/schema"],
    never: ["db/**", "drizzle-orm", ...REPOSITORIES, "*/service"],
    because: "A schema says what is valid. Rules that need the database are in the service.",
  },
  {
    files: ["**"],
    except: ["api/app"],
    never: ROUTES,
    because: "Only api/app imports routes. What others need is in a service.",
  },
  {
    files: [...ROUTES, "api/**", "console/**", "cli/**"],
    except: ["console/shell/service-context", "cli/platform", "cli/migration"],
    never: ["db/**", ...SQL, ...REPOSITORIES],
    because: "Routes, pages and commands call services. The database is behind them.",
  },
  {
    files: ["redirect/**"],
    never: ["zod", "hono", "hono/**", "@hono/**", "api/**", "links/**", "tags/**"],
    because: "A visit loads only slugs, clicks/record and lib.",
  },
  {
    files: ["clicks/record"],
    only: ["clicks/*", "context", "lib/**"],
    because: "A visit only collects the click. clicks/flush is loaded after the answer.",
  },
];
