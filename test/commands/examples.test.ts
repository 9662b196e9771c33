import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { cleanUp, freePort, temporaryDirectory } from "../cli/terminal";
import { type Greeting, sh, startDev } from "./server";

// A server takes seconds to start, and longer on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

interface Example {
  operationId: string;
  source: string;
  /** The documented 2xx status. */
  promised: string;
}

interface Described {
  paths: Record<string, Record<string, { operationId: string; responses: object } & Samples>>;
}
interface Samples {
  "x-codeSamples"?: { source: string }[];
}

let greeting: Greeting;
let examples: Example[];
const files = temporaryDirectory();

beforeAll(async () => {
  ({ greeting } = await startDev(await freePort(), temporaryDirectory()));
  const described = (await (await fetch(`${greeting.base}/api/v1/openapi.json`)).json()) as Described;
  examples = Object.values(described.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, responses, "x-codeSamples": samples = [] }) => ({
      operationId,
      source: samples[0]?.source ?? "",
      promised: Object.keys(responses).find((status) => status.startsWith("2")) ?? "",
    }));
});
afterAll(cleanUp);

/** The status in an example's output: in printed headers, or alone on a line. */
async function statusOf({ operationId, source }: Example): Promise<string> {
  const script = `KEY=${greeting.key}\nAPI=${greeting.base}/api/v1\n${source}\n`;
  const { code, out, err } = await sh(script, files);
  expect({ code, err }, `${operationId}\n${out}`).toEqual({ code: 0, err: "" });
  const shown = Array.from(out.matchAll(/^(?:HTTP\/1\.1 )?(\d{3})\b/gm), ([, status]) => status);
  expect(shown, `${operationId}\n${out}`).toHaveLength(1);
  return shown[0] ?? "";
}

describe("the examples of the API's description, on npm run dev", () => {
  it("are 13, and run as they stand, in any order, and again", async () => {
    expect(examples).toHaveLength(13);
    for (const example of [...examples.toReversed(), ...examples]) {
      expect(`${example.operationId} ${await statusOf(example)}`).toBe(
        `${example.operationId} ${example.promised}`,
      );
    }
    expect(readFileSync(join(files, "summer.png")).subarray(1, 4).toString()).toBe("PNG");
  });

  it("are on the page that describes it, whose files it serves", async () => {
    expect(greeting.text).toContain(`described at ${greeting.base}/docs`);
    const page = await fetch(`${greeting.base}/docs/api`);
    expect(page.status).toBe(200);
    const html = await page.text();
    const files = Array.from(html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g), ([, file]) => file);
    expect(files).toHaveLength(4);
    for (const file of files) expect((await fetch(`${greeting.base}${file}`)).status, file).toBe(200);
  });
});
