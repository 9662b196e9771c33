import { SQL, sql } from "drizzle-orm";
import { Literal } from "../../../src/db/literal";
import { BoundQuery, orm, type Statement } from "../../../src/db/prepared";
import { type Entry, QUERIES, WITHOUT_PLAN } from "./queries";

// All statements of the repositories: those of QUERIES, and each other function called with ones.

const MODULES = import.meta.glob<Record<string, unknown>>(
  [
    "../../../src/**/*-{repository,statements}.ts",
    "../../../src/**/statements/*.ts",
    "!../../../src/client/**",
    "../../../src/resources/links/search-table.ts",
    "../../../src/resources/links/list/{list,search}-query.ts",
    "../../../src/resources/links/write/{audit-entries,derived-rows,link-guards,link-rows,link-slugs,link-totals,remove-tag}.ts",
    "../../../src/resources/engagement/asset-guards.ts",
    "../../../src/db/audit.ts",
  ],
  { eager: true },
);

/** The functions that these modules export. */
const FUNCTIONS = Object.entries(MODULES).flatMap(([path, module]) =>
  Object.entries(module)
    .filter((exported): exported is [string, (...values: number[]) => unknown] => {
      const [, value] = exported;
      return typeof value === "function";
    })
    .map(([name, run]) => ({ name: `${path.slice("../../../src/".length, -".ts".length)}.${name}`, run })),
);

const ROWS = Object.entries(QUERIES).flatMap(([module, entries]) =>
  Object.entries(entries).map(([name, entry]) => ({ name: `${module}.${name}`, entry })),
);

export const withoutVariant = (name: string): string => name.replace(/ .*/, "");

const listed = new Set([...WITHOUT_PLAN, ...ROWS.map(({ name }) => withoutVariant(name))]);

/** A statement that is prepared remembers the arguments of its first call, so it must get its own. */
const isEntry = (made: unknown): made is Entry =>
  !(made instanceof BoundQuery) &&
  (made instanceof SQL ||
    made instanceof Literal ||
    (Array.isArray(made) && made.every(isEntry)) ||
    (made instanceof Object && "toSQL" in made));

/** What a function makes of ones, more than it takes; undefined if it needs other values. */
function madeOfOnes(run: (...values: number[]) => unknown): Entry | undefined {
  try {
    const made = run(1, 1, 1, 1, 1, 1);
    return isEntry(made) ? made : undefined;
  } catch {
    return undefined;
  }
}

const CALLED = FUNCTIONS.filter(({ name }) => !listed.has(name)).map(({ name, run }) => ({
  name,
  entry: madeOfOnes(run),
}));

/** The functions that need a row in QUERIES or in WITHOUT_PLAN. */
export const MISSING = CALLED.filter(({ entry }) => entry === undefined).map(({ name }) => name);

/** What QUERIES or WITHOUT_PLAN name, but no module exports. */
export const GONE = [...listed].filter((name) => !FUNCTIONS.some((exported) => exported.name === name));

export const ENTRIES = [
  ...ROWS,
  ...CALLED.flatMap(({ name, entry }) => (entry === undefined ? [] : [{ name, entry }])),
].toSorted((a, b) => (a.name < b.name ? -1 : 1));

export function statementsOf(entry: Entry): readonly Statement[] {
  if (entry instanceof SQL) return [orm.all(sql`select ${entry}`)];
  return Array.isArray(entry) ? entry : [entry as Statement];
}
