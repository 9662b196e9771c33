import { type Account, parseJsonArray, type Row, type Wrangler } from "./cloudflare-resources";
import { hasOtherMigrations, listLaterMigrations } from "./migrations";
import { DEPLOYED_CONFIG, TOP_LEVEL } from "./platform";

/** The rows of a query of a deployed database; none of a new one. */
async function query(database: string, text: string, wrangler: Wrangler): Promise<Row[]> {
  const target = ["d1", "execute", database, "--remote", "--config", DEPLOYED_CONFIG, TOP_LEVEL];
  try {
    const [answer = {}] = parseJsonArray(await wrangler([...target, "--command", text, "--json"]));
    return answer["results"] as Row[];
  } catch (error) {
    if (error instanceof Error && error.message.includes("no such table")) return [];
    throw error;
  }
}

/** The names of the migrations that a deployed database has. */
const readMigrations = async (database: string, wrangler: Wrangler): Promise<string[]> =>
  (await query(database, "select name from d1_migrations", wrangler)).map(({ name }) => String(name));

/** A proved host of a workspace. */
export interface DeployedDomain {
  host: string;
  /** Whether it answered with the mark of this installation when it was last asked. */
  leadsHere: boolean;
  /** Its addresses still belong to the workspace, which may add it again. */
  isRemoved: boolean;
}

const DOMAINS = "select host, state, failing_since, removed_at from domains where state <> 'pending'";

const readDomains = async (database: string, wrangler: Wrangler): Promise<DeployedDomain[]> =>
  (await query(database, DOMAINS, wrangler)).map(({ host, state, failing_since, removed_at }) => ({
    host: String(host),
    leadsHere: state === "active" && failing_since === null,
    isRemoved: removed_at !== null,
  }));

/**
 * The proved domains of a deployed database; none of a new one. Throws if it was made with other migrations, or if a host of the
 * service is the domain of a workspace.
 */
export async function readProvedDomains(
  { wrangler, print }: Pick<Account, "wrangler" | "print">,
  database: string,
  own: readonly string[],
): Promise<DeployedDomain[]> {
  const migrations = await readMigrations(database, wrangler);
  if (hasOtherMigrations(migrations)) {
    throw new Error(
      `The database "${database}" was made with other migrations than this release has, and cannot be changed into its schema: deploy to another database.`,
    );
  }
  const later = listLaterMigrations(migrations);
  if (later.length > 0) {
    print(
      `The database "${database}" has the schema of a later release (${later.join(", ")}). It stays as it is, and this release runs on it.`,
    );
  }
  const domains = migrations.length === 0 ? [] : await readDomains(database, wrangler);
  const taken = domains.find(({ host }) => own.includes(host));
  if (taken !== undefined) {
    throw new Error(
      `${taken.host} is a domain of a workspace, whose short links would stop. Nothing was deployed. Take another address, or remove the domain and release it: npm run admin -- domain release --host ${taken.host} --remote.`,
    );
  }
  return domains.filter(({ isRemoved }) => !isRemoved);
}
