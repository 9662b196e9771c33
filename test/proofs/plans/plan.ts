// What a query plan reads beyond the few rows that an equality finds, and what it sorts of that.

/** A row of `explain query plan`. */
export interface Step {
  id: number;
  parent: number;
  detail: string;
}

/** Indexes by name. */
export type Indexes = ReadonlyMap<string, { table: string; columns: number; isUnique: boolean }>;

/** Columns of which one value may be in very many rows. An equality with another column finds few. */
const WIDE = new Set([
  ...["workspace_id", "owner_kind", "owner_id", "day", "kind", "tag_id", "activity_group_id", "api_key_id"],
  ...["archived", "link_archived", "untitled", "title_key", "channel", "utm_source", "utm_medium"],
  ...["utm_campaign", "domain", "host", "destination_url"],
]);

/** Tables of which a workspace has at most 1,000 rows: `src/db/STORAGE.md`. */
const SMALL = new Set([
  ...["active_link_days", "api_keys", "code_brandings", "domains", "imports", "members", "reports"],
  ...["saved_channels", "saved_views", "tags"],
]);

/** Steps that read no table themselves. */
const OTHERS = new RegExp(
  `^(${[
    "(CORRELATED |REUSE )*((SCALAR|LIST) )?SUBQUERY|CO-ROUTINE |MATERIALIZE |USE TEMP B-TREE FOR |CREATE BLOOM FILTER$",
    "COMPOUND QUERY$|LEFT-MOST SUBQUERY$|(UNION|EXCEPT|INTERSECT)|MERGE |LEFT$|RIGHT$|SETUP$|RECURSIVE STEP$",
    "MULTI-INDEX OR$|INDEX \\d+$|SCAN (\\d+ )?CONSTANT ROWS?$|SCAN \\d+-ROW VALUES CLAUSE$",
  ].join("|")})`,
);

/** The table of a step, and how it is read. */
function toAccess(detail: string): { verb: string; table: string; by: string } | undefined {
  if (OTHERS.test(detail)) return undefined;
  const [, verb, table, by = ""] =
    /^(SCAN|SEARCH|BLOOM FILTER ON) (\S+)(?: EXISTS)?(?: (?!LEFT-JOIN)(.*?))?(?: LEFT-JOIN)?$/.exec(detail) ??
    [];
  if (verb === undefined || table === undefined)
    throw new Error(`There is no rule for the step "${detail}".`);
  return { verb, table, by };
}

/** What a step reads: `scan` and what is read as a whole, or an index with the columns that narrow it. */
function readBy(detail: string, made: ReadonlyMap<string, Step>, indexes: Indexes): string | undefined {
  const access = toAccess(detail);
  if (access === undefined) return undefined;
  const { verb, table, by } = access;
  if (verb === "BLOOM FILTER ON" || /AUTOMATIC|ANY\(/.test(by)) return `scan ${table}`;
  // What an earlier step has made has its own steps.
  if (made.has(table) || table.startsWith("(")) return undefined;
  const virtual = /^VIRTUAL TABLE INDEX \d+:(.*)$/.exec(by)?.[1];
  if (virtual !== undefined) {
    // `=` is a row id, `M` the text, `>` and `<` the row ids of a workspace. Only the search index is not made of an argument.
    if (table !== "link_search" || /^=/.test(virtual)) return undefined;
    return /^M\d+><$/.test(virtual) ? "link_search(match, rowid>, rowid<)" : "scan link_search";
  }
  const [, primary, name = primary, columns] =
    /^USING (?:((?:INTEGER )?PRIMARY KEY)|(?:COVERING )?INDEX (\S+))(?: \((.*)\))?$/.exec(by) ?? [];
  // A table without row ids is its primary key.
  const index = indexes.get(name === "PRIMARY KEY" ? `sqlite_autoindex_${table}_1` : (name ?? ""));
  const key = name?.startsWith("sqlite_autoindex_") ? index?.table : name === primary ? table : name;
  if (verb === "SCAN") return `scan ${key ?? table}`;
  // The first or last row of an order.
  if (columns === undefined && (by === "" || name !== undefined)) return undefined;
  if (columns === undefined || name === undefined)
    throw new Error(`There is no rule for the step "${detail}".`);
  const terms = columns.split(" AND ");
  const equal = terms.flatMap((term) => /^(\w+)=\?$/.exec(term)?.[1] ?? []);
  const isLookup = index?.isUnique && equal.length === index.columns;
  const isSmall = index !== undefined && SMALL.has(index.table) && equal[0] === "workspace_id";
  if (isLookup || isSmall || equal.some((column) => !WIDE.has(column))) return undefined;
  return `${key}(${terms.map((term) => term.replace(/=?(\?|\([?,]+\))$/, "")).join(", ")})`;
}

/** What a statement reads and sorts, in alphabetical order. */
export function readsOf(steps: readonly Step[], indexes: Indexes): string[] {
  const made = new Map(
    steps.flatMap((step) => {
      const [, name] = /^(?:MATERIALIZE|CO-ROUTINE) (\S+)/.exec(step.detail) ?? [];
      return name === undefined ? [] : [[name, step]];
    }),
  );
  const read = ({ detail }: Step): string[] => [readBy(detail, made, indexes) ?? []].flat();
  /** What the rows of a query come from, without the subqueries in its conditions and columns. */
  function sourcesOf(query: number, seen: Set<number>): string[] {
    if (seen.has(query)) return [];
    seen.add(query);
    return steps
      .filter(({ parent, detail }) => parent === query && !/(SCALAR|LIST) SUBQUERY/.test(detail))
      .flatMap((step) => {
        const maker = made.get(toAccess(step.detail)?.table ?? "");
        return [...read(step), ...sourcesOf(step.id, seen), ...(maker ? sourcesOf(maker.id, seen) : [])];
      });
  }
  const sorts = steps
    .filter(({ detail }) => detail.includes("TEMP B-TREE"))
    .flatMap(({ parent }) => sourcesOf(parent, new Set()).slice(0, 1))
    .map((source) => `sort ${source.replace(/^scan |\(.*/g, "")}`);
  return [...new Set([...steps.flatMap(read), ...sorts])].toSorted();
}
