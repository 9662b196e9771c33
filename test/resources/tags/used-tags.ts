import { listUsedTags } from "../../../src/resources/tags/tag-service";
import type { TestWorkspace } from "../../harness";

/** The names of the tags with their numbers of active and archived links. */
export const usedTags = async (ws: TestWorkspace) =>
  (await listUsedTags(ws.ctx)).map(({ name, active_links, archived_links }) => [
    name,
    active_links,
    archived_links,
  ]);
