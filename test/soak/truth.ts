// What every slug opened and when, as the clients know it, and so what a visitor may be shown.

const MINUTE_MS = 60_000;
const MOST_AGE_MS = 5 * MINUTE_MS;
/** While D1 does not answer; the answer says so. */
const MOST_STALE_MS = 65 * MINUTE_MS;

interface Value {
  /** Null where the slug opens nothing. */
  target: string | null;
  /** When the change to it was sent. */
  since: number;
  /** When the next change was confirmed. */
  until: number;
}

export interface Slug {
  slug: string;
  /** When its first link was confirmed: before, it opens nothing, and that is never kept. */
  bornAt: number;
  values: Value[];
}

/** A change that is being sent: until `confirm`, visitors may see either. */
export interface Change {
  confirm: (at: number) => void;
}

export const unborn = (slug: string): Slug => ({ slug, bornAt: Number.POSITIVE_INFINITY, values: [] });

/** Begins a change of these slugs. */
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

/** Whether a visitor who asked at one time and was answered at another may be led there. */
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

/** The slug without what it opened before; a change that was never answered may have been made or not. */
export const asItIs = ({ slug, values }: Slug): Slug => ({
  slug,
  bornAt: 0,
  values: values.filter(({ until }) => until === Number.POSITIVE_INFINITY),
});
