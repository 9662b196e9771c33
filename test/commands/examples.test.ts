import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp, plainEnvironment, start, temporaryDirectory } from "../operations/cli/terminal";
import { type Service, startService } from "../service/start";

interface Example {
  operationId: string;
  label: string;
  source: string;
  /** The documented 2xx status. */
  promised: string;
}

interface Described {
  paths: Record<string, Record<string, { operationId: string; responses: object } & Samples>>;
}
interface Samples {
  "x-codeSamples"?: { label: string; source: string }[];
}

let service: Service;
let examples: Example[];
const files = temporaryDirectory();

beforeAll(async () => {
  service = await startService();
  const described = (await (await fetch(`${service.base}/api/v1/openapi.json`)).json()) as Described;
  examples = Object.values(described.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, responses, "x-codeSamples": samples = [] }) =>
      samples.map((sample) => ({
        operationId,
        ...sample,
        promised: Object.keys(responses).find((status) => status.startsWith("2")) ?? "",
      })),
    );
});
afterAll(async () => {
  await service?.stop();
  cleanUp();
});

/** How the source of each language is run, as the document says. */
const RUN: Readonly<Record<string, (source: string) => readonly [string, readonly string[]]>> = {
  curl: (source) => ["bash", ["-euo", "pipefail", "-c", source]],
  JavaScript: (source) => ["node", [saved("example.mjs", source)]],
  Python: (source) => ["python3", [saved("example.py", source)]],
};

function saved(name: string, source: string): string {
  writeFileSync(join(files, name), source);
  return name;
}

const nameOf = ({ operationId, label }: Example): string => `${operationId} in ${label}`;

async function run({ label, source }: Example, key: string) {
  const [command, args] = RUN[label]?.(source) ?? [label, []];
  const env = plainEnvironment({ KEY: key, API: `${service.base}/api/v1` });
  return await start(command, args, { cwd: files, env }).ended;
}

/** The status in a program's output: before the headers, before the body, or alone on a line. */
const shownIn = (out: string): string[] =>
  Array.from(out.matchAll(/^(?:HTTP\/1\.1 )?(\d{3})\b/gm), ([, status = ""]) => status);

/** The status in an example's output. Fails if anything else went wrong. */
async function statusOf(example: Example): Promise<string> {
  const { code, out, err } = await run(example, service.key);
  expect({ code, err }, `${nameOf(example)}\n${out}`).toEqual({ code: 0, err: "" });
  const shown = shownIn(out);
  expect(shown, `${nameOf(example)}\n${out}`).toHaveLength(1);
  return shown[0] ?? "";
}

describe("the examples of the API's description", () => {
  it.each(Object.keys(RUN))("in %s are 13, and run unchanged, in any order and repeatedly", async (label) => {
    const own = examples.filter((example) => example.label === label);
    expect(own).toHaveLength(13);
    rmSync(join(files, "summer.png"), { force: true });
    for (const example of [...own.toReversed(), ...own]) {
      expect(`${nameOf(example)} ${await statusOf(example)}`).toBe(`${nameOf(example)} ${example.promised}`);
    }
    expect(readFileSync(join(files, "summer.png")).subarray(1, 4).toString()).toBe("PNG");
  });

  it.each(Object.keys(RUN))("in %s show the status and body of a refused request", async (label) => {
    const example = examples.find((each) => each.label === label && each.operationId === "listTags");
    if (example === undefined) throw new Error(`There is no example in ${label}.`);
    const { code, out, err } = await run(example, "lnk_no-key-of-this-service");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(shownIn(out)).toEqual(["401"]);
    expect(out).toContain('{"message":"Unauthenticated."}');
  });

  it("are on the page of the API reference, with all files of the page", async () => {
    const page = await fetch(`${service.base}/docs/api`);
    expect(page.status).toBe(200);
    const html = await page.text();
    const files = Array.from(html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g), ([, file]) => file);
    expect(files).toHaveLength(4);
    for (const file of files) expect((await fetch(`${service.base}${file}`)).status, file).toBe(200);
  });
});
