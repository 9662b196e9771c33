import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { addMember } from "../../../src/access/members";
import type { WorkspaceContext } from "../../../src/context";
import { writeDueSlugs } from "../../../src/redirect/slugs/kv-writer";
import { checkFile } from "../../../src/resources/imports/check-file";
import {
  continueImport,
  continueImports,
  ROWS_PER_RUN,
} from "../../../src/resources/imports/continue-import";
import { getImport, listImports } from "../../../src/resources/imports/import-service";
import { type ImportRow, importLinks } from "../../../src/resources/links/import-links";
import { stateOf } from "../../console/import-state";
import { makeWorkspace, otherInstance, visit } from "../../harness";
import {
  figures,
  type Interruption,
  interrupted,
  interruptions,
  KILLED,
  type Meanwhile,
  neverLost,
  WHOLE_MS,
} from "../../interruption";
import { selectRows } from "../../sql";

// An import with each of its calls interrupted, and two concurrent runs of one import.

const DESTINATION = "https://www.example.com/";
const SECOND_PUSH_MS = 60_000;

/** A workspace with a group, a used and a released slug, and another workspace with a slug. */
async function makePlace(linkLimit: number) {
  const ws = await makeWorkspace({ linkLimit });
  const stranger = await makeWorkspace();
  const p = crypto.randomUUID().slice(0, 8);
  await ws.group({ slug: "spring", name: "Spring", default_utm_campaign: "spring_1" });
  await ws.link({ slug: `${p}-in-use`, title: "in use" });
  const freed = await ws.link({ slug: `${p}-freed`, title: "freed" });
  await ws.call("DELETE", `/api/v1/links/${freed.id}`);
  await stranger.link({ slug: `${p}-theirs` });
  return { ws, p };
}

type Place = Awaited<ReturnType<typeof makePlace>>;

/** Runs one process of an import: counts its calls and waits for its background work. */
async function inProcess<T>(
  { ws }: Place,
  interruption: Interruption | Meanwhile | undefined,
  run: (ctx: WorkspaceContext) => Promise<T>,
): Promise<{ calls: number; lost: number[]; result: T | undefined }> {
  const process = interrupted(env.DB, otherInstance().KV, interruption);
  const behind: Promise<unknown>[] = [];
  const ctx: WorkspaceContext = { ...ws.ctx, ...process, waitUntil: (work) => void behind.push(work) };
  let result: T | undefined;
  try {
    result = await run(ctx);
  } catch (error) {
    if (!(error instanceof Error && error.message === KILLED)) throw error;
  }
  // Background work may register more of it.
  for (let settled = 0; settled < behind.length; ) {
    const some = behind.slice(settled);
    settled = behind.length;
    await Promise.allSettled(some);
  }
  const { calls, lost } = process.seen;
  return { calls, lost, result };
}

/** Runs it until it finishes, with the interruption in the first run. */
async function untilDone<T>(
  place: Place,
  interruption: Interruption | Meanwhile | undefined,
  run: (ctx: WorkspaceContext) => Promise<T>,
): Promise<{ calls: number; lost: number[]; runs: number; result: T }> {
  for (let runs = 1; ; runs++) {
    const { calls, lost, result } = await inProcess(place, runs === 1 ? interruption : undefined, run);
    if (result !== undefined) return { calls, lost, runs, result };
  }
}

/** The final state of the workspace without ids and times; generated slugs are only counted. */
async function stateAt({ ws, p }: Place) {
  const { rowId } = ws.ctx.workspace;
  const rows = async (query: string) => {
    const { results } = await env.DB.prepare(query).bind(rowId).all<Record<string, string | number | null>>();
    return results.map((row) => JSON.stringify(row).replaceAll(p, "p")).sort();
  };
  for (const ahead of [0, SECOND_PUSH_MS, 2 * SECOND_PUSH_MS])
    await writeDueSlugs({ ...ws.ctx, now: () => Date.now() + ahead });
  const freed = await visit(`/${p}-freed`);
  return {
    doctor: await stateOf(ws),
    links: await rows(`select title, destination_url, channel, utm_campaign, utm_campaign_origin,
      iif(slug like '%-%', slug, 'generated') as slug, archived, deleted_at is null as there,
      (select slug from activity_groups where id = activity_group_id) as "group",
      (select group_concat(name) from (select name from link_tags join tags on tags.id = tag_id where link_id = links.id order by name)) as tags,
      (select count(*) from audit_log where audit_log.workspace_id = links.workspace_id and subject = public_id and action = 'link.create') as created,
      (select count(*) from audit_log where audit_log.workspace_id = links.workspace_id and subject = public_id and action = 'link.update_by_import') as updated,
      version, (select count(*) from activity_group_items where link_id = links.id) as assigned
      from links where workspace_id = ?`),
    slugs: await rows(`select iif(key like '%-%', key, 'generated') as slug, rev, push_at,
      (select title from links where links.id = link_id) as opens from slugs where workspace_id = ?`),
    tags: await rows("select name, slug from tags where workspace_id = ?"),
    workspace: await rows("select active_links, archived_links, tag_count from workspaces where id = ?"),
    freed: [freed.status, freed.headers.get("location")],
  };
}

interface Kind<T> {
  name: string;
  linkLimit: number;
  run: (place: Place) => (ctx: WorkspaceContext) => Promise<T>;
  expected: object;
  /** The import's own result, besides the state. */
  said: (place: Place, result: T) => Promise<unknown>;
}

/** So many slugs that each row is a chunk. A request takes two, so a file of a few rows takes two requests. */
const LARGE_ROWS = 3;
const ROWS_PER_REQUEST = 2 * ROWS_PER_RUN;
const OLD_SLUGS = 26;
const large = Array.from({ length: LARGE_ROWS }, (_, row) => row);

const csvOf = (p: string): string =>
  [
    "url,slug,title,group,status,tags,old_slugs",
    ...large.map((row) => {
      const old = Array.from({ length: OLD_SLUGS }, (_, at) => `${p}-old-${row}-${at}`);
      return `${DESTINATION}large/${row},${p}-large-${row},large ${row},,,"new, Été",${old.join(" ")}`;
    }),
    `${DESTINATION}a,,generated,spring,,"new, third",`,
    `${DESTINATION}b,,generated too,,archived,,`,
    `${DESTINATION}c,${p}-FREED,freed again,spring,,,`,
    `example.com,${p}-x,no address,,,,`,
    `${DESTINATION},${p}-theirs,theirs,,,only-here,`,
    `${DESTINATION},${p}-in-use,in use already,,,,`,
    `${DESTINATION},${p}-large-0,twice,,,,`,
    `${DESTINATION},${p}-y,old slug taken,,,,${p}-theirs`,
    `${DESTINATION},${p}-z,no group,nowhere,,,`,
    `${DESTINATION}d,${p}-last,last,,,third,`,
    `${DESTINATION}e,${p}-over,over the limit,,,,`,
  ].join("\n");

const MADE = LARGE_ROWS + 4;
const REFUSED = 7;

/** Checks a file, and returns the import of its rows. */
async function check(ctx: WorkspaceContext, csv: string, updates = false): Promise<string> {
  const bytes = new TextEncoder().encode(csv);
  const checked = await checkFile(ctx, { name: "links.csv", bytes }, { updates });
  return "earlier" in checked ? checked.earlier.id : checked.id;
}

/** Goes on until the import is done, and returns the import that has the rows. */
async function continueToEnd(ctx: WorkspaceContext, id: string, rows?: number): Promise<string> {
  const outcome = await continueImport(ctx, id, rows);
  if ("earlier" in outcome) return continueToEnd(ctx, outcome.earlier.id, rows);
  return outcome.done ? id : continueToEnd(ctx, id, rows);
}

/** The import of the web application: a check of the file, then several requests. */
const ofCsv: Kind<string> = {
  name: "a CSV file",
  linkLimit: MADE + 1,
  expected: { imports: 1, status: "finished", made: MADE, refused: REFUSED },
  run: ({ p }) => {
    let id: string | undefined;
    return async (ctx) => {
      id ??= await check(ctx, csvOf(p));
      return continueToEnd(ctx, id, ROWS_PER_REQUEST);
    };
  },
  said: async ({ ws, p }, id) => {
    const { status, rows, made, refused, items } = await getImport(ws.ctx, id, { show: "all", page: 1 });
    const results = await selectRows<{ public_id: string; title: string }>`select public_id, title
      from links where workspace_id = ${ws}`;
    const titles = new Map(results.map((link) => [link.public_id, link.title]));
    const finished = (await listImports(ws.ctx)).filter((one) => one.status === "finished");
    return {
      imports: finished.length,
      ...{ status, rows, made, refused },
      outcomes: items.map(({ number, link, errors }) => {
        // Ids differ from run to run, titles do not.
        const named = errors.map((one) => ({ ...one, conflict: titles.get(one.conflict ?? "") }));
        return JSON.stringify([number, link === null ? null : titles.get(link.id), named]).replaceAll(p, "p");
      }),
    };
  },
};

/** An import that a member starts and the schedule continues. Another run is that of the member's browser. */
const ofSchedule: Kind<string> = {
  ...ofCsv,
  name: "a CSV file, by the schedule",
  run: (place) => {
    let id: string | undefined;
    const email = `${place.p}@people.example`;
    const invited = addMember(place.ws.ctx, { email, role: "editor" });
    return async (given) => {
      await invited;
      const ctx = { ...given, actor: `member:${email}` };
      id ??= await check(ctx, csvOf(place.p));
      const started = await continueImport(ctx, id, 1);
      if ("earlier" in started) id = started.earlier.id;
      for (;;) if ((await continueImports(ctx)).running === 0) return id;
    };
  },
};

/** Rows whose text is too long for one chunk. */
const UPDATED_ROWS = 6;
const made = new WeakMap<Place, Promise<unknown>>();

/** Links that the next import updates. */
async function makeUpdated({ ws, p }: Place): Promise<void> {
  for (let row = 0; row < UPDATED_ROWS; row++)
    await ws.link({ slug: `${p}-row-${row}`, external_id: `id-${row}`, title: `row ${row}` });
}

const updatesOf = (p: string): string => {
  const long = (row: number) => `${DESTINATION}${row}?${"x".repeat(1_990)}`;
  return [
    "external_id,slug,destination_url,ended_url,preview_image_url,title,group,tags",
    ...Array.from({ length: UPDATED_ROWS }, (_, row) => {
      const key = row % 2 === 0 ? `id-${row},` : `id-${row},${p}-row-${row}`;
      return `${key},${long(row)},${long(row)},${long(row)},updated ${row},spring,"new, Été"`;
    }),
    `,${p}-in-use,,,,in use,,`,
    `,${p}-freed,${DESTINATION}c,,,freed again,,`,
    `id-0,${p}-row-1,,,,two links,,`,
    `,,${DESTINATION}d,,,generated,,`,
  ].join("\n");
};

/** A file that updates links and makes some. */
const ofUpdates: Kind<string> = {
  ...ofCsv,
  name: "a CSV file that updates links",
  linkLimit: 10 * MADE,
  expected: { imports: 1, status: "finished", made: UPDATED_ROWS + 3, refused: 1 },
  run: (place) => {
    const links = made.get(place) ?? makeUpdated(place);
    made.set(place, links);
    let id: string | undefined;
    return async (ctx) => {
      await links;
      id ??= await check(ctx, updatesOf(place.p), true);
      return continueToEnd(ctx, id);
    };
  },
};

const ROWS = 160;

/** The import of the command, in chunks. */
const ofLines: Kind<Awaited<ReturnType<typeof importLinks>>> = {
  name: "lines of JSON",
  linkLimit: 10 * ROWS,
  expected: { made: ROWS + 2 },
  run:
    ({ ws, p }) =>
    async (ctx) => {
      const tag = (await ws.call("GET", "/api/v1/tags")).body.tags[0] ?? (await ws.tag({ name: "third" }));
      const inputs: ImportRow["input"][] = [
        ...Array.from({ length: ROWS }, (_, row) => ({
          destination_url: `${DESTINATION}${row}`,
          title: `row ${row}`,
          ...(row % 3 === 0 && { activity_group_id: "spring" }),
          ...(row % 4 === 0 && { tag_ids: [tag.id], channel: "email" }),
        })),
        { destination_url: `${DESTINATION}c`, slug: `${p}-freed`, title: "freed again" },
        { destination_url: DESTINATION, slug: `${p}-theirs`, title: "theirs" },
        { destination_url: DESTINATION, slug: `${p}-in-use`, title: "in use already" },
        { destination_url: DESTINATION, slug: `${p}-FREED`, title: "twice" },
        { destination_url: "https://s.example/x", title: "own host" },
        { destination_url: DESTINATION, activity_group_id: "nowhere", title: "no group" },
        { destination_url: `${DESTINATION}d`, slug: `${p}-last`, title: "last" },
      ];
      return importLinks(
        ctx,
        "lines",
        inputs.map((input, index) => ({ number: index + 1, input })),
      );
    },
  said: async ({ p }, { created, existing, refused }) => ({
    made: created + existing,
    refused: JSON.stringify(refused).replaceAll(p, "p"),
  }),
};

/** The differences from an uninterrupted run; empty if there are none. */
const differences = (where: unknown, state: object, undisturbed: object): unknown[] =>
  JSON.stringify(state) === JSON.stringify(undisturbed) ? [] : [{ where, state, undisturbed }];

describe.each<Kind<unknown>>([ofCsv, ofUpdates, ofSchedule, ofLines] as unknown as Kind<unknown>[])(
  "an import of $name",
  {
    timeout: WHOLE_MS,
  },
  (kind) => {
    async function go(interruption?: Interruption | ((another: () => Promise<unknown>) => Meanwhile)) {
      const place = await makePlace(kind.linkLimit);
      const run = kind.run(place);
      const other = (kind === (ofSchedule as unknown) ? ofCsv : kind).run(place);
      const { calls, lost, runs, result } = await untilDone(
        place,
        typeof interruption === "function"
          ? interruption(() => untilDone(place, undefined, other))
          : interruption,
        run,
      );
      return {
        calls,
        lost,
        runs,
        state: { ...(await stateAt(place)), said: await kind.said(place, result) },
      };
    }

    it("without an interruption creates a link for every row or reports why not", async () => {
      const { state } = await go();
      expect(state.doctor).toEqual([]);
      expect(state.freed).toEqual([302, expect.stringMatching(/^https:\/\/www\.example\.com\/c/)]);
      const titles = state.links.map((link) => JSON.parse(link).title);
      expect(new Set(titles).size).toBe(titles.length);
      const idle = state.slugs.filter((slug) => JSON.parse(slug).opens === null);
      expect(idle).toEqual([]);
      expect(state.said).toMatchObject(kind.expected);
    });

    it("gives the same result as an uninterrupted import, whichever call is interrupted", async () => {
      const undisturbed = await go();
      const cases = interruptions(undisturbed.calls);
      const wrong: unknown[] = [];
      const losses: Parameters<typeof neverLost>[1][number][] = [];
      let restarts = 0;
      for (const interruption of cases) {
        const { lost, runs, state } = await go(interruption);
        restarts += runs - 1;
        losses.push({ way: interruption.way, lost });
        wrong.push(...differences(interruption, state, undisturbed.state));
      }
      expect(wrong).toEqual([]);
      expect(neverLost(undisturbed.calls, losses)).toEqual([]);
      expect(restarts).toBeGreaterThan(cases.length / 6);
      figures(
        `import of ${kind.name}: ${undisturbed.calls} calls, ${cases.length} interrupted imports, ${restarts} restarts, ${wrong.length} differences`,
      );
    });

    it("creates nothing twice if the same import overtakes it before any call", async () => {
      const undisturbed = await go();
      const wrong: unknown[] = [];
      for (let at = 1; at <= undisturbed.calls; at++) {
        const { state } = await go((run) => ({ at, meanwhile: run }));
        wrong.push(...differences(at, state, undisturbed.state));
      }
      expect(wrong).toEqual([]);
      figures(`import of ${kind.name}: overtaken at ${undisturbed.calls} calls, ${wrong.length} differences`);
    });
  },
);
