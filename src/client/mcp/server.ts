import { type CallToolResult, McpServer, type Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { WaymarkError } from "../api/error";
import { readReport } from "../api/report";
import type { Report, Waymark } from "../api/wire-types";
import { READING_TOOLS } from "./reading";
import { REPORT_TOOL, showReport } from "./report";
import type { Tool, ToolAnswer, ToolDescription } from "./tool";
import { WRITING_TOOLS } from "./writing";

const INSTRUCTIONS = `Waymark keeps the short links of one workspace: their destinations, UTM parameters, tags, Activity Groups
(campaigns, events, projects) and QR codes. Short URLs may be printed, so a changed destination moves every printed code.`;
const WRITING =
  "Find the link first, and change it by its id. There is no tool that deletes: archive a link instead (update_link, status).";

interface McpOptions {
  /** Without it there are no tools but that of reports. */
  client: Waymark | undefined;
  /** Lists the tools that change links. Without it they do not exist. */
  write?: boolean;
  /** That of the package, which needs no key, if omitted. */
  readReport?: (address: string) => Promise<Report>;
  /** The version of the package. */
  version: string;
  /** Standard input and output if omitted. */
  transport?: Transport;
  /** For the operator. The connection goes on. */
  onError?: (error: Error) => void;
}

const READS = { destructiveHint: false, idempotentHint: true };

function addTool(server: McpServer, tool: ToolDescription, run: (given: unknown) => ToolAnswer): void {
  const { name, title, description, input, output, writes, asksOthers: openWorldHint = false } = tool;
  const annotations = { readOnlyHint: writes === undefined, openWorldHint, ...(writes ?? READS) };
  const config = { title, description, inputSchema: input, outputSchema: output, annotations };
  server.registerTool(name, config, async (given): Promise<CallToolResult> => {
    try {
      const { data, content } = await run(given);
      // Clients that know no structured content read it as text.
      const asText = { type: "text" as const, text: JSON.stringify(data) };
      return { content: content ?? [asText], structuredContent: data };
    } catch (error) {
      // A refusal of the service becomes the tool's own error, which an agent can read and act on.
      if (!(error instanceof WaymarkError)) throw error;
      return { isError: true, content: [{ type: "text", text: JSON.stringify(error) }] };
    }
  });
}

/** Serves the tools until the connection ends. Nothing else may write to standard output meanwhile. */
export function serveMcp({ client, write = false, version, ...options }: McpOptions): Promise<void> {
  const { transport = new StdioServerTransport(), onError = () => undefined } = options;
  const read = options.readReport ?? readReport;
  const createServer = () => {
    const capabilities = { tools: { listChanged: false } };
    const instructions = write ? `${INSTRUCTIONS}\n${WRITING}` : INSTRUCTIONS;
    const server = new McpServer({ name: "waymark", version }, { capabilities, instructions });
    const addTools = (tools: readonly Tool[]) => {
      if (client === undefined) return;
      for (const tool of tools) addTool(server, tool, (given) => tool.run(client, given));
    };
    addTools(READING_TOOLS);
    addTool(server, REPORT_TOOL, (given) => showReport(read, given));
    if (write) addTools(WRITING_TOOLS);
    return server;
  };
  return new Promise((resolve) => {
    serveStdio(createServer, { transport, onerror: onError });
    const closeInstance = transport.onclose;
    transport.onclose = () => {
      closeInstance?.();
      resolve();
    };
  });
}
