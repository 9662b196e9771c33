// The history of every slug, from which follows what a visit may show.

const MINUTE_MS = 60_000;
const MOST_AGE_MS = 5 * MINUTE_MS;
/** The maximal age of a stale answer, given while D1 does not answer. */
const MOST_STALE_MS = 65 * MINUTE_MS;

interface Value {
  /** Null if the slug opens nothing. */
  target: string | null;
  /** The time at which the change to it was sent. */
  since: number;
  /** The time at which the next change was confirmed. */
  until: number;
}

export interface Slug {
  slug: string;
  /** The time at which its first link was confirmed. Before that it opens nothing, which is never cached. */
  bornAt: number;
  values: Value[];
}

/** A pending change. Until `confirm`, visitors may see either state. */
export interface Change {
  confirm: (at: number) => void;
}

export const unborn = (slug: string): Slug => ({ slug, bornAt: Number.POSITIVE_INFINITY, values: [] });

/** Starts a change of these slugs. */
export function begin(slugs: Iterable<Slug>, target: string | null, since: number): Change {
  const added = [...slugs].map((slug) => {
    const value = { target, since, until: Number.POSITIVE_INFINITY };
    slug.values.push(value);
    return { slug, value };
  });
  return {
    confirm(at) {
      for (const { slug, value } of added) {
        slug.bornAt = Math.min(slug.bornAt, at);
        for (const other of slug.values) if (other !== value) other.until = Math.min(other.until, at);
      }
    },
  };
}

/** Whether a visit, sent and answered at these times, may show this target. */
export function allows(
  slug: Slug,
  target: string | null,
  askedAt: number,
  answeredAt: number,
  isStale: boolean,
): boolean {
  if (target === null && askedAt <= slug.bornAt) return true;
  const oldest = askedAt - (isStale ? MOST_STALE_MS : MOST_AGE_MS);
  return slug.values.some(
    (value) => value.target === target && value.since <= answeredAt && value.until >= oldest,
  );
}

/** The slug's history from the last confirmed change on. Unanswered changes may have taken effect. */
export const asItIs = ({ slug, values }: Slug): Slug => ({
  slug,
  bornAt: 0,
  values: values.filter(({ until }) => until === Number.POSITIVE_INFINITY),
});
