import { adoptCommand } from "./adopt";
import { applyCommand } from "./apply";
import type { Command } from "./command";
import { completionCommand } from "./completion";
import { exportCommand } from "./export";
import { groupCommands } from "./groups";
import { linkCommands } from "./links";
import { mcpCommand } from "./mcp";
import { moveCommand } from "./move";
import { planCommand } from "./plan";
import { qrCommand } from "./qr";
import { tagCommands } from "./tags";
import { whoamiCommand } from "./whoami";

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  whoamiCommand,
  ...linkCommands,
  ...tagCommands,
  ...groupCommands,
  moveCommand,
  qrCommand,
  exportCommand,
  planCommand,
  applyCommand,
  adoptCommand,
  mcpCommand,
  completionCommand,
];
