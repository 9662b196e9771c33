import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../cli/terminal";
import { fakeService } from "../fake-service";
import { callTool } from "./connect";

const service = fakeService();
const http = createServer(async (request, response) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = "GET" } = request;
  const answer = await service.fetch(`http://localhost${request.url}`, {
    method,
    headers: request.headers as Record<string, string>,
    ...(method === "GET" ? {} : { body: Buffer.concat(chunks) }),
  });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
});

beforeAll(() => new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve)));
afterAll(() => http.close());

const SERVER = fileURLToPath(new URL("stdio-server.ts", import.meta.url));

it.each(["legacy", "auto"] as const)(
  "serves a process's standard input and output, with a client that negotiates as %s",
  async (mode) => {
    const { port } = http.address() as AddressInfo;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ["--import", "tsx", SERVER],
      cwd: ROOT,
      env: { ...getDefaultEnvironment(), WAYMARK_URL: `http://127.0.0.1:${port}`, WAYMARK_KEY: service.key },
    });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(transport);

    expect((await client.listTools()).tools).toHaveLength(7);
    const input = { destination_url: "https://www.example.com/", slug: `made-${mode}` };
    const created = await callTool(client, "create_link", input);
    expect(created).toMatchObject({ isError: false, data: { link: { slug: `made-${mode}` } } });
    const found = await callTool(client, "find_links", { q: `made-${mode}` });
    expect(found).toMatchObject({ data: { links: [{ slug: `made-${mode}` }], has_more: false } });
    expect(await callTool(client, "get_link", { slug: "none" })).toMatchObject({ isError: true });

    const begun = performance.now();
    await client.close();
    // A server that does not end when its input does is killed after two seconds.
    expect(performance.now() - begun).toBeLessThan(2_000);
  },
);
