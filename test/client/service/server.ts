import { waymark } from "../../../src/client/api/client";
import type { Waymark } from "../../../src/client/api/resources";
import { start, temporaryDirectory } from "../../cli/terminal";
import { startDev } from "../../commands/server";
import { freePort } from "../../free-port";

/** A running `npm run dev`. `cleanUp` of test/cli/terminal ends it. */
export interface DevService {
  url: string;
  /** A key of the demo workspace with full access. */
  key: string;
  /** Runs `npm run admin`. Resolves to its standard output. */
  admin(...args: readonly string[]): Promise<string>;
  /** Issues a key of a workspace. */
  createKey(workspace: string, access: "full" | "read"): Promise<string>;
}

export async function startService(): Promise<DevService> {
  const state = temporaryDirectory();
  const { greeting } = await startDev(await freePort(), state);
  async function admin(...args: readonly string[]): Promise<string> {
    const command = ["run", "--silent", "admin", "--", ...args, "--persist-to", state];
    const { code, out, err } = await start("npm", command).ended;
    if (code !== 0) throw new Error(`admin ${args.join(" ")} ended with ${code}:\n${out}\n${err}`);
    return out;
  }
  return {
    url: greeting.base,
    key: greeting.key,
    admin,
    async createKey(workspace, access) {
      const given = ["--workspace", workspace, "--name", "test", "--access", access];
      const out = await admin("key", "create", ...given);
      return /lnk_\w+/.exec(out)?.[0] ?? "";
    },
  };
}

/** Intercepts a request. `tries` counts the tries of the same request. */
export type Interference = (request: () => Promise<Response>, tries: number) => Promise<Response>;

/** A client whose requests can be intercepted, and the requests so far. */
export function interfered(
  service: DevService,
  interfere: Interference,
): { client: Waymark; calls: string[] } {
  const calls: string[] = [];
  const client = waymark({
    ...service,
    fetch: (url, init) => {
      const key = new Headers(init?.headers).get("Idempotency-Key");
      const call = `${init?.method} ${url} ${init?.body ?? ""} ${key ?? ""}`;
      calls.push(call);
      return interfere(() => fetch(url, init), calls.filter((other) => other === call).length);
    },
  });
  return { client, calls };
}
