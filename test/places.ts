// KV as it is in production: each place has its own view of it, and sees what was written elsewhere later.

/** A write is seen elsewhere after so long, by the documentation "up to 60 seconds or more". */
const MIN_LAG_MS = 10_000;
const MAX_LAG_MS = 60_000;
const MIN_CACHE_TTL_SECONDS = 30;
/** KV takes one write a second per key. */
const WRITE_INTERVAL_MS = 1_000;
const NEVER = Number.POSITIVE_INFINITY;

interface Version {
  number: number;
  place: number;
  at: number;
  /** Null for a deletion. */
  value: string | null;
  expiresAt: number;
}

/** From 0 to below 1, always the same for the same write and place. */
function drawn(number: number, place: number): number {
  let bits = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

export type Places = ReturnType<typeof createPlaces>;

/** One namespace, seen from places that are named by numbers. Without `isPaced` it takes many writes a second of a key. */
export function createPlaces(now: () => number, isPaced = true) {
  const versions = new Map<string, Version[]>();
  /** What a place has read, and shows again until then. Misses too. */
  const cached = new Map<string, { version: Version | undefined; until: number }>();
  let writes = 0;

  const lagMs = (number: number, place: number): number =>
    MIN_LAG_MS + drawn(number, place) * (MAX_LAG_MS - MIN_LAG_MS);
  const isSeen = (version: Version, place: number): boolean =>
    version.place === place || now() >= version.at + lagMs(version.number, place);

  function write(place: number, key: string, value: string | null, ttlSeconds?: number): void {
    const at = now();
    const known = versions.get(key) ?? [];
    const newest = known.at(-1);
    if (isPaced && newest !== undefined && at - newest.at < WRITE_INTERVAL_MS && value !== null)
      throw new Error("KV PUT failed: 429 Too Many Requests");
    const expiresAt = ttlSeconds === undefined ? NEVER : at + ttlSeconds * 1000;
    // Everybody sees the last of the old ones, so nobody sees those before it.
    const old = known.findLastIndex((version) => at - version.at > MAX_LAG_MS);
    versions.set(key, [...known.slice(Math.max(0, old)), { number: writes++, place, at, value, expiresAt }]);
    cached.delete(`${place} ${key}`);
  }

  const shownIn = (version: Version | undefined): string | null =>
    version === undefined || now() >= version.expiresAt ? null : version.value;

  function read(place: number, key: string, cacheTtlSeconds = MIN_CACHE_TTL_SECONDS): string | null {
    const name = `${place} ${key}`;
    const known = cached.get(name);
    if (known !== undefined && now() < known.until) return shownIn(known.version);
    const version = versions.get(key)?.findLast((one) => isSeen(one, place));
    cached.set(name, { version, until: now() + cacheTtlSeconds * 1000 });
    return shownIn(version);
  }

  return {
    write,
    read,
    /** What everybody will see, by key. */
    newest: (): Map<string, string> =>
      new Map(
        [...versions].flatMap(([key, known]): [string, string][] => {
          const value = shownIn(known.at(-1));
          return value === null ? [] : [[key, value]];
        }),
      ),
    /** Loses a value everywhere, as if it had expired. */
    lose(key: string): void {
      versions.delete(key);
      for (const name of cached.keys()) if (name.endsWith(` ${key}`)) cached.delete(name);
    },
    clear(): void {
      versions.clear();
      cached.clear();
    },
  };
}

type Operation = "get" | "put" | "delete";

/** Runs an operation of KV, or fails instead: the place for counts, pauses and faults. */
type Around = <T>(operation: Operation, key: string, run: () => T) => Promise<T>;

/** A binding of an instance in a place. A new one is a new instance with an empty memory. */
export function bindKv(
  places: Places,
  place: number,
  around: Around = async (_, __, run) => run(),
): KVNamespace {
  type How = Partial<KVNamespaceGetOptions<"text" | "json">> | "text" | "json" | undefined;
  const parsed = (value: string | null, how: How) =>
    value !== null && (typeof how === "string" ? how : how?.type) === "json" ? JSON.parse(value) : value;
  const ttlOf = (how: How) => (typeof how === "object" ? how.cacheTtl : undefined);
  const getOne = (key: string, how: How) =>
    around("get", key, () => parsed(places.read(place, key, ttlOf(how)), how));
  return {
    get: async (keys: string | string[], how?: How) =>
      typeof keys === "string"
        ? getOne(keys, how)
        : new Map(await Promise.all(keys.map(async (key) => [key, await getOne(key, how)] as const))),
    put: (key: string, value: string, { expirationTtl }: KVNamespacePutOptions = {}) =>
      around("put", key, () => places.write(place, key, value, expirationTtl)),
    delete: (key: string) => around("delete", key, () => places.write(place, key, null)),
  } as unknown as KVNamespace;
}
