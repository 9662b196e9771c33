import { z } from "zod";
import { reportClicks } from "../../clicks/report";
import { DAY_MS } from "../../lib/time";
import { isoMoment, text } from "../../lib/validation";
import { getContextOf } from "../../workspaces/service";
import { type Commands, parseOptions } from "./options";

const clickReport = z
  .object({
    link: text(26).optional(),
    group: text(26).optional(),
    from: isoMoment().optional(),
    to: isoMoment().optional(),
  })
  .refine(({ link, group }) => (link === undefined) !== (group === undefined), {
    path: ["link"],
    message: "Give either --link or --group.",
  });

export const clicksCommands: Commands = {
  "clicks report": {
    required: [],
    optional: ["link", "group", "from", "to"],
    description: "counts the clicks of a link or of a group's links, by default in the last 30 days",
    run: async (ctx, options) => {
      const { link, group, from, to } = parseOptions(clickReport, options);
      const until = to === undefined ? ctx.now() : to + DAY_MS;
      const [of, own] =
        link == null
          ? [{ group: group ?? "" }, await getContextOf(ctx, "group", group ?? "")]
          : [{ link }, await getContextOf(ctx, "link", link)];
      return { clicks: await reportClicks(own, of, from ?? until - 30 * DAY_MS, until) };
    },
  },
};
