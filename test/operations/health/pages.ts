import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { TestProject } from "vitest/node";

// A web server with every kind of page. It runs in Node for the whole test run, since workerd cannot listen.

declare module "vitest" {
  export interface ProvidedContext {
    pagesPort: number;
  }
}

const BOMB = gzipSync(Buffer.alloc(100 * 1024 * 1024, " "));

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://pages.example");
  const [, kind, value = ""] = url.pathname.split("/");
  const isHead = request.method === "HEAD";
  const redirect = (location: string) => response.writeHead(302, { Location: location }).end();
  switch (kind) {
    case "status": {
      const retry = url.searchParams.get("retry");
      response.writeHead(Number(value), retry === null ? {} : { "Retry-After": retry }).end("text");
      return;
    }
    // The status of HEAD; GET finds the page.
    case "head":
      response.writeHead(isHead ? Number(value) : 200).end();
      return;
    case "chain":
      redirect(value === "1" ? "/status/200" : `/chain/${Number(value) - 1}`);
      return;
    case "loop":
      redirect("/loop");
      return;
    case "to":
      redirect(url.searchParams.get("url") ?? "/");
      return;
    case "slow":
      return;
    case "slow-head":
      if (!isHead) response.writeHead(200).end();
      return;
    case "endless": {
      response.writeHead(isHead && value !== "" ? Number(value) : 200);
      if (isHead) {
        response.end();
        return;
      }
      const more = setInterval(() => response.write("x".repeat(65_536)), 5);
      request.socket.on("close", () => clearInterval(more));
      return;
    }
    // A hundred megabytes in a hundred kilobytes.
    case "bomb":
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(BOMB);
      return;
    case "drip": {
      response.writeHead(200);
      const more = setInterval(() => response.write(" "), 20);
      request.socket.on("close", () => clearInterval(more));
      return;
    }
    case "reset":
      request.socket.destroy();
      return;
    case "no-location":
      response.writeHead(302).end();
      return;
    default:
      response.writeHead(404).end();
  }
}

export default async function startPages({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = createServer(answer);
  // workerd may reuse a connection just when it is closed, which would look like a reset.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provide("pagesPort", (server.address() as AddressInfo).port);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
