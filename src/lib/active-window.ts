/** When a link is open, in milliseconds since the epoch; null is unlimited. */
export interface ActiveWindow {
  startsAt: number | null;
  endsAt: number | null;
  /** Where visitors go after the end; null for a page that says so. */
  endedUrl: string | null;
}

export type WindowState = "early" | "open" | "ended";

/** The start comes first: a link that starts after its end is early until then. */
export function windowStateAt(window: Pick<ActiveWindow, "startsAt" | "endsAt">, now: number): WindowState {
  if (window.startsAt !== null && now < window.startsAt) return "early";
  return window.endsAt !== null && now >= window.endsAt ? "ended" : "open";
}

interface LinkWindow {
  starts_at: number | null;
  ends_at: number | null;
  ended_url: string | null;
}

/** A group's values, all null without a group. */
interface GroupWindow {
  ends_at: number | null;
  ended_url: string | null;
  /** 1 if links without an own end end with the group. */
  ends_links: number | null;
}

/** The group whose end, or what follows the link's own, is that of a link. `slugs/statements/targets` does the same in SQL. */
export const groupOfEnd = (
  link: Pick<LinkWindow, "ends_at" | "ended_url">,
  group: GroupWindow & { id: number | null },
): number | null =>
  (link.ends_at === null ? group.ends_links === 1 : link.ended_url === null) ? group.id : null;

export const windowInGroup = (link: LinkWindow, group: GroupWindow): ActiveWindow => ({
  startsAt: link.starts_at,
  endsAt: link.ends_at ?? (group.ends_links === 1 ? group.ends_at : null),
  endedUrl: link.ended_url ?? group.ended_url,
});
