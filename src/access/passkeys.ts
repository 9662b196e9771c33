import { z } from "zod";
import { auditEntryIn, type ServiceContext } from "../context";
import { LostRace, notFound, retryLostRaces, ServiceError } from "../errors";
import { base64Url } from "../lib/hash";
import { newId } from "../lib/ids";
import { isoTime, isoTimeOrNull } from "../lib/time";
import { text } from "../lib/validation";
import {
  ALGORITHMS,
  hostOfPasskeys,
  isPublicKey,
  readAuthenticatorData,
  readClientData,
} from "./passkey-answer";
import { type Challenge, makeChallenge, readChallenge, SECRET_BYTES, signText } from "./passkey-challenge";
import {
  deletePasskey,
  ensureFewer,
  ensureOpensOne,
  ensurePasskeyNamed,
  ensureSessionScope,
  insertPasskey,
  insertSecret,
  insertUsedChallenge,
  type PasskeyRow,
  selectPasskeysOf,
  selectSecret,
  updatePasskeyName,
} from "./passkey-repository";
import { covers } from "./scope";
import type { SessionOwner } from "./session-list";
import { selectSession } from "./session-repository";
import { actorOf } from "./sessions";

export const MAX_PASSKEYS = 10;

export const passkeyName = z.object({ name: text(100) });

const base64 = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/);

/** What every answer of a browser has, in base64 for URLs. WebAuthn allows ids of 1,023 bytes. */
export const PASSKEY_ANSWER = {
  credential: base64(1_364),
  client_data: base64(2_000),
  authenticator_data: base64(4_000),
};

const newPasskey = z.object({
  ...PASSKEY_ANSWER,
  public_key: base64(1_000),
  algorithm: z.coerce.number(),
});

/** An answer that opens nothing, and is counted. */
export const refusedPasskey = (message: string) => new ServiceError(403, { message }, {}, "passkey");

/** The challenge of an answer, which has not expired. */
export function assertChallenge(challenge: Challenge | undefined): Challenge {
  if (challenge === undefined) throw refusedPasskey("This passkey answers another page. Try again.");
  if (challenge.isExpired) throw refusedPasskey("That took longer than five minutes. Try again.");
  return challenge;
}

const toPasskey = (row: PasskeyRow, rpId: string) => ({
  id: row.public_id,
  name: row.name,
  created_at: isoTime(row.created_at),
  last_used_at: isoTimeOrNull(row.last_used_at),
  /** The main host that it was made for, if the service has left it: it signs in nowhere. Else null. */
  formerHost: row.rp_id === rpId ? null : row.rp_id,
});

export type Passkey = ReturnType<typeof toPasskey>;

/** A session that an owner's invitation started sees no passkey that also opens other workspaces. */
async function readOwn(ctx: ServiceContext, { email, current }: SessionOwner) {
  const [all, [session], [secret]] = await ctx.db.read(
    selectPasskeysOf(email),
    selectSession(current, ctx.now()),
    selectSecret(),
  );
  if (session === undefined) throw new ServiceError(401, { message: "You are signed out. Sign in again." });
  return {
    all,
    rows: all.filter(({ workspaces }) => covers(session.workspaces, workspaces)),
    session,
    secret,
  };
}

/** The person's passkeys, the oldest first, and whether they are all. */
export async function listPasskeys(ctx: ServiceContext, owner: SessionOwner) {
  const { all, rows, session } = await readOwn(ctx, owner);
  return {
    passkeys: rows.map((row) => toPasskey(row, hostOfPasskeys(ctx.config))),
    isAll: session.workspaces === null,
    isFull: all.length >= MAX_PASSKEYS,
  };
}

const purposeOf = ({ current }: SessionOwner): string => `add ${current}`;

/** Makes the secret that signs challenges. Another request may be first. */
async function makeSecret(ctx: ServiceContext): Promise<string> {
  const made = base64Url(ctx.random(SECRET_BYTES));
  const [[stored]] = await ctx.db.writeGuarded([insertSecret(made)], selectSecret());
  return stored?.value ?? made;
}

/** What a browser is asked to make a passkey with. */
export async function askForNewPasskey(ctx: ServiceContext, owner: SessionOwner) {
  const { rows, session, secret } = await readOwn(ctx, owner);
  const value = secret?.value ?? (await makeSecret(ctx));
  const rpId = hostOfPasskeys(ctx.config);
  // An authenticator keeps one passkey for each user id, so those of different scopes have different ones.
  const user = await signText(value, `user ${owner.email} ${session.workspaces ?? "all"}`);
  return {
    challenge: await makeChallenge(value, purposeOf(owner), ctx),
    rp: rpId,
    user: base64Url(user),
    email: owner.email,
    algorithms: ALGORITHMS,
    known: rows.filter((row) => row.rp_id === rpId).map(({ credential }) => credential),
  };
}

const FULL = `You have ${MAX_PASSKEYS} passkeys, which is the most. Remove one first.`;
const NOT_ADDED = "The passkey was not added. Load the page again, and try again.";

/**
 * Adds a passkey with the scope of the session, which must open a workspace. One that is added already stays as it is.
 */
export async function addPasskey(
  ctx: ServiceContext,
  owner: SessionOwner,
  sent: object,
  name: string,
): Promise<Passkey> {
  const at = ctx.now();
  const { config } = ctx;
  const rpId = hostOfPasskeys(config);
  const answer = newPasskey.safeParse(sent).data;
  const client = answer && readClientData(answer.client_data, "webauthn.create", config);
  if (answer === undefined || client === undefined) throw refusedPasskey(NOT_ADDED);
  const { all, session, secret } = await readOwn(ctx, owner);
  const challenge = assertChallenge(
    secret && (await readChallenge(secret.value, purposeOf(owner), client.challenge, at)),
  );
  const { credential, public_key, algorithm } = answer;
  const data = await readAuthenticatorData(answer.authenticator_data, rpId);
  if (data === undefined) {
    throw refusedPasskey("Your device did not say that it was you, or answered for another host. Try again.");
  }
  if (data.credential !== credential || !(await isPublicKey(public_key, algorithm))) {
    throw refusedPasskey(NOT_ADDED);
  }
  const added = all.find((row) => row.credential === credential);
  if (added !== undefined) return toPasskey(added, rpId);
  if (all.length >= MAX_PASSKEYS) throw new ServiceError(422, { message: FULL });
  const row = {
    credential,
    public_id: newId(at),
    email: owner.email,
    name,
    public_key,
    algorithm,
    counter: data.counter,
    rp_id: rpId,
    workspaces: session.workspaces,
    closed: session.closed,
    created_at: at,
    last_used_at: null,
  };
  try {
    await ctx.db.write(
      {
        ...auditEntryIn(null, { actor: actorOf(owner.email) }, "member.add_passkey", owner.email, at),
        change: { passkey: row.public_id, name },
        space: "takes",
        guards: [
          ensureFewer(owner.email, MAX_PASSKEYS),
          ensureSessionScope(owner.current, session.closed),
          ensureOpensOne(row),
        ],
      },
      [insertUsedChallenge(challenge.hash, challenge.expiresAt), insertPasskey(row)],
    );
  } catch (error) {
    if (!(error instanceof LostRace)) throw error;
    const [rows] = await ctx.db.read(selectPasskeysOf(owner.email));
    const done = rows.find((one) => one.credential === credential);
    if (done !== undefined) return toPasskey(done, rpId);
    throw rows.length < MAX_PASSKEYS ? refusedPasskey(NOT_ADDED) : new ServiceError(422, { message: FULL });
  }
  return toPasskey(row, rpId);
}

/** What a change of one of the person's passkeys begins with; 404 if they have none with this id. */
async function readOne(ctx: ServiceContext, owner: SessionOwner, id: string, action: string) {
  const row = (await readOwn(ctx, owner)).rows.find(({ public_id }) => public_id === id);
  if (row === undefined) throw notFound("Passkey");
  const entry = {
    ...auditEntryIn(null, { actor: actorOf(owner.email) }, action, owner.email, ctx.now()),
    guards: [ensurePasskeyNamed(row.credential, row.name)],
  };
  return { row, entry, passkey: toPasskey(row, hostOfPasskeys(ctx.config)) };
}

export const renamePasskey = (
  ctx: ServiceContext,
  owner: SessionOwner,
  id: string,
  name: string,
): Promise<Passkey> =>
  retryLostRaces(async () => {
    const { row, entry, passkey } = await readOne(ctx, owner, id, "member.rename_passkey");
    if (name === row.name) return passkey;
    const change = { passkey: id, name, was: row.name };
    await ctx.db.write({ ...entry, change }, [updatePasskeyName(row.credential, name)]);
    return { ...passkey, name };
  });

export const removePasskey = (ctx: ServiceContext, owner: SessionOwner, id: string): Promise<Passkey> =>
  retryLostRaces(async () => {
    const { row, entry, passkey } = await readOne(ctx, owner, id, "member.remove_passkey");
    const change = { passkey: id, name: row.name };
    await ctx.db.write({ ...entry, change, space: "frees" }, [deletePasskey(row.credential)]);
    return passkey;
  });
