import type { ServiceContext } from "../../context";
import { destinationHost, destinationProblem, ownHostProblem, parseDestination } from "../../lib/destination";
import { parseJson } from "../../lib/json";
import type { Rule } from "../../lib/visitor-rules";
import {
  ADDRESS_TABLES,
  type Addresses,
  checkForeignKeys,
  DAMAGES,
  type StoredObject,
  selectAddresses,
  selectDamage,
  selectSchema,
} from "./deep-statements";

/** What is wrong and is not mended, with the number of rows and some of them. */
export interface Problem {
  problem: string;
  rows: number;
  such_as: string;
}

const EXAMPLES = 5;
const PAGE = 1_000;

const toProblem = (problem: string, all: readonly string[], rows = all.length): Problem[] =>
  all.length === 0 ? [] : [{ problem, rows, such_as: all.slice(0, EXAMPLES).join(", ") }];

const plain = ({ sql }: StoredObject): string => sql.replaceAll(/\s+/g, " ").trim();

/** Without the search index, which the operator may drop. */
const isChecked = ({ name }: StoredObject): boolean => !name.startsWith("link_search");

async function checkSchema(ctx: ServiceContext, expected: readonly StoredObject[]) {
  const [rows] = await ctx.db.read(selectSchema());
  const stored = new Map(rows.map((object) => [`${object.type} ${object.name}`, object]));
  const found = { missing: [] as string[], different: [] as string[] };
  for (const object of expected.filter(isChecked)) {
    const name = `${object.type} ${object.name}`;
    const own = stored.get(name);
    if (own === undefined) found.missing.push(name);
    else if (object.sql !== "" && plain(own) !== plain(object)) found.different.push(name);
  }
  const problems = [
    ...toProblem("tables and indexes that are missing", found.missing),
    ...toProblem("tables and indexes that are others than the schema's", found.different),
  ];
  return { problems, hasAllTables: !found.missing.some((name) => name.startsWith("table ")) };
}

/** The destinations of rules. Rules that are no JSON are a problem of their own. */
function addressesOfRules(rules: string | null): string[] {
  const parsed = parseJson(rules ?? "[]");
  return Array.isArray(parsed)
    ? parsed.map((rule: Partial<Rule> | null) => String(rule?.destination_url ?? ""))
    : [];
}

/** Why an address is none that could be stored today. */
function reasonAgainst(url: string, ownHosts: readonly string[]): string | undefined {
  const found = destinationProblem(url) ?? ownHostProblem(destinationHost(url), ownHosts);
  return found?.reason;
}

function checkRow({ of, host, urls, rules }: Addresses, ownHosts: readonly string[]) {
  const own = (JSON.parse(urls) as (string | null)[]).filter((url) => url !== null);
  const refused = [...own, ...addressesOfRules(rules)].flatMap((url) => {
    const reason = reasonAgainst(url, ownHosts);
    return reason === undefined ? [] : [`${of} (${reason})`];
  });
  const destination = own[0] === undefined ? undefined : parseDestination(own[0]);
  const isWrongHost =
    host !== null && destination !== undefined && destinationHost(destination.href) !== host;
  return { refused, wrongHosts: isWrongHost ? [of] : [] };
}

async function checkAddresses({ db, config }: ServiceContext): Promise<Problem[]> {
  const refused: string[] = [];
  const wrongHosts: string[] = [];
  for (const table of Object.keys(ADDRESS_TABLES) as (keyof typeof ADDRESS_TABLES)[]) {
    let after = 0;
    for (let isLast = false; !isLast; ) {
      const [rows] = await db.read(selectAddresses(table, after, PAGE));
      for (const row of rows) {
        const found = checkRow(row, config.ownHosts);
        refused.push(...found.refused);
        wrongHosts.push(...found.wrongHosts);
      }
      after = rows.at(-1)?.id ?? after;
      isLast = rows.length < PAGE;
    }
  }
  return [
    ...toProblem("addresses that the rules of destinations refuse", refused),
    ...toProblem("links whose stored host is not that of their destination", wrongHosts),
  ];
}

async function checkReferences({ db }: ServiceContext, tables: readonly string[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const table of tables) {
    const [rows] = await db.read(checkForeignKeys(table));
    const parents = [...new Set(rows.map(({ parent }) => parent))];
    problems.push(...toProblem(`rows of ${table} that refer to nothing`, parents, rows.length));
  }
  return problems;
}

/**
 * Looks for what cannot be computed again, and changes nothing. `expected` is the schema of the migrations, without the SQL where
 * later ones may have changed it. Without all of its tables nothing else is looked at.
 */
export async function findProblems(ctx: ServiceContext, expected: readonly StoredObject[]) {
  const { problems, hasAllTables } = await checkSchema(ctx, expected);
  if (!hasAllTables) return { problems, hasAllTables };
  const tables = expected.filter((object) => object.type === "table" && isChecked(object));
  problems.push(
    ...(await checkReferences(
      ctx,
      tables.map(({ name }) => name),
    )),
  );
  for (const damage of DAMAGES) {
    const [rows] = await ctx.db.read(selectDamage(damage, ctx.now(), EXAMPLES));
    problems.push(
      ...toProblem(
        damage,
        rows.map(({ of }) => of),
        rows[0]?.rows,
      ),
    );
  }
  problems.push(...(await checkAddresses(ctx)));
  return { problems, hasAllTables };
}
