// Who may import whom. Paths are below src and have no extension. `*` is a part of a name, `**` any path.

/** A file imports its own room and rooms of lower lines. */
export const LAYERS: readonly (readonly string[])[] = [
  ["worker", "client", "cli"],
  ["app"],
  ["operations"],
  ["console", "api"],
  ["resources"],
  ["redirect"],
  ["analytics"],
  ["http"],
  ["access"],
  ["log"],
  ["config"],
  ["context"],
  ["db"],
  ["field-errors"],
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
  ...["drizzle-orm", "drizzle-orm/**", "db/schema/**"],
  ...["db/columns", "db/bound-list", "db/literal", "db/prepared"],
];
const PURE = ["lib/**", "resources/qr/render", "access/api-key"];
/** The libraries of the client's own package.json. */
const CLIENT_LIBRARIES = [
  "@modelcontextprotocol/**",
  "cli-truncate",
  "commander",
  "esbuild",
  "openapi-fetch",
  "openapi-typescript",
  "string-width",
  "undici",
  "yaml",
  "zod",
];
const SCHEMAS = ["**/*-schema"];
const REPOSITORIES = ["**/*-repository"];
/** What a feature offers to the batches of others. */
const SHARED_STATEMENTS = ["**/*-statements", "**/statements/*"];
/** The files outside the repositories whose SQL is the feature's own. */
const STATEMENTS = [
  "resources/links/list/search-query",
  "resources/links/list/listed-query",
  "resources/links/list/list-order",
  "resources/links/list/list-query",
  "resources/links/list/list-source",
  "resources/links/list/list-where",
  "resources/links/search-table",
  "resources/links/write/**",
  "analytics/owners",
  "operations/backup/backup-tables",
];

/** The rooms whose folders are features. The other rooms are one feature each. */
export const ROOMS_OF_FEATURES: readonly string[] = ["resources", "operations", "redirect"];

const SERVICES = [
  "access/**",
  "analytics/**",
  "http/idempotency/**",
  "operations/**",
  "redirect/slugs/**",
  "resources/**",
];

/** The files with SQL that no other feature imports. */
export const OWN_SQL: readonly string[] = [...REPOSITORIES, ...STATEMENTS];

export const RULES: readonly Rule[] = [
  {
    files: PURE,
    only: [
      "lib/**",
      "papaparse",
      "punycode/punycode.js",
      "qrcode-svg",
      "resources/qr/qrcode-svg",
      "tldts-icann",
      "ulidx",
      "zod",
      "zod/v4",
    ],
    because: "Pure modules import small libraries. Pass in what they need.",
  },
  {
    files: ["client/**"],
    only: ["client/**", "lib/**", ...CLIENT_LIBRARIES, "node:**"],
    because: "The client knows only the public interface.",
  },
  {
    files: ["client/index", "client/api/**"],
    only: ["client/api/**", "client/generated/**", "lib/**", "openapi-fetch"],
    because: "The typed client also runs in Workers and bundles. Commands are in client/command.",
  },
  {
    files: ["http/*"],
    never: ["api/**", ...SCHEMAS, ...REPOSITORIES, ...SQL],
    because: "http is for every feature, so it knows none.",
  },
  {
    files: SERVICES,
    except: [...SCHEMAS, "http/idempotency/**", "cli/**"],
    never: HTTP,
    because: "Services know no HTTP. Take arguments, and answer in api or console.",
  },
  {
    files: ["db/**", "errors", "field-errors", "context", "config", "log"],
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
    files: SERVICES,
    except: [...REPOSITORIES, ...STATEMENTS, ...SHARED_STATEMENTS],
    never: SQL,
    because: "SQL is in repositories and statements. Services compose them.",
  },
  {
    files: REPOSITORIES,
    never: ["**/*-service", "**/manage-groups", "access/keys", ...REPOSITORIES],
    because: "A repository has the SQL of its own tables. Features are composed in a service.",
  },
  {
    files: [
      "operations/backup/backup-repository",
      "operations/backup/missing-repository",
      "operations/backup/restore-repository",
      "operations/backup/backup-tables",
    ],
    only: ["operations/backup/backup-tables", "db/**", "drizzle-orm", "drizzle-orm/**"],
    because: "A backup copies tables as the schema has them, so it knows no feature.",
  },
  {
    files: SCHEMAS,
    never: ["db/**", "drizzle-orm", ...REPOSITORIES, "**/*-service"],
    because: "A schema says what is valid. Rules that need the database are in the service.",
  },
  {
    files: ["api/**", "console/**", "cli/**"],
    except: ["console/shell/service-context", "cli/platform", "cli/migration"],
    never: ["db/**", ...SQL, ...REPOSITORIES],
    because: "Routes, pages and commands call services. The database is behind them.",
  },
  {
    files: ["redirect/*"],
    never: ["zod", "hono", "hono/**", "@hono/**", "resources/**", "access/**"],
    because: "A visit loads only redirect/slugs, analytics/record, http, context, config and lib.",
  },
  {
    files: ["analytics/record"],
    only: ["analytics/*", "context", "lib/**"],
    because: "A visit only records the click. The buffer is written after the answer.",
  },
];
