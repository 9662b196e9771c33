import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { plainEnvironment, ROOT, start, temporaryDirectory } from "../../cli/terminal";
import { FROM_SOURCE } from "../fake-http";

interface ActionStep {
  id?: string;
  shell: string;
  env: Record<string, string>;
  run: string;
}

export interface Action {
  inputs: Record<string, { required?: boolean; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: ActionStep[] };
}

const FOLDER = join(ROOT, "src/client/action");
export const action = parse(readFileSync(join(FOLDER, "action.yml"), "utf8")) as Action;

const EXPRESSION = /\$\{\{ ([\w.-]+) \}\}/g;

const fill = (text: string, lookUp: (name: string) => string): string =>
  text.replaceAll(EXPRESSION, (_, name: string) => lookUp(name));

/** The outputs in a file of GitHub: `name=value`, or `name<<end` with lines up to the end. */
function parseOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, name = "", end] = /^([\w-]+)<<(.+)$/.exec(line) ?? [];
    if (end !== undefined)
      outputs[name] = lines
        .splice(0, lines.indexOf(end) + 1)
        .slice(0, -1)
        .join("\n");
    else if (line !== "") outputs[line.slice(0, line.indexOf("="))] = line.slice(line.indexOf("=") + 1);
  }
  return outputs;
}

export interface Job {
  /** The exit code of the first step that failed, or 0. */
  code: number | null;
  log: string;
  summary: string;
  outputs: Record<string, string>;
  /** What the steps added to the PATH of later steps. */
  path: string;
}

/** A checkout of a project that has the command among its own packages. */
export function makeProject(files: Readonly<Record<string, string>>): string {
  const project = temporaryDirectory();
  const bin = join(project, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  const words = [process.execPath, ...FROM_SOURCE].map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "waymark"), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bin, "waymark"), 0o755);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  return project;
}

/** Runs the steps as a runner of GitHub does. */
export async function runAction(project: string, given: Record<string, string>): Promise<Job> {
  const temporary = temporaryDirectory();
  const fileOf = (name: string): string => {
    const path = join(temporary, name);
    writeFileSync(path, "");
    return path;
  };
  const [paths, summary] = [fileOf("path"), fileOf("summary")];
  const outputs = new Map<string, Record<string, string>>();
  const lookUp = (path: string): string => {
    const [, input] = /^inputs\.([\w-]+)$/.exec(path) ?? [];
    if (input !== undefined) return given[input] ?? action.inputs[input]?.default ?? "";
    const [, id = "", name = ""] = /^steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(path) ?? [];
    return outputs.get(id)?.[name] ?? "";
  };
  let [code, log]: [number | null, string] = [0, ""];
  for (const [index, step] of action.runs.steps.entries()) {
    const output = fileOf(`output-${index}`);
    const values = Object.entries(step.env).map(([name, text]) => [name, fill(text, lookUp)]);
    const added = readFileSync(paths, "utf8").split("\n").filter(Boolean).reverse();
    const env = plainEnvironment({
      ...Object.fromEntries(values),
      PATH: [...added, process.env["PATH"]].join(":"),
      RUNNER_TEMP: temporary,
      GITHUB_PATH: paths,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
    });
    writeFileSync(join(temporary, "step.sh"), step.run);
    const shell = ["--noprofile", "--norc", "-eo", "pipefail", join(temporary, "step.sh")];
    const ended = await start("bash", shell, { cwd: project, env }).ended;
    code = ended.code;
    log += ended.out + ended.err;
    if (step.id !== undefined) outputs.set(step.id, parseOutputs(readFileSync(output, "utf8")));
    if (code !== 0) break;
  }
  const results = Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value, lookUp)]);
  const [said, path] = [readFileSync(summary, "utf8"), readFileSync(paths, "utf8")];
  return { code, log, summary: said, outputs: Object.fromEntries(results), path };
}
