import { z } from "zod";
import type { ServiceContext } from "../context";
import { base64Url } from "../lib/hash";
import { hostOfPasskeys, isSignedBy, readAuthenticatorData, readClientData } from "./passkey-answer";
import { makeChallenge, readChallenge, SECRET_BYTES } from "./passkey-challenge";
import {
  ensureCounter,
  ensureScope,
  insertUsedChallenge,
  selectPasskey,
  selectSecret,
  updatePasskeyUse,
} from "./passkey-repository";
import { assertChallenge, PASSKEY_ANSWER, refusedPasskey } from "./passkeys";
import { findSessionHash } from "./sessions";
import { type Browser, selectPrevious, startSession } from "./sign-in";

const PURPOSE = "sign in";

const signInAnswer = z.object({ ...PASSKEY_ANSWER, signature: PASSKEY_ANSWER.client_data });

/** What a browser is asked to sign. Strangers ask too, so nothing is stored: without a secret there is no passkey either. */
export async function askToSignIn(ctx: ServiceContext) {
  const [[secret]] = await ctx.db.read(selectSecret());
  const value = secret?.value ?? base64Url(ctx.random(SECRET_BYTES));
  return { challenge: await makeChallenge(value, PURPOSE, ctx), rp: hostOfPasskeys(ctx.config) };
}

const UNREADABLE = "Your browser's answer cannot be read. Try again.";
const UNKNOWN = "This passkey is not known here: it has been removed, or its owner is no member any more.";
const UNVERIFIED =
  "Your device did not say that it was you, or answered for another host. Try again, and confirm with your finger, face or PIN.";
const NOT_SIGNED = "The signature is not that of this passkey. Try again.";
const COPIED =
  "Your device has counted fewer signatures than this service. The passkey may have been copied: sign in with a link, and remove it.";
const USED = "This answer has been used already. Try again.";

/**
 * Creates a session by the answer of a passkey; returns its token. An answer that opens nothing is 403. Its challenge is used up
 * only by an answer that is good.
 */
export async function signInWithPasskey(
  ctx: ServiceContext,
  sent: object,
  browser: Browser,
): Promise<string> {
  const at = ctx.now();
  const answer = signInAnswer.safeParse(sent).data;
  const client = answer && readClientData(answer.client_data, "webauthn.get", ctx.config);
  if (answer === undefined || client === undefined) throw refusedPasskey(UNREADABLE);
  const hash = await findSessionHash(browser.session);
  const [[passkey], [secret], [row], memberships] = await ctx.db.read(
    selectPasskey(answer.credential),
    selectSecret(),
    ...selectPrevious(hash, at),
  );
  const challenge = assertChallenge(
    secret && (await readChallenge(secret.value, PURPOSE, client.challenge, at)),
  );
  if (passkey === undefined) throw refusedPasskey(UNKNOWN);
  if (passkey.rp_id !== hostOfPasskeys(ctx.config)) {
    throw refusedPasskey(
      `This passkey was made for ${passkey.rp_id}, where this service is no more. Sign in with a link, and add a new passkey.`,
    );
  }
  const data = await readAuthenticatorData(answer.authenticator_data, passkey.rp_id);
  if (data === undefined) throw refusedPasskey(UNVERIFIED);
  if (!(await isSignedBy(passkey, answer))) throw refusedPasskey(NOT_SIGNED);
  const { credential, email, workspaces, closed, counter } = passkey;
  if (data.counter <= counter && counter > 0) throw refusedPasskey(COPIED);
  const session = await startSession(ctx, {
    email,
    opens: { workspaces, closed },
    browser,
    previous: { hash, row, memberships },
    change: { passkey: passkey.public_id, name: passkey.name },
    guards: [ensureScope(credential, closed), ensureCounter(credential, data.counter)],
    uses: [
      insertUsedChallenge(challenge.hash, challenge.expiresAt),
      updatePasskeyUse(credential, data.counter, at),
    ],
  });
  if (session === undefined) throw refusedPasskey(USED);
  return session;
}
