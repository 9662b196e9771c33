import type { Link } from "../../resources/links/schema";
import { Badge } from "../shell/text";
import { WindowStateBadge } from "./active-window";

/** What is not ordinary about a link. */
export interface LinkState {
  link: Pick<Link, "status">;
  /** Why visitors see the takedown page; undefined if they do not. */
  takenDownBy: "operator" | "check" | "blocklist" | undefined;
  isBroken: boolean;
  windowState: "early" | "ended" | undefined;
}

const TAKEN_DOWN: Readonly<Record<NonNullable<LinkState["takenDownBy"]>, string>> = {
  operator: "Taken down by the operator",
  check: "Taken down: malware",
  blocklist: "Stopped: host not allowed",
};

/** Badges for a link that is not ordinary. One that is active and open has none. */
export const StateBadges = ({ link, takenDownBy, isBroken, windowState }: LinkState) => (
  <>
    {takenDownBy !== undefined && <span class="badge badge-taken_down">{TAKEN_DOWN[takenDownBy]}</span>}
    {link.status === "archived" && <Badge of="archived" />}
    {isBroken && <Badge of="broken_destination" />}
    <WindowStateBadge windowState={windowState} />
  </>
);
