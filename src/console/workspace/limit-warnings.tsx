import type { NearlyFull as Full } from "../../workspaces/usage";
import { number } from "../shell/text";

const ADVICE: Readonly<Record<Full["of"], string>> = {
  links: "Delete links that nobody needs, or ask the operator of this service for more.",
  slugs:
    "A slug stays the workspace’s own when its link is deleted, so only the operator of this service can give it more.",
};

/** Says which limits of the workspace are nearly reached, before they refuse anything. */
export const NearlyFull = ({ full }: { full: readonly Full[] }) => (
  <>
    {full.map(({ of, used, limit }) => (
      <p class="warning">
        The workspace has {number(used)} of the {number(limit)} {of} that it may have. {ADVICE[of]}
      </p>
    ))}
  </>
);
