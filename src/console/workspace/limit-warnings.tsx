import type { NearlyFull } from "../../access/workspace";
import { number } from "../shell/text";

const ADVICE: Readonly<Record<NearlyFull["of"], string>> = {
  links: "Delete links that nobody needs, or ask the operator of this service for more.",
  slugs:
    "A slug stays the workspace’s own when its link is deleted, so only the operator of this service can give it more.",
};

export const LimitWarnings = ({ limits }: { limits: readonly NearlyFull[] }) => (
  <>
    {limits.map(({ of, used, limit }) => (
      <p class="warning">
        The workspace has {number(used)} of the {number(limit)} {of} that it may have. {ADVICE[of]}
      </p>
    ))}
  </>
);
