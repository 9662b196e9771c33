import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the proxy does with an exchange. With `answer-lost` and `cut` the service has done what was asked. */
export type Fate = "pass" | "request-lost" | "answer-lost" | "cut" | 429 | 503;

export interface Exchange {
  /** Counts the writes from 1. 0 for a read. */
  write: number;
  /** The same for each try of a request. */
  request: string;
}

export interface TestProxy {
  url: string;
  exchanges: Exchange[];
  /** Decides the fate of each exchange. It may wait or kill first. */
  decide: (exchange: Exchange) => Fate | Promise<Fate>;
  /** Called when the service has answered, before the client hears of it. */
  onAnswer: (exchange: Exchange) => void;
  reset(): void;
  close(): void;
}

const MESSAGES = { 429: "Too Many Attempts.", 503: "Service temporarily unavailable." };

async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, status: 429 | 503): void {
  const headers = { "Content-Type": "application/json", "Retry-After": "0" };
  response.writeHead(status, headers).end(JSON.stringify({ message: MESSAGES[status] }));
}

/** A proxy to the service, which counts and interferes. */
export async function startProxy(service: string): Promise<TestProxy> {
  const proxy: Omit<TestProxy, "url" | "close"> = {
    exchanges: [],
    decide: () => "pass",
    onAnswer: () => undefined,
    reset() {
      proxy.exchanges = [];
      proxy.decide = () => "pass";
      proxy.onAnswer = () => undefined;
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/" } = request;
    const writes = proxy.exchanges.filter(({ write }) => write > 0).length;
    const write = method === "GET" ? 0 : writes + 1;
    const exchange = { write, request: "" };
    proxy.exchanges.push(exchange);
    const body = await bodyOf(request);
    exchange.request = `${method} ${path} ${request.headers["idempotency-key"]} ${body}`;
    const fate = await proxy.decide(exchange);
    if (fate === 429 || fate === 503) return refuse(response, fate);
    if (fate === "request-lost") return void request.socket.destroy();
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const init = { method, headers, ...(body.length > 0 ? { body } : {}) };
    const answer = await fetch(`${service}${path}`, init);
    const content = Buffer.from(await answer.arrayBuffer());
    proxy.onAnswer(exchange);
    if (fate === "answer-lost") return void request.socket.destroy();
    const kept = [...answer.headers].filter(
      ([name]) => !/^(content-(length|encoding)|transfer-encoding|connection)$/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(kept));
    response.end(fate === "cut" ? content.subarray(0, content.length / 2) : content);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return Object.assign(proxy, { url: `http://127.0.0.1:${port}`, close });
}
