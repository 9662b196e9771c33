import type { LinkDetails } from "../../resources/links/link-details";
import type { Link } from "../../resources/links/link-schema";
import { ShownDate } from "../shell/date-field";
import { Badge, Fact } from "../shell/text";
import { Destination } from "./link-text";
import { MadeBadge } from "./made-links";

const AfterEnd = ({ activeWindow }: { activeWindow: LinkDetails["activeWindow"] }) => {
  if (activeWindow.ended_url === null) return <>Visitors see a page that says that the link has ended.</>;
  const target = <Destination url={activeWindow.ended_url} maxCharacters={200} />;
  const from = activeWindow.ended_url_of_group && <span class="soft"> (from its group)</span>;
  return activeWindow.is_ended_url_blocked ? (
    <>
      Visitors see a page that says that the link has ended, because the operator of this service does not
      allow the host of {target}
      {from}.
    </>
  ) : (
    <>
      Visitors are sent to {target}
      {from}
    </>
  );
};

/** When the link opens and ends, by whose clocks, and what visitors get then. Nothing for a link without a start and an end. */
export const WindowProperties = ({ details: { link, dates, activeWindow } }: { details: LinkDetails }) => (
  <>
    {dates.starts_at !== null && (
      <Fact name={activeWindow.windowState === "early" ? "Opens" : "Opened"}>
        <ShownDate name="starts_at" date={dates.starts_at} saysZone />
      </Fact>
    )}
    {activeWindow.ends_at !== null && (
      <Fact name={activeWindow.windowState === "ended" ? "Ended" : "Ends"}>
        <ShownDate
          name="ends_at"
          date={dates.ends_at ?? activeWindow.ends_at}
          saysZone={dates.starts_at === null}
        />
        {activeWindow.ends_with_group && <span class="soft"> (with its group)</span>}
      </Fact>
    )}
    {(activeWindow.ends_at !== null || link.ended_url !== null) && (
      <Fact name="After the end">
        <AfterEnd activeWindow={activeWindow} />
        {activeWindow.ends_at === null && <span class="small soft block">The link has no end yet.</span>}
      </Fact>
    )}
  </>
);

/** What visitors get now, if that is not the destination. */
export const WindowNotice = ({ details: { dates, activeWindow } }: { details: LinkDetails }) => {
  if (activeWindow.windowState === "early" && dates.starts_at !== null) {
    return (
      <p class="warning">
        This link is not open yet. It opens on <ShownDate name="starts_at" date={dates.starts_at} />. Until
        then visitors see a page that says so.
      </p>
    );
  }
  if (activeWindow.windowState !== "ended" || activeWindow.ends_at === null) return null;
  return (
    <p class="warning">
      This link ended on <ShownDate name="ends_at" date={dates.ends_at ?? activeWindow.ends_at} />.{" "}
      <AfterEnd activeWindow={activeWindow} />
    </p>
  );
};

/** What is not ordinary about a link. */
export interface ShownState {
  link: Pick<Link, "id" | "status">;
  /** Why visitors see the takedown page; undefined if they do not. */
  takenDownBy: "operator" | "check" | "blocklist" | undefined;
  isBroken: boolean;
  windowState: "early" | "ended" | undefined;
}

const TAKEN_DOWN: Readonly<Record<NonNullable<ShownState["takenDownBy"]>, string>> = {
  operator: "Taken down by the operator",
  check: "Taken down: malware",
  blocklist: "Stopped: host not allowed",
};

/** Badges for a link that is not ordinary. One that is active and open has none. */
export const StateBadges = ({ link, takenDownBy, isBroken, windowState }: ShownState) => (
  <>
    <MadeBadge id={link.id} />
    {takenDownBy !== undefined && <span class="badge badge-taken_down">{TAKEN_DOWN[takenDownBy]}</span>}
    {link.status === "archived" && <Badge of="archived" />}
    {isBroken && <Badge of="broken_destination" />}
    {windowState !== undefined && " "}
    {windowState !== undefined && <Badge of={windowState === "early" ? "not_open_yet" : "ended"} />}
  </>
);
