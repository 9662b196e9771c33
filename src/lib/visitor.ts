// What a rule asks of a visitor. Nothing of it is kept.

export const DEVICES = ["ios", "android", "desktop"] as const;
export type Device = (typeof DEVICES)[number];

/** Headers may have 128 KB. Browsers send much less. */
const MAX_HEADER_CHARACTERS = 1_024;

/** Cloudflare's word for the country. A local service, which has no main address, reads it from `X-Country`. */
export const visitorCountry = (
  headers: Headers,
  cf: object | undefined,
  baseUrl: string | undefined,
): string | undefined => {
  const country = baseUrl ? (cf as { country?: unknown } | undefined)?.country : headers.get("x-country");
  return typeof country === "string" ? country : undefined;
};

/** The class of a user agent. An unknown one is `desktop`, and so is an iPad that says that it is a Mac. */
export function deviceClassOf(agent: string | null): Device {
  const text = (agent ?? "").slice(0, MAX_HEADER_CHARACTERS);
  if (/\b(?:iPhone|iPad|iPod)\b/.test(text)) return "ios";
  return /\bAndroid\b/.test(text) ? "android" : "desktop";
}

/** The primary subtag of the language with the highest weight, of those that are known the first one of several; null if none is asked for. */
export function preferredLanguage<T extends string = string>(
  header: string | null,
  isKnown = (_: string): _ is T => true,
): T | null {
  let preferred: T | null = null;
  let highest = 0;
  for (const part of (header ?? "").slice(0, MAX_HEADER_CHARACTERS).split(",")) {
    const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const [language = ""] = range.split("-", 1);
    if (!/^[a-z]{2,3}$/.test(language) || !isKnown(language)) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = quality === undefined ? 1 : Number(quality.slice("q=".length));
    if (weight >= 1) return language;
    if (!(weight > highest)) continue;
    preferred = language;
    highest = weight;
  }
  return preferred;
}

/**
 * Those that make the preview of a link. In-app browsers of the same companies are people: LinkedInApp, [Pinterest/iOS], FBAN.
 * iMessage says that it is the bots of Facebook and Twitter.
 */
const PREVIEW_BOTS = [
  ...["facebookexternalhit", "facebot", "twitterbot", "linkedinbot", "slackbot-linkexpanding", "discordbot"],
  ...["telegrambot", "skypeuripreview", "pinterestbot", "redditbot", "bluesky cardyb", "iframely", "embedly"],
  ...["snap url preview", "(mastodon/"],
];
/** Where they begin the text. Signal says that it is WhatsApp. */
const BEGINNINGS = ["whatsapp/", "mastodon/"];

export function isPreviewBot(agent: string | null): boolean {
  const text = (agent ?? "").slice(0, MAX_HEADER_CHARACTERS).toLowerCase();
  return PREVIEW_BOTS.some((bot) => text.includes(bot)) || BEGINNINGS.some((bot) => text.startsWith(bot));
}
