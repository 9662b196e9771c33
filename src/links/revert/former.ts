import { parseObject } from "../../audit/facts";
import type { AuditRow } from "../../audit/repository";
import type { CampaignChange } from "../../lib/campaign";
import type { UpdateLink } from "../schema";

/** What a link had before a change of many links, as far as the change concerned it. */
export interface Former {
  status?: "active" | "archived";
  /** Public id; null for no group. */
  groupId?: string | null;
  campaign?: CampaignChange;
  tagIds?: readonly string[];
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

/** What a revert records besides the fields that it changes. */
const OTHER_FIELDS: ReadonlySet<string> = new Set(["reverted", "utm_campaign"]);

/** Reads the former state of one field of the change; undefined if the entry does not have it. */
function formerField(field: string, before: ReturnType<typeof parseObject>): Former | undefined {
  if (field === "tag_ids" || field === "tag_id") {
    const ids = before["tag_ids"];
    return Array.isArray(ids) && ids.every(isText) ? { tagIds: ids } : undefined;
  }
  if (field === "status") {
    const at = before["archived_at"];
    return at === undefined ? undefined : { status: at === null ? "active" : "archived" };
  }
  const { activity_group_id: groupId, utm_campaign: campaign, utm_campaign_origin: origin } = before;
  const isGroup = field === "activity_group_id" && isTextOrNull(groupId) && isTextOrNull(campaign);
  if (!isGroup || (origin !== "explicit" && origin !== "inherited")) return undefined;
  return { groupId, campaign: { kind: "restore", value: campaign, origin } };
}

/** The former state of a link in a change of many links; undefined for a change of other fields. */
export function formerOf({ before, change }: Pick<AuditRow, "before" | "change">): Former | undefined {
  const fields = Object.keys(parseObject(change)).filter((field) => !OTHER_FIELDS.has(field));
  const known = fields.map((field) => formerField(field, parseObject(before)));
  if (known.length === 0 || known.includes(undefined)) return undefined;
  return Object.assign({}, ...known);
}

/** The fields of an update that gives a link its former state. Its tags are no field of it. */
export const inputOfFormer = ({ status, groupId }: Former): UpdateLink => ({
  ...(status && { status }),
  ...(groupId !== undefined && { activity_group_id: groupId }),
});
