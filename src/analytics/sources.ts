import { hostAndParents } from "../lib/destination";

// Names of well-known sources of visits. A referrer is stored as its registrable domain.

const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  Facebook: ["facebook.com", "fb.com", "fb.me", "fb.watch", "messenger.com", "m.me"],
  Instagram: ["instagram.com", "ig.me"],
  Threads: ["threads.net", "threads.com"],
  X: ["x.com", "twitter.com", "t.co"],
  LinkedIn: ["linkedin.com", "lnkd.in"],
  YouTube: ["youtube.com", "youtu.be", "youtube-nocookie.com"],
  Reddit: ["reddit.com", "redd.it"],
  TikTok: ["tiktok.com"],
  Google: ["google.com"],
  Pinterest: ["pinterest.com", "pin.it"],
  Snapchat: ["snapchat.com"],
  Bluesky: ["bsky.app"],
  Mastodon: ["mastodon.social"],
  WhatsApp: ["whatsapp.com", "wa.me"],
  Telegram: ["telegram.org", "telegram.me", "t.me"],
  Discord: ["discord.com", "discord.gg", "discordapp.com"],
  Slack: ["slack.com"],
  Teams: ["teams.microsoft.com", "teams.live.com", "teams.cloud.microsoft"],
  Bing: ["bing.com"],
  DuckDuckGo: ["duckduckgo.com"],
  Ecosia: ["ecosia.org"],
  Qwant: ["qwant.com"],
  Startpage: ["startpage.com"],
  Yahoo: ["yahoo.com", "yahoo.co.jp"],
  Baidu: ["baidu.com"],
  Yandex: ["yandex.ru", "yandex.com", "ya.ru"],
  ChatGPT: ["chatgpt.com", "chat.openai.com"],
  Perplexity: ["perplexity.ai"],
  Claude: ["claude.ai"],
  Gemini: ["gemini.google.com"],
  Copilot: ["copilot.microsoft.com"],
  GitHub: ["github.com"],
  "Hacker News": ["ycombinator.com"],
  Medium: ["medium.com"],
  Substack: ["substack.com"],
  Wikipedia: ["wikipedia.org"],
  Gmail: ["mail.google.com"],
  Outlook: ["outlook.com", "live.com", "office.com", "office365.com"],
  Mailchimp: ["mailchimp.com", "mailchi.mp", "list-manage.com"],
  Xing: ["xing.com"],
};

/** Sources with a domain in many countries, or a subdomain of it. They have the name of their `.com`. */
const OF_COUNTRY = /^(?:.+\.)?(google|pinterest)\.(?:com|cat|[a-z]{2}|com?\.[a-z]{2})$/;

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(DOMAINS).flatMap(([name, domains]) => domains.map((domain) => [domain, name] as const)),
);

/** The name of a known source, or the domain itself. A lookalike such as `google.com.example.org` is not known. */
export function sourceOf(domain: string): string {
  const name = OF_COUNTRY.exec(domain)?.[1];
  const known = hostAndParents(domain).find((parent) => NAMES.has(parent));
  return NAMES.get(known ?? (name === undefined ? "" : `${name}.com`)) ?? domain;
}

/** Sums the domains of each known source under its name, highest first. A value is a domain, `""` for none, or a word without a dot. */
export const mergeSources = (sources: readonly { value: string; visits: number }[]) =>
  Array.from(
    Map.groupBy(sources, ({ value }) => sourceOf(value)),
    ([value, merged]) => ({ value, visits: merged.reduce((sum, { visits }) => sum + visits, 0) }),
  ).sort((one, other) => other.visits - one.visits);
