import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ServiceError } from "../../errors";
import { invalid } from "../../field-errors";
import { typedAddress } from "../../lib/short-url";
import { isoMoment, text } from "../../lib/validation";
import { type Takedown, takeDownMany } from "../../operations/moderation/take-down-many";
import { endTakedown, takeDown } from "../../operations/moderation/takedown";
import { unreadable } from "../backup-commands";
import { toPlainText } from "../plain";
import { type Commands, command, oneOf } from "./admin-command";

/** The slug may have its host, as a short URL in a report does. */
const reportedLink = z.object({ id: text(26).optional(), slug: text(2048).optional() });

interface TakedownResult {
  takedown?: Takedown & { is_plan?: true };
}

/** The lines of a file without blank ones. */
async function readNames(path: string): Promise<string[]> {
  const lines = await readFile(path, "utf8").catch(() => {
    throw unreadable(path);
  });
  return lines.split("\n").flatMap((line) => line.trim() || []);
}

const refusal = (message: string) => invalid([{ field: "dry_run", message, code: "format" }]);

export const takedownCommands = {
  "link takedown": {
    ...command(
      "takes a link down; its visitors see a page that says so. Many at once: --from FILE with an id, slug or short URL a line, --created-by ACTOR of the audit log (--since TIME: from then on), or --destination-prefix URL; says how many and some of them, and acts with --confirm; with --dry-run the plan is all that is asked for",
      reportedLink.extend({
        from: text(4096).optional(),
        created_by: text(300).optional(),
        since: isoMoment().optional(),
        destination_prefix: text(2048).optional(),
        confirm: z.boolean().optional(),
        dry_run: z.boolean().optional(),
      }),
      async (ctx, { confirm = false, dry_run: isPlan = false, since, ...given }) => {
        const [by, value] = oneOf(given, ["id", "slug", "from", "created_by", "destination_prefix"]);
        if (since !== undefined && by !== "created_by")
          throw new ServiceError(422, { message: "Give --since with --created-by alone." });
        if (isPlan && (by === "id" || by === "slug"))
          throw refusal("It goes with --from, --created-by or --destination-prefix.");
        if (isPlan && confirm) throw refusal("Give --dry-run or --confirm.");
        if (by === "id" || by === "slug") return { link: await takeDown(ctx, typedAddress(value)) };
        const selection =
          by === "from"
            ? { names: await readNames(value) }
            : by === "created_by"
              ? { createdBy: value, since: since ?? 0 }
              : { prefix: value };
        const takedown = await takeDownMany(ctx, selection, confirm);
        return { takedown: { ...takedown, ...(isPlan && { is_plan: true }) } };
      },
    ),
    hasFailed: ({ takedown }: TakedownResult) =>
      takedown !== undefined &&
      (takedown.not_found.length > 0 || (!takedown.is_plan && takedown.taken_down < takedown.links)),
    toText: (result: TakedownResult) =>
      toPlainText(result) +
      (result.takedown?.taken_down === 0 && result.takedown.links > 0 && !result.takedown.is_plan
        ? "Nothing is taken down yet. To do it, add --confirm.\n"
        : ""),
  },
  "link restore": command(
    "ends the takedown of a link, or of a slug whose link is deleted",
    reportedLink,
    async (ctx, given) => {
      const restored = await endTakedown(ctx, typedAddress(oneOf(given, ["id", "slug"])[1]));
      return "id" in restored ? { link: restored } : { slug: restored };
    },
  ),
} satisfies Commands;
