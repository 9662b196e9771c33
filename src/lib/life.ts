/** When a link is open, in milliseconds since the epoch; null is unlimited. */
export interface Life {
  startsAt: number | null;
  endsAt: number | null;
  /** Where visitors go after the end; null for a page that says so. */
  endedUrl: string | null;
}

export type Phase = "early" | "open" | "ended";

/** The start comes first: a link that starts after its end is early until then. */
export function phaseAt({ startsAt, endsAt }: Pick<Life, "startsAt" | "endsAt">, now: number): Phase {
  if (startsAt !== null && now < startsAt) return "early";
  return endsAt !== null && now >= endsAt ? "ended" : "open";
}
