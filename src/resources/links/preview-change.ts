import type { Context } from "../../context";
import { destinationHost, destinationProblem } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import { composeTarget, UTM_NAMES, type Utm } from "../../lib/link-target";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { hostProblem, toRefusedHosts } from "../destinations/hosts";
import type { Link, UpdateLink } from "./link-schema";
import { selectLinksTo } from "./link-statements";
import { campaignAfter, campaignChange } from "./write/next-state";

/** A link as typed in a form; its texts may be invalid. */
export interface PreviewedLink extends Omit<Utm, "utm_campaign"> {
  destination_url: string;
  /** As in a request: undefined keeps the campaign, null removes it. */
  utm_campaign: UpdateLink["utm_campaign"];
  /** Whether the request has a group, even null. */
  namesGroup: boolean;
  group: { name: string; default_utm_campaign: string | null } | undefined;
  present: Pick<Link, "utm_campaign" | "utm_campaign_origin"> | undefined;
  refusal: Failure | undefined;
  /** Whether the link has the destination already. Rules check new destinations alone. */
  isKept: boolean;
  /** Whether the link is taken down, whatever its destination. */
  isTakenDown: boolean;
}

/**
 * The source of a UTM parameter: `given` for the link, the `group`'s default, `kept` from a previous group, or part of
 * the `destination`.
 */
export type Reason = "given" | "group" | "kept" | "destination" | "none";

function campaignOf({ utm_campaign: given, namesGroup, group, present }: PreviewedLink) {
  const ofGroup = group?.default_utm_campaign ?? null;
  const will = campaignAfter(
    present ?? { utm_campaign: ofGroup, utm_campaign_origin: "inherited" },
    campaignChange(given, namesGroup),
    ofGroup,
  );
  const { utm_campaign: value, utm_campaign_origin: origin } = will;
  const reason: Reason = origin === "explicit" ? "given" : value === ofGroup ? "group" : "kept";
  return { value, reason };
}

const valuesIn = (address: string, name: string): string[] => new URL(address).searchParams.getAll(name);

/**
 * Why no new link may lead to the host of a destination, and another link than `id` that leads there already; nothing for an
 * invalid destination.
 */
export async function findAboutDestination(ctx: Context, typed: string, id?: string) {
  const destination = typed.trim();
  if (destinationProblem(destination) !== undefined) return {};
  const [refused, [there]] = await ctx.db.read(
    selectRefusedHosts([destinationHost(destination)]),
    selectLinksTo(ctx.workspace.rowId, [destination]),
  );
  return {
    refusal: hostProblem(ctx, "destination_url", destination, toRefusedHosts(refused)),
    there: there?.id === id ? undefined : there,
  };
}

/** Computes the target of a redirect and the source of each UTM parameter. */
export function previewLink(draft: PreviewedLink) {
  const destination = draft.destination_url.trim();
  const problem: Failure | undefined = draft.isKept
    ? undefined
    : (destinationProblem(destination) ?? draft.refusal);
  const { value: campaign, reason } = campaignOf(draft);
  const set = UTM_NAMES.map((name) => {
    const isCampaign = name === "utm_campaign";
    const value = (isCampaign ? campaign : draft[name])?.trim().toWellFormed() || null;
    return [name, value, isCampaign ? reason : "given"] as const;
  });
  const parameters = set.map(([name, given, why]) => {
    const present = problem === undefined ? valuesIn(destination, name) : [];
    const [first = null] = present;
    const reason: Reason = given !== null ? why : first === null ? "none" : "destination";
    /** `replaces` has the values in the destination that the parameter replaces. */
    return { name, value: given ?? first, reason, replaces: given === null ? [] : present };
  });
  const utm = Object.fromEntries(set.map(([name, value]) => [name, value])) as Utm;
  return {
    /** The target of a redirect; null if the destination is invalid. */
    target: problem === undefined ? composeTarget(destination, utm) : null,
    /** Whether visitors get the page of a taken down link instead. */
    isTakenDown: draft.isTakenDown,
    /** What is wrong with the destination; null if it is valid or empty. */
    problem: destination === "" ? null : (problem ?? null),
    parameters,
  };
}

export type Preview = ReturnType<typeof previewLink>;
export type PreviewedParameter = Preview["parameters"][number];
