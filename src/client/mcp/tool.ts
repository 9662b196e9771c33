import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { WaymarkError } from "../api/error";
import { etagOf } from "../api/etag";
import type { Link, Waymark } from "../api/resources";

interface Result {
  data: Record<string, unknown>;
  /** What a person is shown; the data as text if omitted. */
  content?: CallToolResult["content"];
}

export interface Tool<Input extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: z.ZodType;
  /** Omitted if the tool only reads. */
  writes?: { destructiveHint: boolean; idempotentHint: boolean };
  run(client: Waymark, input: z.output<Input>): Promise<Result>;
}

/** Keeps the type of the input for `run`. */
export const tool = <Input extends z.ZodType>(one: Tool<Input>): Tool => one;

const READS = { destructiveHint: false, idempotentHint: true };

export function addTool(server: McpServer, client: Waymark, { name, input, output, writes, ...one }: Tool) {
  const { title, description } = one;
  const annotations = { readOnlyHint: writes === undefined, openWorldHint: false, ...(writes ?? READS) };
  const config = { title, description, inputSchema: input, outputSchema: output, annotations };
  server.registerTool(name, config, async (given): Promise<CallToolResult> => {
    try {
      const { data, content } = await one.run(client, given);
      // Clients that know no structured content read it as text.
      return {
        content: content ?? [{ type: "text", text: JSON.stringify(data) }],
        structuredContent: data,
      };
    } catch (error) {
      // A refusal of the service becomes the tool's own error, which an agent can read and act on.
      if (!(error instanceof WaymarkError)) throw error;
      return { isError: true, content: [{ type: "text", text: JSON.stringify(error) }] };
    }
  });
}

/** A link with its group by slug and its tags by name, as the tools take them. */
export const toShownLink = ({ tags, activity_group: group, archived_at: _, ...rest }: Link) => ({
  ...rest,
  activity_group: group === undefined ? null : { slug: group.slug, name: group.name },
  tags: tags.map(({ name }) => name),
});

export const oneLink = async (link: Link): Promise<Result> => ({
  data: { link: { ...toShownLink(link), etag: await etagOf(link) } },
});
