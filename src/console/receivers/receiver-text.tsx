import { EVENT_KINDS, TEST_KIND } from "../../resources/events/event-kinds";
import type { ListedReceiver, Receiver } from "../../resources/events/receivers";
import { Relative } from "../shell/text";

const NAMES: Readonly<Record<string, string>> = { ...EVENT_KINDS, [TEST_KIND]: "Test" };
const MAX_NAMED = 3;

/** A kind of event in words, and as messages have it. */
export const EventName = ({ kind }: { kind: string }) => (
  <>
    {NAMES[kind] ?? kind} {kind !== TEST_KIND && <code class="soft small">{kind}</code>}
  </>
);

/** What a receiver hears of, in the order of its form: at most three kinds by name. */
export function eventsText(kinds: readonly string[]): string {
  const all = Object.keys(EVENT_KINDS);
  const chosen = all.filter((kind) => kinds.includes(kind));
  if (chosen.length === all.length) return "All events";
  const named = chosen
    .slice(0, MAX_NAMED)
    .map((kind) => NAMES[kind])
    .join(", ");
  return chosen.length > MAX_NAMED ? `${named} and ${chosen.length - MAX_NAMED} more` : named;
}

/** On, off, stopped by the service, or failing. */
export const stateOf = ({ is_on: isOn, switched_off_by: by, failing_since: since }: Receiver): string => {
  if (!isOn) return by === null ? "off" : "switched_off";
  return since === null ? "on" : "failing";
};

export const LastDelivery = ({ last }: Pick<ListedReceiver, "last">) =>
  last === null ? (
    <span class="soft">None in the last seven days</span>
  ) : (
    <>
      {last.is_delivered ? "Delivered" : `Not delivered (${last.outcome})`} <Relative at={last.at} />
    </>
  );
