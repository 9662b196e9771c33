import { readFileSync } from "node:fs";

// Imported first by every script. npm checks `engines` for dependencies alone, so an old Node would fail somewhere later.

const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** Says what is wrong if `version`, as in `process.version`, is older than `engines` of package.json asks for. */
export function nodeProblem(version: string, oldest: string = engines.node): string | undefined {
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.slice(2).split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Waymark needs Node.js ${oldest.slice(2)} or later and this is ${version.slice(1)}: install a later one, or run npm ci without --omit=optional, which brings its own.`;
}

const problem = nodeProblem(process.version);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
