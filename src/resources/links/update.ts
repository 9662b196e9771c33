import { selectUsage } from "../../access/repository";
import type { Context } from "../../context";
import { assertNone, type FieldError, LostRace, retryLostRaces, UNKNOWN_GROUP } from "../../errors";
import type { DestinationField } from "../../lib/destination";
import { storedLife } from "../../lib/link-fields";
import { slugKey } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { MAX_SLUGS_OF_LINK } from "../../redirect/slugs/errors";
import { countSlugsOfLink } from "../../redirect/slugs/limits";
import { selectSlugOwner } from "../../redirect/slugs/owners";
import { selectGroupByIdOrSlug } from "../activity-groups/repository";
import { selectBlockedHosts } from "../destinations/repository";
import { judgeUrl, nextCheck, type Verdict } from "../destinations/resolver";
import { blockableHosts, hostProblem, hostsOf } from "../destinations/rules";
import { createMissingTags, findNamedTags } from "../tags/create-missing";
import { selectExternalIdOwner } from "./external-id-repository";
import { assertFound, assertLinkUnchanged, toLink } from "./link";
import { type LinkRow, selectLink } from "./repository";
import {
  namedTagProblems,
  requestedTags,
  selectRequestedTags,
  unknownTags,
  withNamed,
  withTagIds,
} from "./requested-tags";
import { endProblem, externalIdProblem, renameProblems } from "./rules";
import type { Link, UpdateLink } from "./schema";
import { commitLinks } from "./write/commit";
import { type Findings, nextState } from "./write/next-state";

/** The result of the rules for an update. */
interface JudgedUpdate {
  row: LinkRow | undefined;
  found: Findings;
  /** The key of the new slug if it is unclaimed. */
  unclaimed: string[];
  problems: (FieldError | undefined)[];
}

/** Asks the resolver about a new URL of a link; undefined if the URL stays. */
type VerdictFor = (field: DestinationField, row: LinkRow | undefined) => Promise<Verdict> | undefined;

/**
 * Reads what the rules need to judge an update, and judges it. The numbers of slugs of the link and the workspace are
 * read only with `readsLimits`, because guards in the batch hold their limits.
 */
export async function judgeUpdate(
  ctx: Context,
  path: string,
  input: UpdateLink,
  { verdictFor, readsLimits }: { verdictFor: VerdictFor; readsLimits: boolean },
): Promise<JudgedUpdate> {
  const { destination_url: destination, slug, external_id: externalId, ended_url: endedUrl } = input;
  const requested = requestedTags(input);
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const groupId = input.activity_group_id ?? undefined;
  const key = slug === undefined ? undefined : slugKey(slug);
  const hosts = blockableHosts([destination, endedUrl]);
  const [[row], blockedHosts, claims, [group], [externalIdOwner], tags, [opening], [use]] = await ctx.db.read(
    selectLink(workspaceId, id),
    hosts.length === 0 ? undefined : selectBlockedHosts(hosts),
    key === undefined ? undefined : selectSlugOwner(workspaceId, key),
    groupId === undefined ? undefined : selectGroupByIdOrSlug(workspaceId, storedId(groupId), groupId),
    externalId == null ? undefined : selectExternalIdOwner(workspaceId, externalId),
    selectRequestedTags(workspaceId, requested),
    readsLimits ? countSlugsOfLink(workspaceId, id, MAX_SLUGS_OF_LINK) : undefined,
    readsLimits ? selectUsage(workspaceId) : undefined,
  );
  const [judged, endedVerdict] = await Promise.all([
    verdictFor("destination_url", row),
    verdictFor("ended_url", row),
  ]);
  const blocked = hostsOf(blockedHosts);
  const changed = (field: DestinationField) => (input[field] === row?.[field] ? undefined : input[field]);
  const facts = { claims, slugs: opening?.slugs ?? 0, use };
  const [slugProblem, claimProblem] = row === undefined ? [] : renameProblems(row, slug, facts);
  return {
    row,
    found: {
      group,
      ...(requested && { tags }),
      ...(judged && { verdict: judged, checkAt: nextCheck(ctx.config, judged, ctx.now()) }),
    },
    unclaimed: key === undefined || claims.length > 0 ? [] : [key],
    problems: [
      hostProblem(ctx, "destination_url", changed("destination_url"), blocked, judged),
      slugProblem,
      groupId !== undefined && group === undefined ? UNKNOWN_GROUP : undefined,
      externalIdProblem(externalIdOwner, row?.public_id),
      row === undefined ? undefined : endProblem(storedLife(input, row)),
      hostProblem(ctx, "ended_url", changed("ended_url"), blocked, endedVerdict),
      ...unknownTags(requested, tags),
      claimProblem,
    ],
  };
}

/**
 * Updates the given fields of a link and its tags. Slug limits are read only if the first attempt fails. `tagNames` are tags
 * that a form adds. The missing ones are created once all rules hold.
 */
export const updateLink = (
  ctx: Context,
  path: string,
  input: UpdateLink,
  tagNames: readonly string[] = [],
): Promise<Link> => {
  const { slug } = input;
  const verdicts = {
    destination_url: judgeUrl(ctx.config, input.destination_url),
    ended_url: judgeUrl(ctx.config, input.ended_url),
  };
  let readsLimits = false;
  return retryLostRaces(async () => {
    const [{ row, problems: own, ...judged }, named] = await Promise.all([
      judgeUpdate(ctx, path, input, { verdictFor: (field) => verdicts[field], readsLimits }),
      findNamedTags(ctx, tagNames),
    ]);
    const was = assertFound(row);
    await assertLinkUnchanged(ctx, was);
    const tags = judged.found.tags ?? (tagNames.length === 0 ? undefined : was.tags);
    const problems = [...own, ...namedTagProblems(tags ?? [], named)];
    const isJudgedInFull = readsLimits || slug === undefined;
    readsLimits = slug !== undefined;
    if (!isJudgedInFull && problems.some((problem) => problem !== undefined)) throw new LostRace();
    assertNone(problems);

    const allTags = tags && withNamed(tags, await createMissingTags(ctx, named));
    const at = ctx.now();
    const will = nextState(was, input, { ...judged.found, tags: allTags }, at);
    if (will === undefined) return toLink(was, ctx.config.shortBaseUrl);
    await commitLinks(ctx, [{ was, will }], {
      action: "link.update",
      input: withTagIds(input, allTags ?? [], tagNames),
      at,
      unclaimed: judged.unclaimed,
    });
    return toLink(will, ctx.config.shortBaseUrl);
  });
};
