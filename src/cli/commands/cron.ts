import { JOBS, runJobs } from "../../schedule";
import { MINUTE_JOBS } from "../crons";
import { toOneLine } from "../plain";
import type { Commands } from "./options";

/** The text of an error. Drizzle's own message contains bound values, its cause does not. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? String(error.cause ?? error.message) : String(error);

export const cronCommands: Commands = {
  "cron run": {
    required: [],
    flags: ["daily"],
    description: "runs the jobs of every minute, or with --daily those of every day",
    run: async (ctx, options) => {
      const outcomes = await runJobs(ctx, options["daily"] === "true" ? JOBS.day : MINUTE_JOBS);
      const jobs = outcomes.map(({ job, outcome }) => ({
        job,
        did:
          outcome.status === "fulfilled" ? (outcome.value ?? "done") : `failed: ${reasonOf(outcome.reason)}`,
      }));
      if (outcomes.every(({ outcome }) => outcome.status === "fulfilled")) return { jobs };
      throw new Error(jobs.map(({ job, did }) => `${job}: ${toOneLine(did)}`).join("\n"));
    },
  },
};
