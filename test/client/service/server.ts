import { waymark } from "../../../src/client/api/client";
import type { Waymark } from "../../../src/client/api/resources";
import { type Service, startService as startLocal } from "../../service/start";

/** A local service. `cleanUp` of test/operations/cli/terminal removes its state. */
export interface DevService {
  url: string;
  /** A key of the demo workspace with full access. */
  key: string;
  /** Runs a command of `npm run admin`. Resolves to its JSON. */
  admin: Service["admin"];
  /** Issues a key of a workspace. */
  createKey(workspace: string, access: "full" | "read"): Promise<string>;
  stop: () => Promise<void>;
}

export async function startService(): Promise<DevService> {
  const { base, key, admin, stop } = await startLocal();
  return {
    url: base,
    key,
    admin,
    async createKey(workspace, access) {
      const given = ["--workspace", workspace, "--name", "test", "--access", access];
      return (await admin("key", "create", ...given)).key;
    },
    stop,
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
