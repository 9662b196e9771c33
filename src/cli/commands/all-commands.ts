import { accessCommands } from "./access-commands";
import type { Commands } from "./admin-command";
import { resourceCommands } from "./resource-commands";
import { serviceCommands } from "./service-commands";
import { takedownCommands } from "./takedown-commands";

/** The commands of `npm run admin`, by name. */
export const COMMANDS: Commands = {
  ...accessCommands,
  ...resourceCommands,
  ...takedownCommands,
  ...serviceCommands,
};
