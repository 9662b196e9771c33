import { McpServer, type Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Waymark } from "../api/resources";
import { READING_TOOLS } from "./reading";
import { addTool } from "./tool";
import { WRITING_TOOLS } from "./writing";

const INSTRUCTIONS = `Waymark keeps the short links of one workspace: their destinations, UTM parameters, tags, Activity Groups
(campaigns, events, projects) and QR codes. Short URLs may be printed, so a changed destination moves every printed code.
Find the link first, and change it by its id. There is no tool that deletes: archive a link instead (update_link, status).`;

interface McpOptions {
  client: Waymark;
  /** Lists the tools that change links. Without it they do not exist. */
  write?: boolean;
  /** The version of the package. */
  version: string;
  /** Standard input and output if omitted. */
  transport?: Transport;
  /** For the operator. The connection goes on. */
  onError?: (error: Error) => void;
}

function createServer({ client, write = false, version }: McpOptions): McpServer {
  const capabilities = { tools: { listChanged: false } };
  const server = new McpServer({ name: "waymark", version }, { capabilities, instructions: INSTRUCTIONS });
  for (const tool of [...READING_TOOLS, ...(write ? WRITING_TOOLS : [])]) addTool(server, client, tool);
  return server;
}

/** Serves the tools until the connection ends. Nothing else may write to standard output meanwhile. */
export function serveMcp(options: McpOptions): Promise<void> {
  const { transport = new StdioServerTransport(), onError } = options;
  return new Promise((resolve) => {
    serveStdio(() => createServer(options), {
      transport,
      ...(onError === undefined ? {} : { onerror: onError }),
    });
    const closeInstance = transport.onclose;
    transport.onclose = () => {
      closeInstance?.();
      resolve();
    };
  });
}
