import { auditEntryIn, type ServiceContext } from "../../context";
import type { Results, Statement } from "../../db/client";
import { retryLostRaces } from "../../errors";
import { invalid } from "../../field-errors";
import { chunksWithin } from "../../lib/chunks";
import { parseDestination } from "../../lib/destination";
import { newId } from "../../lib/ids";
import { namedKey, typedAddress } from "../../lib/short-url";
import { storedId } from "../../lib/ulid-text";
import { writeDueSlugs } from "../../redirect/slugs/kv-writer";
import { markSlugs, RANKS } from "../../redirect/slugs/statements/marks";
import { selectIsWanted } from "../../resources/events/event-statements";
import { queueLinkEvents } from "../../resources/links/link";
import {
  ensureToBeTakenDown,
  selectLinksCreatedBy,
  selectLinksNamed,
  selectLinksTo,
  updateOperatorTakedowns,
} from "./moderation-repository";

type FoundLink = Results<[ReturnType<typeof selectLinksTo>]>[0][number];

const PAGE = 1_000;
const CHUNK = 200;
const EXAMPLES = 5;

/** Which links: those named by ids, slugs or short URLs, or all that somebody created since a time or that lead to an address. */
type Selection = { names: readonly string[] } | { createdBy: string; since: number } | { prefix: string };

/** The beginning of destinations. Without a host it would be everything. */
function assertPrefix(prefix: string): void {
  if (parseDestination(prefix)?.hostname) return;
  const message =
    "The destination prefix field must be the beginning of a URL with its host, such as https://evil.example/.";
  throw invalid([{ field: "destination_prefix", message, code: "format" }]);
}

async function findNamed(ctx: ServiceContext, names: readonly string[]) {
  const found: FoundLink[] = [];
  const missing: string[] = [];
  for (const chunk of chunksWithin(names, { of: () => 1, max: CHUNK })) {
    const asked = chunk.map(
      (name) => [name, storedId(name), namedKey(ctx.config, typedAddress(name))] as const,
    );
    const [rows] = await ctx.db.read(selectLinksNamed(asked));
    found.push(...rows);
    const known = new Set(rows.map(({ name }) => name));
    missing.push(...chunk.filter((name) => !known.has(name)));
  }
  return { found: [...new Map(found.map((link) => [link.id, link])).values()], missing };
}

async function findAll(ctx: ServiceContext, selection: Exclude<Selection, { names: unknown }>) {
  if ("prefix" in selection) assertPrefix(selection.prefix);
  const found: FoundLink[] = [];
  for (let after = 0; ; ) {
    const page =
      "prefix" in selection
        ? selectLinksTo(selection.prefix, after, PAGE)
        : selectLinksCreatedBy(selection.createdBy, selection.since, after, PAGE);
    const [rows] = await ctx.db.read(page);
    found.push(...rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return { found, missing: [] };
    after = last.id;
  }
}

export type Takedown = Awaited<ReturnType<typeof takeDownMany>>;

/** The statements by which receivers hear of the links of each workspace. */
async function queueTakedowns(
  ctx: ServiceContext,
  linksOf: ReadonlyMap<number, readonly FoundLink[]>,
  at: number,
  batch: string,
): Promise<Statement[]> {
  const kind = "link.taken_down";
  const ids = [...linksOf.keys()];
  const wanted = await ctx.db.read(...ids.map((id) => selectIsWanted(id, kind)));
  const told: Statement[] = [];
  for (const [index, rowId] of ids.entries()) {
    if (wanted[index]?.length === 0) continue;
    const own = linksOf.get(rowId)?.map(({ public_id: id }) => id) ?? [];
    told.push(...(await queueLinkEvents(ctx, rowId, own, kind, at, batch)));
  }
  return told;
}

/** Takes down links of any workspace in one batch. Those that are deleted or taken down by now are left out. */
const takeDownChunk = (ctx: ServiceContext, chunk: readonly FoundLink[], batch: string): Promise<number> =>
  retryLostRaces(async () => {
    const named = chunk.map(({ public_id: id }) => [id, id, ""] as const);
    const [rows] = await ctx.db.read(selectLinksNamed(named));
    const [first, ...others] = rows.filter(({ is_taken_down: isDown }) => isDown === 0);
    if (first === undefined) return 0;
    const links = [first, ...others];
    const linksOf = Map.groupBy(links, (link) => link.workspace_id);
    const at = ctx.now();
    const told = await queueTakedowns(ctx, linksOf, at, batch);
    await ctx.db.write(
      {
        ...auditEntryIn(first.workspace_id, ctx, "link.takedown", first.public_id, at),
        space: "frees",
        batch,
        others: others.map(({ public_id: subject, workspace_id: workspaceId }) => ({ subject, workspaceId })),
        guards: [ensureToBeTakenDown(links)],
      },
      [
        ...[...linksOf].map(([workspaceId, own]) =>
          markSlugs(
            "links",
            workspaceId,
            own.map(({ id }) => id),
            { at, rank: RANKS.bulkTakedown, set: "taken_down_at = ?4," },
          ),
        ),
        updateOperatorTakedowns(
          links.map(({ id }) => id),
          at,
        ),
        ...told,
      ],
    );
    return links.length;
  });

/**
 * Takes down many links. Without `confirmed` it only says which. KV gets the first 800 slugs at once, and the others from the job. A repeat goes on with
 * those that are left.
 */
export async function takeDownMany(ctx: ServiceContext, selection: Selection, confirmed: boolean) {
  const { found, missing } = await ("names" in selection
    ? findNamed(ctx, [...new Set(selection.names)])
    : findAll(ctx, selection));
  const open = found.filter(({ is_taken_down: isDown }) => isDown === 0);
  const workspaces = [...Map.groupBy(open, ({ workspace }) => workspace)];
  let takenDown = 0;
  if (confirmed) {
    const batch = newId(ctx.now());
    for (const chunk of chunksWithin(open, { of: () => 1, max: CHUNK }))
      takenDown += await takeDownChunk(ctx, chunk, batch);
    await writeDueSlugs(ctx);
  }
  return {
    links: open.length,
    workspaces: workspaces.map(([slug, links]) => `${slug}: ${links.length}`),
    such_as: open.slice(0, EXAMPLES).map(({ public_id: id, destination_url: url }) => `${id} ${url}`),
    taken_down_before: found.length - open.length,
    not_found: missing,
    taken_down: takenDown,
  };
}
