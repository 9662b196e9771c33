import { WaymarkError } from "../api/error";
import type { CreateLink, Waymark } from "../api/resources";
import { findGroup } from "../find";

const RULED = ["destination_url", "slug", "starts_at", "ends_at", "ended_url"] as const;

const refusal = (
  message: string,
  rules: ReadonlyMap<string, string>,
  conflicts: Record<string, string> = {},
) => {
  const errors = [...rules].map(([field, rule]) => [field, [`The ${field.replaceAll("_", " ")} ${rule}.`]]);
  return new WaymarkError(message, { status: 422, errors: Object.fromEntries(errors), conflicts });
};

/** Checks what needs no request. */
async function assertValid(input: CreateLink): Promise<void> {
  const { endProblem, momentRule, slugRule, urlRule } = await import("../file/rules");
  const rules = {
    destination_url: urlRule("destination_url"),
    slug: slugRule,
    starts_at: momentRule,
    ends_at: momentRule,
    ended_url: urlRule("ended_url"),
  };
  const problems = new Map<string, string>();
  for (const field of RULED) {
    const value = input[field];
    const problem = value == null ? undefined : rules[field](value.trim());
    if (problem !== undefined) problems.set(field, `field ${problem}`);
  }
  const fault = endProblem(input.starts_at, input.ends_at);
  if (fault !== undefined && !problems.has("starts_at")) problems.set("ends_at", `field ${fault}`);
  if (problems.size > 0) throw refusal("The link is not valid.", problems);
}

/** Throws the refusals of a creation that can be foretold. */
export async function assertCreatable(client: Waymark, input: CreateLink): Promise<void> {
  await assertValid(input);
  const { slug, domain, external_id: externalId, activity_group_id: group } = input;
  const [bySlug, byExternalId] = await Promise.all([
    slug == null ? undefined : client.links.bySlug(slug, domain ?? undefined),
    externalId == null ? undefined : client.links.byExternalId(externalId),
    group == null ? undefined : findGroup(client, group),
  ]);
  const found = Object.entries({ slug: bySlug?.id, external_id: byExternalId?.id });
  const conflicts = found.filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (conflicts.length === 0) return;
  const taken = new Map(conflicts.map(([field]) => [field, "has already been taken"]));
  throw refusal("Another link is in the way.", taken, Object.fromEntries(conflicts));
}
