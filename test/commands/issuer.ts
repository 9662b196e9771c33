import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

// A fake team of Cloudflare Access: RSA keys, and a server on loopback that publishes some of them.

/** A key pair with an id. */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export function makeKey(kid: string): SigningKey {
  return { kid, ...generateKeyPairSync("rsa", { modulusLength: 2048 }) };
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token signed with RSASSA-PKCS1-v1_5 and the hash that `alg` names. */
export function rsaToken(key: SigningKey, claims: object, { alg = "RS256", kid = key.kid } = {}): string {
  const head = `${base64url({ alg, typ: "JWT", kid })}.${base64url(claims)}`;
  const signature = sign(
    `sha${alg.slice(2)}`,
    Buffer.from(head),
    createPrivateKey(key.privateKey.export({ type: "pkcs8", format: "pem" })),
  );
  return `${head}.${signature.toString("base64url")}`;
}

/** A token with an HMAC whose secret is the public key. */
export function hmacToken(kid: string, claims: object, secret: string): string {
  const head = `${base64url({ alg: "HS256", typ: "JWT", kid })}.${base64url(claims)}`;
  return `${head}.${createHmac("sha256", secret).update(head).digest("base64url")}`;
}

/** An unsigned token. */
export const unsignedToken = (kid: string, claims: object): string =>
  `${base64url({ alg: "none", typ: "JWT", kid })}.${base64url(claims)}.`;

/** The public key as a JWK. */
export const published = ({ kid, publicKey }: SigningKey) => ({
  ...publicKey.export({ format: "jwk" }),
  kid,
  alg: "RS256",
  use: "sig",
});

export class Issuer {
  keys: readonly SigningKey[] = [];
  /** The number of requests for the keys. */
  asked = 0;
  #server: Server | undefined;
  #port = 0;

  /** Starts the server, on the same port as before. */
  async open(): Promise<void> {
    const server = createServer((request, response) => {
      this.asked++;
      const isKnown = request.method === "GET" && request.url === "/cdn-cgi/access/certs";
      response.writeHead(isKnown ? 200 : 404, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ keys: isKnown ? this.keys.map(published) : [] }));
    });
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Stops the server, so that connections are refused. */
  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }
}
