import { Agent, request } from "node:http";

// Requests over kept-alive connections.

const MAX_TRIES = 10;

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
  /** The number of tries: more than one if a kept-alive connection was closed. */
  sent: number;
}

export interface Client {
  ask: (url: string, method: string, headers: Record<string, string>, body?: string) => Promise<Answer>;
  close: () => void;
}

/** A client with a maximal number of connections. Retries a broken connection and throws after ten tries. */
export function openClient(connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  const askOnce = (
    url: string,
    method: string,
    headers: Record<string, string>,
    body: string | undefined,
    sent: number,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const outgoing = request(url, { method, agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts).toString(),
            sent,
          }),
        );
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });

  return {
    async ask(url, method, headers, body) {
      for (let sent = 1; ; sent++) {
        try {
          return await askOnce(url, method, headers, body, sent);
        } catch (error) {
          if (sent === MAX_TRIES) throw error;
        }
      }
    },
    close: () => agent.destroy(),
  };
}
