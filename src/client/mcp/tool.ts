import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import { etagOf } from "../../lib/etag";
import { ownerOf } from "../../lib/external-id";
import { eachField, MOMENT_FIELDS, TEXT_FIELDS, URL_FIELDS } from "../../lib/link-fields";
import { MAX_RULES, toRules } from "../../lib/visitor-rules";
import type { Link, Waymark } from "../api/wire-types";
import { RULE } from "../file/rule-schema";

/** What an agent is told of a tool. */
export interface ToolDescription<Input extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: z.ZodType;
  /** Omitted if the tool only reads. */
  writes?: { destructiveHint: boolean; idempotentHint: boolean };
  /** True if it may ask another service than that of the client. */
  asksOthers?: true;
}

/** The content is what a person is shown; the data as text if omitted. */
export type ToolAnswer = Promise<{ data: Record<string, unknown>; content?: CallToolResult["content"] }>;

export interface Tool<Input extends z.ZodType = z.ZodType> extends ToolDescription<Input> {
  run(client: Waymark, input: z.output<Input>): ToolAnswer;
}

/** Keeps the type of the input for `run`. */
export const tool = <Input extends z.ZodType>(one: Tool<Input>): Tool => one;

export const text = (description: string) => z.string().describe(description);
export const nullable = (description: string) => z.string().nullable().describe(description);

const { destination, ...conditions } = RULE.shape;

export const rulesSchema = z
  .array(z.strictObject({ destination_url: destination, ...conditions }))
  .transform(toRules)
  .describe(
    `Lead some visitors elsewhere. All conditions of a rule must hold, each rule has at least one, and the first that holds is followed. At most ${MAX_RULES}. The list replaces all rules of the link`,
  );

/** What an agent sees of a link: tags by name and the group by slug, as the other tools take them. A later service may add fields. */
export const linkSchema = z.looseObject({
  id: z.string(),
  slug: z.string(),
  short_url: z.string(),
  domain: z.string(),
  destination_url: z.string(),
  rules: z
    .array(z.looseObject({ destination_url: z.string() }))
    .describe(`The first that holds is followed. Conditions: ${Object.keys(conditions).join(", ")}`),
  ...eachField(TEXT_FIELDS, (name) => nullable(TEXT_FIELDS[name].summary)),
  status: text("active or archived"),
  utm_campaign: z.string().nullable(),
  utm_campaign_origin: text("explicit, or inherited from the Activity Group"),
  activity_group: z.object({ slug: z.string(), name: z.string() }).nullable(),
  tags: z.array(z.string()).describe("Names"),
  owner: nullable("The links file or program that owns the link, from its external_id. It may undo a change"),
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
  owner: ownerOf(rest.external_id) ?? null,
});

export const oneLink = async (link: Link) => ({
  data: { link: { ...toShownLink(link), etag: await etagOf(link) } },
});
