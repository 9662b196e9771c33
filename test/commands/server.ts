import { copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainEnvironment, ROOT, type Started, start, temporaryDirectory, until } from "../cli/terminal";

/** A copy of the project without state, deployment, account, home directory and `.dev.vars`. */
export function checkout() {
  const directory = temporaryDirectory();
  for (const name of ["src", "migrations", "node_modules"])
    symlinkSync(join(ROOT, name), join(directory, name));
  for (const name of ["package.json", "wrangler.toml", "tsconfig.json"])
    copyFileSync(join(ROOT, name), join(directory, name));
  return { directory, env: plainEnvironment({ HOME: directory, XDG_CONFIG_HOME: directory }) };
}

/** Generous, so that no test fails on a busy machine. */
const START_WITHIN_SECONDS = 180;

/** The addresses and key that `npm run dev` prints. */
export interface Greeting {
  base: string;
  key: string;
  curl: string;
  /** The sign-in link of the demo workspace's owner. */
  web: string;
  text: string;
}

export async function startDev(
  port: number | undefined,
  state: string,
  more: readonly string[] = [],
): Promise<{ dev: Started; greeting: Greeting }> {
  const chosen = port === undefined ? [] : ["--port", String(port)];
  // In place of the developer's own `.dev.vars`.
  const empty = join(temporaryDirectory(), "empty");
  writeFileSync(empty, "");
  const options = [...chosen, "--persist-to", state, "--env-file", empty, ...more];
  const dev = start("npm", ["run", "dev", "--", ...options]);
  const greeting = await until(
    () => `npm run dev did not greet:\n${dev.said.out}\n${dev.said.err}`,
    START_WITHIN_SECONDS,
    () => {
      if (dev.child.exitCode !== null)
        throw new Error(`npm run dev ended:\n${dev.said.out}\n${dev.said.err}`);
      const text = dev.said.out;
      const base = /Short links +(http:\S+)\/<slug>/.exec(text)?.[1];
      const key = /Demo key +(\S+)/.exec(text)?.[1];
      const curl = /^ +(curl .*)\n/m.exec(text)?.[1];
      const web = /^ +Web +(\S+)$/m.exec(text)?.[1];
      return base && key && curl && web ? { base, key, curl, web, text } : undefined;
    },
  );
  return { dev, greeting };
}

/** Runs a script in bash. It stops at the first failure. */
export const sh = (script: string, cwd: string) =>
  start("bash", ["-euo", "pipefail", "-c", script], { cwd, env: plainEnvironment() }).ended;
