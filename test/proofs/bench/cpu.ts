import { readdirSync, readFileSync } from "node:fs";

const JIFFY_MS = 10;

/** User and system time of a process and all its past threads, in milliseconds, with a resolution of 10 ms. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name, in parentheses and of any characters, is the second field; the times are the 14th and the 15th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * JIFFY_MS;
}

/** CPU time of all living threads of a process in milliseconds, with microsecond resolution for short runs. */
export function exactCpuMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1e6;
}
