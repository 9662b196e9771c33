import { command } from "./command";
import { printFields, printJson } from "./output";

export const whoamiCommand = command({
  name: "whoami",
  summary: "Show the workspace of the key, and whether the key may write",
  examples: ["waymark whoami", "waymark whoami --json | jq -r .access"],
  async run(context) {
    const { client, url } = context;
    const { workspace, access } = await client.whoami();
    if (context.json) printJson(context, { url, workspace, access });
    else printFields(context, { url, workspace: workspace.slug, name: workspace.name, access });
  },
});
