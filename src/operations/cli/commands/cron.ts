import { JOBS, runJobs } from "../../schedule";
import { MINUTE_JOBS, REMOTE_JOBS } from "../crons";
import { toOneLine } from "../plain";
import type { Commands } from "./options";

/** The text of an error. Drizzle's own message contains bound values, its cause does not. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? String(error.cause ?? error.message) : String(error);

export const cronCommands: Commands = {
  "cron run": {
    required: [],
    flags: ["daily"],
    description:
      "runs the jobs of every minute, or with --daily those of every day; with --remote neither checks nor alerts",
    run: async (ctx, options, { remote }) => {
      const all = options["daily"] === "true" ? JOBS.day : MINUTE_JOBS;
      const own = remote && all === MINUTE_JOBS ? REMOTE_JOBS : all;
      const outcomes = await runJobs(ctx, own);
      const jobs = outcomes.map(({ job, outcome }) => ({
        job,
        did:
          outcome.status === "fulfilled" ? (outcome.value ?? "done") : `failed: ${reasonOf(outcome.reason)}`,
      }));
      if (outcomes.every(({ outcome }) => outcome.status === "fulfilled")) {
        const others = Object.keys(all).filter((job) => !Object.hasOwn(own, job));
        return { jobs: [...jobs, ...others.map((job) => ({ job, did: "left to the deployed Worker" }))] };
      }
      throw new Error(jobs.map(({ job, did }) => `${job}: ${toOneLine(did)}`).join("\n"));
    },
  },
};
