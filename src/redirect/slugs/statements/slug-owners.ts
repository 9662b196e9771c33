import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { primaryPrefix, whereServed } from "../../../access/workspace-statements";
import { boundList, fromList, listed } from "../../../db/bound-list";
import type { Statement } from "../../../db/client";
import { orm, prepared } from "../../../db/prepared";
import { domains } from "../../../db/schema/domains";
import { links, slugs } from "../../../db/schema/links";
import { namedKey, type ShortHost } from "../../../lib/short-url";
import { foldSlug, SHORT_HOST, type SlugKey, slugKey } from "../../../lib/slug-text";

const ownerColumns = (workspaceId: number) => ({
  /** 1 if this workspace owns the slug; 2 if a workspace owned it that had the domain before, so that this one may use it. */
  own: sql<number>`case when ${slugs.workspace_id} = ${workspaceId} then 1
    when ${slugs.domain} <> '' and ${slugs.link_id} is null and ${slugs.doubt_until} is null and exists (select 1 from ${domains}
      where ${domains.workspace_id} = ${workspaceId} and ${domains.host} = ${slugs.domain} and ${whereServed}) then 2
    else 0 end`.as("own"),
  taken_down: sql<number>`${slugs.taken_down_at} is not null`,
  /** 1 for the code of an asset, which no link can use. */
  code: sql<number>`${slugs.asset} is not null`,
  /** Public id of the slug's link; null for a tombstone, a code or another workspace's slug. */
  link: links.public_id,
});

const joinLinkOfSlug = (workspaceId: number) =>
  and(eq(links.workspace_id, workspaceId), eq(links.id, slugs.link_id), isNull(slugs.asset));

/**
 * The key of an address as people of a workspace write it. A slug alone is on the short host, or else on the only domain that
 * has it.
 */
export const selectNamedKey = (host: Pick<ShortHost, "shortHost">, workspaceId: number, address: string) =>
  address.includes("/")
    ? sql`${namedKey(host, address)}`
    : sql`(select min(${slugs.key}) from ${slugs} where ${slugs.workspace_id} = ${workspaceId}
        and ${slugs.slug} = ${foldSlug(address)} and +${slugs.link_id} is not null
        and (${slugs.domain} = '' or not exists (select 1 from ${slugs} as short where short.key = ${slugKey(SHORT_HOST, address)}
          and short.workspace_id = ${workspaceId} and short.link_id is not null))
        having count(*) = 1)`;

const ownerAt = (workspaceId: number, key: SQL) =>
  orm
    .select(ownerColumns(workspaceId))
    .from(slugs)
    .leftJoin(links, joinLinkOfSlug(workspaceId))
    .where(sql`${slugs.key} = ${key}`);

export type SlugOwnerRow = Awaited<ReturnType<typeof ownerAt>>[number];

export const selectSlugOwner = prepared((workspaceId: number, key: SlugKey) =>
  ownerAt(workspaceId, sql`${key}`),
);

/** The same of a folded slug on the workspace's primary domain. */
export const selectSlugOwnerOnPrimary = prepared((workspaceId: number, slug: string) =>
  ownerAt(workspaceId, sql`${primaryPrefix(workspaceId)} || ${slug}`),
);

/** The same of the address that a link gets with another domain or slug, or with both. */
export function selectNextSlugOwner(
  workspaceId: number,
  linkId: string,
  domain: string | undefined,
  slug: string | undefined,
): Statement<SlugOwnerRow[]> {
  const ofLink = (part: SQL) =>
    sql`(select ${part} from ${links} as own where own.public_id = ${linkId} and +own.workspace_id = ${workspaceId})`;
  const prefix =
    domain === undefined ? ofLink(sql`coalesce(own.domain || '/', '')`) : sql`${slugKey(domain, "")}`;
  return ownerAt(
    workspaceId,
    sql`${prefix} || ${slug === undefined ? ofLink(sql`own.folded_slug`) : foldSlug(slug)}`,
  );
}

export function selectSlugState(workspaceId: number, domain: string | undefined, slug: string) {
  const key =
    domain === undefined
      ? sql`${primaryPrefix(workspaceId)} || ${foldSlug(slug)}`
      : sql`${slugKey(domain, slug)}`;
  const link = orm
    .select({ id: links.public_id, slug: links.slug, title: links.title })
    .from(slugs)
    .innerJoin(links, joinLinkOfSlug(workspaceId))
    .where(sql`${slugs.key} = ${key}`);
  return [ownerAt(workspaceId, key), link] as const;
}

export const selectSlugOwners = (workspaceId: number, keys: readonly string[]) =>
  orm
    .select({
      key: slugs.key,
      ...ownerColumns(workspaceId),
    })
    .from(fromList(boundList(keys)))
    .crossJoin(slugs)
    .leftJoin(links, joinLinkOfSlug(workspaceId))
    .where(eq(slugs.key, listed()));

/** The numbers of slugs of links, by public id; no row for a link without slugs. Codes of assets are none. */
export const countSlugsOfLinks = (workspaceId: number, linkIds: readonly string[]) =>
  orm.all<{ link: string; slugs: number }>(sql`select ${links.public_id} as link, count(*) as slugs
      from ${fromList(boundList(linkIds))} cross join ${links} cross join ${slugs}
      where ${links.public_id} = ${listed()} and +${links.workspace_id} = ${workspaceId}
        and ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} = ${links.id} and ${slugs.asset} is null
      group by ${links.public_id}`);
