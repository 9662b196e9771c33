import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { sleep } from "../../lib/sleep";
import { print, run } from "./run";
import { smoke } from "./smoke-steps";

const TIMEOUT_MS = 30_000;
const OPTIONS = { url: { type: "string" }, key: { type: "string" } } as const;

await run(async () => {
  const { url = "", key = process.env["WAYMARK_KEY"] } = parseArgs({ options: OPTIONS }).values;
  if (!/^https?:\/\/./.test(url) || !key)
    throw new Error('Usage: npm run smoke -- --url https://links.example.com --key "$KEY"');
  const slug = `smoke-${randomBytes(4).toString("hex")}`;
  const base = new URL(url).origin;
  const problems = await smoke({ base, key, slug, timeoutMs: TIMEOUT_MS, now: Date.now, sleep, print });
  print(problems.length === 0 ? "Nothing is wrong." : ["What is wrong:", ...problems].join("\n- "));
  if (problems.length > 0) process.exitCode = 1;
});
