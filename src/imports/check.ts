import type { Context } from "../context";
import type { Statement } from "../db/client";
import { isImportMissing } from "../db/failure";
import {
  type FieldError,
  invalid,
  linkLimitReached,
  MAX_TAGS,
  type ServiceError,
  TAG_LIMIT_REACHED,
} from "../errors";
import { selectBlockingHosts } from "../hosts/repository";
import { destinationHost, hostAndParents } from "../lib/destination";
import { sha256Hex } from "../lib/hash";
import { newId } from "../lib/ids";
import { slugKey, spellings } from "../lib/slug-text";
import { oldSlugProblem } from "../links/import";
import { claimProblem, hostProblem } from "../links/rules";
import { selectSlugOwners } from "../slugs/owners";
import { slugProblem } from "../slugs/rules";
import { tagsOfWorkspace } from "../tags/repository";
import { usage } from "../workspaces/repository";
import { type FileRow, readFile } from "./file";
import { findGroups } from "./groups";
import { pieces, shortPieces } from "./pieces";
import {
  completeImport,
  countImports,
  importOfDigest,
  insertImport,
  keepRows,
  MAX_IMPORTS,
} from "./repository";
import { type ImportedLink, keptCells, linkIn } from "./row";

/** All that shall open a link, its old slugs too; one that is generated takes none away. */
const slugsOf = ({ slug, old_slugs: old }: ImportedLink): string[] => [
  ...(slug == null ? [] : [slug]),
  ...old,
];

/** What the rules that are known before an import say of its rows, and which import has made them already. */
async function readRules(ctx: Context, links: readonly ImportedLink[], digest: string) {
  const workspaceId = ctx.workspace.rowId;
  const keys = [...new Set(links.flatMap(slugsOf).map(slugKey))];
  // Without the domains above them, which would be sixty times as many bytes where hosts are deep.
  const hosts = [...new Set(links.map((link) => destinationHost(link.destination_url)))];
  const [groupOf, [[kept], [earlier], tags, [use], ...claims], blocked] = await Promise.all([
    findGroups(
      ctx,
      links.flatMap((link) => link.activity_group ?? []),
    ),
    ctx.db.read(
      countImports(workspaceId),
      importOfDigest(workspaceId, digest),
      tagsOfWorkspace(workspaceId),
      usage(workspaceId),
      ...shortPieces(keys).map((piece) => selectSlugOwners(workspaceId, piece)),
    ),
    ctx.db.read(...shortPieces(hosts).map(selectBlockingHosts)),
  ]);
  return {
    isFull: kept !== undefined && kept.imports >= MAX_IMPORTS,
    earlier,
    groupOf,
    tags,
    use,
    claims: new Map(claims.flat().map((claim) => [claim.key, claim])),
    blocked: new Set(blocked.flat().map(({ host }) => host)),
  };
}

type Rules = Awaited<ReturnType<typeof readRules>>;
type Judged = FileRow & { link: ImportedLink | undefined };

/** The refusal where an old slug is in an earlier row of the file already, or taken. */
function oldProblemOf(
  old: string,
  slugs: ReadonlyMap<string, number>,
  { claims }: Rules,
): FieldError | undefined {
  const key = slugKey(old);
  const twin = slugs.get(key);
  const claim = claims.get(key);
  if (twin !== undefined) {
    return { field: "old_slugs", message: `The old slug ${old} is already in row ${twin} of this file.` };
  }
  return oldSlugProblem(old, slugProblem(claim === undefined ? [] : [claim], null));
}

/** Judges the rows in their order: what one takes, a slug, a place among the links or tags, the next does not get. */
function judge(ctx: Context, rows: readonly Judged[], rules: Rules) {
  const limit = rules.use?.link_limit ?? null;
  let links = (rules.use?.active_links ?? 0) + (rules.use?.archived_links ?? 0);
  let claims = 0;
  const slugs = new Map<string, number>();
  const known = new Set(rules.tags.map((tag) => tag.name_key));
  const tags = new Map<string, string>();
  const judged = rows.map((row): FileRow => {
    const { link } = row;
    if (link === undefined) return row;
    const key = link.slug == null ? undefined : slugKey(link.slug);
    const twin = key === undefined ? undefined : slugs.get(key);
    const claim = key === undefined ? undefined : rules.claims.get(key);
    const group = link.activity_group == null ? undefined : rules.groupOf(link.activity_group);
    // A slug that is generated is new.
    const more =
      (key === undefined ? 1 : 0) + slugsOf(link).filter((slug) => !rules.claims.has(slugKey(slug))).length;
    const above = hostAndParents(destinationHost(link.destination_url));
    const fresh = spellings(link.tags).filter(([tag]) => !known.has(tag));
    const added = fresh.filter(([tag]) => !tags.has(tag)).length;
    const failing: (FieldError | undefined)[] = [
      hostProblem(
        ctx,
        link.destination_url,
        above.filter((host) => rules.blocked.has(host)),
      ),
      twin === undefined
        ? slugProblem(claim === undefined ? [] : [claim], null)
        : { field: "slug", message: `The slug is already in row ${twin} of this file.` },
      ...link.old_slugs.map((old) => oldProblemOf(old, slugs, rules)),
      group !== undefined && "error" in group ? group.error : undefined,
      known.size + tags.size + added > MAX_TAGS ? TAG_LIMIT_REACHED : undefined,
      limit !== null && links >= limit ? linkLimitReached(limit) : undefined,
      claimProblem(rules.use, claims + more),
    ];
    const errors = failing.filter((error) => error !== undefined);
    if (errors.length > 0) return { ...row, errors };
    links++;
    claims += more;
    for (const slug of slugsOf(link)) slugs.set(slugKey(slug), row.number);
    for (const [tag, name] of fresh) if (!tags.has(tag)) tags.set(tag, name);
    return row;
  });
  return { judged, tags: [...tags.values()] };
}

const STATEMENTS_A_BATCH = 40;

const tooManyImports = (): ServiceError =>
  invalid([
    {
      field: "file",
      message: `The workspace has ${MAX_IMPORTS} imports, which is all it may have. Discard one; each is removed 7 days after it was sent.`,
    },
  ]);

/** Keeps a file; 422 where the workspace has as many as it may. */
async function keep(ctx: Context, statements: readonly Statement[]): Promise<void> {
  try {
    for (const batch of pieces(statements, STATEMENTS_A_BATCH)) await ctx.db.writeUnaudited(...batch);
  } catch (error) {
    throw isImportMissing(error) ? tooManyImports() : error;
  }
}

/** What a file says, however it is written: with or without a byte order mark, by commas or semicolons. */
const digestOf = (rows: readonly FileRow[]): Promise<string> =>
  sha256Hex(JSON.stringify(rows.map(({ number, cells }) => [number, cells])));

/**
 * Checks a CSV file of links and keeps it: what each row would do, with nothing done yet. Of rows that have been imported
 * already it gives that import: rows without a slug would be made twice.
 */
export async function checkFile(ctx: Context, file: { name: string; bytes: Uint8Array }) {
  const { columns, rows } = readFile(file.bytes);
  const digest = await digestOf(rows);
  const parsed = rows.map((row): Judged => {
    if (row.errors.length > 0) return { ...row, link: undefined };
    const result = linkIn(row.cells);
    return result.ok ? { ...row, link: result.link } : { ...row, errors: result.errors, link: undefined };
  });
  const rules = await readRules(
    ctx,
    parsed.flatMap(({ link }) => link ?? []),
    digest,
  );
  if (rules.earlier !== undefined) return { earlier: rules.earlier.id };
  if (rules.isFull) throw tooManyImports();
  const { judged, tags } = judge(ctx, parsed, rules);
  const workspaceId = ctx.workspace.rowId;
  const at = ctx.now();
  const id = newId(at);
  const kept = [
    [
      0,
      JSON.stringify({
        ignored: columns.ignored.map((name) => name.slice(0, 100)).slice(0, 100),
        tags,
        digest,
      }),
      null,
    ],
    ...judged.map(({ number, cells, errors }) => [
      number,
      JSON.stringify(keptCells(cells)),
      errors.length === 0 ? null : JSON.stringify(errors),
    ]),
  ];
  const name = file.name.slice(0, 255).toWellFormed() || "links.csv";
  const statements = [
    insertImport({ public_id: id, workspace_id: workspaceId, name, created_at: at }),
    ...shortPieces(kept.map((row) => JSON.stringify(row))).map((piece) =>
      keepRows(workspaceId, id, `[${piece.join()}]`),
    ),
    completeImport(workspaceId, id, judged.length),
  ];
  await keep(ctx, statements);
  const refused = judged.filter(({ errors }) => errors.length > 0).length;
  return { id, rows: judged.length, refused };
}
