import { CONVENTION_FIELDS, type Conventions, fitOf } from "../../lib/conventions";
import { isUnassigned } from "../../lib/google-channel";
import { VALUE_FIELDS } from "../../lib/link-fields";
import type { Preview } from "../../resources/links/preview";
import { quoted } from "../shell/text";
import type { Draft } from "./draft";

export const KNOWN_MEDIUMS = "It knows mediums such as email, social, cpc, display, referral and affiliate.";

/**
 * What a person may want to change in a link's values before saving: another spelling, or a pair that Google does not know.
 * `was` is the link that is edited.
 */
export function hintsOf(
  { parameters }: Preview,
  draft: Draft,
  conventions: Conventions,
  was?: Draft,
): string[] {
  const unusual = CONVENTION_FIELDS.flatMap((field) => {
    const label = VALUE_FIELDS[field].label.toLowerCase();
    const value = draft[field];
    // A value that the link has may stay.
    const fit = value === "" || value === was?.[field] ? undefined : fitOf(conventions[field], value);
    if (fit?.kind === "spelt") {
      const verb = conventions[field].strictness === "only" ? "will be saved as" : "is usually written";
      return `The ${label} ${verb} ${quoted(fit.as)}.`;
    }
    return fit?.kind === "unknown"
      ? `The ${label} ${quoted(value)} is not among the workspace’s values.`
      : [];
  });
  const [source = "", medium = "", campaign = ""] = parameters.map(({ value }) => value ?? "");
  const isTagged = source !== "" || medium !== "";
  const isUnknown = isTagged && isUnassigned({ source, medium, campaign });
  return [
    ...unusual,
    ...(isUnknown ? [`Google Analytics would show these visits as “Unassigned”. ${KNOWN_MEDIUMS}`] : []),
  ];
}
