import type { Config } from "../context";
import { base64Url, fromBase64Url, sha256 } from "../lib/hash";
import { isObject } from "../lib/json";

// What the browser answers, by https://www.w3.org/TR/webauthn-3/. No attestation is asked for, so the browser's own reading
// of the public key is as good as that of the attestation object, and no CBOR is read.

/** The RP id: the main host. */
export const hostOfPasskeys = ({ baseUrl }: Pick<Config, "baseUrl">): string => new URL(baseUrl).hostname;

/** What the browser signed about the page. Undefined unless it was a page of this service, and asked for that. */
export function readClientData(
  text: string,
  type: "webauthn.create" | "webauthn.get",
  { baseUrl }: Pick<Config, "baseUrl">,
): { challenge: string } | undefined {
  try {
    const data: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(text)));
    if (!isObject(data) || data["type"] !== type || data["origin"] !== new URL(baseUrl).origin)
      return undefined;
    const { challenge, crossOrigin } = data;
    return typeof challenge === "string" && crossOrigin !== true ? { challenge } : undefined;
  } catch {
    return undefined;
  }
}

const HASH_BYTES = 32;
const FLAGS_AT = HASH_BYTES;
const COUNTER_AT = FLAGS_AT + 1;
const ID_LENGTH_AT = COUNTER_AT + 4 + 16;
const ID_AT = ID_LENGTH_AT + 2;
/** Present, verified. */
const VERIFIED = 0b101;
const HAS_CREDENTIAL = 0b1000000;

/** What the authenticator says. Undefined unless it is for this host, and has verified the person. */
export async function readAuthenticatorData(text: string, rpId: string) {
  const bytes = fromBase64Url(text);
  if (bytes.length < COUNTER_AT + 4) return undefined;
  const view = new DataView(bytes.buffer);
  const flags = view.getUint8(FLAGS_AT);
  const isForHost = base64Url(bytes.subarray(0, HASH_BYTES)) === base64Url(await sha256(rpId));
  if (!isForHost || (flags & VERIFIED) !== VERIFIED) return undefined;
  const hasCredential = (flags & HAS_CREDENTIAL) !== 0 && bytes.length >= ID_AT;
  const end = hasCredential ? ID_AT + view.getUint16(ID_LENGTH_AT) : 0;
  return {
    counter: view.getUint32(COUNTER_AT),
    /** The id of a new passkey; null in other answers. */
    credential: hasCredential && end <= bytes.length ? base64Url(bytes.subarray(ID_AT, end)) : null,
  };
}

const ES256 = -7;
const RS256 = -257;
/** The algorithms of COSE that are asked for. Windows Hello may have RS256 alone. */
export const ALGORITHMS = [ES256, RS256] as const;

const PARAMETERS = new Map([
  [ES256, { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }],
  [RS256, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }],
]);

/** Undefined for a key that is none of the algorithm. */
async function importPublicKey(publicKey: string, algorithm: number) {
  const parameters = PARAMETERS.get(algorithm);
  if (parameters === undefined) return undefined;
  try {
    const key = fromBase64Url(publicKey);
    return { parameters, key: await crypto.subtle.importKey("spki", key, parameters, false, ["verify"]) };
  } catch {
    return undefined;
  }
}

export const isPublicKey = async (publicKey: string, algorithm: number): Promise<boolean> =>
  (await importPublicKey(publicKey, algorithm)) !== undefined;

const NUMBER_BYTES = 32;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/** The two numbers of an ECDSA signature in DER, as `crypto.subtle` wants them; undefined if it is none. */
export function toRawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2) return undefined;
  const raw = new Uint8Array(2 * NUMBER_BYTES);
  let at = 2;
  for (const end of [NUMBER_BYTES, 2 * NUMBER_BYTES]) {
    const length = der[at + 1] ?? 0;
    if (der[at] !== INTEGER || at + 2 + length > der.length) return undefined;
    // A number whose first bit is set has a zero before it, and a small one has fewer bytes.
    const bytes = der.subarray(at + 2, at + 2 + length);
    const number = bytes[0] === 0 ? bytes.subarray(1) : bytes;
    if (number.length > NUMBER_BYTES) return undefined;
    raw.set(number, end - number.length);
    at += 2 + length;
  }
  return at === der.length ? raw : undefined;
}

interface Signed {
  authenticator_data: string;
  client_data: string;
  signature: string;
}

/** Whether the private key of this public one signed the answer. */
export async function isSignedBy(
  { public_key, algorithm }: { public_key: string; algorithm: number },
  answer: Signed,
): Promise<boolean> {
  const imported = await importPublicKey(public_key, algorithm);
  if (imported === undefined) return false;
  const sent = fromBase64Url(answer.signature);
  const signature = algorithm === ES256 ? toRawSignature(sent) : sent;
  if (signature === undefined) return false;
  const signed = [
    ...fromBase64Url(answer.authenticator_data),
    ...(await sha256(fromBase64Url(answer.client_data))),
  ];
  return crypto.subtle.verify(imported.parameters, imported.key, signature, new Uint8Array(signed));
}
