/** What a request does to a link's utm_campaign; `inherit` takes the default that the link's group has then, or null. */
export type AskedCampaign =
  | { kind: "give"; value: string }
  | { kind: "inherit"; explicitStays: boolean }
  | { kind: "keep" };

/** The same, or `restore`: a former value comes back as it was. */
export type CampaignChange =
  | AskedCampaign
  | { kind: "restore"; value: string | null; origin: "explicit" | "inherited" };

/** The campaign rules: a given value wins, null gives it up, and naming a group (if only null) renews what was inherited. */
export function campaignChange(given: string | null | undefined, namesGroup: boolean): AskedCampaign {
  if (typeof given === "string") return { kind: "give", value: given };
  if (given === null) return { kind: "inherit", explicitStays: false };
  return namesGroup ? { kind: "inherit", explicitStays: true } : { kind: "keep" };
}
