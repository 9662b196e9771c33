import { z } from "zod";
import { isTooWide, MIN_V4_LENGTH, MIN_V6_LENGTH, parseNetwork } from "../../http/networks";
import { hexColour } from "../../lib/colour";
import { isTimeZone, presentZoneName } from "../../lib/time-zone";
import { flag, plainSlug, refusedBy, text, wholeNumber } from "../../lib/validation";

/** The IANA name of a time zone. An earlier name is converted to the present one. */
const timeZone = () =>
  text(64)
    .refine(isTimeZone, refusedBy("must be the name of a time zone, such as Europe/Zurich"))
    .transform(presentZoneName);

const MAX_LINK_LIMIT = 100_000_000;

export const newWorkspace = z.object({
  name: text(100),
  slug: plainSlug(),
  link_limit: wholeNumber(0, MAX_LINK_LIMIT).nullish(),
  time_zone: timeZone().nullish(),
});

export const WORKSPACE_SWITCHES = ["scans_name_asset", "shares_reports", "shows_name"] as const;

export const MAX_NETWORKS = 20;

/** Networks with white space or commas between them, as JSON. */
const networks = () =>
  text(1_000)
    .transform((typed) => [...new Set(typed.toLowerCase().split(/[\s,]+/))].filter((one) => one !== ""))
    .transform((list) => ({ list, parsed: list.map(parseNetwork) }))
    .refine(
      ({ parsed }) => parsed.length <= MAX_NETWORKS && !parsed.includes(undefined),
      refusedBy(
        `must be at most ${MAX_NETWORKS} networks such as 192.0.2.0/24 or 2001:db8::/32, without bits behind the length`,
      ),
    )
    .refine(
      ({ parsed }) => !parsed.some((network) => network !== undefined && isTooWide(network)),
      refusedBy(
        `must not have a network wider than /${MIN_V4_LENGTH}, or /${MIN_V6_LENGTH} of IPv6: visits of very many others would not count`,
        "range",
      ),
    )
    .transform(({ list }) => JSON.stringify(list));

/** What owners can change. The operator sets slug and limit. */
export const changedWorkspace = z.object({
  name: text(100).optional(),
  time_zone: timeZone().optional(),
  scans_name_asset: flag(),
  shares_reports: flag(),
  shows_name: flag(),
  colour: hexColour().nullish(),
  own_networks: networks().nullish(),
});
