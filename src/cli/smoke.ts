import "./node-version";
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { sleep } from "../lib/sleep";
import { print, run } from "./run";
import { smoke } from "./smoke-steps";

const TIMEOUT_MS = 30_000;
const USAGE = "Usage: npm run smoke -- --url https://links.example.com, with a key in WAYMARK_KEY";
const OPTIONS = { url: { type: "string" }, key: { type: "string" } } as const;

await run(async () => {
  const { url = "", key = process.env["WAYMARK_KEY"] } = parseArgs({ options: OPTIONS }).values;
  if (!/^https?:\/\/./.test(url)) throw new Error(`--url is the address, with https:// before it.\n${USAGE}`);
  if (!key) throw new Error(`The key is missing: set WAYMARK_KEY, or give --key.\n${USAGE}`);
  const slug = `smoke-${randomBytes(4).toString("hex")}`;
  const base = new URL(url).origin;
  const problems = await smoke({ base, key, slug, timeoutMs: TIMEOUT_MS, now: Date.now, sleep, print });
  print(problems.length === 0 ? "Nothing is wrong." : ["What is wrong:", ...problems].join("\n- "));
  if (problems.length > 0) process.exitCode = 1;
});
