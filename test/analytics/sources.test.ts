import { describe, expect, it } from "vitest";
import { mergeSources, sourceOf } from "../../src/analytics/sources";

describe("the source of a referrer", () => {
  it.each([
    ["facebook.com", "Facebook"],
    ["l.facebook.com", "Facebook"],
    ["m.facebook.com", "Facebook"],
    ["fb.me", "Facebook"],
    ["instagram.com", "Instagram"],
    ["l.instagram.com", "Instagram"],
    ["t.co", "X"],
    ["twitter.com", "X"],
    ["x.com", "X"],
    ["lnkd.in", "LinkedIn"],
    ["linkedin.com", "LinkedIn"],
    ["google.com", "Google"],
    ["www.google.ch", "Google"],
    ["google.co.uk", "Google"],
    ["google.com.au", "Google"],
    ["google.cat", "Google"],
    ["mail.google.com", "Gmail"],
    ["pinterest.com", "Pinterest"],
    ["pinterest.co.uk", "Pinterest"],
    ["pin.it", "Pinterest"],
    ["bing.com", "Bing"],
    ["youtu.be", "YouTube"],
    ["out.reddit.com", "Reddit"],
    ["tiktok.com", "TikTok"],
    ["wa.me", "WhatsApp"],
    ["t.me", "Telegram"],
    ["slack.com", "Slack"],
    ["teams.microsoft.com", "Teams"],
    ["chatgpt.com", "ChatGPT"],
    ["perplexity.ai", "Perplexity"],
    ["github.com", "GitHub"],
    ["ycombinator.com", "Hacker News"],
    ["live.com", "Outlook"],
  ])("%s is %s", (domain, name) => {
    expect(sourceOf(domain)).toBe(name);
  });

  it.each([
    "",
    "other",
    "example.com",
    "notfacebook.com",
    "facebook.com.example.org",
    "google.example",
    "google.com.example.org",
    "google.example.com",
    "mygoogle.com",
    "t.co.uk",
    "x.com.br",
    "constructor.com",
    "__proto__",
  ])("%j stays as it is", (domain) => {
    expect(sourceOf(domain)).toBe(domain);
  });
});

it("domains of one source are summed under its name, highest first", () => {
  expect(
    mergeSources([
      { value: "example.com", visits: 5 },
      { value: "", visits: 4 },
      { value: "x.com", visits: 3 },
      { value: "t.co", visits: 3 },
      { value: "other", visits: 1 },
    ]),
  ).toEqual([
    { value: "X", visits: 6 },
    { value: "example.com", visits: 5 },
    { value: "", visits: 4 },
    { value: "other", visits: 1 },
  ]);
});
