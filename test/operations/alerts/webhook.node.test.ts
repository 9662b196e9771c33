import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openWebhook } from "../../../src/operations/alerts/operator-webhook";
import { send } from "../../../src/resources/events/webhook";

// Against a real HTTP server.

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

interface Received {
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

const received: Received[] = [];
let answer: (response: ServerResponse) => void = (response) => void response.writeHead(204).end();
let server: Server;
let url: string;
const closed: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      received.push({ path: request.url ?? "", headers: request.headers, body });
      response.on("close", () => closed.push(request.url ?? ""));
      answer(response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/T0/secret`;
});

afterEach(() => {
  received.length = 0;
  closed.length = 0;
  vi.restoreAllMocks();
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const post = async (secret: string | null = SECRET) =>
  send(await openWebhook(url, secret), "01MESSAGE", '{"text":"Zürich"}', Date.now());

describe("a message", () => {
  it("is verified by the standard's library, and refused with another secret, id, time or body", async () => {
    answer = (response) => void response.writeHead(204).end();
    expect(await post()).toEqual({
      isDelivered: true,
      isFinal: false,
      outcome: "HTTP 204",
      retryAfterMs: null,
    });
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    const sent = headers as Record<string, string>;
    expect(sent).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Waymark",
      "webhook-id": "01MESSAGE",
    });
    expect(new Verifier(SECRET).verify(body, sent)).toEqual({ text: "Zürich" });
    const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    expect(() => new Verifier(other).verify(body, sent)).toThrow("No matching signature");
    expect(() => new Verifier(SECRET).verify(body, { ...sent, "webhook-id": "01OTHER" })).toThrow();
    const second = String(Number(sent["webhook-timestamp"]) + 1);
    expect(() => new Verifier(SECRET).verify(body, { ...sent, "webhook-timestamp": second })).toThrow();
    expect(() => new Verifier(SECRET).verify(`${body} `, sent)).toThrow();
  });

  it("is signed the same with a secret without its prefix", async () => {
    await post(SECRET.slice("whsec_".length));
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    expect(new Verifier(SECRET).verify(body, headers as Record<string, string>)).toBeDefined();
  });

  it("has no signature without a secret", async () => {
    expect((await post(null)).isDelivered).toBe(true);
    expect(received[0]?.headers["webhook-signature"]).toBeUndefined();
    expect(received[0]?.headers["webhook-id"]).toBe("01MESSAGE");
  });
});

describe("a receiver", () => {
  it.each([200, 201, 202, 204, 299])("that answers %i has the message", async (status) => {
    answer = (response) => void response.writeHead(status).end();
    expect(await post()).toMatchObject({ isDelivered: true, outcome: `HTTP ${status}` });
  });

  it.each([400, 404, 410, 429, 500, 503])("that answers %i does not", async (status) => {
    answer = (response) => void response.writeHead(status).end();
    expect(await post()).toEqual({
      isDelivered: false,
      isFinal: status === 410,
      outcome: `HTTP ${status}`,
      retryAfterMs: null,
    });
  });

  it.each([301, 302, 303, 307, 308])("that redirects with %i is not followed", async (status) => {
    answer = (response) => void response.writeHead(status, { location: "/elsewhere" }).end();
    expect(await post()).toMatchObject({ isDelivered: false, outcome: `HTTP ${status}` });
    expect(received.map(({ path }) => path)).toEqual(["/T0/secret"]);
  });

  it("may say how long to wait", async () => {
    answer = (response) => void response.writeHead(429, { "retry-after": "90" }).end();
    expect((await post()).retryAfterMs).toBe(90_000);
  });

  it("whose body never ends costs nothing: its connection is closed", async () => {
    answer = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
      response.on("close", () => clearInterval(timer));
    };
    expect((await post()).isDelivered).toBe(true);
    await vi.waitFor(() => expect(closed).toHaveLength(1), { timeout: 60_000 });
  });

  it("that does not answer is cut off after ten seconds", async () => {
    answer = () => undefined;
    const usual = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => usual(50));
    expect(await post()).toMatchObject({ isDelivered: false, outcome: "no answer within ten seconds" });
    expect(timeout).toHaveBeenCalledWith(10_000);
  });

  it("that closes the connection is not reachable", async () => {
    answer = (response) => void response.destroy();
    expect(await post()).toMatchObject({ isDelivered: false, outcome: "not reachable" });
  });
});

describe("a variable with an unusable value", () => {
  it.each([
    ["no URL", "hooks.example", null, "ALERT_WEBHOOK"],
    ["another protocol", "ftp://hooks.example/", null, "ALERT_WEBHOOK"],
    ["plain http", "http://hooks.example/", null, "ALERT_WEBHOOK"],
    ["a password in the URL", "https://me:pass@hooks.example/", null, "ALERT_WEBHOOK"],
    ["no base64", "https://hooks.example/", "whsec_&&&&", "ALERT_SECRET"],
    ["23 bytes", "https://hooks.example/", Buffer.alloc(23).toString("base64"), "ALERT_SECRET"],
    ["65 bytes", "https://hooks.example/", Buffer.alloc(65).toString("base64"), "ALERT_SECRET"],
    ["cut base64", "https://hooks.example/", SECRET.slice(0, -3), "ALERT_SECRET"],
  ])("is named without its value: %s", async (_, address, secret, name) => {
    const error = await openWebhook(address, secret).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const { message } = error as Error;
    expect(message).toContain(name);
    for (const value of [address, secret ?? address]) expect(message).not.toContain(value);
  });

  it.each([24, 64])("is not one with a secret of %i bytes", async (bytes) => {
    const { key } = await openWebhook(url, Buffer.alloc(bytes).toString("base64"));
    expect(key).not.toBeNull();
  });
});
