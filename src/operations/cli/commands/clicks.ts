import { z } from "zod";
import { getContextOf } from "../../../access/service";
import { reportClicks, reportScans } from "../../../analytics/command-report";
import { applyBeforeReport } from "../../../analytics/queue";
import type { Context } from "../../../context";
import { toRange } from "../../../lib/range";
import { isoTime } from "../../../lib/time";
import { isoMoment, text } from "../../../lib/validation";
import { type Commands, command } from "./command";

const clickReport = z
  .object({
    link: text(26).optional(),
    group: text(26).optional(),
    asset: text(26).optional(),
    from: isoMoment().optional(),
    to: isoMoment().optional(),
  })
  .refine(({ link, group, asset }) => [link, group, asset].filter((id) => id !== undefined).length === 1, {
    path: ["link"],
    message: "Give either --link, --group or --asset.",
  });

const dateOf = (at: number | null | undefined): string | undefined =>
  at == null ? undefined : isoTime(at).slice(0, 10);

export const clicksCommands: Commands = {
  "clicks report": command(
    "counts the clicks and scans of a link or a group, or the scans of an asset, by default in the last 30 days",
    clickReport,
    async (ctx, { link, group = "", asset, from, to }) => {
      await applyBeforeReport(ctx);
      const rangeIn = ({ workspace }: Context) =>
        toRange({ from: dateOf(from), to: dateOf(to) }, workspace.timeZone, ctx.now(), 0);
      if (asset !== undefined) {
        const own = await getContextOf(ctx, "asset", asset);
        return { scans: await reportScans(own, asset, rangeIn(own)) };
      }
      const [of, own] =
        link === undefined
          ? [{ group }, await getContextOf(ctx, "group", group)]
          : [{ link }, await getContextOf(ctx, "link", link)];
      return { clicks: await reportClicks(own, of, rangeIn(own)) };
    },
  ),
};
