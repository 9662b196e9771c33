import type { Link } from "../../resources/links/schema";
import { Badge } from "../shell/text";
import { WindowStateBadge } from "./active-window";

/** What is not ordinary about a link. */
export interface LinkState {
  link: Pick<Link, "status">;
  /** Why visitors see the takedown page; undefined if they do not. */
  stoppedBy: "operator" | "check" | "blocklist" | undefined;
  isBroken: boolean;
  windowState: "early" | "ended" | undefined;
}

const STOPPED: Readonly<Record<NonNullable<LinkState["stoppedBy"]>, string>> = {
  operator: "Taken down by the operator",
  check: "Taken down: malware",
  blocklist: "Stopped: host not allowed",
};

/** Badges for a link that is not ordinary. One that is active and open has none. */
export const StateBadges = ({ link, stoppedBy, isBroken, windowState }: LinkState) => (
  <>
    {stoppedBy !== undefined && <span class="badge badge-taken_down">{STOPPED[stoppedBy]}</span>}
    {link.status === "archived" && <Badge of="archived" />}
    {isBroken && <Badge of="broken_destination" />}
    <WindowStateBadge windowState={windowState} />
  </>
);
