import { alertCommands } from "./alert";
import { assetCommands } from "./asset";
import { clicksCommands } from "./clicks";
import type { Commands } from "./command";
import { cronCommands } from "./cron";
import { databaseCommands } from "./database";
import { domainCommands } from "./domain";
import { groupCommands } from "./group";
import { hostCommands } from "./host";
import { keyCommands } from "./key";
import { linkCommands } from "./link";
import { memberCommands } from "./member";
import { slugCommands } from "./slug";
import { workspaceCommands } from "./workspace";

/** The commands of `npm run admin`, by name. */
export const COMMANDS: Commands = {
  ...workspaceCommands,
  ...memberCommands,
  ...keyCommands,
  ...groupCommands,
  ...assetCommands,
  ...linkCommands,
  ...slugCommands,
  ...domainCommands,
  ...hostCommands,
  ...clicksCommands,
  ...databaseCommands,
  ...alertCommands,
  ...cronCommands,
};
