import { type Command, command } from "./command";
import { printRows } from "./output";

const COLUMNS = ["slug", "name", "type", "status", "default_utm_campaign", "id"];
const TYPES = ["campaign", "always_on", "project", "event", "content", "other"] as const;
const STATUSES = ["draft", "scheduled", "active", "completed", "archived"] as const;

const list = command({
  name: "groups list",
  summary: "List the Activity Groups of the workspace",
  details: `On a terminal it prints a table, elsewhere tab-separated lines: ${COLUMNS.join(", ")}.`,
  options: {
    id: { value: "ID", description: "Has the ID" },
    slug: { value: "SLUG", description: "Has the slug" },
    q: { value: "TEXT", description: "Has the text in its name, slug or description" },
    type: { value: "TYPE", choices: TYPES, description: "Type" },
    status: { value: "STATUS", choices: STATUSES, description: "Status" },
  },
  examples: ["waymark groups list", "waymark groups list --status active --json"],
  async run(context, filter) {
    await printRows(context, "Activity Group", COLUMNS, context.client.groups.list(filter));
  },
});

export const groupCommands: readonly Command[] = [list];
