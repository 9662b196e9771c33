import { z } from "zod";
import { anyText } from "../../lib/validation";
import { EVENT_KINDS, type EventKind } from "./event-kinds";

const MAX_URL_CHARACTERS = 2048;
const KINDS = Object.keys(EVENT_KINDS) as [EventKind, ...EventKind[]];

/** What an owner says of a receiver. */
export const receiverInput = z.object({
  url: anyText(MAX_URL_CHARACTERS),
  kinds: z.array(z.enum(KINDS)).min(1),
});

export type ReceiverInput = z.output<typeof receiverInput> & { is_on: boolean };
