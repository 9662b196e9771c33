import { command } from "./command";
import { EXIT } from "./exit";
import { printFields, printJson } from "./output";

export const whoamiCommand = command({
  name: "whoami",
  summary: "Show the workspace of the key, and whether the key may write",
  examples: ["waymark whoami", "waymark whoami --json | jq -r .access"],
  async run(context) {
    const { client, url } = await context.connect();
    const { workspace, access } = await client.whoami();
    if (context.json) printJson(context, { url, workspace, access });
    else printFields(context, { url, workspace: workspace.slug, name: workspace.name, access });
    return EXIT.done;
  },
});
