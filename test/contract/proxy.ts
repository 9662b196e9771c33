import { fileURLToPath } from "node:url";
import { freePort } from "../free-port";
import { type Document, operationsOf } from "./document";
import { start } from "./processes";
import { openWalk, readsAllPages } from "./walk";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What the walk cannot bring about: a read-only key, a race, a limit of requests, a fault of the service. */
const UNPROVOKED = [403, 409, 429, 500, 503];

export interface Service {
  url: string;
  key: string;
}

export async function startService(state: string): Promise<Service> {
  const port = await freePort();
  const args = ["run", "dev", "--", "--port", String(port), "--persist-to", state];
  const [, key = ""] = await start("npm", args, /^ *Demo key +(\S+)/m, { cwd: ROOT });
  return { url: `http://localhost:${port}`, key };
}

/**
 * Starts Prism between a client and the service. Not with `--errors`, which answers a request that breaks the document in the
 * service's place, and says nothing of an undocumented refusal: `sl-violations` names everything.
 */
export async function startProxy(prism: string, document: string, upstream: string): Promise<string> {
  const port = await freePort();
  const args = [
    prism,
    "proxy",
    document,
    upstream,
    "--port",
    String(port),
    "--host",
    "127.0.0.1",
    "--cors=false",
  ];
  await start(process.execPath, args, /Prism is listening/);
  return `http://127.0.0.1:${port}`;
}

/** A path with ids as a pattern. */
const toPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/{\w+}/g, "[^/]+")}$`);

/** Walks through the proxy. Throws if it reports a violation, or if a documented answer was not seen. */
export async function walkThrough(proxy: string, key: string, document: Document): Promise<string> {
  const operations = operationsOf(document);
  const operationIdOf = (method: string, path: string): string =>
    operations.find((one) => one.method === method && toPattern(one.path).test(path))?.operationId ??
    "unknown";
  const { seen, call } = openWalk(proxy, key, operationIdOf);
  await readsAllPages(
    call,
    (operationId) => operations.find((one) => one.operationId === operationId)?.example ?? {},
  );
  const expected = operations.flatMap(({ operationId, path, statuses }) =>
    // Without an id in the path, 404 is the answer of a suspended workspace.
    statuses
      .filter((status) => !UNPROVOKED.includes(status) && (status !== 404 || path.includes("{")))
      .map((status) => `${operationId} ${status}`),
  );
  const faults = [
    ...seen.faults,
    ...expected.filter((name) => !seen.answers.has(name)).map((name) => `not seen: ${name}`),
  ];
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return `${seen.calls} calls of ${operations.length} operations, ${seen.answers.size} kinds of answers`;
}

/** Reads a link by way of a proxy whose document is broken. Throws if it reports nothing. */
export async function expectViolation(proxy: string, key: string): Promise<string> {
  const { seen, call } = openWalk(proxy, key, () => "listLinks");
  await call(200, "GET", "/links");
  const [first] = seen.faults;
  if (first === undefined) throw new Error("Prism does not notice that a slug is no number.");
  return first;
}
