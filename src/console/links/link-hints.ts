import { CONVENTION_FIELDS, type Conventions, fitOf } from "../../lib/conventions";
import { VALUE_FIELDS } from "../../lib/link-fields";
import type { Preview } from "../../resources/links/preview-change";
import { quoted } from "../shell/text";
import type { Draft } from "./draft";

// The rules by which Google Analytics 4 puts a visit into one of its default channels, without regard to case. Of its list of
// some 800 sites, only the best known are here: a rare one is called "Unassigned" although Google knows it.

const PAID = /cp|^ppc$|^retargeting$|^paid/;
/** Sites of searches, networks, videos and shops, as a source names them: `linkedin`, `www.linkedin.com`. */
const SITES: ReadonlySet<string> = new Set([
  ...["google", "bing", "yahoo", "duckduckgo", "ecosia", "baidu", "yandex", "qwant", "startpage", "brave"],
  ...["facebook", "fb", "instagram", "ig", "linkedin", "twitter", "pinterest", "reddit", "tiktok", "threads"],
  ...["bluesky", "bsky", "mastodon", "xing", "whatsapp", "telegram", "snapchat", "tumblr", "quora"],
  ...["youtube", "vimeo", "twitch", "dailymotion", "netflix", "disneyplus"],
  ...["amazon", "ebay", "etsy", "shopify", "walmart", "aliexpress", "alibaba"],
]);
/** Sites whose names mean something else without their end. */
const WHOLE_SITES: ReadonlySet<string> = new Set(["x.com", "t.co", "lnkd.in", "shop.app"]);
const SHOP_CAMPAIGN = /(^|[^a-df-z])shop|shopping/;
const MAIL = /^(email|e-mail|e_mail|e mail)$/;
const MEDIUMS: ReadonlySet<string> = new Set([
  ...["display", "banner", "expandable", "interstitial", "cpm"],
  ...["social", "social-network", "social-media", "sm", "social network", "social media"],
  ...["organic", "referral", "app", "link", "affiliate", "audio", "sms"],
]);
const PUSHED = /push$|mobile|notification/;

/** Whether Google Analytics would show visits with these UTM values as "Unassigned". */
export function isUnassigned(given: { source: string; medium: string; campaign: string }): boolean {
  const source = given.source.trim().toLowerCase();
  const medium = given.medium.trim().toLowerCase();
  const campaign = given.campaign.trim().toLowerCase();
  const isNamed =
    MEDIUMS.has(medium) ||
    PAID.test(medium) ||
    PUSHED.test(medium) ||
    medium.includes("video") ||
    MAIL.test(medium) ||
    campaign.includes("cross-network") ||
    SHOP_CAMPAIGN.test(campaign);
  const isKnownSource =
    MAIL.test(source) ||
    source === "sms" ||
    source === "firebase" ||
    WHOLE_SITES.has(source) ||
    source.split(".").some((part) => SITES.has(part));
  return !isNamed && !isKnownSource;
}

export const KNOWN_MEDIUMS = "It knows mediums such as email, social, cpc, display, referral and affiliate.";

/**
 * What a person may want to change in a link's values before saving: another spelling, or a pair that Google does not know.
 * `was` is the link that is edited.
 */
export function hintsOf(
  { parameters }: Preview,
  draft: Draft,
  conventions: Conventions,
  was?: Draft,
): string[] {
  const unusual = CONVENTION_FIELDS.flatMap((field) => {
    const label = VALUE_FIELDS[field].label.toLowerCase();
    const value = draft[field];
    // A value that the link has may stay.
    const fit = value === "" || value === was?.[field] ? undefined : fitOf(conventions[field], value);
    if (fit?.kind === "spelt") {
      const verb = conventions[field].strictness === "only" ? "will be saved as" : "is usually written";
      return `The ${label} ${verb} ${quoted(fit.as)}.`;
    }
    return fit?.kind === "unknown"
      ? `The ${label} ${quoted(value)} is not among the workspace’s values.`
      : [];
  });
  const [source = "", medium = "", campaign = ""] = parameters.map(({ value }) => value ?? "");
  const isTagged = source !== "" || medium !== "";
  const isUnknown = isTagged && isUnassigned({ source, medium, campaign });
  return [
    ...unusual,
    ...(isUnknown ? [`Google Analytics would show these visits as “Unassigned”. ${KNOWN_MEDIUMS}`] : []),
  ];
}
