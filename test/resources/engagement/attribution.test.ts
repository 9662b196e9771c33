import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { reportClicks, reportScans } from "../../../src/analytics/command-report";
import type { Env } from "../../../src/context";
import { rangeOfDays } from "../../../src/lib/range";
import { type Asset, createAssets } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { applyNow } from "../../analytics/platform";
import { makeWorkspace, otherInstance, testEnv, visit } from "../../harness";
import { overriding } from "../../overriding";
import { runSql } from "../../sql";

// Visits of all kinds by the codes of forty posters and by the slugs of their link, in several instances, while posters are
// moved to a link that has ended, retired and made live again.
const VISITS = 20_000;
const POSTERS = 40;
const INSTANCES = 4;
const ROUNDS = 10;
const AT_ONCE = 50;

const OPEN = "https://www.example.com/open";
const ENDED = "https://www.example.com/ended";
const PERSON = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";

/** Reproducible numbers from 0 to below `limit`. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const KINDS: readonly { init: RequestInit; isPerson: boolean }[] = [
  ...Array.from({ length: 6 }, () => ({ init: { headers: { "user-agent": PERSON } }, isPerson: true })),
  { init: { headers: { "user-agent": "Googlebot/2.1" } }, isPerson: false },
  { init: { headers: { "user-agent": PERSON, "sec-purpose": "prefetch" } }, isPerson: false },
  { init: { method: "HEAD", headers: { "user-agent": PERSON } }, isPerson: false },
];

const instance = (): Env => ({
  ...otherInstance(testEnv),
  DB: overriding(env.DB, {}),
  CLICK_PACK_SECONDS: "0.02",
});

interface Counted {
  clicks: number;
  scans: number;
  late: number;
  bots: number;
}

it(`scans of ${POSTERS} posters are attributed without one error in ${VISITS} mixed visits`, {
  timeout: 600_000,
}, async () => {
  const ws = await makeWorkspace();
  const link = await ws.link({ destination_url: OPEN });
  await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { slug: `${link.slug}-new` } });
  const past = await ws.link({ destination_url: "https://www.example.com/past" });
  await runSql`update links set ends_at = 1, ended_url = ${ENDED}, ended_host = 'www.example.com'
    where public_id = ${past.id}`;
  const names = Array.from({ length: POSTERS }, (_, index) => ({ name: `Poster ${index}` }));
  const posters = await createAssets(ws.ctx, {
    link: link.id,
    kind: "poster",
    status: "live",
    assets: names,
  });

  const none = (): Counted => ({ clicks: 0, scans: 0, late: 0, bots: 0 });
  const expected = new Map<string, Counted>(
    [link.id, past.id, ...posters.map(({ id }) => id)].map((id) => [id, none()]),
  );
  const add = (id: string, kind: keyof Counted) => {
    const counted = expected.get(id);
    if (counted !== undefined) counted[kind]++;
  };
  const next = numbers(7);
  const instances = Array.from({ length: INSTANCES }, instance);
  const odd: unknown[] = [];

  async function visitOnce(): Promise<void> {
    const asset: Asset | undefined = next(5) === 0 ? undefined : posters[next(POSTERS)];
    const slug = asset?.code ?? (next(2) === 0 ? link.slug : `${link.slug}-new`);
    const kind = KINDS[next(KINDS.length)] ?? { init: {}, isPerson: false };
    const path = next(3) === 0 ? `/${slug.toUpperCase()}` : `/${slug}`;
    const response = await visit(path, kind.init, instances[next(INSTANCES)]);
    const target = response.headers.get("location");
    // Which link was opened is seen in the answer: an instance may show a move some seconds later.
    const opened = target === OPEN ? link.id : past.id;
    if (target !== OPEN && (target !== ENDED || asset === undefined))
      odd.push([path, response.status, target]);
    const isLate = target === ENDED;
    if (!kind.isPerson) add(opened, "bots");
    else if (isLate) add(opened, "late");
    else add(opened, asset === undefined ? "clicks" : "scans");
    if (asset !== undefined) add(asset.id, !kind.isPerson ? "bots" : isLate ? "late" : "scans");
  }

  for (let round = 0; round < ROUNDS; round++) {
    for (let done = 0; done < VISITS / ROUNDS; done += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, visitOnce));
    }
    const moved = posters[next(POSTERS)];
    const to = round % 3 === 2 ? link.id : past.id;
    if (moved !== undefined) await updateAsset(ws.ctx, moved.id, { link: to, status: "retired" });
  }

  expect(odd).toEqual([]);
  await applyNow();
  const today = Math.floor(Date.now() / 86_400_000);
  const range = rangeOfDays("UTC", today - 1, today + 1);
  for (const { id } of [link, past]) {
    expect((await reportClicks(ws.ctx, { link: id }, range)).totals).toEqual(expected.get(id));
  }
  for (const { id } of posters) {
    const { clicks: _, ...scans } = expected.get(id) ?? none();
    expect([id, (await reportScans(ws.ctx, id, range)).totals]).toEqual([id, scans]);
  }
  const late = [...expected.values()].reduce((sum, counted) => sum + counted.late, 0);
  expect(late).toBeGreaterThan(0);
  const totals = [expected.get(link.id), expected.get(past.id)].flatMap((counted) =>
    Object.values(counted ?? none()),
  );
  expect(totals.reduce((sum, value) => sum + value, 0)).toBe(VISITS);
});
