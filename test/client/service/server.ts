import { waymark } from "../../../src/client/api/client";
import type { Waymark } from "../../../src/client/api/types";
import { freePort, start, temporaryDirectory } from "../../cli/terminal";
import { startDev } from "../../commands/server";

/** `npm run dev` with its demo workspace. Ends with `cleanUp` of test/cli/terminal. */
export interface DevService {
  url: string;
  key: string;
  /** Issues a key of the demo workspace. */
  createKey(access: "full" | "read"): Promise<string>;
}

export async function startService(): Promise<DevService> {
  const state = temporaryDirectory();
  const { greeting } = await startDev(await freePort(), state);
  return {
    url: greeting.base,
    key: greeting.key,
    async createKey(access) {
      const key = ["key", "create", "--workspace", "demo", "--name", "test", "--access", access];
      const { ended } = start("npm", ["run", "--silent", "admin", "--", ...key, "--persist-to", state]);
      const { out } = await ended;
      const [text] = /lnk_\w+/.exec(out) ?? [];
      if (text === undefined) throw new Error(`No key was made: ${out}`);
      return text;
    },
  };
}

/** What happens to an exchange with the service. `tries` counts those of the same request. */
export type Interference = (request: () => Promise<Response>, tries: number) => Promise<Response>;

/** A client whose exchanges go through the interference, and their requests. */
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
