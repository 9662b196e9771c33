import type { Unstable_RawConfig } from "wrangler";
import { toRoute } from "./addresses";
import { BACKUPS_BINDING, toBackupBuckets } from "./backup-resource";
import { type Cloudflare, isMissing, listOwners } from "./cloudflare";
import type { getParts } from "./cloudflare-resources";
import { JURISDICTION_VARIABLE } from "./jurisdiction";
import { DEPLOYED_CONFIG } from "./platform";

interface Binding {
  type: string;
  name: string;
  text?: string;
  id?: string;
  database_id?: string;
  namespace_id?: string;
  bucket_name?: string;
  jurisdiction?: string;
}

interface Deployments {
  deployments: readonly { versions: readonly { version_id: string; percentage: number }[] }[];
}

/** Asks for what may be gone. */
const askIfThere = (api: Cloudflare, path: string): Promise<unknown> =>
  api(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/**
 * What the account has of the Worker, in the form of the config that a deployment saves; undefined before the first deployment.
 * Throws if the API does not tell.
 */
export async function readDeployed(
  api: Cloudflare,
  account: string,
  { name, d1, kv }: ReturnType<typeof getParts>,
): Promise<Unstable_RawConfig | undefined> {
  const worker = `/accounts/${account}/workers/scripts/${name}`;
  const answer = (await askIfThere(api, `${worker}/deployments`)) as Deployments | undefined;
  // The newest deployment is the first one.
  const version = answer?.deployments[0]?.versions.toSorted((a, b) => b.percentage - a.percentage)[0];
  if (version === undefined) return undefined;
  const { resources } = (await api(`${worker}/versions/${version.version_id}`)) as {
    resources: { bindings: readonly Binding[] };
  };
  const { bindings } = resources;
  const bound = (type: string, binding: string) =>
    bindings.find((one) => one.type === type && one.name === binding);
  const ofD1 = bound("d1", d1.binding);
  const databaseId = ofD1?.database_id ?? ofD1?.id;
  const namespaceId = bound("kv_namespace", kv.binding)?.namespace_id;
  const bucket = bound("r2_bucket", BACKUPS_BINDING);
  const database =
    databaseId === undefined
      ? undefined
      : ((await askIfThere(api, `/accounts/${account}/d1/database/${databaseId}`)) as
          | { name: string }
          | undefined);
  const { enabled } = (await api(`${worker}/subdomain`)) as { enabled: boolean };
  const owners = await listOwners(api, account);
  const routes = [...owners].flatMap(([host, owner]) => (owner === name ? [toRoute(host)] : []));
  return {
    name,
    vars: Object.fromEntries(
      bindings.flatMap((one) => (one.type === "plain_text" ? [[one.name, one.text ?? ""]] : [])),
    ),
    workers_dev: enabled,
    ...(routes.length > 0 && { routes }),
    ...(databaseId !== undefined && {
      d1_databases: [
        { ...d1, database_name: database?.name ?? "(deleted)", database_id: databaseId, remote: true },
      ],
    }),
    ...(namespaceId !== undefined && { kv_namespaces: [{ ...kv, id: namespaceId, remote: true }] }),
    ...(bucket?.bucket_name !== undefined && {
      r2_buckets: toBackupBuckets(bucket.bucket_name, bucket.jurisdiction),
    }),
  };
}

/** The values that a deployment keeps from the one before. */
const toKept = ({ vars = {}, d1_databases: d1, kv_namespaces: kv }: Unstable_RawConfig) => ({
  BASE_URL: String(vars["BASE_URL"] ?? ""),
  SHORT_BASE_URL: String(vars["SHORT_BASE_URL"] ?? ""),
  FORMER_HOSTS: String(vars["FORMER_HOSTS"] ?? "")
    .split(/[\s,]+/)
    .toSorted()
    .join(" ")
    .trim(),
  [JURISDICTION_VARIABLE]: String(vars[JURISDICTION_VARIABLE] ?? ""),
  "the id of the database": d1?.[0]?.database_id,
  "the id of the namespace": kv?.[0]?.id,
});

/** Throws if the saved config and the account differ: the file may be that of an older deployment. */
export function assertSameAsDeployed(
  saved: Unstable_RawConfig | undefined,
  deployed: Unstable_RawConfig | undefined,
): void {
  if (saved === undefined || deployed === undefined || saved.name !== deployed.name) return;
  const there = new Map(Object.entries(toKept(deployed)));
  const differences = Object.entries(toKept(saved)).flatMap(([name, value]) =>
    value === there.get(name)
      ? []
      : [`- ${name} is "${value ?? ""}" in the file, and "${there.get(name) ?? ""}" deployed`],
  );
  if (differences.length === 0) return;
  throw new Error(
    `${DEPLOYED_CONFIG} is not what is deployed. Nothing was changed.\n${differences.join("\n")}\nWhat is deployed serves visitors, so delete the file and deploy again: it is then made of what is deployed. To change an address, give its option.`,
  );
}
