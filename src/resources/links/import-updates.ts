import { selectUsage } from "../../access/workspace-statements";
import type { Context } from "../../context";
import { retryLostRaces } from "../../errors";
import type { Conventions } from "../../lib/conventions";
import { hasDays } from "../../lib/days";
import type { Failure } from "../../lib/failure";
import { eachField } from "../../lib/link-fields";
import { fold } from "../../lib/slug-text";
import { selectGroupsNamed } from "../activity-groups/group-statements";
import { selectDoneOperations } from "../audit/audit-statements";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { checkedHost, hostsOfLink, toRefusedHosts } from "../destinations/hosts";
import { tagTexts } from "../tags/tag-schema";
import { selectTagsByNames } from "../tags/tag-statements";
import type { ImportOutcome } from "./import-links";
import { conform } from "./link-conventions";
import { type LinkRow, type LinkState, selectLinksByIds, type TagInLink } from "./link-repository";
import { externalIdProblem, valueProblems } from "./link-rules";
import type { UpdateLink } from "./link-schema";
import { selectExternalIdOwners } from "./link-statements";
import { changedValues } from "./revert/previous-state";
import { commitLinks } from "./write/commit";
import { nextState } from "./write/next-state";

/** A row of a file that updates a link. Fields that its file does not have are undefined. */
export interface UpdateRow {
  number: number;
  link: string;
  /** The version of the link that the check of the file has seen; undefined in this check. */
  version: number | undefined;
  input: UpdateLink;
  origin: "explicit" | "inherited" | null | undefined;
}

/** What a row does to its link: `will` is undefined if nothing changes. */
type Planned = { row: UpdateRow } & (
  | { was: LinkRow; will: LinkState | undefined }
  | { errors: readonly Failure[] }
);

const CHANGED_SINCE: Failure = {
  field: "row",
  message: "The link has been changed or deleted since the file was checked. Check the file again.",
  code: "state",
};

/** The campaign to set; undefined keeps it. One that comes from the group goes on doing so, unless the file gives another. */
function campaignOf(was: LinkRow, { input: { utm_campaign: given }, origin }: UpdateRow) {
  if (given === undefined) return undefined;
  if (was.utm_campaign_origin === "explicit") return origin === "inherited" ? null : given;
  return given === was.utm_campaign && origin !== "explicit" ? undefined : given;
}

/** In place of a tag that is created with the links. */
const newTag = (name: string, index: number): TagInLink => ({
  id: -1 - index,
  public_id: "",
  name,
  slug: "",
  ...eachField(tagTexts, () => null),
});

/**
 * What rows do to their links, by the rules of an update. `operations` are looked up in the audit log at the same moment.
 */
export async function planUpdates(
  ctx: Context,
  rows: readonly UpdateRow[],
  conventions: Conventions,
  operations: readonly string[] = [],
) {
  const workspaceId = ctx.workspace.rowId;
  const inputs = rows.map(({ input }) => input);
  const linkIds = rows.map(({ link }) => link);
  const externalIds = inputs.flatMap((input) => input.external_id ?? []);
  const groupIds = inputs.map((input) => input.activity_group_id);
  const hosts = [...new Set(inputs.flatMap(hostsOfLink))];
  const names = [...new Set(inputs.flatMap((input) => input.tag_names ?? []).map(fold))];
  const [links, refusedHosts, owners, tags, groups, done, [use]] = await ctx.db.read(
    selectLinksByIds(workspaceId, linkIds),
    hosts.length === 0 ? undefined : selectRefusedHosts(hosts),
    selectExternalIdOwners(workspaceId, externalIds),
    names.length === 0 ? undefined : selectTagsByNames(workspaceId, names),
    selectGroupsNamed(workspaceId, groupIds),
    operations.length === 0 ? undefined : selectDoneOperations(operations),
    inputs.some(hasDays) ? selectUsage(workspaceId) : undefined,
  );
  const zone = use?.time_zone;
  const refused = toRefusedHosts(refusedHosts);
  const linkOf = new Map(links.map((link) => [link.public_id, link]));
  const ownerOf = new Map(owners.map((owner) => [owner.external_id, owner]));
  const tagOf = new Map(tags.map((tag) => [tag.name_key, tag]));
  const at = ctx.now();
  const plan = (row: UpdateRow): Planned => {
    const was = linkOf.get(row.link);
    if (was === undefined || (row.version ?? was.version) !== was.version)
      return { row, errors: [CHANGED_SINCE] };
    const { activity_group_id: groupId, tag_names: tagNames, ...fields } = row.input;
    const isMoved = groupId !== undefined && groupId !== was.group.public_id;
    const asked: UpdateLink = {
      ...fields,
      utm_campaign: campaignOf(was, row),
      activity_group_id: isMoved ? groupId : undefined,
    };
    const { input, problems } = conform(conventions, asked, (field) => asked[field] === was[field]);
    const owner = input.external_id == null ? undefined : ownerOf.get(input.external_id);
    const idProblem = externalIdProblem(owner, was.public_id);
    const errors = [...problems, ...valueProblems(ctx, input, was, refused, idProblem, zone)].filter(
      (error) => error !== undefined,
    );
    if (errors.length > 0) return { row, errors };
    if (input.external_id != null)
      ownerOf.set(input.external_id, { id: was.public_id, external_id: input.external_id });
    const isRedirected = input.destination_url !== undefined && input.destination_url !== was.destination_url;
    const found = {
      zone,
      group: groups.find(({ public_id: id }) => id === groupId),
      tags: tagNames?.map((name, index) => tagOf.get(fold(name)) ?? newTag(name, index)),
      // As in a new import, the schedule checks the destination.
      ...(isRedirected && checkedHost(ctx.config, undefined, at)),
    };
    return { row, was, will: nextState(was, input, found, at) };
  };
  return { planned: rows.map(plan), done, at, zone, knows: (name: string) => tagOf.has(fold(name)) };
}

/**
 * Updates the links of one chunk of rows in one batch, without the rows that a rule refuses, or whose link has changed since the
 * check. Rows that an earlier run has done are skipped.
 */
export const importUpdates = (
  ctx: Context,
  importId: string,
  rows: readonly UpdateRow[],
  conventions: Conventions,
): Promise<ImportOutcome[]> =>
  retryLostRaces(async () => {
    const operationOf = ({ number }: UpdateRow) => `${importId}.${number}`;
    const { planned, done, at, zone } = await planUpdates(ctx, rows, conventions, rows.map(operationOf));
    const isDone = new Set(done.map(({ id }) => id));
    const changes = planned.flatMap((one) => {
      const operation = operationOf(one.row);
      if (isDone.has(operation) || "errors" in one || one.will === undefined) return [];
      const { was, will } = one;
      return [{ was, will, operation, input: changedValues(was, will, ctx.config) }];
    });
    if (changes.length > 0)
      await commitLinks(ctx, changes, { action: "link.update_by_import", at, zone, importId });
    return planned.map((one): ImportOutcome => {
      const { number, link } = one.row;
      return "errors" in one && !isDone.has(operationOf(one.row))
        ? { number, outcome: "refused", errors: one.errors }
        : { number, outcome: "existing", link };
    });
  });
