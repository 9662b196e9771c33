import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Miniflare, type MiniflareOptions, type Request as RuntimeRequest } from "miniflare";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { addMember } from "../../src/access/members";
import { createWorkspace, getWorkspace } from "../../src/access/service";
import { type Env, parseConfig, type ServiceContext, systemRandom } from "../../src/context";
import { createDatabase } from "../../src/db/client";
import { withPlainStatements } from "../../src/operations/cli/platform";
import { cleanUp, ROOT, temporaryDirectory } from "../operations/cli/terminal";
import { modulesOf } from "../proofs/bench/modules";
import { migrationsOf } from "../proofs/bench/servers";
import { hmacToken, Issuer, makeKey, published, rsaToken, type SigningKey, unsignedToken } from "./issuer";

// Runs the Worker's bundle in workerd against an issuer over HTTP. The Worker fetches the same https address as in
// production. The runtime sends it to this process, which forwards it to the issuer on loopback.

const BASE = "https://links.example";
const AUD = "4714c1358e65fe4b408ad6d432a5f878f08194bdb4752441fd56faefa9b2b6f2";
const MEMBER = "ada@people.example";
const WORKSPACE = "acme";
/** The Worker fetches the keys at most once a minute for unknown ids. */
const ASKED_AGAIN_AFTER_MS = 61_000;

const issuer = new Issuer();
const folder = temporaryDirectory();
/** The Worker's outgoing requests. */
const outgoing: string[] = [];
let options: MiniflareOptions;
let worker: Miniflare;
let teams = 0;
let team = "";

beforeAll(async () => {
  await issuer.open();
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  options = {
    modules: modulesOf(join(inject("service").bundle, "worker.js")),
    compatibilityDate: /^compatibility_date = "(.+)"$/m.exec(config)?.[1] ?? "",
    d1Databases: ["DB"],
    kvNamespaces: ["KV"],
    d1Persist: join(folder, "d1"),
    kvPersist: join(folder, "kv"),
    cf: false,
    handleRuntimeStdio: (out: Readable, err: Readable) => {
      out.resume();
      err.resume();
    },
  };
  worker = new Miniflare(optionsOfTeam());
  // Miniflare's binding types come from another version of the same package.
  const { DB, KV } = (await worker.getBindings()) as unknown as Env;
  for (const file of migrationsOf(join(ROOT, "migrations"))) {
    const statements = file.split("--> statement-breakpoint").map((statement) => DB.prepare(statement));
    await DB.batch(statements);
  }
  const ctx: ServiceContext = {
    db: createDatabase(withPlainStatements(DB)),
    kv: KV,
    config: parseConfig({ DB, KV }, BASE),
    actor: "operator",
    now: Date.now,
    random: systemRandom,
    waitUntil: () => undefined,
  };
  await createWorkspace(ctx, { name: "Acme", slug: WORKSPACE });
  await addMember(
    { ...ctx, workspace: await getWorkspace(ctx, WORKSPACE) },
    { email: MEMBER, role: "owner" },
  );
}, 180_000);

afterAll(async () => {
  await worker?.dispose();
  await issuer.close();
  cleanUp();
});

const optionsOfTeam = (): MiniflareOptions => {
  team = `team-${++teams}`;
  const certs = `https://${team}.cloudflareaccess.com/cdn-cgi/access/certs`;
  return {
    ...options,
    bindings: { BASE_URL: BASE, SHORT_BASE_URL: BASE, ACCESS_TEAM_DOMAIN: team, ACCESS_AUD: AUD },
    outboundService: async (request: RuntimeRequest) => {
      outgoing.push(request.url);
      if (request.url !== certs) throw new Error(`The Worker asked ${request.url}.`);
      const answer = await fetch(`${issuer.origin}/cdn-cgi/access/certs`);
      return new Response(await answer.text(), { status: answer.status });
    },
  };
};

/** A new instance without keys, and a team that publishes these. */
async function begin(...keys: SigningKey[]): Promise<void> {
  issuer.keys = keys;
  await worker.setOptions(optionsOfTeam());
  issuer.asked = 0;
  outgoing.length = 0;
}

const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;
const claims = (other: object = {}) => ({
  iss: `https://${team}.cloudflareaccess.com`,
  aud: [AUD],
  email: MEMBER,
  type: "app",
  iat: seconds(-5),
  nbf: seconds(-5),
  exp: seconds(300),
  ...other,
});

/** The status of a page of the workspace: 200 if signed in, 303 to the sign-in page otherwise. */
async function ask(token: string): Promise<number> {
  const response = await worker.dispatchFetch(`${BASE}/app/${WORKSPACE}/members`, {
    redirect: "manual",
    headers: { "Cf-Access-Jwt-Assertion": token },
  });
  await response.text();
  if (response.status === 303) expect(response.headers.get("location")).toBe("/app/sign-in");
  return response.status;
}

const [A, B, C] = [makeKey("key-a"), makeKey("key-b"), makeKey("key-c")];

describe("Cloudflare Access, against an RS256 issuer over HTTP", () => {
  it("Access accepts tokens of each published key, and the keys are fetched once", async () => {
    await begin(A, B);
    expect(await ask(rsaToken(A, claims()))).toBe(200);
    expect(await ask(rsaToken(B, claims()))).toBe(200);
    expect(await ask(rsaToken(C, claims()))).toBe(303);
    expect(outgoing).toEqual([`https://${team}.cloudflareaccess.com/cdn-cgi/access/certs`]);
    expect(issuer.asked).toBe(1);
  });

  it("Access refuses tokens with another key, id, algorithm, time, issuer or audience", async () => {
    await begin(A);
    const pem = A.publicKey.export({ type: "spki", format: "pem" }).toString();
    const [head = "", , signature = ""] = rsaToken(A, claims()).split(".");
    const other = Buffer.from(JSON.stringify(claims({ email: "eve@people.example" }))).toString("base64url");
    const refused: Record<string, string> = {
      "another key under a known id": rsaToken(B, claims(), { kid: A.kid }),
      "a known key under an unknown id": rsaToken(A, claims(), { kid: "key-x" }),
      "RS512 by the right key": rsaToken(A, claims(), { alg: "RS512" }),
      "HS256 with the public key as PEM": hmacToken(A.kid, claims(), pem),
      "HS256 with the published modulus": hmacToken(A.kid, claims(), published(A).n ?? ""),
      "HS256 with the published key": hmacToken(A.kid, claims(), JSON.stringify(published(A))),
      "no signature": unsignedToken(A.kid, claims()),
      "a payload that was changed": `${head}.${other}.${signature}`,
      "a time that has passed": rsaToken(A, claims({ exp: seconds(-1) })),
      "no end": rsaToken(A, claims({ exp: undefined })),
      "a time to come": rsaToken(A, claims({ nbf: seconds(60) })),
      "another team": rsaToken(A, claims({ iss: "https://evil.cloudflareaccess.com" })),
      "another application": rsaToken(A, claims({ aud: ["0".repeat(64)] })),
      "no token at all": "nonsense",
    };
    for (const [why, token] of Object.entries(refused)) expect([why, await ask(token)]).toEqual([why, 303]);
    expect(await ask(rsaToken(A, claims()))).toBe(200);
    expect(await ask(rsaToken(A, claims({ email: "nobody@people.example" })))).toBe(404);
    expect(issuer.asked).toBe(1);
  });

  it("Access accepts a new key within a minute of its rotation, and then refuses the old one", async () => {
    await begin(A);
    expect(await ask(rsaToken(A, claims()))).toBe(200);
    issuer.keys = [B];
    // An unknown id alone does not make the Worker fetch the keys again.
    for (let times = 0; times < 20; times++) expect(await ask(rsaToken(B, claims()))).toBe(303);
    expect(issuer.asked).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_AFTER_MS));
    expect(await ask(rsaToken(B, claims()))).toBe(200);
    expect(await ask(rsaToken(A, claims()))).toBe(303);
    expect(issuer.asked).toBe(2);
  });

  it("an unreachable issuer gives 503, and known keys still work", async () => {
    await begin(A);
    await issuer.close();
    expect(await ask(rsaToken(A, claims()))).toBe(503);
    expect(await ask(hmacToken(A.kid, claims(), "secret"))).toBe(303);
    await issuer.open();
    expect(await ask(rsaToken(A, claims()))).toBe(200);
    await issuer.close();
    expect(await ask(rsaToken(A, claims()))).toBe(200);
    expect(await ask(rsaToken(B, claims(), { kid: A.kid }))).toBe(303);
    await issuer.open();
  });
});
