import { type Ask, askForOneOf } from "./choice";

/** Where D1 and KV may keep their data: in the European Union or the United States alone, or anywhere. */
export const JURISDICTIONS = ["eu", "us", "none"] as const;
/** Where a database without a jurisdiction lies; "none" is near the machine that creates it. */
export const LOCATIONS = ["weur", "eeur", "apac", "oc", "wnam", "enam", "none"] as const;

export type Jurisdiction = (typeof JURISDICTIONS)[number];
export type Location = (typeof LOCATIONS)[number];

/** The variable of a saved deployment that has its jurisdiction, if that is not "none". */
export const JURISDICTION_VARIABLE = "D1_JURISDICTION";

const QUESTION =
  'Where may the database and the namespace keep their data? Type "eu" for the European Union alone, "us" for the United States alone, or press Enter for anywhere. It cannot be changed later, and KV may cache destinations everywhere all the same: ';
const LOCATION_QUESTION =
  "Near whom shall the database be? Type weur or eeur (Western or Eastern Europe), apac (Asia and the Pacific), oc (Oceania), wnam or enam (Western or Eastern North America), or press Enter for near this machine. It cannot be changed later: ";

export const NO_LOCATION =
  "Without --location the database lies near the machine that runs this command, in CI somewhere.";

export const askForJurisdiction = (ask: Ask) => askForOneOf(ask, QUESTION, JURISDICTIONS, "none");
export const askForLocation = (ask: Ask) => askForOneOf(ask, LOCATION_QUESTION, LOCATIONS, "none");

/** Throws with advice if what exists is not where its data has to be. */
export function assertJurisdiction(wanted: unknown, actual: unknown, resource: string, advice: string): void {
  if (wanted === undefined || wanted === "none" || actual === wanted) return;
  throw new Error(
    `The ${resource} exists and does not have the jurisdiction ${wanted}, which can only be given at creation. ${advice}`,
  );
}

export const adviceForDatabase = (wanted: unknown): string =>
  `Nothing was changed. Give database_name in wrangler.toml another name, deploy with --adopt --jurisdiction ${wanted}, and restore a backup into the new database. To go on with this one: --jurisdiction none.`;

export const ADVICE_FOR_NAMESPACE =
  "Nothing was changed. It is a cache: delete it, if no Worker uses it any more, and deploy again, or create another one and give its id in wrangler.toml.";
