import type { NewActivityGroup } from "../resources/activity-groups/group-schema";
import type { NewAsset } from "../resources/engagement/asset-schema";
import type { CreateLink, UpdateLink } from "../resources/links/link-schema";
import { groups, imported, links, tags } from "./demo-data.json";
import type { Profile } from "./demo-visits";

interface DemoGroup extends NewActivityGroup {
  /** When it starts and ends, in days from now. */
  days?: readonly number[];
}

export interface DemoLink extends CreateLink {
  update?: UpdateLink;
  /** Whether it has a second address, on the demo's domain. */
  isOnDomain?: true;
  assets?: readonly Pick<NewAsset, "name" | "kind" | "status" | "place" | "quantity">[];
  /** Who visits it; nobody if it is left out. */
  visits?: Profile;
  /** Whether its page is gone. */
  isBroken?: true;
}

export const GROUPS = groups as readonly DemoGroup[];
export const TAGS = tags;
export const LINKS = links as readonly DemoLink[];
/** A file to import. One of its slugs is invalid. */
export const IMPORTED = imported.join("\n");
