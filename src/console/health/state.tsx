import type { DestinationHealth } from "../../resources/destinations/health";
import { Time } from "../shell/text";

const Asked = ({ at }: { at: string | null }) =>
  at === null ? null : (
    <>
      , last asked <Time at={at} exact />
    </>
  );

const Since = ({ at }: { at: string | null }) => (at === null ? null : <Time at={at} exact />);

/** What is known of a destination, in a sentence. */
export const HealthState = ({
  health: { state, reason, failing_since: since, asked_at: askedAt },
}: {
  health: DestinationHealth;
}) => {
  switch (state) {
    case "ok":
      return (
        <>
          The page is there: {reason}
          <Asked at={askedAt} />.
        </>
      );
    case "failing":
      return (
        <>
          Has failed since <Since at={since} />: {reason}
          <Asked at={askedAt} />. It counts as broken if it still fails a day after the first failure.
        </>
      );
    case "broken":
      return (
        <>
          Broken since <Since at={since} />: {reason}
          <Asked at={askedAt} />.
        </>
      );
    case "unclear":
      return (
        <>
          Cannot be checked: {reason}
          <Asked at={askedAt} />.
        </>
      );
    case "unknown":
      return <>Not checked yet.</>;
  }
};

/** Nothing while destinations are not asked; a warning for a broken one. */
export const HealthLine = ({ health }: { health: DestinationHealth | undefined }) =>
  health === undefined ? null : (
    <p class={health.state === "broken" ? "warning" : "small soft"}>
      <HealthState health={health} />
    </p>
  );
