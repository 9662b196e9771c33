import type { DestinationHealth } from "../../resources/destinations/health";
import { Time } from "../shell/text";

const STATES = {
  ok: "The page is there",
  unclear: "Cannot be checked",
  failing: "Has failed since ",
  broken: "Broken since ",
} as const;

export const HealthState = ({ health }: { health: DestinationHealth }) => {
  const { state, reason, failing_since: since, asked_at: askedAt } = health;
  if (state === "unknown") return <>Not checked yet.</>;
  return (
    <>
      {STATES[state]}
      {(state === "failing" || state === "broken") && since !== null && <Time at={since} exact />}: {reason}
      {askedAt !== null && (
        <>
          , last asked <Time at={askedAt} exact />
        </>
      )}
      .{state === "failing" && " It counts as broken if it still fails a day after the first failure."}
    </>
  );
};
