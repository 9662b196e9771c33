import type { Context } from "../../context";
import type { FieldError } from "../../errors";
import { destinationProblem } from "../../lib/destination";
import { composeTarget, type Utm } from "../../lib/target";
import { hostProblem, hostsAbove, toRefusedHosts } from "../destinations/rules";
import { selectRefusedHosts } from "../destinations/statements";
import type { UpdateLink } from "./schema";
import { campaignChange } from "./write/next-state";

/** A link as typed in a form; its texts may be invalid. */
export interface Draft {
  destination_url: string;
  utm_source: string | null;
  utm_medium: string | null;
  /** As in a request: undefined keeps the campaign, null removes it. */
  utm_campaign: UpdateLink["utm_campaign"];
  /** Whether the request has a group, even null. */
  namesGroup: boolean;
  group: { name: string; default_utm_campaign: string | null } | undefined;
  /** The current campaign of an existing link. */
  present?: { utm_campaign: string | null; campaign: "explicit" | "inherited" };
  /** Why no new link may lead to the destination's host. */
  refusal: FieldError | undefined;
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

export interface PreviewedParameter {
  name: keyof Utm;
  value: string | null;
  reason: Reason;
  /** Values in the destination that the parameter replaces. */
  replaces: readonly string[];
}

export interface Preview {
  /** The target of a redirect; null if the destination is invalid. */
  target: string | null;
  /** Whether visitors get the page of a taken down link instead. */
  isTakenDown: boolean;
  /** The error of the destination; null if it is valid or empty. */
  problem: string | null;
  parameters: readonly PreviewedParameter[];
}

type Campaign = readonly [value: string | null, reason: Reason];

/** The campaign by the rules, and its source. */
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

const valuesIn = (address: string, name: string): string[] => new URL(address).searchParams.getAll(name);

/** Why no new link may lead to the host of a destination; undefined for an invalid destination. */
export async function findHostRefusal(ctx: Context, typed: string): Promise<FieldError | undefined> {
  const destination = typed.trim();
  if (destinationProblem(destination) !== undefined) return undefined;
  const [refused] = await ctx.db.read(selectRefusedHosts(hostsAbove([destination])));
  return hostProblem(ctx, "destination_url", destination, toRefusedHosts(refused));
}

/** Computes the target of a redirect and the source of each UTM parameter. */
export function previewLink(draft: Draft): Preview {
  const destination = draft.destination_url.trim();
  const problem = draft.isKept ? undefined : (destinationProblem(destination) ?? draft.refusal);
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
    isTakenDown: draft.isTakenDown,
    problem: destination === "" ? null : (problem?.message ?? null),
    parameters,
  };
}
