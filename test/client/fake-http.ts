import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { ROOT } from "../cli/terminal";
import type { FakeService } from "./fake-service";

async function handle(service: FakeService, request: IncomingMessage, response: ServerResponse) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = "GET", headers, url } = request;
  const body = method === "GET" ? {} : { body: Buffer.concat(chunks) };
  const init = { method, headers: headers as Record<string, string>, ...body };
  const answer = await service.fetch(`http://localhost${url}`, init);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}

/** Serves the service in memory to other processes, on the loopback interface. */
export async function serveFake(
  service: FakeService,
  tls?: { key: Buffer; cert: Buffer },
): Promise<{ url: string; port: number; close(): void }> {
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void handle(service, request, response);
  const server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const scheme = tls === undefined ? "http" : "https";
  return { url: `${scheme}://127.0.0.1:${port}`, port, close: () => server.close() };
}

/** The arguments of Node that run the command from its source, in any directory. */
export const FROM_SOURCE = [
  "--import",
  pathToFileURL(`${ROOT}/node_modules/tsx/dist/loader.mjs`).href,
  `${ROOT}/src/client/command/waymark.ts`,
];
