import { env } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { vi } from "vitest";
import type { WorkspaceContext } from "../../../src/context";
import { EVENT_KINDS, type EventKind } from "../../../src/resources/events/event-kinds";
import { createReceiver } from "../../../src/resources/events/receivers";
import { makeWorkspace } from "../../harness";

export const ALL_KINDS = Object.keys(EVENT_KINDS) as EventKind[];

export interface Received {
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body
  body: any;
}

type Answer = () => Response | Promise<Response>;

export const ok: Answer = () => new Response("thanks");
export const status =
  (code: number, text: string | null = null, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(text, { status: code, headers });

/** Servers by host, in place of the network. Each message is verified by the standard's own library. */
export function network() {
  const hosts = new Map<string, { secret: string; answers: Answer[]; received: Received[] }>();
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const server = hosts.get(new URL(url).host);
    if (server === undefined || init.method !== "POST" || init.redirect !== "manual")
      throw new Error(`Nobody is at ${url}.`);
    const headers = Object.fromEntries(new Headers(init.headers));
    const id = headers["webhook-id"] ?? "";
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    // `verify` would refuse a message of a time that the test has moved.
    if (headers["webhook-signature"] !== new Webhook(server.secret).sign(id, at, String(init.body)))
      throw new Error("The signature is wrong.");
    server.received.push({ id, body: JSON.parse(String(init.body)) });
    const [answer = ok] = server.answers;
    if (server.answers.length > 1) server.answers.shift();
    return answer();
  });
  return hosts;
}

export interface Server {
  id: string;
  host: string;
  received: Received[];
  /** The answers from now on, the last one for ever. */
  answer: (...answers: Answer[]) => void;
}

export async function makeReceiver(
  ctx: WorkspaceContext,
  hosts: ReturnType<typeof network>,
  kinds: readonly EventKind[] = ALL_KINDS,
): Promise<Server> {
  const host = `hooks-${crypto.randomUUID().slice(0, 8)}.example`;
  const { id, secret } = await createReceiver(ctx, {
    url: `https://${host}/in?token=1`,
    kinds: [...kinds],
    is_on: true,
  });
  const server = { secret, answers: [ok], received: [] as Received[] };
  hosts.set(host, server);
  return {
    id,
    host,
    received: server.received,
    answer: (...answers) => void server.answers.splice(0, server.answers.length, ...answers),
  };
}

/** A workspace at a time that the test moves. What its requests do behind their answer is dropped, as if they ended there. */
export async function makeSilentWorkspace() {
  const ws = await makeWorkspace();
  const clock = { now: Date.now() };
  const silent = { read: () => new Promise<never>(() => undefined) };
  const ctx: WorkspaceContext = {
    ...ws.ctx,
    now: () => clock.now,
    backgroundDb: { ...ws.ctx.db, ...silent },
  };
  return { ws, ctx, clock };
}

export interface StoredMessage {
  event: string;
  kind: string;
  subject: string | null;
  amount: number | null;
  tries: number;
  due_at: number | null;
  outcome: string | null;
  answer: string | null;
}

export async function storedMessages(ctx: WorkspaceContext): Promise<StoredMessage[]> {
  const { results } = await env.DB.prepare("select * from messages where workspace_id = ? order by id")
    .bind(ctx.workspace.rowId)
    .all<StoredMessage>();
  return results;
}

export const forgetMessages = () =>
  env.DB.batch(
    ["messages", "untold_visits", "receivers"].map((table) => env.DB.prepare(`delete from ${table}`)),
  );
