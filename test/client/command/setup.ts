import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../../src/client/command/command-type";
import { LINK_COLUMNS } from "../../../src/client/command/link-fields";
import { main } from "../../../src/client/command/main";
import { type FakeService, fakeService } from "../fake-service";

/** The cells of the one line of `waymark links list`, by column. */
export function listed(line: string): Record<string, string | undefined> {
  const cells = line.replace(/\n$/, "").split("\t");
  return Object.fromEntries(LINK_COLUMNS.map((name, index) => [name, cells[index]]));
}

export interface Ended {
  code: number;
  out: string;
  err: string;
}

export interface Conditions {
  env?: Record<string, string | undefined>;
  /** True if both outputs are a terminal. */
  isTerminal?: boolean;
  columns?: number;
  /** The number of lines after which nobody reads standard output any more. */
  linesRead?: number;
  /** Aborts when an interrupt comes. */
  interrupt?: AbortController;
}

export interface Shell {
  service: FakeService;
  /** Runs a command line in this process. */
  run(...argv: string[]): Promise<Ended>;
  runUnder(conditions: Conditions, ...argv: string[]): Promise<Ended>;
  /** The JSON that a command prints. Fails unless it succeeded. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any result
  json(...argv: string[]): Promise<any>;
  /** A path in a directory of the test's own. */
  path(name: string): string;
  write(name: string, content: string | Uint8Array): string;
  read(name: string): string;
}

const directories: string[] = [];

export function cleanUp(): void {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
}

/** A shell whose environment has the address and key of a service. */
export function shell(service: FakeService = fakeService()): Shell {
  const directory = mkdtempSync(join(tmpdir(), "waymark-command-"));
  directories.push(directory);

  async function runUnder(conditions: Conditions, ...argv: string[]): Promise<Ended> {
    const { env = {}, isTerminal = false, columns = 80, linesRead = Number.POSITIVE_INFINITY } = conditions;
    const said = { out: "", err: "" };
    const output = (name: "out" | "err", mostLines: number) => ({
      isTerminal,
      columns,
      write: (content: string | Uint8Array) => {
        said[name] += typeof content === "string" ? content : new TextDecoder().decode(content);
        return said[name].split("\n").length - 1 < mostLines;
      },
    });
    const interrupt = conditions.interrupt ?? new AbortController();
    const io: Io = {
      argv,
      env: { WAYMARK_URL: service.url, WAYMARK_KEY: service.key, ...env },
      stdout: output("out", linesRead),
      stderr: output("err", Number.POSITIVE_INFINITY),
      fetch: service.fetch,
      interruptible: (work) => work(interrupt.signal),
    };
    return { code: await main(io), ...said };
  }

  const run = (...argv: string[]) => runUnder({}, ...argv);
  return {
    service,
    run,
    runUnder,
    async json(...argv) {
      const { code, out, err } = await run(...argv, "--json");
      if (code !== 0) throw new Error(`exit ${code}: ${out}${err}`);
      return JSON.parse(out);
    },
    path: (name) => join(directory, name),
    write(name, content) {
      writeFileSync(join(directory, name), content);
      return join(directory, name);
    },
    read: (name) => readFileSync(join(directory, name), "utf8"),
  };
}

/** Puts copies of the first link beside it. */
export function addCopies({ state }: FakeService, count: number): void {
  const [link] = state.links;
  if (link === undefined) throw new Error("There is no link to copy.");
  for (let number = 0; number < count; number++) {
    const slug = `copy-${number}`;
    const id = `01JY${String(number).padStart(22, "0")}`;
    state.links.push({ ...link, id, slug, short_url: link.short_url.replace(link.slug, slug) });
    state.slugs.set(slug, id);
  }
}

export const DESTINATION = "https://www.example.com/sale";

/** The words of a command line without quotes. */
export const words = (line: string): string[] => line.split(" ");
