import { literal } from "../../../db/literal";
import type { DoubtKind } from "../doubts";
import { isBelow, leadsTo, marked, RANKS } from "./marks";

// Changes of many slugs are marked in chunks. Until all are marked and written the whole is in doubt.

const LEADS_TO_HOST = ["destination_host", "ended_host", "preview_image_host"]
  .map((column) => isBelow(`links.${column}`, "?1"))
  .join(" or ");

/** Of `?1`, a row id or a host: the next rows after the cursor `?2` in their order, and the slugs of those up to `LAST`. */
const WIDE = {
  workspace: {
    next: "select link_id as row from slugs where workspace_id = ?1 and link_id > ?2 order by link_id",
    slugs: "slugs.workspace_id = ?1 and slugs.link_id > ?2 and slugs.link_id <= LAST",
  },
  domain: {
    next: `select key as row from slugs indexed by slugs_domain
      where domain = ?1 and domain <> '' and key > ?2 order by key`,
    slugs: "slugs.domain = ?1 and slugs.domain <> '' and slugs.key > ?2 and slugs.key <= LAST",
  },
  /** All that leads to a host or below it, of every workspace. */
  host: {
    next: "select id as row from links where id > ?2 and ?1 is not null order by id",
    slugs: `(slugs.workspace_id, slugs.link_id) in (select links.workspace_id, links.id from links
      where links.id > ?2 and links.id <= LAST and links.deleted_at is null and (${LEADS_TO_HOST}
        or exists (select 1 from link_rules where link_rules.workspace_id = links.workspace_id
          and link_rules.link_id = links.id and ${isBelow("link_rules.destination_host", "?1")})))`,
  },
} as const satisfies Record<DoubtKind, object>;

const CHUNK = 1_000;

/** Puts the whole into doubt. A change during another one begins anew. */
export const openWide = (kind: DoubtKind, name: number | string, at: number) =>
  literal(
    `insert into doubts (kind, name, cursor, since) values (?1, ?2, ?3, ?4)
      on conflict do update set cursor = excluded.cursor, since = excluded.since`,
    ...[kind, String(name), kind === "domain" ? "" : "0", at],
  );

interface UnmarkedRow {
  kind: DoubtKind;
  name: string;
  cursor: string;
}

export const selectUnmarked = () =>
  literal<UnmarkedRow>(
    "select kind, name, cursor from doubts where cursor is not null order by since limit 1",
  );

const numberOrText = (value: string) => (/^\d+$/.test(value) ? Number(value) : value);

/** Marks the slugs of the rows after the cursor, unless that is done, and moves it on. After the last row it is null. */
export function markChunk({ kind, name, cursor }: UnmarkedRow, at: number) {
  const { next, slugs } = WIDE[kind];
  const last = `(select max(row) from (${next} limit ${CHUNK}))`;
  const values = [numberOrText(name), numberOrText(cursor), at, kind, name, cursor];
  const isCurrent = "kind = ?4 and name = ?5 and cursor = ?6";
  return [
    literal(
      `update slugs set ${kind === "domain" ? leadsTo("link_id") : ""} ${marked(`${RANKS.bulkTakedown}`, "?3")}
        where ${slugs.replace("LAST", () => last)} and exists (select 1 from doubts where ${isCurrent})`,
      ...values,
    ),
    literal(
      `update doubts set cursor = ${last}, since = iif(${last} is null, ?3, since) where ${isCurrent}`,
      ...values,
    ),
  ];
}
