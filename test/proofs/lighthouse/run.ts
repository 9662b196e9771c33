import "../../../src/cli/node-version";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { CHROMIUM, signIn } from "../../browser/chromium";
import { cleanUp, temporaryDirectory } from "../../cli/terminal";
import { startDev } from "../../commands/server";
import { freePort } from "../../free-port";
import { installTools } from "../../install-tools";

// Lighthouse checks pages of the demo workspace, as a phone on a slow network would load them. Performance depends on the
// machine, so this is a command of its own and no part of the tests.

const HERE = fileURLToPath(new URL(".", import.meta.url));
const MIN_SCORE = 95;
const MAX_MS = 300_000;
const CATEGORIES = ["performance", "accessibility", "best-practices"] as const;

interface Audit {
  title: string;
  score: number | null;
  displayValue?: string;
}

interface Result {
  lhr: {
    finalDisplayedUrl: string;
    runtimeError?: { code: string; message: string };
    categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
    audits: Record<string, Audit>;
  };
}

type Lighthouse = (url: string, flags: object, config?: object) => Promise<Result | undefined>;

/** What keeps a category from 100. */
function lost({ categories, audits }: Result["lhr"], name: string): string[] {
  const refs = categories[name]?.auditRefs ?? [];
  return refs.flatMap(({ id, weight }) => {
    const audit = audits[id];
    if (audit === undefined || weight === 0 || audit.score === null || audit.score === 1) return [];
    return [`      ${audit.title} ${audit.displayValue ?? ""}`];
  });
}

let failed = 0;
const timer = setTimeout(() => {
  console.error(`FAILED  not done after ${MAX_MS / 1000} s`);
  cleanUp();
  process.exit(1);
}, MAX_MS);
try {
  await installTools(HERE);
  const module = join(HERE, "node_modules", "lighthouse", "core", "index.js");
  const { default: lighthouse }: { default: Lighthouse } = await import(module);
  const state = temporaryDirectory();
  const { greeting } = await startDev(await freePort(), state);
  const port = await freePort();
  // Lighthouse opens a tab of the browser's own profile, which must have the session.
  const context = await chromium.launchPersistentContext(temporaryDirectory(), {
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-dev-shm-usage", `--remote-debugging-port=${port}`],
  });
  try {
    const page = await context.newPage();
    await signIn(page, greeting.web);
    const base = new URL(page.url()).origin;
    await page.goto(`${base}/app/demo/links`);
    const link = (await page.locator("main table a[href*='/links/0']").first().getAttribute("href")) ?? "";
    for (const path of ["/app/demo", "/app/demo/links", link]) {
      const flags = { port, disableStorageReset: true, onlyCategories: CATEGORIES, logLevel: "error" };
      const result = await lighthouse(`${base}${path}`, flags);
      if (result === undefined) throw new Error(`Lighthouse has no result for ${path}.`);
      const { lhr } = result;
      if (lhr.runtimeError !== undefined) throw new Error(`${path}: ${lhr.runtimeError.message}`);
      if (new URL(lhr.finalDisplayedUrl).pathname !== path)
        throw new Error(`${path} led to ${lhr.finalDisplayedUrl}.`);
      for (const category of CATEGORIES) {
        const score = Math.round((lhr.categories[category]?.score ?? 0) * 100);
        const isGood = score >= MIN_SCORE;
        if (!isGood) failed++;
        console.log(`${isGood ? "ok    " : "FAILED"}  ${path}: ${category} ${score}`);
        for (const line of lost(lhr, category)) console.log(line);
      }
    }
  } finally {
    await context.close();
  }
} finally {
  clearTimeout(timer);
  cleanUp();
}
process.exitCode = failed === 0 ? 0 : 1;
