import { makeApiKey } from "../../../src/access/api-key";
import { systemRandom } from "../../../src/context";
import { again, anInstance, pick, type Soak } from "./soak";

// Scanners with their own client addresses.

const PAUSE_MS = 30;
const PATHS = [
  "/.env",
  "/wp-login.php",
  "/foo/",
  "/%2e%2e/%2e%2e/etc/passwd",
  "/a%00b",
  "/api/v1/nothing",
  "/api/v1/links?page=0",
  "/assets/app.js",
  `/${"a".repeat(5_000)}`,
  "/health/x",
];
const HUGE = "h".repeat(100_000);

const letters = (): string => crypto.randomUUID().replaceAll("-", "").slice(0, 20);

/** A request that must be refused: path, method, headers. */
function anAttempt(): [path: string, method: string, headers: Record<string, string>] {
  switch (Math.floor(Math.random() * 6)) {
    case 0:
      return [`/u${letters()}`, "GET", {}];
    case 1:
      return ["/api/v1/links", "GET", { Authorization: `Bearer ${makeApiKey(systemRandom)}` }];
    case 2:
      return ["/api/v1/tags", "POST", { Authorization: `Bearer ${letters()}` }];
    case 3:
      return [pick(PATHS) ?? "/", "GET", {}];
    case 4:
      return [`/u${letters()}`, "GET", { "User-Agent": HUGE, Referer: `https://${HUGE}/` }];
    default:
      return [`/u${letters()}`, "POST", { Cookie: HUGE.slice(0, 8_000) }];
  }
}

export const beScanner = (soak: Soak, number: number): Promise<void> =>
  again(soak, PAUSE_MS, async () => {
    const [path, method, headers] = anAttempt();
    soak.count("scans");
    let status: number;
    try {
      const own = { ...anInstance(), "CF-Connecting-IP": `203.0.113.${number}` };
      ({ status } = await soak.http.ask(`${soak.url}${path}`, method, { ...own, ...headers }));
    } catch {
      soak.count("scans without an answer");
      return;
    }
    if (status === 429) soak.count("scans answered 429");
    if (status === 503) soak.count("scans answered 503");
    else if (status < 400 || status >= 500) soak.wrong(`scan: ${method} ${path.slice(0, 60)} is ${status}`);
  });
