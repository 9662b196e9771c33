import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { OPERATIONS } from "./bodies";

// The dearest bodies of each operation are refused after little work. `npm run bench:bodies` measures what they cost.

const MAX_FAILURES = 100;
/** Ten rules have 900 countries, devices and languages, and an update is read twice: before its link is known, and beside it. */
const MAX_ISSUES = 1_800;
const MAX_ANSWER_BYTES = 256 * 1024;

let ws: TestWorkspace;
let ids: Record<string, string>;

/** How many issues are made, of which each costs a message. */
let issues = 0;

beforeAll(async () => {
  ws = await makeWorkspace();
  ids = { ":link": (await ws.link()).id, ":tag": (await ws.tag()).id };
  const { customError } = z.config();
  z.config({
    customError: (issue) => {
      issues++;
      return customError?.(issue);
    },
  });
});

const filled = (text: string): string =>
  Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(name, id), text);

it.each(Object.entries(OPERATIONS))("%s looks at few items of its dearest bodies", async (_, operation) => {
  const { method, path, bodies } = operation;
  const found: Record<string, unknown> = {};
  for (const [name, body] of Object.entries(bodies)) {
    issues = 0;
    const answer = await ws.call(method, `/api/v1${filled(path)}`, {
      raw: filled(body).replaceAll(":n", crypto.randomUUID()),
      headers: { prefer: "handling=strict" },
    });
    const failures = Object.keys(answer.body.errors ?? {}).length;
    const isLittle =
      answer.status < 500 &&
      failures <= MAX_FAILURES &&
      issues <= MAX_ISSUES &&
      answer.text.length <= MAX_ANSWER_BYTES;
    if (!isLittle) found[name] = { status: answer.status, failures, issues, characters: answer.text.length };
  }
  expect(found).toEqual({});
});
