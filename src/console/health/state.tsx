import type { DestinationHealth } from "../../resources/destinations/health";
import { Time } from "../shell/text";

const STATES = { ok: "The page is there", unclear: "Cannot be checked" } as const;

/** What is known of a destination, in a sentence. */
export const HealthState = ({ health }: { health: DestinationHealth }) => {
  const { state, reason, failing_since: since, asked_at: askedAt } = health;
  if (state === "unknown") return <>Not checked yet.</>;
  return (
    <>
      {state === "failing" || state === "broken" ? (
        <>
          {state === "failing" ? "Has failed since " : "Broken since "}
          {since !== null && <Time at={since} exact />}
        </>
      ) : (
        STATES[state]
      )}
      : {reason}
      {askedAt !== null && (
        <>
          , last asked <Time at={askedAt} exact />
        </>
      )}
      .{state === "failing" && " It counts as broken if it still fails a day after the first failure."}
    </>
  );
};
