import { z } from "zod";
import { maskedUrl } from "../../lib/masked-url";
import { anyText, text } from "../../lib/validation";
import { EVENT_KINDS, type EventKind } from "./event-kinds";

const MAX_URL_CHARACTERS = 2048;
const KINDS = Object.keys(EVENT_KINDS) as [EventKind, ...EventKind[]];

/** What an owner says of a receiver. */
export const receiverInput = z.object({
  name: text(100).nullish(),
  url: anyText(MAX_URL_CHARACTERS),
  kinds: z.array(z.enum(KINDS)).min(1),
});

/** What pages call a receiver: the name that an owner gave it, else what its URL shows without secrets. Pure. */
export const receiverName = ({ name, url }: { name?: string | null | undefined; url: string }): string =>
  name ?? maskedUrl(url);

export type ReceiverInput = z.output<typeof receiverInput> & { is_on: boolean };
