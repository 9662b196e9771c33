import { and, asc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { whereHostBlocked } from "../db/blocked-host";
import type { Guard, Orm, Statement } from "../db/client";
import { columnsAs } from "../db/columns";
import { fromList, inList, item, toList } from "../db/list";
import { prepared } from "../db/prepared";
import { activityGroups, auditLog, links, linkTags, offlineAssets, slugs, tags } from "../db/schema";
import { eachTextField } from "../lib/link-fields";

/** The columns of the plain texts. */
const textColumns = eachTextField((name) => links[name]);

const columns = {
  id: links.id,
  version: links.version,
  public_id: links.public_id,
  slug: links.slug,
  slug_key: links.slug_key,
  destination_url: links.destination_url,
  title_key: links.title_key,
  ...textColumns,
  utm_campaign: links.utm_campaign,
  utm_campaign_origin: links.utm_campaign_origin,
  archived_at: links.archived_at,
  verdict: links.verdict,
  check_at: links.check_at,
  taken_down_at: links.taken_down_at,
  taken_down_by: links.taken_down_by,
  created_at: links.created_at,
  updated_at: links.updated_at,
  group: columnsAs("group", {
    id: activityGroups.id,
    public_id: activityGroups.public_id,
    name: activityGroups.name,
    slug: activityGroups.slug,
    type: activityGroups.type,
    status: activityGroups.status,
    default_utm_campaign: activityGroups.default_utm_campaign,
  }),
  /** In no order. */
  tags: sql`(select json_group_array(json_object('id', ${tags.id}, 'public_id', ${tags.public_id}, 'name', ${tags.name},
    'slug', ${tags.slug}, 'colour', ${tags.colour}, 'description', ${tags.description}))
    from ${linkTags} join ${tags} on ${tags.id} = ${linkTags.tag_id} where ${linkTags.link_id} = ${links.id})`
    .mapWith((json: string): readonly TagInLink[] => JSON.parse(json))
    .as("tags_json"),
};

/** Links with their group and tags, deleted ones left out by the caller's own condition. */
export const selectLinks = (orm: Orm) =>
  orm
    .select(columns)
    .from(links)
    .leftJoin(
      activityGroups,
      and(
        eq(activityGroups.workspace_id, links.workspace_id),
        eq(activityGroups.id, links.activity_group_id),
      ),
    )
    .$dynamic();

type SelectedRow = Awaited<ReturnType<typeof selectLinks>>[number];
export type TagInLink = Pick<
  typeof tags.$inferSelect,
  "id" | "public_id" | "name" | "slug" | "colour" | "description"
>;
export type GroupInLink = SelectedRow["group"];

/** A link's row; without a group the columns of its group are null. */
export type LinkRow = Omit<SelectedRow, "group"> & {
  group: GroupInLink | { [Column in keyof GroupInLink]: null };
};

/** A link as it is to be written; a new one has no row id yet. */
export type LinkState = Omit<LinkRow, "id" | "slug_key" | "title_key">;

/** The group of a link's row, if it has one. */
export const groupOf = ({ group }: Pick<LinkRow, "group">): GroupInLink | undefined =>
  group.public_id === null ? undefined : group;

export const NO_GROUP: LinkRow["group"] = {
  id: null,
  public_id: null,
  name: null,
  slug: null,
  type: null,
  status: null,
  default_utm_campaign: null,
};

/** The unary plus keeps the workspace out of the choice of an index: an id is one row, an index of lists reads the next too. */
export const thisLink = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(links.public_id, id), sql`+${links.workspace_id} = ${workspaceId}`, isNull(links.deleted_at));

export const linkById = prepared(
  (workspaceId: number, id: string): Statement<LinkRow[]> =>
    (orm) =>
      selectLinks(orm).where(thisLink(workspaceId, id)),
);

/** Links of the workspace by their public ids; what names none is left out. */
export const linksByIds =
  (workspaceId: number, ids: readonly string[]): Statement<LinkRow[]> =>
  (orm) =>
    selectLinks(orm).where(
      and(
        sql`${links.public_id} in ${inList(toList(ids))} and +${links.workspace_id} = ${workspaceId}`,
        isNull(links.deleted_at),
      ),
    );

/** The workspace's links behind an id, in the order of their creation. */
export const linksAfter =
  (workspaceId: number, id: string, most: number): Statement<LinkRow[]> =>
  (orm) =>
    selectLinks(orm)
      .where(and(eq(links.workspace_id, workspaceId), gt(links.public_id, id), isNull(links.deleted_at)))
      .orderBy(asc(links.public_id))
      .limit(most);

/** The last of the workspace's first links, so many of them. */
export const linkAtPlace =
  (workspaceId: number, place: number): Statement<{ public_id: string }[]> =>
  (orm) =>
    orm
      .select({ public_id: links.public_id })
      .from(links)
      .where(and(eq(links.workspace_id, workspaceId), isNull(links.deleted_at)))
      .orderBy(asc(links.public_id))
      .limit(1)
      .offset(place - 1);

/** The slugs that open the same links beside their own: those that they had before. */
export const oldSlugsAfter =
  (workspaceId: number, id: string, most: number): Statement<{ link: number; key: string }[]> =>
  (orm) =>
    orm.all(sql`select page.id as link, ${slugs.key} as key
      from (select id, slug_key from ${links}
        where workspace_id = ${workspaceId} and public_id > ${id} and deleted_at is null order by public_id limit ${most}) as page
      cross join ${slugs} where ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} = page.id
        and ${slugs.key} <> page.slug_key
      order by ${slugs.key}`);

/** A link of the workspace by its id, or by a slug that opens it. */
export const linkByIdOrSlug = prepared(
  (workspaceId: number, id: string, slugKey: string): Statement<{ public_id: string }[]> =>
    (orm) =>
      orm
        .select({ public_id: links.public_id })
        .from(links)
        .where(
          and(
            eq(links.workspace_id, workspaceId),
            isNull(links.deleted_at),
            sql`${links.id} = coalesce((select ${links.id} from ${links} where ${thisLink(workspaceId, id)}),
              (select ${slugs.link_id} from ${slugs} where ${slugs.key} = ${slugKey}))`,
          ),
        ),
);

export const linkRowId = (workspaceId: number, id: string): SQL =>
  sql`(select ${links.id} from ${links} where ${thisLink(workspaceId, id)})`;

/** Holds while the link is there. */
export const linkIsThere = (workspaceId: number, id: string): Guard =>
  sql`exists (select 1 from ${links} where ${thisLink(workspaceId, id)})`;

const onLiveAsset = (workspaceId: number, id: string): SQL =>
  sql`exists (select 1 from ${offlineAssets} where ${offlineAssets.workspace_id} = ${workspaceId}
    and ${offlineAssets.link_id} = ${linkRowId(workspaceId, id)} and ${offlineAssets.status} = 'live')`;

/** Whether a live Offline Engagement asset carries the link. */
export const liveAssetOf = prepared(
  (workspaceId: number, id: string): Statement<{ live: number }[]> =>
    (orm) =>
      orm.select({ live: sql<number>`${onLiveAsset(workspaceId, id)}` }).from(sql`(select 1)`),
);

/** The live Offline Engagement assets that carry the link, the oldest first. */
export const liveAssetsOf =
  (workspaceId: number, id: string): Statement<{ id: string; name: string }[]> =>
  (orm) =>
    orm
      .select({ id: offlineAssets.public_id, name: offlineAssets.name })
      .from(offlineAssets)
      .where(
        and(
          eq(offlineAssets.workspace_id, workspaceId),
          eq(offlineAssets.link_id, linkRowId(workspaceId, id)),
          eq(offlineAssets.status, "live"),
        ),
      )
      .orderBy(offlineAssets.id);

/** Whether visitors are kept from the link, and by whom: 1 in `blocked` where its destination's host is blocked. */
export const standingOf =
  (
    workspaceId: number,
    id: string,
  ): Statement<{ taken_down_by: "operator" | "check" | null; blocked: number }[]> =>
  (orm) =>
    orm
      .select({
        taken_down_by: links.taken_down_by,
        blocked: whereHostBlocked(sql`${links.destination_host}`).as("blocked"),
      })
      .from(links)
      .where(thisLink(workspaceId, id));

/** Which of these operations are done, and on which link. */
export const doneOperations =
  (ids: readonly string[]): Statement<{ id: string; link: string }[]> =>
  (orm) =>
    orm
      .select({ id: auditLog.operation_id, link: auditLog.subject })
      .from(fromList(toList(ids)))
      .crossJoin(auditLog)
      .where(sql`${auditLog.operation_id} = ${item()}`);
