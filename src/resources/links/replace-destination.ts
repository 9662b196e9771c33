import type { Context } from "../../context";
import { MAX_CHARACTERS } from "../../lib/destination";
import type { ChangeLinks } from "./change-schema";
import { checkDestinations } from "./check-destinations";
import { type PreviewedLinks, readPreviewed } from "./previewed-links";

/** A text, and what replaces it wherever it occurs. */
type Replacement = Pick<ChangeLinks, "find" | "replacement">;

/** A destination with every occurrence of the text replaced. A result that is too long is cut, and no destination then. */
export function destinationAfter(url: string, { find, replacement }: Replacement): string {
  const [first = "", ...others] = find ? url.split(find) : [url];
  let after = first;
  for (const part of others) {
    if (after.length > 2 * MAX_CHARACTERS) break;
    after += (replacement ?? "") + part;
  }
  return after;
}

/** The new destination of each link that has the text, by its id, with why it is refused. */
export async function checkReplacement(
  ctx: Context,
  links: readonly { public_id: string; destination_url: string }[],
  replacement: Replacement,
) {
  const changes = links.flatMap(({ public_id: id, destination_url: was }) => {
    const will = destinationAfter(was, replacement);
    return will === was ? [] : [{ id, was, will }];
  });
  const checked = await checkDestinations(
    ctx,
    changes.map(({ will }) => will),
  );
  return new Map(
    changes.map(({ id, was, will }) => {
      const { found = {}, refusal } = checked.get(will) ?? {};
      return [id, { was, will, found, refusal }] as const;
    }),
  );
}

/** What a replacement would do to links. */
export async function previewReplacement(ctx: Context, of: PreviewedLinks, replacement: Replacement) {
  const { links, total } = await readPreviewed(ctx, of);
  const checked = await checkReplacement(ctx, links, replacement);
  const changes = links.flatMap((link) => {
    const change = checked.get(link.public_id);
    return change === undefined ? [] : [{ ...change, slug: link.slug }];
  });
  return {
    changed: changes.filter(({ refusal }) => refusal === undefined),
    refused: changes.flatMap(({ slug, refusal }) =>
      refusal === undefined ? [] : [[slug, [refusal]] as const],
    ),
    looked: links.length,
    total,
  };
}
