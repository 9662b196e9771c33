import { href } from "../href";
import type { Crumb } from "./layout";

/** The list of Activity Groups and, above a page of one of them, the group. */
export const groupCrumbs = (workspace: string, group?: { id: string; name: string }): Crumb[] => [
  { label: "Activity Groups", href: href.groups(workspace) },
  ...(group === undefined ? [] : [{ label: group.name, href: href.group(workspace, group.id) }]),
];
