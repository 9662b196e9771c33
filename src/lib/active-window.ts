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

/** A group's values, all null without a group. */
interface GroupWindow {
  ends_at: number | null;
  ended_url: string | null;
  /** 1 if links without an own end end with the group. */
  ends_links: number | null;
}

/** A link's own values, else those of its group. The visit's query in slugs/repository.ts does the same in SQL. */
export const windowInGroup = (
  link: { starts_at: number | null; ends_at: number | null; ended_url: string | null },
  group: GroupWindow,
): ActiveWindow => ({
  startsAt: link.starts_at,
  endsAt: link.ends_at ?? (group.ends_links === 1 ? group.ends_at : null),
  endedUrl: link.ended_url ?? group.ended_url,
});
