import { chunksWithin } from "../../lib/chunks";
import { isoTime } from "../../lib/time";
import type { EventRow } from "./alert-repository";
import { joinLines, toChatLine, toDiscordLine } from "./alert-text";

const MAX_EVENTS = 20;
/** Teams accepts 28 KB. */
const MAX_BODY_BYTES = 24 * 1024;
/** Discord accepts 2,000 characters. */
const MAX_CONTENT_CHARACTERS = 2_000;

type Event = Pick<EventRow, "kind" | "created_at" | "workspace" | "text" | "facts">;

const toEvent = ({ kind, created_at: at, workspace, text, facts }: Event) => ({
  kind,
  at: isoTime(at),
  workspace: workspace === null ? null : (JSON.parse(workspace) as unknown),
  text,
  facts: JSON.parse(facts) as unknown,
});

/** The body of a message. It is the same for every try: its time is that of the last event. */
export const toBody = (events: readonly Event[]): string =>
  JSON.stringify({
    type: "waymark.alerts",
    timestamp: isoTime(Math.max(...events.map(({ created_at: at }) => at))),
    text: events.map(({ text }) => toChatLine(text)).join("\n"),
    content: joinLines(
      events.map(({ text }) => toDiscordLine(text)),
      MAX_CONTENT_CHARACTERS,
    ),
    allowed_mentions: { parse: [] },
    data: { events: events.map(toEvent) },
  });

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Divides events into messages, in their order. The sum of single bodies is more than a body of all. */
export const toMessages = (events: readonly EventRow[]): EventRow[][] =>
  chunksWithin(
    events,
    { of: () => 1, max: MAX_EVENTS },
    { of: (event) => byteLength(toBody([event])), max: MAX_BODY_BYTES },
  );
