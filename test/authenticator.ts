import { base64Url, fromBase64Url, sha256 } from "../src/lib/hash";

// An authenticator in software, and what a browser sends of its answers.

/** The origin of the service in tests. */
const API = "https://api.example";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A number of an ECDSA signature as DER has it: as short as it can be, and never negative. */
function derNumber(bytes: Uint8Array): number[] {
  const start = bytes.findIndex((byte) => byte !== 0);
  const short = [...bytes.subarray(start === -1 ? bytes.length - 1 : start)];
  const number = (short[0] ?? 0) >= 0x80 ? [0, ...short] : short;
  return [0x02, number.length, ...number];
}

export function toDer(raw: Uint8Array): Uint8Array {
  const numbers = [...derNumber(raw.subarray(0, 32)), ...derNumber(raw.subarray(32))];
  return new Uint8Array([0x30, numbers.length, ...numbers]);
}

const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const RS256 = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** What an answer says otherwise than an honest one. */
export interface Lies {
  origin?: string;
  rpId?: string;
  type?: string;
  crossOrigin?: boolean;
  /** Present, verified and with a credential are 1, 4 and 64. */
  flags?: number;
  counter?: number;
  credential?: string;
}

/** A device with one passkey. With `counts` it counts its signatures, which most do not. */
export async function makeDevice({ counts = false, isRsa = false } = {}) {
  const algorithm = isRsa ? RS256 : ES256;
  const keys = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
  const id = crypto.getRandomValues(new Uint8Array(20));
  const spki = new Uint8Array((await crypto.subtle.exportKey("spki", keys.publicKey)) as ArrayBuffer);
  let counter = 0;

  async function answer(type: string, challenge: string, honestFlags: number, lies: Lies) {
    if (counts) counter++;
    const client = {
      type: lies.type ?? type,
      challenge,
      origin: lies.origin ?? API,
      crossOrigin: lies.crossOrigin ?? false,
    };
    const flags = lies.flags ?? honestFlags;
    const data = new Uint8Array([...(await sha256(lies.rpId ?? new URL(API).hostname)), flags, 0, 0, 0, 0]);
    new DataView(data.buffer).setUint32(33, lies.counter ?? counter);
    // The public key after the id is left out: nobody reads it.
    const attested = (flags & 64) === 0 ? [] : [...new Uint8Array(16), 0, id.length, ...id];
    return { client: utf8(JSON.stringify(client)), data: new Uint8Array([...data, ...attested]) };
  }

  return {
    credential: base64Url(id),
    async create(challenge: string, lies: Lies = {}) {
      const { client, data } = await answer("webauthn.create", challenge, 1 | 4 | 64, lies);
      return {
        credential: lies.credential ?? base64Url(id),
        client_data: base64Url(client),
        authenticator_data: base64Url(data),
        public_key: base64Url(spki),
        algorithm: isRsa ? "-257" : "-7",
      };
    },
    async sign(challenge: string, lies: Lies = {}) {
      const { client, data } = await answer("webauthn.get", challenge, 1 | 4, lies);
      const signed = new Uint8Array([...data, ...(await sha256(new Uint8Array(client)))]);
      const raw = new Uint8Array(await crypto.subtle.sign(algorithm, keys.privateKey, signed));
      return {
        credential: lies.credential ?? base64Url(id),
        client_data: base64Url(client),
        authenticator_data: base64Url(data),
        signature: base64Url(isRsa ? raw : toDer(raw)),
      };
    },
  };
}

export type Device = Awaited<ReturnType<typeof makeDevice>>;

/** The same text with another first byte. */
export function broken(text: string): string {
  const bytes = fromBase64Url(text);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return base64Url(bytes);
}
