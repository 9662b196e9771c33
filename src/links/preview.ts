import type { Context } from "../context";
import { BLOCKED_HOST } from "../errors";
import { selectBlockedHosts } from "../hosts/repository";
import { campaignChange } from "../lib/campaign";
import { destinationHost, destinationProblem, hostAndParents, ownHostProblem } from "../lib/destination";
import { composeTarget, type Utm } from "../lib/target";
import type { UpdateLink } from "./schema";

/** What a link would be; texts as they are typed, so that nothing need hold of them. */
export interface Draft {
  destination_url: string;
  utm_source: string | null;
  utm_medium: string | null;
  /** As a request gives it: undefined leaves what there is, null gives it up. */
  utm_campaign: UpdateLink["utm_campaign"];
  /** Whether the request names a group, if only null. */
  namesGroup: boolean;
  /** The group that the link would be in. */
  group: { name: string; default_utm_campaign: string | null } | undefined;
  /** The campaign of a link that there is. */
  present?: { utm_campaign: string | null; campaign: "explicit" | "inherited" };
  ownHosts: readonly string[];
  /** Whether the operator does not allow the destination's host. */
  isBlocked: boolean;
  /** Whether the link stays stopped, wherever it leads. */
  isStopped: boolean;
}

/** Why a UTM parameter is as it is: `given` for this link, the `group`'s default, `kept` from a group, or in the `destination`. */
export type Reason = "given" | "group" | "kept" | "destination" | "none";

export interface PreviewedParameter {
  name: keyof Utm;
  value: string | null;
  reason: Reason;
  /** What stands in the destination and gives way. */
  replaces: readonly string[];
}

export interface Preview {
  /** Where a visitor will land; null while the destination is none. */
  target: string | null;
  /** Whether visitors see a page that says that the link was taken down, in place of the target. */
  isStopped: boolean;
  /** What is wrong with the destination; null where nothing is, or nothing is typed yet. */
  problem: string | null;
  parameters: readonly PreviewedParameter[];
}

type Campaign = readonly [value: string | null, reason: Reason];

/** The campaign that the rules give a link, and by which of them. */
function campaignOf({ utm_campaign: given, namesGroup, group, present }: Draft): Campaign {
  const change = campaignChange(given, namesGroup);
  if (change.kind === "give") return [change.value, "given"];
  const stays = change.kind === "keep" || (change.explicitStays && present?.campaign === "explicit");
  if (stays && present !== undefined) {
    const { utm_campaign: value, campaign } = present;
    if (campaign === "explicit") return [value, "given"];
    return [value, value === group?.default_utm_campaign ? "group" : "kept"];
  }
  return [group?.default_utm_campaign ?? null, "group"];
}

/** The values that a parameter has in an address, decoded. */
const valuesIn = (address: string, name: string): string[] => new URL(address).searchParams.getAll(name);

/** Whether the operator does not allow the host of a destination, which may be half typed. */
export async function isBlockedDestination(ctx: Context, typed: string): Promise<boolean> {
  const destination = typed.trim();
  if (destinationProblem(destination) !== undefined) return false;
  const [blocked] = await ctx.db.read(selectBlockedHosts(hostAndParents(destinationHost(destination))));
  return blocked.length > 0;
}

/** Where the visitors of a link will land, and why each UTM parameter is what it is there. */
export function previewLink(draft: Draft): Preview {
  const destination = draft.destination_url.trim();
  const problem =
    destinationProblem(destination) ??
    ownHostProblem(destinationHost(destination), draft.ownHosts) ??
    (draft.isBlocked ? BLOCKED_HOST : undefined);
  const [campaign, reason] = campaignOf(draft);
  const set: readonly (readonly [keyof Utm, string | null, Reason])[] = [
    ["utm_source", draft.utm_source?.trim().toWellFormed() || null, "given"],
    ["utm_medium", draft.utm_medium?.trim().toWellFormed() || null, "given"],
    ["utm_campaign", campaign?.trim().toWellFormed() || null, reason],
  ];
  const parameters = set.map(([name, value, why]): PreviewedParameter => {
    const present = problem === undefined ? valuesIn(destination, name) : [];
    if (value !== null) return { name, value, reason: why, replaces: present };
    const [first = null] = present;
    return { name, value: first, reason: first === null ? "none" : "destination", replaces: [] };
  });
  const utm = Object.fromEntries(set.map(([name, value]) => [name, value])) as Record<
    keyof Utm,
    string | null
  >;
  return {
    target: problem === undefined ? composeTarget(destination, utm) : null,
    isStopped: draft.isStopped,
    problem: destination === "" ? null : (problem?.message ?? null),
    parameters,
  };
}
