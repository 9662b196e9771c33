import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp, DOCUMENTS, plainEnvironment, start, temporaryDirectory } from "../cli/terminal";
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

/** Why the programs of a language cannot run on this machine, for the names of the tests that are skipped. */
const missing = spawnSync("python3", ["--version"]).status === 0 ? "" : "python3 is not installed";
const LANGUAGES = Object.keys(RUN).map((label) => ({
  label,
  reason: label === "Python" && missing !== "" ? ` (skipped: ${missing})` : "",
}));
/** A test for each language. One that cannot run is skipped, with the reason in its name. */
function eachLanguage(title: string, test: (label: string) => Promise<void>): void {
  for (const { label, reason } of LANGUAGES)
    it.skipIf(reason !== "")(`in ${label} ${title}${reason}`, () => test(label));
}

const nameOf = ({ operationId, label }: Example): string => `${operationId} in ${label}`;

async function run({ label, source }: Pick<Example, "label" | "source">, key: string, base = service.base) {
  const [command, args] = RUN[label]?.(source) ?? [label, []];
  const env = plainEnvironment({ KEY: key, API: `${base}/api/v1` });
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
  eachLanguage("are 13, and run unchanged, in any order and repeatedly", async (label) => {
    const own = examples.filter((example) => example.label === label);
    expect(own).toHaveLength(13);
    rmSync(join(files, "summer.png"), { force: true });
    for (const example of [...own.toReversed(), ...own]) {
      expect(`${nameOf(example)} ${await statusOf(example)}`).toBe(`${nameOf(example)} ${example.promised}`);
    }
    expect(readFileSync(join(files, "summer.png")).subarray(1, 4).toString()).toBe("PNG");
  });

  eachLanguage("show the status and body of a refused request", async (label) => {
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

const FENCES: Readonly<Record<string, string>> = { curl: "sh", JavaScript: "js", Python: "python" };
const CLIENT = "A small client";

/** What an example of the reference shows, by its heading. */
const SHOWS: Readonly<Record<string, RegExp>> = {
  "A first link": /http:\/\/localhost:\d+\/[a-z2-9]{7}\b/,
  Errors: /The slug has already been taken\.[\s\S]*taken[\s\S]*0[\dA-Z]{25}/,
  Retries: /\b(0[\dA-Z]{25})\b[\s\S]*\b\1\b/,
  "Concurrent changes": /Link updated successfully\.[\s\S]*Flyer, second print/,
  "Your own keys": /Link (?:created|updated) successfully\.[\s\S]*http:\/\/localhost:\d+\/\w/,
  Lists: /summer[\s\S]*summer-flyer/,
  Tags: /Window display/,
  Campaigns: /Summer 2026[\s\S]*summer_2026[\s\S]*inherited/,
  "QR codes": /^image\/png\n$/,
  "Start and end": /2027-06-01T06:00:00\.000Z[\s\S]*2027-06-03T16:00:00\.000Z/,
  Rules: /apps\.apple\.com[\s\S]*play\.google\.com/,
};

/** The blocks of a language in the reference, by their headings. */
const blocksIn = (label: string): Map<string, string[]> =>
  new Map(
    (DOCUMENTS["src/docs/reference.md"] ?? "").split(/^## /m).map((part) => {
      const fence = new RegExp(`^\`\`\`${FENCES[label]}\\n([\\s\\S]*?)^\`\`\``, "gm");
      return [
        part.slice(0, part.indexOf("\n")),
        Array.from(part.matchAll(fence), ([, source = ""]) => source),
      ];
    }),
  );

/** Saves the reference's client beside the examples. */
function saveClient(label: string): void {
  const [source] = blocksIn(label).get(CLIENT) ?? [];
  if (source !== undefined) saved(label === "Python" ? "api.py" : "api.mjs", source);
}

describe("the examples of the reference", () => {
  eachLanguage("run unchanged and repeatedly, one under each heading", async (label) => {
    saveClient(label);
    const blocks = blocksIn(label);
    for (const [heading, shows] of Object.entries(SHOWS)) {
      expect(blocks.get(heading), heading).toHaveLength(1);
      const source = blocks.get(heading)?.[0] ?? "";
      for (const attempt of ["first", "second"]) {
        const { code, out, err } = await run({ label, source }, service.key);
        expect({ code, err }, `${heading}, ${attempt}\n${out}`).toEqual({ code: 0, err: "" });
        expect(out, `${heading}, ${attempt}`).toMatch(shows);
      }
      blocks.delete(heading);
    }
    expect(readFileSync(join(files, "code.png")).subarray(1, 4).toString()).toBe("PNG");
    // The variables stand before the first heading.
    const left = [...blocks].filter(([heading, sources]) => sources.length > 0 && heading !== CLIENT);
    expect(left.map(([heading]) => heading)).toEqual(label === "curl" ? ["# API reference"] : []);
  });

  for (const { label, reason } of LANGUAGES.slice(1)) {
    it.skipIf(reason !== "")(`in ${label} repeat a request with its Idempotency-Key${reason}`, async () => {
      saveClient(label);
      const seen: IncomingMessage["headers"][] = [];
      const busy = createServer((request, response) => {
        seen.push(request.headers);
        const isBusy = seen.length < 3;
        response.writeHead(isBusy ? 503 : 201, { "content-type": "application/json", "retry-after": "0" });
        response.end(JSON.stringify(isBusy ? { message: "Busy." } : { link: { short_url: "https://made" } }));
      });
      await new Promise<void>((resolve) => busy.listen(0, "localhost", resolve));
      const source =
        label === "Python"
          ? 'from api import call\nprint(call("POST", "links", {})["link"])'
          : 'import { call } from "./api.mjs";\nconsole.log((await call("POST", "links", {})).link);';
      const base = `http://localhost:${(busy.address() as AddressInfo).port}`;
      const { code, out, err } = await run({ label, source }, service.key, base);
      busy.close();
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toContain("https://made");
      expect(seen).toHaveLength(3);
      expect(new Set(seen.map((headers) => headers["idempotency-key"])).size).toBe(1);
    });
  }
});

it("the recipe for deployments gives each version its short link, and moves the one of the latest", async () => {
  const [, part = ""] = (DOCUMENTS["src/docs/recipes.md"] ?? "").split("## Every deployment its short links");
  const [script = "", calls = ""] = Array.from(
    part.matchAll(/^```sh\n([\s\S]*?)^```/gm),
    ([, block = ""]) => block,
  );
  saved("short-links.sh", script);
  for (const attempt of ["first", "second"]) {
    const { code, out, err } = await run({ label: "curl", source: calls }, service.key);
    expect({ code, err }, `${attempt}\n${out}`).toEqual({ code: 0, err: "" });
    for (const [slug, version] of [
      ["docs-1-4", "1.4"],
      ["docs-1-5", "1.5"],
      ["docs-latest", "1.5"],
    ]) {
      expect(out).toContain(`"short_url":"${service.base}/${slug}"`);
      const visit = await fetch(`${service.base}/${slug}`, { redirect: "manual" });
      expect(visit.headers.get("location"), slug).toBe(`https://docs.example.com/${version}/`);
    }
  }
});
