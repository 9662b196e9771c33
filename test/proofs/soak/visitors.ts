import { again, anInstance, chance, pick, type Soak } from "./soak";
import { allows, type Slug } from "./truth";

const PAUSE_MS = 20;
const ADDRESSES = 5_000;
/** The number of newest slugs. */
const WARM = 50;
const HOT = 5;

const AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  undefined,
  `Mozilla/5.0 (X11; Linux x86_64) ${"x".repeat(2_000)}`,
  `Mozilla/5.0 (Macintosh) ${"y".repeat(16_000)}`,
];

function aReferrer(): string | undefined {
  if (chance(0.4)) return undefined;
  if (chance(0.05)) return `https://news.example/${"z".repeat(8_000)}`;
  if (chance(0.05)) return "no address at all";
  return `https://www.site-${Math.floor(Math.random() * 500)}.example/page?from=${Math.random()}`;
}

const anAddress = (): string => {
  const number = Math.floor(Math.random() * ADDRESSES);
  return `10.0.${number >> 8}.${number & 255}`;
};

/** Picks a few hot slugs most of the time, then new ones, then any. */
const aSlug = ({ slugs }: Soak): Slug | undefined =>
  chance(0.5) ? pick(slugs.slice(0, HOT)) : chance(0.5) ? pick(slugs.slice(-WARM)) : pick(slugs);

/** Visits a slug once and checks the answer. */
export async function visit(soak: Soak, slug: Slug): Promise<void> {
  const [agent, referrer] = [pick(AGENTS), aReferrer()];
  const query = chance(0.1) ? `?ref=${Math.floor(Math.random() * 1_000)}` : "";
  const method = chance(0.05) ? "HEAD" : "GET";
  const askedAt = Date.now();
  const answer = await soak.http.ask(`${soak.url}/${slug.slug}${query}`, method, {
    ...anInstance(),
    "CF-Connecting-IP": anAddress(),
    ...(agent !== undefined && { "User-Agent": agent }),
    ...(referrer !== undefined && { Referer: referrer }),
  });
  const answeredAt = Date.now();
  const { status, headers } = answer;
  soak.count("visits");
  soak.count("visits sent", answer.sent);
  if (status === 302) soak.count("visits led on");
  if (status === 503) return soak.count("visits answered 503");
  const isStale = headers["x-cache"] === "stale";
  if (isStale) soak.count("visits answered with a stale value");
  const location = typeof headers["location"] === "string" ? headers["location"] : null;
  const target = location?.endsWith(query) ? location.slice(0, location.length - query.length) : location;
  const fits = status === (target === null ? 404 : 302);
  if (!fits || !allows(slug, target, askedAt, answeredAt, isStale)) {
    soak.wrong(
      `visit of ${slug.slug} at ${askedAt}: ${status} ${location} (${headers["x-cache"]}), not of ${JSON.stringify(slug)}`,
    );
  }
}

export const beVisitor = (soak: Soak): Promise<void> =>
  again(soak, PAUSE_MS, async () => {
    const slug = aSlug(soak);
    if (slug !== undefined) await visit(soak, slug);
  });
