/** A request's change of a link's utm_campaign. `inherit` takes the default of the link's group, or null. */
type AskedCampaign =
  | { kind: "give"; value: string }
  | { kind: "inherit"; explicitStays: boolean }
  | { kind: "keep" };

/** Includes `restore`, with which a revert sets a previous value and origin. */
export type CampaignChange =
  | AskedCampaign
  | { kind: "restore"; value: string | null; origin: "explicit" | "inherited" };

/** A text is explicit. Null inherits. Otherwise naming a group (or null) updates an inherited value. */
export function campaignChange(given: string | null | undefined, namesGroup: boolean): AskedCampaign {
  if (typeof given === "string") return { kind: "give", value: given };
  if (given === null) return { kind: "inherit", explicitStays: false };
  return namesGroup ? { kind: "inherit", explicitStays: true } : { kind: "keep" };
}
