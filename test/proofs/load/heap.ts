import { setTimeout as sleep } from "node:timers/promises";
import { fetch, type WebSocket } from "miniflare";

// Asks a Worker's isolate for its memory through workerd's inspector.

/** The name that Miniflare gives the Worker. Its simulators of D1 and KV have other names. */
const TARGET = "core:user:";
const COLLECTIONS = 3;
const WAKE_EVERY_MS = 20;
const PATIENCE_MS = 30_000;

interface Usage {
  usedSize: number;
  embedderHeapUsedSize: number;
  backingStorageSize: number;
}

let sent = 0;

function send<Result>(socket: WebSocket, method: string): Promise<Result> {
  const id = ++sent;
  return new Promise((resolve, reject) => {
    socket.addEventListener("close", () => reject(new Error(`The inspector closed during ${method}.`)));
    socket.addEventListener("message", ({ data }) => {
      const answer = JSON.parse(String(data));
      if (answer.id !== id) return;
      if (answer.error === undefined) resolve(answer.result);
      else reject(new Error(`${method}: ${answer.error.message}`));
    });
    socket.send(JSON.stringify({ id, method }));
  });
}

/** Collects garbage. workerd starts the collection with the next request of the Worker, so `wake` must send one. */
async function collect(socket: WebSocket, wake: () => Promise<unknown>): Promise<void> {
  let collected = false;
  const collecting = send(socket, "HeapProfiler.collectGarbage").finally(() => {
    collected = true;
  });
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (!collected) {
    if (Date.now() > giveUpAt) throw new Error("The Worker collects no garbage.");
    await Promise.all([wake(), sleep(WAKE_EVERY_MS)]);
  }
  await collecting;
}

/** The memory, in MB, that the Worker's isolate still needs after garbage collection. */
export async function liveHeapMb(inspector: string, wake: () => Promise<unknown>): Promise<number> {
  const { webSocket } = await fetch(`${inspector}/${TARGET}`, { headers: { Upgrade: "websocket" } });
  if (!webSocket) throw new Error(`The inspector has no target ${TARGET}.`);
  webSocket.accept();
  // One collection finalises objects that the next one frees.
  for (let turn = 0; turn < COLLECTIONS; turn++) await collect(webSocket, wake);
  const usage = await send<Usage>(webSocket, "Runtime.getHeapUsage");
  webSocket.close();
  return (usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize) / 1024 ** 2;
}
