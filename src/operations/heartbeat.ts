import { SECOND_MS } from "../lib/time";
import { logLine } from "../log";
import { askOutside } from "../resources/destinations/outside";
import { parseSecretUrl } from "./alerts/operator-webhook";

const MAX_MS = 10 * SECOND_MS;

/** Tells a dead man's switch that the jobs have run. Takes at most ten seconds, and never throws. */
export async function sendHeartbeat(address: string | null): Promise<void> {
  if (address === null) return;
  let url: URL;
  try {
    url = parseSecretUrl("HEARTBEAT_URL", address);
  } catch (error) {
    logLine("misconfigured", { reason: (error as Error).message });
    return;
  }
  const outcome = await askOutside(url.href, { headers: { "user-agent": "Waymark" }, maxMs: MAX_MS }).then(
    ({ response }) => (response.ok ? null : `HTTP ${response.status}`),
    () => "no answer",
  );
  if (outcome !== null) logLine("heartbeat_not_sent", { host: url.host, outcome });
}
