import type { Unstable_RawConfig } from "wrangler";
import { type Ask, askForOneOf } from "./choice";

/** The account's plan of Workers, which says how much a job may ask of D1 and how large the database may be. */
export const PLANS = ["free", "paid"] as const;
export const PLAN_VARIABLE = "CLOUDFLARE_PLAN";

const QUESTION =
  'Which plan of Workers has the account? Type "paid", or press Enter for the free one, with which creations end at 475 MB: ';
const UNKNOWN =
  "The plan of the account is not known, so the limits of the free one hold: creations end at 475 MB. With the paid one: npm run deploy -- --plan paid.";

const planIn = (config: Unstable_RawConfig | undefined): string =>
  String(config?.vars?.[PLAN_VARIABLE] ?? "").trim();

/** Finds the plan in wrangler.toml, the command line or the last deployment, in this order, or asks. Throws if the first two differ. */
export async function resolvePlan(
  given: string | undefined,
  config: Unstable_RawConfig,
  lastConfig: Unstable_RawConfig | undefined,
  { ask, print }: { ask: Ask | undefined; print: (line: string) => void },
): Promise<string> {
  const inConfig = planIn(config);
  if (given !== undefined && inConfig !== "" && given !== inConfig)
    throw new Error(
      `--plan is ${given}, but wrangler.toml says ${PLAN_VARIABLE} = "${inConfig}", which counts: change it there, or empty it. Nothing was changed.`,
    );
  const known = inConfig || given || planIn(lastConfig);
  if (known !== "") return known;
  if (ask !== undefined) return askForOneOf(ask, QUESTION, PLANS, "free");
  print(UNKNOWN);
  return "";
}
