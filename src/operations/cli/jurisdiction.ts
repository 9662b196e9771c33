/** Where D1 may keep its data: in the European Union alone, or anywhere. It can only be given at creation. */
export const JURISDICTIONS = ["eu", "none"] as const;

export type Jurisdiction = (typeof JURISDICTIONS)[number];

/** The variable of a saved deployment that has its jurisdiction, if that is not "none". */
export const JURISDICTION_VARIABLE = "D1_JURISDICTION";

const QUESTION =
  'Where may the database keep its data? Type "eu" for the European Union alone, or press Enter for anywhere. It cannot be changed later, and KV keeps copies of destinations everywhere all the same: ';

export const isJurisdiction = (text: unknown): text is Jurisdiction =>
  JURISDICTIONS.some((jurisdiction) => jurisdiction === text);

/** Asks until the answer is valid. */
export async function askForJurisdiction(ask: (question: string) => Promise<string>): Promise<Jurisdiction> {
  const answer = (await ask(QUESTION)).trim().toLowerCase() || "none";
  return isJurisdiction(answer)
    ? answer
    : askForJurisdiction((question) => ask(`"${answer}" is neither. ${question}`));
}

/** Throws if an existing database is not where its data has to be. */
export function assertJurisdiction(wanted: Jurisdiction | undefined, name: string, actual: unknown): void {
  if (wanted !== "eu" || actual === wanted) return;
  throw new Error(
    `The D1 database ${name} exists and does not have the jurisdiction eu, which can only be given at creation. Nothing was changed. Give database_name in wrangler.toml another name, deploy with --adopt --jurisdiction eu, and restore a backup into the new database. To go on with this one: --jurisdiction none.`,
  );
}
