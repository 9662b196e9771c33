import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { cleanUp, plainEnvironment, start, temporaryDirectory } from "../../cli/terminal";
import { FROM_SOURCE, serveFake } from "../fake-http";
import { fakeService } from "../fake-service";

const HOST = "go.example.com";
const service = fakeService();
const folder = temporaryDirectory();
const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
let https: Awaited<ReturnType<typeof serveFake>>;
let proxyUrl = "";
/** What the proxy was asked for. */
let asked: { target: string; authorization: string | undefined }[] = [];

const proxy = createServer((_, response) => void response.writeHead(400).end());
proxy.on("connect", (request, socket) => {
  asked.push({ target: request.url ?? "", authorization: request.headers["proxy-authorization"] });
  const upstream = connect(https.port, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    upstream.pipe(socket).pipe(upstream);
  });
  for (const one of [socket, upstream]) one.on("error", () => undefined);
});

beforeAll(async () => {
  const names = `subjectAltName=DNS:${HOST},IP:127.0.0.1`;
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", `/CN=${HOST}`, "-addext", names];
  const options = { stdio: "ignore" } as const;
  execFileSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", key, "-out", cert], options);
  https = await serveFake(service, { key: readFileSync(key), cert: readFileSync(cert) });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  https.close();
  proxy.close();
  cleanUp();
});

async function whoami(env: Record<string, string>) {
  const settings = { WAYMARK_KEY: service.key, NODE_EXTRA_CA_CERTS: cert, ...env };
  const child = start(process.execPath, [...FROM_SOURCE, "whoami"], { env: plainEnvironment(settings) });
  return child.ended;
}

it.each(["HTTPS_PROXY", "https_proxy"])("%s is the proxy to the service, with its user", async (name) => {
  const url = proxyUrl.replace("//", "//ada:secret@");
  const ended = await whoami({ WAYMARK_URL: `https://${HOST}`, [name]: url });
  expect([ended.code, ended.err]).toEqual([0, ""]);
  expect(ended.out).toContain("workspace\tacme");
  expect(asked[0]).toEqual({
    target: `${HOST}:443`,
    authorization: `Basic ${Buffer.from("ada:secret").toString("base64")}`,
  });
});

it("a proxy without a scheme is http", async () => {
  const env = { WAYMARK_URL: `https://${HOST}`, HTTPS_PROXY: proxyUrl.replace("http://", "") };
  expect(await whoami(env)).toMatchObject({ code: 0 });
  expect(asked).not.toEqual([]);
});

it("a host in NO_PROXY is asked without it", async () => {
  expect(
    await whoami({ WAYMARK_URL: https.url, HTTPS_PROXY: proxyUrl, NO_PROXY: "a.example,127.0.0.1" }),
  ).toMatchObject({ code: 0 });
  expect(asked).toEqual([]);
});

it("a service on this machine is asked without it", async () => {
  const local = await serveFake(service);
  const env = { WAYMARK_URL: local.url, HTTPS_PROXY: proxyUrl, HTTP_PROXY: proxyUrl };
  expect(await whoami(env)).toMatchObject({ code: 0 });
  expect(asked).toEqual([]);
  local.close();
});

it("what is no address of a proxy is refused", async () => {
  const ended = await whoami({ WAYMARK_URL: `https://${HOST}`, HTTPS_PROXY: "socks5://127.0.0.1:1" });
  expect(ended.code).toBe(3);
  expect(ended.err).toContain(
    "HTTPS_PROXY must be the address of a proxy, such as http://proxy.example:3128.",
  );
});
