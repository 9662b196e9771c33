import type { WorkspaceContext } from "../../context";
import { asDay, isDay, storedDates, writtenDates } from "../../lib/days";
import type { MomentFieldName } from "../../lib/link-fields";
import { isoTimeOrNull } from "../../lib/time";
import { endProblem } from "./link-rules";
import { type PreviewedLink, type PreviewedLinks, readPreviewed } from "./previewed-links";

/** When a link without an own end ends with its group. */
const endOfGroup = ({ group_ends_at: at, group_ends_on: day }: PreviewedLink) => day ?? isoTimeOrNull(at);

/** What a new start or end would replace in links. Those that lose a time of day to a day come first. */
export async function previewDate(
  ctx: WorkspaceContext,
  of: PreviewedLinks,
  name: MomentFieldName,
  date: string,
) {
  const { links, total } = await readPreviewed(ctx, of);
  const zone = ctx.workspace.timeZone;
  const hasTimeOfDay = (was: string | null) => was !== null && !isDay(asDay(name, was, zone));
  const changes = links.flatMap((link) => {
    const dates = storedDates({ [name]: date }, link, zone);
    const [was, will] = [writtenDates(link)[name], writtenDates(dates)[name]];
    if (was === will) return [];
    const group = name === "ends_at" && was === null ? endOfGroup(link) : null;
    return [
      { slug: link.slug, was: was ?? group, isOfGroup: group !== null, will, refusal: endProblem(dates) },
    ];
  });
  const changed = changes.filter(({ refusal }) => refusal === undefined);
  const timed = isDay(date) ? changed.filter(({ was, isOfGroup }) => !isOfGroup && hasTimeOfDay(was)) : [];
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
