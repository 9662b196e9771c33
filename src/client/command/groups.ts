import type { ActivityGroup, GroupFilter } from "../api/resources";
import { type Command, command } from "./command";
import { EXIT } from "./exit";
import { printRows, say } from "./output";
import type { Column } from "./table";

const COLUMNS: readonly Column<ActivityGroup>[] = [
  { name: "slug", cell: ({ slug }) => slug },
  { name: "name", cell: ({ name }) => name },
  { name: "type", cell: ({ type }) => type },
  { name: "status", cell: ({ status }) => status },
  { name: "default_utm_campaign", cell: (group) => group.default_utm_campaign },
  { name: "id", cell: ({ id }) => id },
];

const TYPES = ["campaign", "always_on", "project", "event", "content", "other"] as const;
const STATUSES = ["draft", "scheduled", "active", "completed", "archived"] as const;
const NAMES = ["id", "slug", "q", "type", "status"] as const;

const list = command({
  name: "groups list",
  summary: "List the Activity Groups of the workspace",
  details: `On a terminal it prints a table, elsewhere tab-separated lines: ${COLUMNS.map(({ name }) => name).join(", ")}.`,
  options: {
    id: { value: "ID", description: "Has the ID" },
    slug: { value: "SLUG", description: "Has the slug" },
    q: { value: "TEXT", description: "Has the text in its name, slug or description" },
    type: { value: "TYPE", choices: TYPES, description: "Type" },
    status: { value: "STATUS", choices: STATUSES, description: "Status" },
  },
  examples: ["waymark groups list", "waymark groups list --status active --json"],
  async run(context, args) {
    const given = NAMES.filter((name) => args.has(name)).map((name) => [name, args.text(name)]);
    const filter: GroupFilter = Object.fromEntries(given);
    const { client } = await context.connect();
    const count = await printRows(context, "group", COLUMNS, client.groups.list(filter));
    if (count === 0) say(context, "No Activity Groups.");
    return EXIT.done;
  },
});

export const groupCommands: readonly Command[] = [list];
