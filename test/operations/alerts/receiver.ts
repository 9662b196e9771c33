import { env } from "cloudflare:test";
import { vi } from "vitest";
import type { ServiceContext } from "../../../src/context";
import { serviceContext, testEnv } from "../../harness";

export const WEBHOOK = "https://hooks.example/services/T0/secret";
export const SECRET = `whsec_${btoa("a secret of at least 24 bytes")}`;

/** A context with a webhook, at a time that the test moves. */
export function alertContext(variables: { ALERT_WEBHOOK?: string; ALERT_SECRET?: string } = {}) {
  const clock = { now: Date.UTC(2026, 10, 22, 9, 30) };
  const environment = { ...testEnv, ALERT_WEBHOOK: WEBHOOK, ALERT_SECRET: SECRET, ...variables };
  const ctx: ServiceContext = { ...serviceContext(environment), now: () => clock.now };
  return { ctx, clock, environment };
}

export interface Message {
  id: string;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body
  body: any;
}

type Answer = () => Response | Promise<Response>;

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(null, { status: code, headers });

/** Replaces `fetch` by a receiver that gives these answers, the last one for ever. Returns the messages it gets. */
export function receiver(answer: Answer, ...later: Answer[]): Message[] {
  let next = answer;
  const messages: Message[] = [];
  vi.stubGlobal("fetch", async (input: URL, init: RequestInit) => {
    if (String(input) !== WEBHOOK || init.method !== "POST" || init.redirect !== "manual") {
      throw new Error("This is no message to the webhook.");
    }
    const headers = new Headers(init.headers);
    const text = String(init.body);
    messages.push({ id: headers.get("webhook-id") ?? "", headers, text, body: JSON.parse(text) });
    const now = next;
    next = later.shift() ?? now;
    return now();
  });
  return messages;
}

export interface StoredAlert {
  key: string;
  kind: string;
  workspace_id: number | null;
  text: string;
  facts: string;
  message: string | null;
  tries: number;
  due_at: number | null;
  delivered_at: number | null;
  outcome: string | null;
}

export async function storedAlerts(kind = "%"): Promise<StoredAlert[]> {
  const { results } = await env.DB.prepare(
    `select key, own.kind, own.workspace_id, text, facts, message, coalesce(sent.tries, 0) as tries,
        coalesce(sent.due_at, own.due_at) as due_at, sent.delivered_at, sent.outcome
      from alerts as own left join messages as sent on sent.receiver_id = 0 and sent.event = own.message
      where own.kind like ? order by own.id`,
  )
    .bind(kind)
    .all<StoredAlert>();
  return results;
}

/** Deletes all alerts, and ends what other files' rows would be told of. */
export async function quiet(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare("delete from alerts"),
    env.DB.prepare("delete from messages"),
    env.DB.prepare("update slugs set push_at = null where push_at is not null"),
    env.DB.prepare("update api_keys set expires_at = null where expires_at is not null"),
    env.DB.prepare("update workspaces set link_limit = null where link_limit is not null"),
  ]);
}
