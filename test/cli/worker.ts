import { withPlainStatements } from "../../src/cli/platform";
import type { Env } from "../../src/context";
import worker from "../../src/worker";
import { overriding } from "../overriding";

type IncomingRequest = Parameters<typeof worker.fetch>[0];

async function send(env: Env, request: Request): Promise<Response> {
  const behind: Promise<unknown>[] = [];
  const execution = {
    waitUntil: (work: Promise<unknown>) => behind.push(work),
    passThroughOnException: () => undefined,
  };
  const response = await worker.fetch(
    request as IncomingRequest,
    { ...env, DB: withPlainStatements(env.DB) as D1Database },
    execution as unknown as ExecutionContext,
  );
  await Promise.allSettled(behind);
  return response;
}

/** Calls the Worker's API on the same database. */
export async function ask(env: Env, key: string, method: string, path: string, body?: object) {
  const request = new Request(`http://localhost:8787${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await send(env, request);
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

/** A visit to an instance with empty memory, which records no click. */
export async function follow(env: Env, slug: string): Promise<[status: number, location: string | null]> {
  const response = await send(
    { ...env, KV: overriding(env.KV), CLICK_PACK_SECONDS: "0" },
    new Request(`http://localhost:8787/${slug}`, { redirect: "manual" }),
  );
  return [response.status, response.headers.get("location")];
}

/** Loads a page of the web application with this cookie. */
export async function openPage(env: Env, url: string, cookie = "") {
  return answerOf(await send(env, new Request(url, { redirect: "manual", headers: { cookie } })));
}

const answerOf = (response: Response) => ({
  status: response.status,
  location: response.headers.get("location"),
  cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "",
});

/** Opens a sign-in link and presses its button. Returns the cookie. */
export async function useSignInLink(env: Env, url: string) {
  const page = await openPage(env, url);
  if (page.status !== 200) return page;
  const { origin, pathname, searchParams } = new URL(url);
  const response = await send(
    env,
    new Request(origin + pathname, {
      method: "POST",
      redirect: "manual",
      headers: { origin },
      body: new URLSearchParams({ token: searchParams.get("token") ?? "" }),
    }),
  );
  return answerOf(response);
}
