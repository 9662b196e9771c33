import { plainEnvironment, type Started, start, until } from "../cli/terminal";

const START_WITHIN_SECONDS = 90;

/** What `npm run dev` has said when it is ready. */
export interface Greeting {
  base: string;
  key: string;
  curl: string;
  text: string;
}

export async function startDev(
  port: number,
  state: string,
  more: readonly string[] = [],
): Promise<{ dev: Started; greeting: Greeting }> {
  const dev = start("npm", ["run", "dev", "--", "--port", String(port), "--persist-to", state, ...more]);
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
      return base && key && curl ? { base, key, curl, text } : undefined;
    },
  );
  return { dev, greeting };
}

/** Runs a script in bash, which stops at its first failure. */
export const sh = (script: string, cwd: string) =>
  start("bash", ["-euo", "pipefail", "-c", script], { cwd, env: plainEnvironment() }).ended;
