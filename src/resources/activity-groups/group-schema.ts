import { z } from "@hono/zod-openapi";
import { metaSchema, pageQuery, publicId, textFilter } from "../../http/common-fields";
import { GROUP_STATUSES, GROUP_TYPES } from "../../lib/group-status";
import { MAX_NOTE_CHARACTERS } from "../../lib/link-fields";
import { destination, flag, isoMoment, lines, PLAIN_SLUG, plainSlug, text } from "../../lib/validation";

const timestamp = () =>
  z.string().nullable().openapi({ format: "date-time", example: "2026-06-01T08:00:00.000Z" });

export const activityGroupSchema = z
  .object({
    id: publicId(),
    name: z.string().openapi({ example: "Summer 2026" }),
    slug: z.string().openapi({
      description: "Unique in the workspace. It can change",
      pattern: PLAIN_SLUG.source,
      example: "summer-2026",
    }),
    type: z.enum(GROUP_TYPES).openapi({ example: "campaign" }),
    description: z.string().openapi({ description: "Empty if not given", example: "The summer campaign" }),
    status: z.enum(GROUP_STATUSES).openapi({ example: "active" }),
    default_utm_campaign: z.string().nullable().openapi({
      description: "The campaign of links that are put into the group without a `utm_campaign` of their own",
      example: "summer_2026",
    }),
    starts_at: timestamp(),
    ends_at: timestamp(),
    archived_at: timestamp().openapi({ description: "Null unless the status is `archived`", example: null }),
  })
  .openapi("ActivityGroup");

export type ActivityGroup = z.output<typeof activityGroupSchema>;

export const listActivityGroupsQuery = z.object({
  id: textFilter(255, "The id of the group", "01JZ8Q4V6T3K9M2N5P7R8S0W1X"),
  slug: textFilter(255, "The whole slug of the group", "summer-2026"),
  q: textFilter(255, "A part of the name, slug or description, without regard to case", "summer"),
  type: z.enum(GROUP_TYPES).optional().openapi({ description: "The type of the group", example: "campaign" }),
  status: z
    .enum(GROUP_STATUSES)
    .optional()
    .openapi({ description: "The status of the group. Without it, all", example: "active" }),
  ...pageQuery("WyJuYW1lIiwic3VtbWVyIDIwMjYiLCIwMUpaOFE0VjZUM0s5TTJONVA3UjhTMFcxWCJd"),
});

export const activityGroupListSchema = z
  .object({
    workspace: z.object({
      name: z.string().openapi({ example: "Acme" }),
      slug: z.string().openapi({ example: "acme" }),
    }),
    activity_groups: z.array(activityGroupSchema),
    meta: metaSchema,
  })
  .openapi("ActivityGroupList");

export type ListActivityGroups = z.output<typeof listActivityGroupsQuery>;

/** A day of the workspace's zone in place of a time. */
const day = () => z.iso.date("must be a date, such as 2026-05-01").nullish();

/** The operator and the web application create groups; the public interface does not. */
export const newActivityGroup = z.object({
  name: text(100),
  slug: plainSlug(),
  type: z.enum(GROUP_TYPES),
  status: z.enum(GROUP_STATUSES).nullish(),
  description: text(1000).nullish(),
  note: lines(MAX_NOTE_CHARACTERS).nullish(),
  default_utm_campaign: text(255).nullish(),
  starts_at: isoMoment().nullish(),
  ends_at: isoMoment().nullish(),
  starts_on: day(),
  ends_on: day(),
  ended_url: destination().nullish(),
  ends_links: flag(),
  follows_dates: flag(),
});

export const namedActivityGroup = newActivityGroup.extend({ slug: plainSlug().nullish() });

/** The rules of destinations check `ended_url` once the group is read, because it may have the value already. */
export const changedActivityGroup = newActivityGroup
  .partial({ name: true, slug: true, type: true })
  .extend({ status: z.enum(GROUP_STATUSES).optional(), ended_url: z.string().nullish() });

export type NewActivityGroup = z.output<typeof newActivityGroup>;
export type NamedActivityGroup = z.output<typeof namedActivityGroup>;
export type ChangedActivityGroup = z.output<typeof changedActivityGroup>;
