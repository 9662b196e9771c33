import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FROM_SOURCE, serveFake } from "../fake-http";
import { fakeService } from "../fake-service";
import { callTool } from "./connect";

const service = fakeService();
let http: Awaited<ReturnType<typeof serveFake>>;

beforeAll(async () => {
  http = await serveFake(service);
});
afterAll(() => http.close());

/** Starts `waymark mcp` as an agent does. */
async function startMcp(mode: "legacy" | "auto", ...options: string[]): Promise<Client> {
  return startIn({ WAYMARK_URL: http.url, WAYMARK_KEY: service.key }, mode, ...options);
}

async function startIn(env: Record<string, string>, mode: "legacy" | "auto", ...options: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...FROM_SOURCE, "mcp", ...options],
    env: { ...getDefaultEnvironment(), ...env },
  });
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

it.each(["legacy", "auto"] as const)(
  "waymark mcp serves its standard input and output, with a client that negotiates as %s",
  // On a busy machine the end of the process may take longer than it should.
  { retry: 2 },
  async (mode) => {
    const client = await startMcp(mode, "--write");
    const slug = `made-${crypto.randomUUID()}`;

    expect((await client.listTools()).tools).toHaveLength(8);
    const input = { destination_url: "https://www.example.com/", slug };
    const created = await callTool(client, "create_link", input);
    expect(created, created.text).toMatchObject({ isError: false, data: { link: { slug } } });
    const found = await callTool(client, "find_links", { q: slug });
    expect(found).toMatchObject({ data: { links: [{ slug }], has_more: false } });
    expect(await callTool(client, "get_link", { slug: "none" })).toMatchObject({ isError: true });

    const begun = performance.now();
    await client.close();
    // A server that does not end when its input does is killed after two seconds.
    expect(performance.now() - begun).toBeLessThan(2_000);
  },
);

it("waymark mcp has no tool that writes without --write, and none with a read-only key", async () => {
  for (const options of [[], ["--write"]]) {
    service.state.access = options.length === 0 ? "full" : "read";
    const client = await startMcp("auto", ...options);
    const { tools } = await client.listTools();
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(Array(5).fill(true));
    await client.close();
  }
});

it("waymark mcp without an address and a key reads reports, and nothing else", async () => {
  const client = await startIn({}, "auto");
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["get_report"]);
  const address = `${http.url}/reports/${"x".repeat(32)}`;
  expect(await callTool(client, "get_report", { address })).toMatchObject({ isError: true });
  await client.close();
});
