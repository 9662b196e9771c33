import { version } from "../package.json";
import type { Options } from "./args";
import { command } from "./command";
import { EXIT } from "./exit";
import { say } from "./output";

const OPTIONS = {
  write: { description: "Also list the tools that change links. They need a key with full access" },
} as const satisfies Options;

export const mcpCommand = command({
  name: "mcp",
  summary: "Serve agents on standard input and output, as an MCP server",
  details:
    "The tools: find_links, get_link, list_labels, qr_code; with --write also create_link, update_link, set_tags.\n" +
    "The server ends when its standard input does.",
  options: OPTIONS,
  json: false,
  examples: ["waymark mcp", "waymark mcp --write"],
  async run(context, args) {
    const { client } = await context.connect();
    const { serveMcp } = await import("../mcp/server");
    const onError = (error: Error) => say(context, error.message);
    await serveMcp({ client, version, write: args.has("write"), onError });
    return EXIT.done;
  },
});
