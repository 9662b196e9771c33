import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import type { readReport } from "../../../src/client/api/report";
import { serveMcp } from "../../../src/client/mcp/server";
import { type Setup, setup } from "../api/setup";
import type { fakeService } from "../fake-service";

export interface Answer {
  isError: boolean;
  text: string;
  data: Record<string, unknown>;
  content: readonly Record<string, unknown>[];
}

export interface Connected extends Setup {
  mcp: Client;
  /** Calls a tool, and throws its text if it fails. The client checks the answer against the tool's output schema. */
  call(name: string, input?: Record<string, unknown>): Promise<Answer>;
  /** Calls a tool that must fail. Resolves to its text. */
  failed(name: string, input: Record<string, unknown>): Promise<string>;
  /** Calls a tool that must fail. Resolves to the refusal of the service. */
  refused(name: string, input: Record<string, unknown>): Promise<unknown>;
}

export async function callTool(mcp: Client, name: string, input: Record<string, unknown>): Promise<Answer> {
  const result = await mcp.callTool({ name, arguments: input });
  const content = result.content as Answer["content"];
  const text = content.map((block) => block["text"] ?? "").join("\n");
  const data = (result.structuredContent ?? {}) as Record<string, unknown>;
  return { isError: result.isError === true, text, data, content };
}

/** The official client, connected to the server over the service in memory. */
export async function connect(
  options: {
    write?: boolean;
    service?: Parameters<typeof fakeService>[0];
    readReport?: typeof readReport;
  } = {},
): Promise<Connected> {
  const made = setup(options.service);
  const [near, far] = InMemoryTransport.createLinkedPair();
  void serveMcp({
    client: made.client,
    version: "1.2.3",
    transport: far,
    ...(options.write === undefined ? {} : { write: options.write }),
    ...(options.readReport === undefined ? {} : { readReport: options.readReport }),
  });
  const mcp = new Client({ name: "test", version: "1" });
  await mcp.connect(near);
  await mcp.listTools();
  const failed: Connected["failed"] = async (name, input) => {
    const { isError, text } = await callTool(mcp, name, input);
    if (isError) return text;
    throw new Error(`${name} did not fail: ${text}`);
  };
  return {
    ...made,
    mcp,
    async call(name, input = {}) {
      const answer = await callTool(mcp, name, input);
      if (answer.isError) throw new Error(`${name} failed: ${answer.text}`);
      return answer;
    },
    failed,
    refused: async (name, input) => JSON.parse(await failed(name, input)),
  };
}
