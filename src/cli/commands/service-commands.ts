import { z } from "zod";
import { reportClicks, reportScans } from "../../analytics/command-report";
import { applyBeforeJob } from "../../analytics/queue";
import { toRange } from "../../lib/range";
import { isoTime } from "../../lib/time";
import { isoMoment, text } from "../../lib/validation";
import { listAlerts, tryWebhook } from "../../operations/alerts/alert-commands";
import { readMigrations } from "../../operations/applied-migrations";
import { recountWorkspaces } from "../../operations/consistency/doctor";
import { JOBS, runJobs } from "../../operations/schedule";
import { cacheStatus } from "../../redirect/slugs/cache-status";
import { buildSearchIndex, dropSearchIndex } from "../../resources/links/build-search-index";
import { listUnknownOfShortHost } from "../../resources/unknown-addresses/list-unknown";
import { getContextOf } from "../../resources/workspaces/workspace-service";
import { backUp, restore } from "../backup-commands";
import { MINUTE_JOBS, REMOTE_JOBS } from "../crons";
import { createDemo } from "../demo";
import { withDownloadedBackup } from "../downloaded-backup";
import { readOwnSchema } from "../own-schema";
import { reasonOf, toOneLine } from "../plain";
import { type Commands, command, NO_OPTIONS, oneOf } from "./admin-command";

const clickReport = z.object({
  link: text(26).optional(),
  group: text(26).optional(),
  asset: text(26).optional(),
  from: isoMoment().optional(),
  to: isoMoment().optional(),
});

const dateOf = (at: number | null | undefined): string | undefined =>
  at == null ? undefined : isoTime(at).slice(0, 10);

const workspaceOption = text(120).optional();

interface Restored {
  restore?: { not_added?: readonly unknown[]; taken_slugs?: readonly unknown[] };
}

/** The commands for what the whole installation counts, stores and tells. */
export const serviceCommands: Commands = {
  "clicks report": command(
    "counts the clicks and scans of a link or a group, or the scans of an asset, by default in the last 30 days",
    clickReport,
    async (ctx, { from, to, ...of }) => {
      const [kind, id] = oneOf(of, ["link", "group", "asset"]);
      await applyBeforeJob(ctx);
      const own = await getContextOf(ctx, kind, id);
      const range = toRange({ from: dateOf(from), to: dateOf(to) }, own.workspace.zones, ctx.now(), 0);
      if (kind === "asset") return { scans: await reportScans(own, id, range) };
      return { clicks: await reportClicks(own, kind === "link" ? { link: id } : { group: id }, range) };
    },
  ),
  "unknown list": command(
    "lists the 100 unknown addresses of the short host that people asked for most in the last seven days",
    NO_OPTIONS,
    async (ctx) => {
      await applyBeforeJob(ctx);
      return { unknown: await listUnknownOfShortHost(ctx) };
    },
  ),
  "cache status": command(
    "counts the slugs that are still to be written to KV, and says since when",
    NO_OPTIONS,
    async (ctx) => ({ cache: await cacheStatus(ctx) }),
  ),
  "search-index drop": command(
    "drops the search index before an export with wrangler, which fails at it and locks the database; search still works, more slowly",
    NO_OPTIONS,
    async (ctx) => ({ search_index: await dropSearchIndex(ctx) }),
  ),
  "search-index build": command("rebuilds the search index", NO_OPTIONS, async (ctx) => ({
    search_index: await buildSearchIndex(ctx),
  })),
  backup: command(
    "writes everything, or one workspace, to a file that `restore` reads",
    z.object({ out: text(4096), workspace: workspaceOption }),
    async (ctx, { out, workspace }) => ({ backup: await backUp(ctx, out, workspace) }),
  ),
  restore: {
    ...command(
      "restores a backup, or one workspace from it, from a file or from R2 (--from-r2 last); overwrites no workspace; a repeat continues; with --missing adds what the database lacks, slugs first, and with --dry-run says what that would be",
      z.object({
        ...{ from: text(4096).optional(), from_r2: text(100).optional(), workspace: workspaceOption },
        ...{ missing: z.boolean().optional(), dry_run: z.boolean().optional() },
      }),
      async (ctx, { from, from_r2, ...given }) => {
        const [kind, name] = oneOf({ from, from_r2 }, ["from", "from_r2"]);
        const use = (path: string) => restore(ctx, path, given);
        return { restore: kind === "from" ? await use(name) : await withDownloadedBackup(ctx, name, use) };
      },
    ),
    hasFailed: ({ restore: { not_added: refused = [], taken_slugs: taken = [] } = {} }: Restored) =>
      refused.length + taken.length > 0,
  },
  doctor: {
    ...command(
      "recounts the totals of workspaces, tags, groups and channels, repairs what is wrong, and adds up clicks that wait; with --deep compares everything with the schema and the rules, and says what it cannot mend",
      z.object({ deep: z.boolean().optional() }),
      async (ctx, { deep }) => {
        const schema = deep === true ? await readOwnSchema(await readMigrations(ctx.db)) : undefined;
        return { doctor: await recountWorkspaces(ctx, schema) };
      },
    ),
    hasFailed: ({ doctor }: { doctor?: { problems?: readonly unknown[] } }) =>
      (doctor?.problems ?? []).length > 0,
  },
  demo: command("creates the demo workspace unless it exists", NO_OPTIONS, (ctx) => createDemo(ctx)),
  "alert test": command(
    "sends a test message to ALERT_WEBHOOK; with --remote the deployed Worker sends it within two minutes",
    NO_OPTIONS,
    (ctx, _, { remote }) => tryWebhook(ctx, remote),
  ),
  "alert list": command(
    "lists the last 100 alerts, and which of them were delivered",
    NO_OPTIONS,
    async (ctx) => ({ alerts: await listAlerts(ctx) }),
  ),
  "cron run": command(
    "runs the jobs of every minute, or with --daily those of every day; with --remote neither checks nor alerts",
    z.object({ daily: z.boolean().optional() }),
    async (ctx, { daily }, { remote }) => {
      const all = daily === true ? JOBS.day : MINUTE_JOBS;
      const own = remote && all === MINUTE_JOBS ? REMOTE_JOBS : all;
      const outcomes = await runJobs(ctx, own);
      const jobs = outcomes.map(({ job, outcome }) => ({
        job,
        did:
          outcome.status === "fulfilled" ? (outcome.value ?? "done") : `failed: ${reasonOf(outcome.reason)}`,
      }));
      if (outcomes.every(({ outcome }) => outcome.status === "fulfilled")) {
        const every = all === MINUTE_JOBS ? { ...all, ...JOBS.health } : all;
        const others = Object.keys(every).filter((job) => !Object.hasOwn(own, job));
        return { jobs: [...jobs, ...others.map((job) => ({ job, did: "left to the deployed Worker" }))] };
      }
      throw new Error(jobs.map(({ job, did }) => `${job}: ${toOneLine(did)}`).join("\n"));
    },
  ),
};
