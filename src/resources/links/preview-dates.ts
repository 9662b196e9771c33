import type { WorkspaceContext } from "../../context";
import { isDay, storedDates, writtenDates } from "../../lib/days";
import type { MomentFieldName } from "../../lib/link-fields";
import { endProblem } from "./link-rules";
import { type PreviewedLinks, readPreviewed } from "./previewed-links";

const isTime = (date: string | null): boolean => date !== null && !isDay(date);

/** What a new start or end would replace in links. Those that lose a time of day to a day come first. */
export async function previewDate(
  ctx: WorkspaceContext,
  of: PreviewedLinks,
  name: MomentFieldName,
  date: string,
) {
  const { links, total } = await readPreviewed(ctx, of);
  const changes = links.flatMap((link) => {
    const dates = storedDates({ [name]: date }, link, ctx.workspace.timeZone);
    const [was, will] = [writtenDates(link)[name], writtenDates(dates)[name]];
    return was === will ? [] : [{ slug: link.slug, was, will, refusal: endProblem(dates) }];
  });
  const changed = changes.filter(({ refusal }) => refusal === undefined);
  const timed = isDay(date) ? changed.filter(({ was }) => isTime(was)) : [];
  return {
    changed: [...timed, ...changed.filter((change) => !timed.includes(change))],
    /** How many lose a time of day. */
    timed: timed.length,
    refused: changes.flatMap(({ slug, refusal }) =>
      refusal === undefined ? [] : [[slug, [refusal]] as const],
    ),
    looked: links.length,
    total,
  };
}
