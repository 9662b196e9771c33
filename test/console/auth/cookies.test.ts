import { describe, expect, it } from "vitest";
import { addMember } from "../../../src/access/members";
import { createSignInLink } from "../../../src/access/sessions";
import { makeWorkspace, send, testEnv } from "../../harness";

/** As `npm run dev` runs: each host that is not below localhost is the main one. */
const LOCAL = { ...testEnv, BASE_URL: "", SHORT_BASE_URL: "" };
const LOOPBACK = ["http://localhost:8787", "http://127.0.0.1:8787", "http://[::1]:8787"];

interface Cookie {
  name: string;
  value: string;
  attributes: Map<string, string>;
}

function parse(header: string): Cookie {
  const [pair = "", ...rest] = header.split("; ");
  const [name = "", value = ""] = pair.split("=");
  const attributes = rest.map((text): [string, string] => {
    const [key = "", of = ""] = text.split("=");
    return [key.toLowerCase(), of];
  });
  return { name, value, attributes: new Map(attributes) };
}

/** The rules of RFC 6265bis, 5.7. Browsers differ in one: whether a loopback host may set secure cookies over http. */
function isKept({ name, attributes }: Cookie, url: string, trustsLoopback: boolean): boolean {
  const { protocol, hostname } = new URL(url);
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  const isSecure = attributes.has("secure");
  if (isSecure && protocol !== "https:" && !(trustsLoopback && isLoopback)) return false;
  const isBound = isSecure && !attributes.has("domain") && attributes.get("path") === "/";
  return isBound || !name.startsWith("__Host-");
}

const SESSIONS = "/app/account/sessions";
const SAFARI = false;
const CHROME_AND_FIREFOX = true;

async function makeLink() {
  const { ctx } = await makeWorkspace();
  await addMember(ctx, { email: "ada@people.example", role: "owner" });
  return createSignInLink(ctx, "ada@people.example");
}

const ask = (base: string, path: string, cookie = "", form?: Record<string, string>) =>
  send(
    new Request(base + path, {
      redirect: "manual",
      headers: { accept: "text/html", cookie, ...(form && { origin: base }) },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    }),
    base === "https://api.example" ? testEnv : LOCAL,
  );

const cookiesOf = (response: Response): Cookie[] => response.headers.getAll("set-cookie").map(parse);

/** Signs in, and returns the cookies that a browser keeps. */
async function signIn(base: string, trustsLoopback: boolean): Promise<Cookie[]> {
  const { token } = await makeLink();
  const response = await ask(base, "/app/sign-in", "", { token });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/app"]);
  return cookiesOf(response).filter((cookie) => isKept(cookie, base, trustsLoopback));
}

const toHeader = (cookies: readonly Cookie[]): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join("; ");

describe.each([...LOOPBACK, "https://api.example", "https://localhost:8787"])("at %s", (base) => {
  it.each([
    ["Safari", SAFARI],
    ["Chrome and Firefox", CHROME_AND_FIREFOX],
  ])("%s keeps the session of a sign-in link, and loses it by signing out", async (_, trustsLoopback) => {
    const cookies = await signIn(base, trustsLoopback);
    expect(cookies).toHaveLength(1);
    const header = toHeader(cookies);
    expect((await ask(base, SESSIONS, header)).status).toBe(200);
    const out = await ask(base, "/app/sign-out", header, {});
    const ended = cookiesOf(out).find(({ name }) => name === cookies[0]?.name);
    expect(ended).toMatchObject({ value: "", attributes: new Map(ended?.attributes).set("max-age", "0") });
    expect((await ask(base, SESSIONS, header)).status).toBe(303);
  });
});

describe("over https", () => {
  it("every cookie has the prefix, is secure, for this host alone, and hidden from scripts", async () => {
    const { token } = await makeLink();
    const base = "https://api.example";
    const asked = await ask(base, "/app/sign-in?to=%2Fapp%2Fdemo%2Flinks");
    const signedIn = await ask(base, "/app/sign-in", toHeader(cookiesOf(asked)), { token });
    const session = cookiesOf(signedIn).filter(({ name }) => name === "__Host-session");
    const out = await ask(base, "/app/sign-out", toHeader(session), {});
    const all = [asked, signedIn, out].flatMap(cookiesOf);
    expect(new Set(all.map(({ name }) => name))).toEqual(
      new Set(["__Host-return-url", "__Host-session", "__Host-notice", "__Host-undo"]),
    );
    for (const { name, attributes } of all)
      expect([...attributes.keys()].sort(), name).toEqual([
        "httponly",
        "max-age",
        "path",
        "samesite",
        "secure",
      ]);
  });

  it("a plain cookie, which a subdomain could plant, is not read", async () => {
    const [session] = await signIn("http://localhost:8787", SAFARI);
    for (const name of ["local-session", "session", "Local-session"]) {
      const planted = await ask("https://api.example", SESSIONS, `${name}=${session?.value}`);
      expect([planted.status, planted.headers.get("location")], name).toEqual([
        303,
        `/app/sign-in?to=${encodeURIComponent(SESSIONS)}`,
      ]);
    }
    const notice = await ask("https://api.example", "/app/sign-in", "local-notice=Planted; local-undo=x");
    expect(await notice.text()).not.toContain("Planted");
  });
});

describe("over http on a host that is no loopback host", () => {
  const hosts = [
    "http://192.168.1.5:8787",
    "http://links.example",
    "http://localhost.example",
    "http://127.0.0.1.nip.io",
  ];

  it.each(hosts)("%s sets no cookie and reads none, and the link stays good", async (base) => {
    const { token } = await makeLink();
    const response = await ask(base, "/app/sign-in", "", { token });
    expect([response.status, cookiesOf(response)]).toEqual([403, []]);
    expect(await response.text()).toContain("open the link over https, or on localhost");
    const [session] = await signIn("https://localhost:8787", SAFARI);
    const header = `__Host-session=${session?.value}; local-session=${session?.value}`;
    expect((await ask(base, SESSIONS, header)).status).toBe(303);
    expect((await ask("https://localhost:8787", "/app/sign-in", "", { token })).status).toBe(303);
  });
});
