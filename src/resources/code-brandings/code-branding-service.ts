import { writeWithinLimit } from "../../access/room";
import { selectServedDomains } from "../../access/workspace-statements";
import { auditEntry, type Context } from "../../context";
import { assertFound, changedMeanwhile, retryLostRaces } from "../../errors";
import { alreadyTaken, invalid } from "../../field-errors";
import { isMatched } from "../../lib/etag";
import { newId } from "../../lib/ids";
import { sortNaturally } from "../../lib/natural-order";
import { shortUrlOf } from "../../lib/short-url";
import { fold, SHORT_HOST } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { describeLogo, logoUrl, readLogo } from "../branding/logo";
import type { Look } from "./branded-code";
import type { CodeBrandingInput, CodeBrandingLook, LOGOS } from "./code-branding-schema";
import {
  type CodeBrandingRow,
  deleteCodeBranding,
  ensureCodeBrandingUnchanged,
  insertCodeBranding,
  selectCodeBrandings,
  selectPageLogo,
  selectSlugsByLength,
  updateCodeBranding,
} from "./code-branding-statements";
import { isReadBack, MIN_PRINT_MM } from "./read-back";

function toCodeBranding(row: CodeBrandingRow, pageLogo: string | null) {
  const { public_id: id, name, colour, call, page_logo: isOfPages } = row;
  const stored = isOfPages === 1 ? pageLogo : row.logo;
  const logo_of: (typeof LOGOS)[number] = isOfPages === 1 ? "pages" : row.logo === null ? "none" : "own";
  return { id, name, colour, call, logo_of, logo: stored && logoUrl(stored) };
}

export type CodeBranding = ReturnType<typeof toCodeBranding>;

/** The stored brandings, and the logo of pages for visitors. */
async function readRows({ db, workspace }: Context) {
  const [rows, [page]] = await db.read(selectCodeBrandings(workspace.rowId), selectPageLogo(workspace.rowId));
  return { rows, pageLogo: page?.logo ?? null };
}

export async function listCodeBrandings(ctx: Context): Promise<CodeBranding[]> {
  const { rows, pageLogo } = await readRows(ctx);
  return sortNaturally(rows.map((row) => toCodeBranding(row, pageLogo)));
}

const findIn = (all: readonly CodeBrandingRow[], path: string): CodeBrandingRow =>
  assertFound(
    all.find(({ public_id: id }) => id === storedId(path)),
    "Branding",
  );

/** Throws 404. */
export async function getCodeBranding(ctx: Context, path: string): Promise<CodeBranding> {
  const { rows, pageLogo } = await readRows(ctx);
  return toCodeBranding(findIn(rows, path), pageLogo);
}

/** As long as a slug that is made, and the code of an asset. */
const MADE_SLUG = "a2b3c4d";

/** The shortest, the middle and the longest of some addresses. */
export function chooseThree(addresses: readonly string[]): string[] {
  const sorted = addresses.toSorted((one, other) => one.length - other.length);
  return [0, sorted.length >> 1, sorted.length - 1].flatMap((place) => sorted[place] ?? []);
}

/** The shortest and the longest address that the slugs of the workspace make on its hosts. */
async function outermostAddresses({ db, workspace, config }: Context): Promise<string[]> {
  const [links, domains] = await db.read(
    selectSlugsByLength(workspace.rowId),
    selectServedDomains(workspace.rowId),
  );
  const hosts = [SHORT_HOST, ...domains.map(({ host }) => host)];
  const slugs = [MADE_SLUG, ...links.map(({ slug }) => slug)];
  const [shortest = "", , longest = ""] = chooseThree(
    hosts.flatMap((host) => slugs.map((slug) => shortUrlOf(config, host, slug))),
  );
  return [shortest, longest];
}

function refusalOf(url: string, { logo, call }: Look) {
  const parts = [...(logo === null ? [] : ["the logo"]), ...(call === null ? [] : ["the call"])];
  const advice = parts.length === 0 ? "Shorten" : `Leave out ${parts.join(" or ")}, or shorten`;
  const message = `The code of ${url} was not read back at ${MIN_PRINT_MM} mm. ${advice} that address.`;
  return { field: logo === null ? "call" : "logo", message, code: "state" as const };
}

/** Throws 422 if the code of one of the addresses is not read back. */
export async function assertReadBack(urls: readonly string[], look: Look): Promise<void> {
  for (const url of new Set(urls)) {
    if (!(await isReadBack(url, look))) throw invalid([refusalOf(url, look)]);
  }
}

/** Throws 422 if one of the others has the name. */
function assertFreeName(others: readonly CodeBrandingRow[], name: string): void {
  if (others.some((other) => other.name_key === fold(name))) throw invalid([alreadyTaken("name")]);
}

const NO_PAGE_LOGO =
  "Pages for visitors have no logo yet. An owner adds it under Workspace, or choose another.";

/** The own logo that is saved: the file's, or the one that the branding has. Throws 422. */
function ownLogo(file: Uint8Array | undefined, was: string | null): string {
  const logo = file === undefined ? was : readLogo(file).logo;
  if (logo === null) throw invalid([{ field: "file", message: "Choose an SVG or a PNG.", code: "required" }]);
  return logo;
}

type Stored = Awaited<ReturnType<typeof readRows>>;

/** The own logo of a branding, and how codes look with it. Throws 422 if it names a logo that is not there. */
function lookOf(
  { colour, call = null, logo }: CodeBrandingLook,
  { pageLogo }: Stored,
  file: Uint8Array | undefined,
  was: CodeBrandingRow | undefined,
): { own: string | null; look: Look } {
  const own = logo === "own" ? ownLogo(file, was?.logo ?? null) : null;
  if (logo === "pages" && pageLogo === null)
    throw invalid([{ field: "logo", message: NO_PAGE_LOGO, code: "state" }]);
  const shown = logo === "pages" ? pageLogo : own;
  return { own, look: { colour, call, logo: shown && logoUrl(shown) } };
}

/** How codes would look with what a form has, which is not saved. Throws 404 and 422. */
export async function previewCodeBranding(
  ctx: Context,
  input: CodeBrandingLook,
  file?: Uint8Array,
  path?: string,
): Promise<Look> {
  const stored = await readRows(ctx);
  return lookOf(input, stored, file, path === undefined ? undefined : findIn(stored.rows, path)).look;
}

const toFields = ({ name, colour, call = null, logo }: CodeBrandingInput, own: string | null) => ({
  name,
  name_key: fold(name),
  colour,
  call,
  page_logo: logo === "pages" ? 1 : 0,
  logo: own,
});

/** What the audit trail says of it. */
const toAudited = ({ name, colour, call, page_logo, logo }: ReturnType<typeof toFields>) => ({
  ...{ name, colour, call },
  logo: page_logo === 1 ? "that of pages for visitors" : describeLogo(logo),
});

/** What is saved of a branding, whose codes were read back with it. Throws 422. */
async function readBackFields(
  ctx: Context,
  input: CodeBrandingInput,
  file: Uint8Array | undefined,
  path?: string,
) {
  const stored = await readRows(ctx);
  const was = path === undefined ? undefined : findIn(stored.rows, path);
  assertFreeName(
    stored.rows.filter((one) => one !== was),
    input.name,
  );
  const { own, look } = lookOf(input, stored, file, was);
  await assertReadBack(await outermostAddresses(ctx), look);
  return toFields(input, own);
}

/** Saves a branding. 422 if its codes are not read back, its name is taken, or the workspace has ten. */
export async function createCodeBranding(
  ctx: Context,
  input: CodeBrandingInput,
  file?: Uint8Array,
): Promise<void> {
  const fields = await readBackFields(ctx, input, file);
  return retryLostRaces(async () => {
    assertFreeName((await readRows(ctx)).rows, input.name);
    const at = ctx.now();
    const id = newId(at);
    const row = { ...fields, public_id: id, workspace_id: ctx.workspace.rowId, created_at: at };
    const change = { ...auditEntry(ctx, "branding.create", id, at), change: toAudited(fields) };
    await writeWithinLimit(ctx, ["branding", 1], change, [insertCodeBranding(row)]);
  });
}

/** Throws 404, 412 if `If-Match` is not that of the branding, and 422 as for a new one. Without a file its own logo stays. */
export async function changeCodeBranding(
  ctx: Context,
  path: string,
  input: CodeBrandingInput,
  file?: Uint8Array,
): Promise<void> {
  const fields = await readBackFields(ctx, input, file, path);
  return retryLostRaces(async () => {
    const { rows, pageLogo } = await readRows(ctx);
    const own = findIn(rows, path);
    if (!(await isMatched(ctx.ifMatch, toCodeBranding(own, pageLogo)))) throw changedMeanwhile("branding");
    assertFreeName(
      rows.filter((one) => one !== own),
      input.name,
    );
    if (Object.entries(fields).every(([name, value]) => own[name as keyof typeof fields] === value)) return;
    const entry = {
      ...auditEntry(ctx, "branding.update", own.public_id, ctx.now()),
      guards: [ensureCodeBrandingUnchanged(own)],
    };
    const said = { before: JSON.stringify(toAudited(own)), change: toAudited(fields) };
    await ctx.db.write({ ...entry, ...said }, [
      updateCodeBranding(ctx.workspace.rowId, own.public_id, fields),
    ]);
  });
}

/** Throws 404. */
export const removeCodeBranding = (ctx: Context, path: string): Promise<void> =>
  retryLostRaces(async () => {
    const own = findIn((await readRows(ctx)).rows, path);
    const { public_id: id, name } = own;
    const entry = {
      ...auditEntry(ctx, "branding.delete", id, ctx.now()),
      space: "frees" as const,
      guards: [ensureCodeBrandingUnchanged(own)],
    };
    await ctx.db.write({ ...entry, change: { name } }, [deleteCodeBranding(ctx.workspace.rowId, id)]);
  });
