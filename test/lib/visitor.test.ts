import { describe, expect, it } from "vitest";
import {
  type Device,
  deviceClassOf,
  isPreviewBot,
  preferredLanguage,
  visitorCountry,
} from "../../src/lib/visitor";

const KHTML = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

it.each<[string, Device, string | null]>([
  [
    "Safari on an iPhone",
    "ios",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${KHTML} Version/18.5 Mobile/15E148 Safari/604.1`,
  ],
  [
    "an iPad that says so",
    "ios",
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${KHTML} Version/17.5 Mobile/15E148 Safari/604.1`,
  ],
  [
    "an iPod touch",
    "ios",
    `Mozilla/5.0 (iPod touch; CPU iPhone OS 15_8 like Mac OS X) ${KHTML} Version/15.6 Mobile/15E148 Safari/604.1`,
  ],
  [
    "an iPad that says that it is a Mac",
    "desktop",
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${KHTML} Version/18.5 Safari/605.1.15`,
  ],
  [
    "Chrome on an Android phone",
    "android",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
  ],
  [
    "Chrome on Windows",
    "desktop",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
  ],
  [
    "a bot that says that it is a phone",
    "android",
    "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.7204.92 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  ],
  ["no header", "desktop", null],
  ["a word that only begins alike", "desktop", "iPhoneish Androidish"],
  ["a name beyond what is looked at", "desktop", `${"x".repeat(2_000)} iPhone`],
])("the device class of %s is %s", (_, device, agent) => {
  expect(deviceClassOf(agent)).toBe(device);
});

it.each<[string | null, string | null]>([
  ["de", "de"],
  ["de-CH, de;q=0.9, en;q=0.8", "de"],
  ["en;q=0.8, fr-FR;q=0.9, *;q=0.1", "fr"],
  ["en;q=0.5,it;q=0.5", "en"],
  ["FR-ch", "fr"],
  ["zh-Hant-TW, zh;q=0.9", "zh"],
  ["gsw-CH, de;q=0.9", "gsw"],
  ["*", null],
  ["", null],
  [null, null],
  ["en;q=0", null],
  ["en;q=nonsense, de;q=0.1", "de"],
  ["en; q = 0.2, de;q=0.3", "en"],
  ["x-private, nl", "nl"],
  ["1234, q=1", null],
  ["1en, en1", null],
  ["de;q=1, en;q=5", "de"],
  [`${"en;q=0.1,".repeat(2_000)}de`, "en"],
])("the preferred language of %j is %j", (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

it.each([
  ["Cloudflare's word", "https://app.example", { country: "CH" }, "CH"],
  ["unknown to Cloudflare", "https://app.example", undefined, undefined],
  ["none of Cloudflare's words", "https://app.example", { country: 7 }, undefined],
  ["a header in a local service", undefined, { country: "CH" }, "DE"],
])("the country of a visitor is %s", (_, baseUrl, cf, country) => {
  expect(visitorCountry(new Headers({ "x-country": "DE" }), cf, baseUrl)).toBe(country);
  expect(visitorCountry(new Headers(), cf, undefined)).toBeUndefined();
});

describe("a chat or network that makes a preview", () => {
  it.each([
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "facebookexternalhit/1.1;line-poker/1.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "Twitterbot/1.0",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "TelegramBot (like TwitterBot)",
    "WhatsApp/2.23.20.0 A",
    "WhatsApp/2",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
    "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)",
    "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
    "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
    "Mastodon/4.4.2 (http.rb/5.3.1; +https://mastodon.social/) Bot",
    "http.rb/5.1.1 (Mastodon/4.1.4; +https://social.example/) Bot",
    "Iframely/1.3.1 (+https://iframely.com/docs/about)",
    "Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)",
    "Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
  ])("is %s", (agent) => {
    expect(isPreviewBot(agent)).toBe(true);
  });

  it.each([
    null,
    "",
    "curl/8.14.1",
    "Slackbot 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22D63 [FBAN/FBIOS;FBAV/500.0]",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22D63 [Pinterest/iOS]",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22D63 [LinkedInApp]/9.30",
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0 Mobile Safari/537.36 WhatsApp/2.25",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mastodon/2024.9",
    `${"a".repeat(2_000)} Twitterbot/1.0`,
  ])("is not %s", (agent) => {
    expect(isPreviewBot(agent)).toBe(false);
  });
});
