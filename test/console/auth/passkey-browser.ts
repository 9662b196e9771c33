import { renewInvitation } from "../../../src/access/invitations";
import type { Env } from "../../../src/context";
import { type Device, type Lies, makeDevice } from "../../authenticator";
import type { TestWorkspace } from "../../harness";
import { type Browser, openBrowser, type Page, useSignInLink } from "../browser";

// What a person with a device does in a browser.

export const PASSKEYS = "/app/account/passkeys";
const SIGN_IN = "/app/sign-in/passkey";

/** What the page asks the browser for. */
export const asked = async (browser: Browser, env?: Env) =>
  JSON.parse((await browser.post(`${PASSKEYS}/challenge`, {}, {}, env)).text) as {
    challenge: string;
    rp: string;
    user: string;
    email: string;
    algorithms: number[];
    known: string[];
  };

export const askedToSignIn = async (browser: Browser, env?: Env): Promise<string> =>
  JSON.parse((await browser.post("/app/sign-in/challenge", {}, {}, env)).text).challenge;

/** Adds a passkey of a new device. Returns the device. */
export async function addOne(browser: Browser, name = "Phone", device?: Device): Promise<Device> {
  const made = device ?? (await makeDevice());
  const answer = await made.create((await asked(browser)).challenge);
  const page = await browser.post(PASSKEYS, { name, ...answer });
  if (page.status !== 303) throw new Error(`Adding a passkey answered ${page.status}: ${page.text}`);
  return made;
}

/** Signs in with a device, in a new browser unless one is given. */
export async function signInWith(device: Device, lies?: Lies, given?: Browser, env?: Env) {
  const browser = given ?? openBrowser();
  const answer = await device.sign(await askedToSignIn(browser, env), lies);
  return { browser, answer, page: await send(browser, answer, env) };
}

export const send = (browser: Browser, answer: Record<string, string>, env?: Env): Promise<Page> =>
  browser.post(SIGN_IN, answer, {}, env);

/** A browser with a session from an invitation that an owner of the workspace was shown. */
export async function invitedTo(workspace: TestWorkspace, email: string): Promise<Browser> {
  const browser = openBrowser();
  const { token } = await renewInvitation(workspace.ctx, email);
  await useSignInLink(browser, token ?? "");
  return browser;
}
