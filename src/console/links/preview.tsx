import type { Preview, PreviewedParameter, Reason } from "../../links/preview";
import { Destination, UserText } from "./link-text";

const REASONS: Readonly<Record<Reason, string>> = {
  given: "given for this link",
  group: "the Activity Group’s default",
  kept: "from the Activity Group",
  destination: "already in the destination",
  none: "",
};

const Parameter = ({ name, value, reason, replaces }: PreviewedParameter) => (
  <>
    <dt>
      <code>{name}</code>
    </dt>
    <dd>
      {value === null ? (
        <span class="soft">not set</span>
      ) : (
        <>
          <strong>
            <UserText text={value} />
          </strong>{" "}
          <span class="soft">({REASONS[reason]})</span>
        </>
      )}
      {replaces.length > 0 && (
        <span class="small soft block">
          {replaces.includes(value ?? "") && replaces.length === 1
            ? "The destination has the same: "
            : "Replaces in the destination: "}
          <UserText text={replaces.join(", ")} />
        </span>
      )}
    </dd>
  </>
);

/** As much of an address as anybody reads. */
const MOST_SHOWN = 1000;

/** Where visitors will land, and why each UTM parameter is as it is. */
export const PreviewBody = ({
  preview: { target, isStopped, problem, parameters },
}: {
  preview: Preview;
}) => (
  <>
    <h2>Where visitors will land</h2>
    {isStopped && (
      <p class="warning">
        On a page that says that this link was taken down
        {target === null ? "." : ". Once it is no longer stopped, they will land here:"}
      </p>
    )}
    {target !== null && (
      <p class="target">
        <Destination url={target} most={MOST_SHOWN} />
      </p>
    )}
    {problem !== null && <p class="refused">{problem}</p>}
    {target === null && problem === null && <p class="soft">Nowhere yet: the destination is empty.</p>}
    <dl class="facts">
      {parameters.map((parameter) => (
        <Parameter {...parameter} />
      ))}
    </dl>
  </>
);
