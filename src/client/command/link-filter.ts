import { LINK_SORTS } from "../../lib/link-fields";
import type { LinkFilter, Waymark } from "../api/resources";
import { Refusal } from "../exit";
import { LINK_STATUSES } from "../fields";
import { findFilter } from "../find";
import type { Given, Options } from "./command";

/** The parameters of the interface's list. */
export const FILTER_OPTIONS = {
  tag: { value: "TAG", repeat: true, description: "Has the tag: a name, slug or ID" },
  group: { value: "GROUP", description: "Is in the Activity Group: a slug or ID" },
  channel: { value: "TEXT", description: "Has the channel" },
  domain: { value: "HOST", description: "Has its current short URL on the host" },
  status: { value: "STATUS", choices: LINK_STATUSES, description: "Status, active by default" },
  slug: { value: "SLUG", repeat: true, description: "Is opened by one of the slugs, current or old" },
  "external-id": { value: "ID", repeat: true, description: "Has one of the external IDs" },
  "external-id-prefix": { value: "TEXT", description: "Has an external ID that starts with TEXT" },
  q: { value: "TEXT", description: "Has the text in its slug, title or destination" },
  sort: { value: "ORDER", choices: LINK_SORTS, description: "Order, -created_at by default" },
} as const satisfies Options;

/** The service ignores an empty filter, and would give every link. */
function assertNoneEmpty(given: Given<typeof FILTER_OPTIONS>): void {
  for (const [name, value] of Object.entries(given)) {
    if ([value].flat().some((text) => text.trim() === "")) throw new Refusal(`--${name} is empty.`);
  }
}

/** The filter of the options. Throws for a tag or group that the workspace does not have, because the service would answer with an empty list. */
export async function toFilter(client: Waymark, given: Given<typeof FILTER_OPTIONS>): Promise<LinkFilter> {
  assertNoneEmpty(given);
  const { tag, group, ...rest } = given;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.replaceAll("-", "_"), value])),
    ...(await findFilter(client, tag, group)),
  };
}
