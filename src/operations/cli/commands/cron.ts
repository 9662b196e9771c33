import { z } from "zod";
import { JOBS, runJobs } from "../../schedule";
import { MINUTE_JOBS, REMOTE_JOBS } from "../crons";
import { reasonOf, toOneLine } from "../plain";
import { type Commands, command } from "./command";

export const cronCommands: Commands = {
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
