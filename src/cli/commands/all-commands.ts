import { accessCommands } from "./access-commands";
import type { Commands } from "./admin-command";
import { resourceCommands } from "./resource-commands";
import { serviceCommands } from "./service-commands";

/** The commands of `npm run admin`, by name. */
export const COMMANDS: Commands = { ...accessCommands, ...resourceCommands, ...serviceCommands };
