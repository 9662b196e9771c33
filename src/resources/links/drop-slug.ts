import { auditEntry, type Context } from "../../context";
import { assertFound, retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { namedKey } from "../../lib/short-url";
import { slugKey } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { writeToKv } from "../../redirect/slugs/kv-writer";
import { SLUG_TAKEN_DOWN } from "../../redirect/slugs/slug-rules";
import { ensureOldSlug } from "../../redirect/slugs/statements/changes";
import { DETACHED, markSlugs, RANKS } from "../../redirect/slugs/statements/marks";
import {
  type SlugOwnerRow,
  selectNextSlugOwner,
  selectSlugOwner,
} from "../../redirect/slugs/statements/slug-owners";
import { selectTombstones } from "../../redirect/slugs/statements/targets";
import { type LinkRow, selectLink } from "./link-repository";

const NOT_OF_LINK: Failure = {
  field: "slug",
  message: "The slug does not open this link.",
  code: "unknown",
};
const OWN_SLUG: Failure = {
  field: "slug",
  message: "This is the link’s own slug: give the link another one first.",
  code: "state",
};

function problemOf(row: LinkRow, key: string, claim: SlugOwnerRow | undefined): Failure | undefined {
  if (claim?.link !== row.public_id) return NOT_OF_LINK;
  if (claim.taken_down === 1 || row.taken_down_by === "operator") return SLUG_TAKEN_DOWN;
  return key === row.slug_key ? OWN_SLUG : undefined;
}

/**
 * Removes a previous slug, written as `LinkDetails` does, from a link: visitors get 404 and the workspace keeps the claim. The link's version stays,
 * because no public field changes.
 */
export const dropSlug = (ctx: Context, path: string, slug: string): Promise<void> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const id = storedId(path);
    const asked = slug.includes("/") ? namedKey(ctx.config, slug) : undefined;
    const [rows, [claim]] = await ctx.db.read(
      selectLink(workspaceId, id),
      asked === undefined
        ? selectNextSlugOwner(workspaceId, id, undefined, slug)
        : selectSlugOwner(workspaceId, asked),
    );
    const row = assertFound(rows[0], "Link");
    const key = asked ?? slugKey(row.domain, slug);
    assertNone([problemOf(row, key, claim)]);
    const at = ctx.now();
    const [toWrite] = await ctx.db.write(
      {
        ...auditEntry(ctx, "link.drop_slug", row.public_id, at),
        space: "frees",
        change: { dropped_slug: key },
        guards: [ensureOldSlug(workspaceId, row.id, key)],
      },
      [markSlugs("slugs", workspaceId, [key], { at, rank: RANKS.takedown, set: DETACHED })],
      selectTombstones(workspaceId, [key]),
    );
    await writeToKv(ctx, toWrite, at);
  });
