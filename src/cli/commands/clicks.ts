import { z } from "zod";
import { reportClicks } from "../../clicks/report";
import { reportScans } from "../../clicks/scans";
import { DAY_MS } from "../../lib/time";
import { isoMoment, text } from "../../lib/validation";
import { getContextOf } from "../../workspaces/service";
import { type Commands, parseOptions } from "./options";

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

export const clicksCommands: Commands = {
  "clicks report": {
    required: [],
    optional: ["link", "group", "asset", "from", "to"],
    description:
      "counts the clicks and scans of a link or of a group's links, or the scans of an asset, by default in the last 30 days",
    run: async (ctx, options) => {
      const { link, group, asset, from, to } = parseOptions(clickReport, options);
      const until = to === undefined ? ctx.now() : to + DAY_MS;
      const since = from ?? until - 30 * DAY_MS;
      if (asset !== undefined) {
        return { scans: await reportScans(await getContextOf(ctx, "asset", asset), asset, since, until) };
      }
      const [of, own] =
        link == null
          ? [{ group: group ?? "" }, await getContextOf(ctx, "group", group ?? "")]
          : [{ link }, await getContextOf(ctx, "link", link)];
      return { clicks: await reportClicks(own, of, since, until) };
    },
  },
};
