import * as z from "zod";
import { etagOf } from "../../lib/etag";
import { eachField, MOMENT_FIELDS, TEXT_FIELDS, URL_FIELDS } from "../../lib/link-fields";
import type { Link } from "../api/resources";
import { shownRulesSchema } from "./rule";

export const text = (description: string) => z.string().describe(description);
export const nullable = (description: string) => z.string().nullable().describe(description);

/** What an agent sees of a link: tags by name and the group by slug, as the other tools take them. A later service may add fields. */
export const linkSchema = z.looseObject({
  id: z.string(),
  slug: z.string(),
  short_url: z.string(),
  domain: z.string(),
  destination_url: z.string(),
  rules: shownRulesSchema,
  ...eachField(TEXT_FIELDS, (name) => nullable(TEXT_FIELDS[name].summary)),
  status: text("active or archived"),
  utm_campaign: z.string().nullable(),
  utm_campaign_origin: text("explicit, or inherited from the Activity Group"),
  activity_group: z.object({ slug: z.string(), name: z.string() }).nullable(),
  tags: z.array(z.string()).describe("Names"),
  ...eachField(MOMENT_FIELDS, (name) => nullable(`${MOMENT_FIELDS[name].summary}, in UTC`)),
  ...eachField(URL_FIELDS, (name) => nullable(URL_FIELDS[name].summary)),
  created_at: z.string(),
  updated_at: z.string(),
});

export const oneLinkSchema = z.object({
  link: linkSchema.extend({ etag: text("Changes with the link") }),
});

export const toShownLink = ({ tags, activity_group: group, archived_at: _, ...rest }: Link) => ({
  ...rest,
  activity_group: group === undefined ? null : { slug: group.slug, name: group.name },
  tags: tags.map(({ name }) => name),
});

/** The result of a tool that answers with one link. */
export const oneLink = async (link: Link) => ({
  data: { link: { ...toShownLink(link), etag: await etagOf(link) } },
});
