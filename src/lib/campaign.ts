/** What a request does to a link's utm_campaign; `inherit` takes the default that the link's group has then, or null; `restore` brings a former value back as it was. */
export type CampaignChange =
  | { kind: "give"; value: string }
  | { kind: "inherit"; explicitStays: boolean }
  | { kind: "restore"; value: string | null; origin: "explicit" | "inherited" }
  | { kind: "keep" };

/** The campaign rules: a given value wins, null gives it up, and naming a group (if only null) renews what was inherited. */
export function campaignChange(given: string | null | undefined, namesGroup: boolean): CampaignChange {
  if (typeof given === "string") return { kind: "give", value: given };
  if (given === null) return { kind: "inherit", explicitStays: false };
  return namesGroup ? { kind: "inherit", explicitStays: true } : { kind: "keep" };
}
