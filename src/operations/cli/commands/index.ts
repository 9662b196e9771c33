import { accessCommands } from "./access";
import type { Commands } from "./command";
import { resourceCommands } from "./resources";
import { serviceCommands } from "./service";

/** The commands of `npm run admin`, by name. */
export const COMMANDS: Commands = { ...accessCommands, ...resourceCommands, ...serviceCommands };
