import { sql } from "drizzle-orm";
import { deleteBelow } from "../db/chunk";
import { orm } from "../db/prepared";
import { members, sentMails } from "../db/schema/access";

/** Records a mail to a member, if fewer than `max` were sent to the address since a time. */
export const insertSentMail = (email: string, at: number, since: number, max: number) =>
  orm.run(sql`insert into ${sentMails} (email, sent_at) select ${email}, ${at}
    where exists (select 1 from ${members} where ${members.email} = ${email})
      and (select count(*) from ${sentMails}
        where ${sentMails.email} = ${email} and ${sentMails.sent_at} > ${since}) < ${max}`);

export const deleteSentMailsBefore = (at: number) => deleteBelow(sentMails, sentMails.sent_at, at);
