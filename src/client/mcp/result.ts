import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { WaymarkError } from "../api/error";
import { etagOf } from "../api/etag";
import type { Link } from "../api/resources";
import type { linkSchema } from "./schemas";

export function toShownLink(link: Link): z.output<typeof linkSchema> {
  const { tags, activity_group: group, archived_at: _, ...rest } = link;
  return {
    ...rest,
    activity_group: group === undefined ? null : { slug: group.slug, name: group.name },
    tags: tags.map(({ name }) => name),
  };
}

/** Clients that know no structured content read it as text. */
export const toResult = (structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(structuredContent) }],
  structuredContent,
});

export const toLinkResult = async (link: Link): Promise<CallToolResult> =>
  toResult({ link: { ...toShownLink(link), etag: await etagOf(link) } });

function describe(error: WaymarkError): string {
  const { message, status, errors, codes, conflicts, requestId, retryAfter } = error;
  const fields = Object.entries(errors).map(([field, sentences]) => {
    const words = codes[field] ?? [];
    const conflict = conflicts[field];
    const known = [
      ...(words.length > 0 ? [`code: ${words.join(", ")}`] : []),
      ...(conflict === undefined ? [] : [`in the way: ${conflict}`]),
    ];
    return `${field}: ${sentences.join(" ")}${known.length > 0 ? ` (${known.join("; ")})` : ""}`;
  });
  return [
    message,
    ...fields,
    ...(status === 0 ? [] : [`Status: ${status}`]),
    ...(retryAfter === undefined ? [] : [`Try again after ${retryAfter} seconds.`]),
    ...(requestId === undefined ? [] : [`Request id: ${requestId}`]),
  ].join("\n");
}

/** A refusal of the service becomes the tool's own error, which an agent can read and act on. */
export async function answering(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WaymarkError)) throw error;
    return { isError: true, content: [{ type: "text", text: describe(error) }] };
  }
}

type Defined<Values> = { [Name in keyof Values]: Exclude<Values[Name], undefined> };

/** Without the fields that were not given. */
export const given = <Values extends object>(values: Values): Defined<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;
