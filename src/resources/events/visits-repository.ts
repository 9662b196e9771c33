import { sql } from "drizzle-orm";
import { boundList, fromList, inList, listedAs } from "../../db/bound-list";
import type { Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { messages, receivers, untoldVisits } from "../../db/schema/events";
import { links } from "../../db/schema/links";

/** The messages about visits are sent one after the other. */
export const VISITS_SUBJECT = "visits";

export interface ToldReceiver {
  id: number;
  workspace_id: number;
  visits_from: number;
}

/** Receivers that were told of visits before a time, for which none waits, and for which there are new ones. */
export const selectReceiversToTell = (before: number, limit: number) =>
  orm.all<ToldReceiver>(sql`select own.id, own.workspace_id, own.visits_from from ${receivers} as own
      indexed by receivers_counting
    cross join ${workspaces} on ${workspaces.id} = own.workspace_id and ${workspaces.suspended_at} is null
    where own.visits_from is not null and own.visits_from <= ${before}
      and exists (select 1 from ${untoldVisits} where ${untoldVisits.receiver_id} = own.id)
      and not exists (select 1 from ${messages} where ${messages.receiver_id} = own.id
        and ${messages.subject} = ${VISITS_SUBJECT} and ${messages.due_at} is not null)
    order by own.visits_from limit ${limit}`);

export interface UntoldRow {
  link: string;
  domain: string;
  /** Null if the link is not stored any more. */
  slug: string | null;
  clicks: number;
  scans: number;
}

/** Deleted links are told of as long as they are stored. A workspace can be suspended for longer. */
export const selectUntold = (receiverId: number, limit: number) =>
  orm.all<UntoldRow>(sql`select ${untoldVisits.link} as link, ${untoldVisits.clicks} as clicks,
      ${untoldVisits.scans} as scans, coalesce(${links.domain}, '') as domain, ${links.slug} as slug
    from ${untoldVisits} left join ${links} on ${links.public_id} = ${untoldVisits.link}
    where ${untoldVisits.receiver_id} = ${receiverId} order by ${untoldVisits.link} limit ${limit}`);

/**
 * Queues messages, each an id and its data, and takes the rows that were read off, as long as nobody else has told the receiver since. Visits
 * that were counted meanwhile stay.
 */
export function tellStatements(
  { id, workspace_id: workspaceId, visits_from: from }: ToldReceiver,
  told: readonly (readonly [event: string, data: string])[],
  rows: readonly UntoldRow[],
  { at, until }: { at: number; until: number },
): Statement[] {
  const isNext = sql`exists (select 1 from ${receivers} where ${receivers.id} = ${id} and ${receivers.visits_from} = ${from})`;
  const given = boundList(rows.map(({ link, clicks, scans }) => [link, clicks, scans]));
  const message = listedAs("event", "data");
  const counts = listedAs("link", "clicks", "scans");
  return [
    orm.run(sql`insert into ${messages} (workspace_id, receiver_id, event, kind, subject, data, size, created_at, due_at)
      select ${workspaceId}, ${id}, ${message.event}, 'visits.counted', ${VISITS_SUBJECT}, ${message.data}, length(${message.data}),
        ${at}, ${at}
      from ${fromList(boundList(told))} where ${isNext}`),
    // An update from a list reads the whole list for each row.
    orm.run(sql`insert into ${untoldVisits} (workspace_id, receiver_id, link, clicks, scans)
      select own.workspace_id, own.receiver_id, own.link, ${counts.clicks}, ${counts.scans}
      from ${fromList(given)} cross join ${untoldVisits} as own on own.receiver_id = ${id} and own.link = ${counts.link}
      where ${isNext} on conflict (receiver_id, link)
      do update set clicks = clicks - excluded.clicks, scans = scans - excluded.scans`),
    orm.run(sql`delete from ${untoldVisits} where receiver_id = ${id} and link in ${inList(given)}
      and clicks = 0 and scans = 0`),
    orm.run(sql`update ${receivers} set visits_from = ${until} where id = ${id} and visits_from = ${from}`),
  ];
}
