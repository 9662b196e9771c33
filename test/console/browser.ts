import type { Role } from "../../src/access/member-repository";
import { addMember } from "../../src/access/members";
import { createSignInLink } from "../../src/access/sessions";
import type { Env } from "../../src/context";
import { API, makeWorkspace, send, serviceContext, type TestWorkspace, testEnv } from "../harness";
import { runSql } from "../sql";

/** A page in a browser without JavaScript. */
export interface Page {
  status: number;
  headers: Headers;
  text: string;
  /** The redirect of an action without the origin. Null if the response is a page. */
  location: string | null;
}

type Fields = Readonly<Record<string, string | File | readonly string[]>>;

/** A browser with its own cookies. It does not follow redirects. */
export function openBrowser(environment: Env = testEnv) {
  const cookies = new Map<string, string>();

  async function request(
    method: string,
    path: string,
    init: RequestInit = {},
    env = environment,
  ): Promise<Response> {
    const headers = new Headers({ accept: "text/html", "sec-fetch-site": "same-origin" });
    if (method !== "GET" && method !== "HEAD") headers.set("origin", API);
    if (cookies.size > 0)
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const response = await send(
      new Request(new URL(path, API), { redirect: "manual", ...init, method, headers }),
      env,
    );
    for (const cookie of response.headers.getAll("Set-Cookie")) {
      const [pair = ""] = cookie.split(";");
      const [name = "", value = ""] = pair.split("=");
      if (/max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function ask(method: string, path: string, init?: RequestInit, env?: Env): Promise<Page> {
    const response = await request(method, path, init, env);
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get("location")?.replace(API, "") ?? null,
    };
  }

  /** Urlencoded like a browser's form, unless it contains a file. */
  const form = (fields: Fields): FormData | URLSearchParams => {
    const entries = Object.entries(fields).flatMap(([name, values]) =>
      (Array.isArray(values) ? values : [values]).map((value: string | File) => [name, value] as const),
    );
    const data = new FormData();
    const texts = new URLSearchParams();
    for (const [name, value] of entries) {
      data.append(name, value);
      if (typeof value === "string") texts.append(name, value);
    }
    return entries.every(([, value]) => typeof value === "string") ? texts : data;
  };

  return {
    cookies,
    get: (path: string, init?: RequestInit, env?: Env) => ask("GET", path, init, env),
    /** A file, which need not be text. */
    download: async (path: string) => {
      const { status, headers, body } = await request("GET", path);
      return { status, headers, bytes: new Uint8Array(await new Response(body).arrayBuffer()) };
    },
    head: (path: string, init?: RequestInit) => ask("HEAD", path, init),
    /** Sends a form. */
    post: (path: string, fields: Fields = {}, init: RequestInit = {}, env?: Env) =>
      ask("POST", path, { body: form(fields), ...init }, env),
  };
}

export type Browser = ReturnType<typeof openBrowser>;

/** Opens a sign-in link and presses the button of its page, if there is one. Returns the response. */
export async function useSignInLink(browser: Browser, token: string, env?: Env): Promise<Page> {
  const page = await browser.get(`/app/sign-in?token=${token}`, {}, env);
  const offered = /name="token" value="([^"]*)"/.exec(page.text)?.[1];
  return offered === undefined ? page : browser.post("/app/sign-in", { token: offered }, {}, env);
}

let people = 0;

/** As after a page of this hour: the next page records no visit. Tests that count calls of D1 rely on it. */
const markSeen = ({ ctx }: Pick<TestWorkspace, "ctx">, email: string) =>
  runSql`update members set last_seen_at = ${ctx.now()}
    where workspace_id = ${ctx.workspace.rowId} and email = ${email}`;

/** A browser in which a new member of the workspace is signed in. */
export async function signInAs(
  workspace: Pick<TestWorkspace, "ctx">,
  role: Role = "owner",
  environment: Env = testEnv,
) {
  const email = `${role}-${++people}@people.example`;
  await addMember(workspace.ctx, { email, role });
  await markSeen(workspace, email);
  const { token } = await createSignInLink(workspace.ctx, email);
  const browser = openBrowser(environment);
  const page = await useSignInLink(browser, token);
  if (page.status !== 303) throw new Error(`Signing in answered ${page.status}: ${page.text}`);
  return { ...browser, email };
}

/** Another browser in which a person is signed in, by a link of the operator. */
export async function signInAgain(email: string, headers: Record<string, string> = {}): Promise<Browser> {
  const browser = openBrowser();
  const { token } = await createSignInLink(serviceContext(), email);
  const page = await browser.post("/app/sign-in", { token }, { headers });
  if (page.status !== 303) throw new Error(`Signing in answered ${page.status}: ${page.text}`);
  return browser;
}

/** A workspace, and a browser in which one of its members is signed in. */
export async function makeMember(role: Role = "owner") {
  const workspace = await makeWorkspace();
  return { workspace, browser: await signInAs(workspace, role) };
}
