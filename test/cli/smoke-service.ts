import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { version } from "../../package.json";
import { listMigrations } from "../../src/cli/migrations";
import { eachField, LABEL_FIELDS } from "../../src/lib/link-fields";

export const KEY = "lnk_right";

/** What a stand-in answers. A header of null is not sent. */
export interface Reply {
  status: number;
  headers?: Record<string, string | null>;
  json?: unknown;
  text?: string;
}

/** The steps of the command, as the stand-in tells them apart. */
export type Step =
  | "health"
  | "wrong key"
  | "unknown"
  | "invalid"
  | "create"
  | "find"
  | "follow"
  | "stale version"
  | "change"
  | "follow changed"
  | "delete"
  | "read deleted"
  | "follow deleted";

/** Replaces the right reply of a step; `hang` never answers. */
export type Fault = (step: Step, right: Reply) => Reply | "hang";

interface Stored {
  slug: string;
  destination_url: string;
  /** Whether its destination was changed. */
  isChanged: boolean;
  isDeleted: boolean;
}

const ID = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const ETAG = { ETag: '"abc_-123"' };
const NO_STORE = { "Cache-Control": "no-store", "Content-Type": "application/json" };
const TIMING = { "Server-Timing": 'd1;dur=12;desc="2 calls", total;dur=20' };

const message = (status: number, text: string): Reply => ({
  status,
  headers: NO_STORE,
  json: { message: text },
});

/** A service with as much of the interface as `npm run smoke` uses, and a fault. */
export async function startStandIn(fault: Fault = (_, right) => right) {
  let stored: Stored | undefined;
  let base = "";
  const seen: Step[] = [];

  const toLink = ({ slug, destination_url }: Stored) => ({
    id: ID,
    slug,
    short_url: `${base}/${slug}`,
    domain: new URL(base).host,
    destination_url,
    rules: [],
    ...eachField(LABEL_FIELDS, () => null),
    title: "npm run smoke",
    status: "active",
    external_id: null,
    utm_source: "smoke",
    utm_medium: null,
    utm_campaign: "smoke test",
    utm_campaign_origin: "explicit",
    utm_term: null,
    utm_content: null,
    tags: [],
    starts_at: null,
    ends_at: null,
    ended_url: null,
    archived_at: null,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
  });
  const withLink = (status: number, text: string, link: Stored): Reply => ({
    status,
    headers: { ...NO_STORE, ...TIMING, ...ETAG },
    json: { message: text, link: toLink(link) },
  });

  // biome-ignore lint/suspicious/noExplicitAny: any body may come
  function answer(request: IncomingMessage, body: any): [Step, Reply] {
    const { method, headers, url: path = "" } = request;
    if (path === "/health") {
      const schema_version = listMigrations().at(-1);
      return [
        "health",
        {
          status: headers.authorization === undefined ? 200 : 401,
          json: {
            status: "ok",
            version,
            schema_version,
            schema_expected: schema_version,
            d1: true,
            kv: true,
          },
        },
      ];
    }
    if (!path.startsWith("/api/")) return follow();
    if (headers.authorization !== `Bearer ${KEY}`) return ["wrong key", message(401, "Unauthenticated.")];
    if (path.includes("?slug="))
      return ["find", { status: 200, json: { links: stored && !stored.isDeleted ? [toLink(stored)] : [] } }];
    if (method === "POST" && body.destination_url === undefined) {
      const text = "The destination url field is required.";
      return [
        "invalid",
        { status: 422, headers: NO_STORE, json: { message: text, errors: { destination_url: [text] } } },
      ];
    }
    if (method === "POST") {
      stored = { slug: body.slug, destination_url: body.destination_url, isChanged: false, isDeleted: false };
      return ["create", withLink(201, "Link created successfully.", stored)];
    }
    const isDeleted = stored === undefined || stored.isDeleted;
    if (!path.endsWith(ID) || isDeleted)
      return [path.endsWith(ID) ? "read deleted" : "unknown", message(404, "Link not found.")];
    if (method === "PATCH" && headers["if-match"]?.replace("W/", "") !== ETAG.ETag)
      return ["stale version", message(412, "The link has changed since it was read.")];
    if (method === "PATCH") {
      Object.assign(stored as Stored, body, { isChanged: true });
      return ["change", withLink(200, "Link updated successfully.", stored as Stored)];
    }
    return ["delete", { status: 204 }];
  }

  function follow(): [Step, Reply] {
    if (stored === undefined || stored.isDeleted)
      return ["follow deleted", { status: 404, text: "Not found." }];
    const location = stored.destination_url
      .replace("utm_source=old", "utm_source=smoke")
      .replace("#", "&utm_campaign=smoke%20test#");
    const headers = { Location: location, "Cache-Control": "private, no-store", "X-Cache": "hit" };
    return [stored.isChanged ? "follow changed" : "follow", { status: 302, headers }];
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const [step, right] = answer(request, body === "" ? {} : JSON.parse(body));
    seen.push(step);
    const reply = fault(step, right);
    if (reply === "hang") return;
    if (step === "delete" && reply.status === 204) Object.assign(stored as Stored, { isDeleted: true });
    for (const [name, value] of Object.entries(reply.headers ?? {}))
      if (value !== null) response.setHeader(name, value);
    response.writeHead(reply.status);
    response.end(reply.json === undefined ? reply.text : JSON.stringify(reply.json));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  base = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    base,
    seen,
    isLeft: () => stored !== undefined && !stored.isDeleted,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
