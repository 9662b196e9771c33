/** In this order: several browsers also name those that they derive from. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOPT\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:\b|Headless)(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

/** In this order: phones also name the systems that theirs derives from. */
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const MAX_AGENT_CHARACTERS = 1_000;

const firstIn = (list: typeof BROWSERS, agent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(agent))?.[1];

/** The browser and system of a `User-Agent` in words, such as "Firefox on Windows"; null if neither is known. */
export function deviceInWords(agent: string): string | null {
  const start = agent.slice(0, MAX_AGENT_CHARACTERS);
  const browser = firstIn(BROWSERS, start);
  const system = firstIn(SYSTEMS, start);
  if (browser === undefined) return system ?? null;
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** A country code as Cloudflare gives it; null for anything else. `T1` is the Tor network. */
export const countryCode = (value: unknown): string | null =>
  typeof value === "string" && /^(?:[A-Z]{2}|T1)$/.test(value) ? value : null;
