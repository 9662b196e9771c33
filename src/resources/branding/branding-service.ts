import { auditEntry, type WorkspaceContext } from "../../context";
import { assertFound, retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import { destinationHost, hostOrNull } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import { settingsKey } from "../../lib/slug-text";
import type { CachedBrand } from "../../redirect/slugs/cache";
import { writeToKv } from "../../redirect/slugs/kv-writer";
import { toCacheEntry } from "../../redirect/slugs/lookup";
import { markSettings } from "../../redirect/slugs/statements/marks";
import { selectTarget } from "../../redirect/slugs/statements/targets";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { checkHosts, hostProblem, toRefusedHosts } from "../destinations/hosts";
import {
  type BrandingRow,
  ensureBrandingUnchanged,
  selectBranding,
  updateBranding,
} from "./branding-repository";
import { type ChangedBranding, OWN_PAGES, SENTENCE_FIELDS } from "./branding-schema";
import { describeLogo, readLogo } from "./logo";

type Texts = Partial<Record<(typeof OWN_PAGES)[number], Record<string, string>>>;
type Fields = Record<(typeof SENTENCE_FIELDS)[number] | "button_label" | "button_url", string | null>;

/** The fields of the form, by the stored texts and button. */
function toFields({ page_texts, button_label, button_url }: BrandingRow): Fields {
  const texts: Texts = JSON.parse(page_texts ?? "{}");
  const ownTexts = OWN_PAGES.flatMap((page) =>
    Object.entries(texts[page] ?? {}).map(([language, sentence]) => [`${page}_${language}`, sentence]),
  );
  const none = Object.fromEntries(SENTENCE_FIELDS.map((name) => [name, null]));
  return { ...none, ...Object.fromEntries(ownTexts), button_label, button_url } as Fields;
}

/** The texts as JSON, null without any. */
function toTexts(fields: Fields): string | null {
  const texts: Texts = {};
  for (const name of SENTENCE_FIELDS) {
    const [page, language = ""] = name.split("_") as [(typeof OWN_PAGES)[number], string?];
    const sentence = fields[name];
    if (sentence !== null) texts[page] = { ...texts[page], [language]: sentence };
  }
  return Object.keys(texts).length === 0 ? null : JSON.stringify(texts);
}

async function getRow({ db, workspace }: WorkspaceContext): Promise<BrandingRow> {
  const [[row]] = await db.read(selectBranding(workspace.rowId));
  return assertFound(row, "Workspace");
}

export async function getBranding(ctx: WorkspaceContext) {
  const row = await getRow(ctx);
  return { fields: toFields(row), logo: describeLogo(row.logo) };
}

/** What is saved, as pages for visitors show it; null if that is nothing. */
export async function getPageBrand({ db, workspace, now }: WorkspaceContext): Promise<CachedBrand | null> {
  const [[row]] = await db.read(selectTarget(settingsKey("workspace", workspace.rowId)));
  return toCacheEntry(assertFound(row, "Workspace"), now()).brand ?? null;
}

/** Writes a change of the row that was read, with the settings that pages for visitors read. */
async function write(
  ctx: WorkspaceContext,
  was: Partial<BrandingRow>,
  fields: Partial<BrandingRow>,
  said: { before: object; change: object },
): Promise<void> {
  const { rowId, id } = ctx.workspace;
  const at = ctx.now();
  const key = settingsKey("workspace", rowId);
  const [settings] = await ctx.db.write(
    {
      ...auditEntry(ctx, "workspace.update", id, at),
      before: JSON.stringify(said.before),
      change: said.change,
      guards: [ensureBrandingUnchanged(rowId, was)],
    },
    [updateBranding(rowId, fields, at), markSettings(key, rowId, at)],
    selectTarget(key),
  );
  await writeToKv(ctx, settings, at);
}

const buttonProblem = ({ button_label: label, button_url: url }: Fields): Failure | undefined => {
  if ((label === null) === (url === null)) return undefined;
  return label === null
    ? { field: "button_label", message: "The button needs a label.", code: "required" }
    : { field: "button_url", message: "The button needs an address.", code: "required" };
};

/** A page for visitors, without its logo. */
const MAX_PAGE_BYTES = 6 * 1024;
/** What such a page has beside a sentence and the button, with the longest name. */
export const MAX_FRAME_BYTES = 2_244;
/** The longest sentence that stands where a workspace has none of its own. */
export const MAX_DEFAULT_SENTENCE_BYTES = 150;

/** The bytes of a text in HTML, where these five characters take five each. */
const bytesInPage = (text: string | null): number =>
  new TextEncoder().encode(text ?? "").length + 4 * (text?.match(/[&<>"']/g)?.length ?? 0);

function sizeProblem(fields: Fields): Failure | undefined {
  const own = SENTENCE_FIELDS.map((name) => bytesInPage(fields[name]));
  const longest = Math.max(MAX_DEFAULT_SENTENCE_BYTES, ...own);
  const bytes = MAX_FRAME_BYTES + longest + bytesInPage(fields.button_label) + bytesInPage(fields.button_url);
  if (bytes <= MAX_PAGE_BYTES) return undefined;
  const message = "The button's address is too long for a page of 6 KB: shorten it.";
  return { field: "button_url", message, code: "too_long" };
}

/** Changes the sentences and the button. The address obeys the rules of destinations. */
export async function changeBranding(ctx: WorkspaceContext, input: ChangedBranding): Promise<void> {
  const { button_url: url = null } = input;
  const hosts = url === null ? [] : [destinationHost(url)];
  const [[refused], checks] = await Promise.all([
    ctx.db.read(selectRefusedHosts(hosts)),
    checkHosts(ctx.config, hosts),
  ]);
  return retryLostRaces(async () => {
    const row = await getRow(ctx);
    const was = toFields(row);
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    const next: Fields = { ...was, ...Object.fromEntries(given) };
    const changed = Object.keys(next).filter(
      (name) => next[name as keyof Fields] !== was[name as keyof Fields],
    );
    if (changed.length === 0) return;
    assertNone([
      buttonProblem(next),
      sizeProblem(next),
      next.button_url === was.button_url
        ? undefined
        : hostProblem(ctx, "button_url", url, toRefusedHosts(refused, checks)),
    ]);
    const { logo: _, ...before } = row;
    const pick = (fields: Fields) =>
      Object.fromEntries(changed.map((name) => [name, fields[name as keyof Fields]]));
    const fields = {
      page_texts: toTexts(next),
      button_label: next.button_label,
      button_url: next.button_url,
      button_host: hostOrNull(next.button_url),
    };
    await write(ctx, before, fields, { before: pick(was), change: pick(next) });
  });
}

/** Sets the logo of pages for visitors, null for none. Returns the elements that an SVG lost. Throws 422. */
export async function setLogo(ctx: WorkspaceContext, bytes: Uint8Array | null): Promise<string[]> {
  const { logo, leftOut } = bytes === null ? { logo: null, leftOut: [] } : readLogo(bytes);
  await retryLostRaces(async () => {
    const was = await getRow(ctx);
    if (was.logo === logo) return;
    const said = { before: { logo: describeLogo(was.logo) }, change: { logo: describeLogo(logo) } };
    await write(ctx, { logo: was.logo }, { logo }, said);
  });
  return leftOut;
}
