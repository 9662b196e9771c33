import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  isPublicKey,
  isSignedBy,
  readAuthenticatorData,
  readClientData,
} from "../../src/access/passkey-answer";
import { launch, openPage } from "./chromium";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const HERE = { baseUrl: "http://localhost:9" };
const CHALLENGE = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4";
const NEW = { user: "AAAA", email: "ada@people.example", algorithms: [-7, -257], known: [] as string[] };
const PAGE = `<main></main><form method="post" action="/to" data-passkey="/ask" hidden><button>Go</button>
  <p data-said></p></form><script type="module" src="/console.js"></script>`;

it("the script has a device make a passkey and sign with it, as the service reads both", async () => {
  const { page, context, complaints } = await openPage(browser);
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true } as const;
  const device = { ...options, hasUserVerification: true, isUserVerified: true };
  await devtools.send("WebAuthn.addVirtualAuthenticator", { options: device });
  let asked: object = {};
  let sent: Record<string, string> | undefined;
  await page.route("**/*", (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    if (pathname === "/console.js") {
      const body = readFileSync("src/public/app/console.js", "utf8");
      return route.fulfill({ contentType: "text/javascript", body });
    }
    if (pathname === "/ask")
      return route.fulfill({ json: { challenge: CHALLENGE, rp: "localhost", ...asked } });
    if (pathname === "/to") sent = Object.fromEntries(new URLSearchParams(request.postData() ?? ""));
    return route.fulfill({ contentType: "text/html", body: pathname === "/to" ? "<p>Sent</p>" : PAGE });
  });
  const press = async (question: object): Promise<Record<string, string>> => {
    [asked, sent] = [question, undefined];
    await page.goto(`${HERE.baseUrl}/page`);
    await page.getByRole("button").click();
    await page.getByText(/Sent|already/).waitFor();
    return sent ?? {};
  };

  const made = await press(NEW);
  const { credential = "", public_key = "", algorithm } = made;
  expect(readClientData(made["client_data"] ?? "", "webauthn.create", HERE)).toEqual({
    challenge: CHALLENGE,
  });
  const data = await readAuthenticatorData(made["authenticator_data"] ?? "", "localhost");
  expect([data?.credential, await isPublicKey(public_key, Number(algorithm))]).toEqual([credential, true]);
  expect(await press({ ...NEW, known: [credential] })).toEqual({});

  const { client_data = "", authenticator_data = "", signature = "", ...rest } = await press({});
  expect(rest).toEqual({ credential });
  const key = { public_key, algorithm: Number(algorithm) };
  expect(await isSignedBy(key, { client_data, authenticator_data, signature })).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});
