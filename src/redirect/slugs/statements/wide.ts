import { literal } from "../../../db/literal";
import { isBelow, marked, RANKS } from "./marks";

// Changes of many slugs are marked in chunks. Until all are marked and written the whole is in doubt.

const LINKS_TO_HOST = `links.deleted_at is null and (${[
  "links.destination_host",
  "links.ended_host",
  "links.preview_image_host",
]
  .map((column) => isBelow(column, "?1"))
  .join(" or ")} or exists (select 1 from link_rules where link_rules.workspace_id = links.workspace_id
    and link_rules.link_id = links.id and ${isBelow("link_rules.destination_host", "?1")}))`;

/** Of `?1`, a row id or a host: the next rows after `?2` in their order, and the slugs of those up to `?3`. */
const WIDE = {
  workspace: {
    set: "",
    next: "select link_id as place from slugs where workspace_id = ?1 and link_id > ?2 order by link_id",
    slugs: "slugs.workspace_id = ?1 and slugs.link_id > ?2 and slugs.link_id <= ?3",
    rank: RANKS.bulkTakedown,
  },
  /** The codes of a workspace. */
  codes: {
    set: "",
    next: "select link_id as place from slugs where workspace_id = ?1 and link_id > ?2 order by link_id",
    slugs:
      "slugs.workspace_id = ?1 and slugs.link_id > ?2 and slugs.link_id <= ?3 and slugs.asset is not null",
    rank: RANKS.bulkEdit,
  },
  /** The links of a group. */
  group: {
    set: "",
    next: "select id as place from links where activity_group_id = ?1 and workspace_id = (select workspace_id from activity_groups where id = ?1) and id > ?2 and deleted_at is null order by id",
    slugs: `(slugs.workspace_id, slugs.link_id) in (select workspace_id, id from links
      where activity_group_id = ?1 and id > ?2 and id <= ?3)`,
    rank: RANKS.bulkEdit,
  },
  /** The addresses of a domain, which lose their links if it is released. */
  domain: {
    set: "link_id = iif(exists (select 1 from domains where host = ?1 and released_at is not null), null, link_id),",
    next: "select key as place from slugs indexed by slugs_domain where domain = ?1 and domain <> '' and key > ?2 order by key",
    slugs: "slugs.domain = ?1 and slugs.domain <> '' and slugs.key > ?2 and slugs.key <= ?3",
    rank: RANKS.bulkTakedown,
  },
  /** All that leads to a host, of every workspace. */
  host: {
    set: "",
    next: "select id as place from links where id > ?2 and ?1 is not null order by id",
    slugs: `(slugs.workspace_id, slugs.link_id) in (select links.workspace_id, links.id from links
      where links.id > ?2 and links.id <= ?3 and ${LINKS_TO_HOST})`,
    rank: RANKS.bulkTakedown,
  },
} as const;

type WideKind = keyof typeof WIDE;

/** What is in doubt as a whole: a workspace, its codes, the links of a group, a domain or a host. */
export interface Wide {
  kind: WideKind;
  /** A row id or a host. */
  name: number | string;
  workspaceId: number | null;
}

const CHUNK = 1_000;

/** Puts the whole into doubt. A change during another one begins anew. */
export const openWide = ({ kind, name, workspaceId }: Wide, at: number) =>
  literal(
    `insert into doubts (kind, name, workspace_id, cursor, since) values (?1, cast(?2 as text), ?3, ?4, ?5)
      on conflict do update set cursor = excluded.cursor, since = excluded.since`,
    ...[kind, String(name), workspaceId, kind === "domain" ? "" : "0", at],
  );

/** The whole that waits longest for its marks. */
export const selectUnmarked = () =>
  literal<Wide & { cursor: string }>(
    `select kind, name, workspace_id as workspaceId, cursor from doubts where cursor is not null order by since limit 1`,
  );

const bound = (value: number | string) => (/^\d+$/.test(String(value)) ? Number(value) : value);

/** The last row of the next chunk; null if all are marked. */
export const selectNextPlace = ({ kind, name }: Pick<Wide, "kind" | "name">, cursor: string) =>
  literal<{ place: number | string | null }>(
    `select max(place) as place from (${WIDE[kind].next} limit ${CHUNK})`,
    ...[bound(name), bound(cursor)],
  );

/** Marks the slugs from a cursor up to a row, unless that is done, and moves the cursor; with null it ends the marks. */
export const markChunk = (
  { kind, name }: Wide,
  cursor: string,
  place: number | string | null,
  at: number,
) => [
  ...(place === null
    ? []
    : [
        literal(
          `update slugs set ${WIDE[kind].set} ${marked(`${WIDE[kind].rank}`, "?4")} where ${WIDE[kind].slugs}
            and exists (select 1 from doubts where kind = '${kind}' and name = ?5 and cursor = ?6)`,
          ...[bound(name), bound(cursor), place, at, String(name), cursor],
        ),
      ]),
  literal(
    `update doubts set cursor = cast(?4 as text), since = iif(?4 is null, ?5, since)
      where kind = ?1 and name = ?2 and cursor = ?3`,
    ...[kind, String(name), cursor, place === null ? null : String(place), at],
  ),
];
