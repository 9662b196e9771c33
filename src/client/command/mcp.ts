import { version } from "../package.json";
import { command } from "./command";
import { say } from "./output";

export const mcpCommand = command({
  name: "mcp",
  summary: "Serve agents on standard input and output, as an MCP server",
  details:
    "The tools: find_links, get_link, list_labels, qr_code; with --write also create_link, update_link, set_tags.\n" +
    "The server ends when its standard input does.",
  options: {
    write: { description: "Also list the tools that change links. They need a key with full access" },
  },
  json: false,
  examples: ["waymark mcp", "waymark mcp --write"],
  async run(context, { write = false }) {
    const { client } = context.connect();
    const { serveMcp } = await import("../mcp/server");
    const onError = (error: Error) => say(context, error.message);
    await serveMcp({ client, version, write, onError });
  },
});
