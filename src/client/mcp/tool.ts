import type { CallToolResult } from "@modelcontextprotocol/server";
import type * as z from "zod";
import type { Waymark } from "../api/resources";

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
