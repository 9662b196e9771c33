import { createServer } from "node:net";

/** Below the ports that systems give to connections, so that none takes it before the server starts. */
const [FIRST, LAST] = [15_000, 32_000];

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.on("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });

/** A port of 127.0.0.1 and localhost that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if ((await isFree(port, "127.0.0.1")) && (await isFree(port, "localhost"))) return port;
  }
}
