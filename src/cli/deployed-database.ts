import { type Cloudflare, inApiWords } from "./cloudflare";
import type { JsonRow } from "./cloudflare-resources";
import { hasOtherMigrations, listLaterMigrations } from "./migrations";

/** Returns the rows of a query of the deployed database; none of a new one. */
type Query = (sql: string) => Promise<JsonRow[]>;

function openDatabase(api: Cloudflare, account: string, id: string | undefined): Query {
  return async (sql) => {
    if (id === undefined) return [];
    try {
      const answers = await api(`/accounts/${account}/d1/database/${id}/query`, { sql });
      return (answers as { results: JsonRow[] }[])[0]?.results ?? [];
    } catch (error) {
      if (error instanceof Error && error.message.includes("no such table")) return [];
      throw new Error(`${inApiWords(error)}. So the deployed database is not known. Nothing was changed.`);
    }
  };
}

/** A proved host of a workspace. */
export interface DeployedDomain {
  host: string;
  /** Whether it answered with the mark of this installation when it was last asked. */
  leadsHere: boolean;
  /** Its addresses still belong to the workspace, which may add it again. */
  isRemoved: boolean;
}

const DOMAINS = "select host, state, failing_since, removed_at from domains where state <> 'pending'";

const toDomain = ({ host, state, failing_since, removed_at }: JsonRow): DeployedDomain => ({
  host: String(host),
  leadsHere: state === "active" && failing_since === null,
  isRemoved: removed_at !== null,
});

/**
 * The proved domains of a deployed database; none of a new one. Throws if it was made with other migrations, or if a host of the
 * service is the domain of a workspace.
 */
export async function readProvedDomains(
  api: Cloudflare,
  account: string,
  { name, id }: { name: string; id: string | undefined },
  own: readonly string[],
  print: (line: string) => void,
): Promise<DeployedDomain[]> {
  const query = openDatabase(api, account, id);
  const migrations = (await query("select name from d1_migrations")).map((row) => String(row["name"]));
  if (hasOtherMigrations(migrations)) {
    throw new Error(
      `The database "${name}" was made with other migrations than this release has, and cannot be changed into its schema: deploy to another database.`,
    );
  }
  const later = listLaterMigrations(migrations);
  if (later.length > 0) {
    print(
      `The database "${name}" has the schema of a later release (${later.join(", ")}). It stays as it is, and this release runs on it.`,
    );
  }
  const domains = migrations.length === 0 ? [] : (await query(DOMAINS)).map(toDomain);
  const taken = domains.find(({ host }) => own.includes(host));
  if (taken !== undefined) {
    throw new Error(
      `${taken.host} is a domain of a workspace, whose short links would stop. Nothing was changed. Take another address, or remove the domain and release it: npm run admin -- domain release --host ${taken.host} --remote.`,
    );
  }
  return domains.filter(({ isRemoved }) => !isRemoved);
}
