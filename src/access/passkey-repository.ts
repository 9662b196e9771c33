import { and, asc, eq, sql } from "drizzle-orm";
import { abortUnless, ensureRow } from "../db/audit";
import { orm } from "../db/prepared";
import { members, sessions, workspaces } from "../db/schema/access";
import { passkeys, secrets, usedChallenges } from "../db/schema/passkeys";
import { MINUTE_MS } from "../lib/time";

export type PasskeyRow = typeof passkeys.$inferSelect;

export const selectPasskeysOf = (email: string) =>
  orm
    .select()
    .from(passkeys)
    .where(eq(passkeys.email, email))
    .orderBy(asc(passkeys.created_at), asc(passkeys.credential));

export const selectPasskey = (credential: string) =>
  orm.select().from(passkeys).where(eq(passkeys.credential, credential));

export const insertPasskey = (row: typeof passkeys.$inferInsert) => orm.insert(passkeys).values(row);

/** True while a passkey exists with its name. */
export const ensurePasskeyNamed = (credential: string, name: string) =>
  ensureRow(passkeys, { credential, name });

/** The passkey opens what it opened when it was read. */
export const ensureScope = (credential: string, closed: string) =>
  ensureRow(passkeys, { credential, closed });

/** The session opens what it opened when it was read. */
export const ensureSessionScope = (hash: string, closed: string) => ensureRow(sessions, { hash, closed });

export const ensureFewer = (email: string, max: number) =>
  abortUnless(sql`(select count(*) from ${passkeys} where ${passkeys.email} = ${email}) < ${max}`);

/** An authenticator that counts says a higher number each time, unless the passkey was copied. */
export const ensureCounter = (credential: string, counter: number) =>
  abortUnless(sql`exists (select 1 from ${passkeys} where ${passkeys.credential} = ${credential}
    and (${passkeys.counter} < ${counter} or (${passkeys.counter} = 0 and ${counter} = 0)))`);

export const updatePasskeyName = (credential: string, name: string) =>
  orm.update(passkeys).set({ name }).where(eq(passkeys.credential, credential));

export const updatePasskeyUse = (credential: string, counter: number, at: number) =>
  orm.update(passkeys).set({ counter, last_used_at: at }).where(eq(passkeys.credential, credential));

export const deletePasskey = (credential: string) =>
  orm.delete(passkeys).where(eq(passkeys.credential, credential));

export const deletePasskeysOf = (email: string) => orm.delete(passkeys).where(eq(passkeys.email, email));

type Opened = Pick<PasskeyRow, "workspaces" | "closed"> | typeof passkeys;

/** Whether a passkey opens a workspace. */
const opens = ({ workspaces: scope, closed }: Opened, workspace: typeof workspaces.public_id | string) =>
  sql`(${scope} is null or instr(${scope}, ${workspace}) > 0) and instr(${closed}, ${workspace}) = 0`;

/** Whether a person is a member of a workspace that their passkey opens. */
const opensOne = (passkey: Opened, email: string) =>
  sql`exists (select 1 from ${members} join ${workspaces} on ${workspaces.id} = ${members.workspace_id}
    where ${members.email} = ${email} and ${opens(passkey, workspaces.public_id)})`;

export const ensureOpensOne = (row: Pick<PasskeyRow, "email" | "workspaces" | "closed">) =>
  abortUnless(opensOne(row, row.email));

/** Closes a workspace to the person's passkeys so far, also if the person is added again. */
export const closeToPasskeys = (workspace: string, email: string) =>
  orm
    .update(passkeys)
    .set({ closed: sql`${passkeys.closed} || ${`${workspace}.`}` })
    .where(and(eq(passkeys.email, email), sql`instr(${passkeys.closed}, ${workspace}) = 0`));

/** Deletes the person's passkeys that open no workspace any more. */
export const deleteClosedPasskeys = (email: string) =>
  orm.delete(passkeys).where(sql`${passkeys.email} = ${email} and not ${opensOne(passkeys, email)}`);

/** The members with a passkey that opens the workspace at this host. */
export const selectMembersWithPasskey = (workspaceId: number, workspace: string, rpId: string) =>
  orm
    .select({ email: members.email })
    .from(members)
    .where(
      sql`${members.workspace_id} = ${workspaceId} and exists (select 1 from ${passkeys}
        where ${passkeys.email} = ${members.email} and ${passkeys.rp_id} = ${rpId} and ${opens(passkeys, workspace)})`,
    );

const CHALLENGES = "challenges";

/** The secret that signs challenges, once there is one. */
export const selectSecret = () =>
  orm.select({ value: secrets.value }).from(secrets).where(eq(secrets.name, CHALLENGES));

/** Stores the secret, unless there is one. */
export const insertSecret = (value: string) =>
  orm.insert(secrets).values({ name: CHALLENGES, value }).onConflictDoNothing();

/** Kept a minute longer than the challenge is good, since the clocks of instances differ. */
export const insertUsedChallenge = (hash: string, expiresAt: number) =>
  orm.insert(usedChallenges).values({ hash, expires_at: expiresAt + MINUTE_MS });
