import { expect, it } from "vitest";
import type { Env } from "../../src/context";
import { makeWorkspace, otherInstance, send, testEnv } from "../harness";

const TRIAL = "https://waymark.acme.workers.dev";
const DESTINATION = "https://www.example.com/?colour=blue";

// The variables of a deployment without a domain, and of the next one with a domain
// (`test/cli/deploy-workers-dev.test.ts`).
const tried: Env = { ...testEnv, BASE_URL: TRIAL, SHORT_BASE_URL: TRIAL, FORMER_HOSTS: "" };
const moved: Env = {
  ...testEnv,
  BASE_URL: "https://links.example.com",
  SHORT_BASE_URL: "https://go.example.com",
  FORMER_HOSTS: "waymark.acme.workers.dev",
};

/** What a new instance answers. */
const get = (url: string, env: Env, headers: HeadersInit = {}) =>
  send(new Request(url, { redirect: "manual", headers }), otherInstance(env));

it("a link made on workers.dev opens there and on the domain after the move, and nothing else is left there", async () => {
  const ws = await makeWorkspace();
  const authorization = `Bearer ${ws.key}`;
  const created = await send(
    new Request(`${TRIAL}/api/v1/links`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ destination_url: DESTINATION }),
    }),
    tried,
  );
  expect(created.status).toBe(201);
  const { link } = await created.json<{ link: { id: string; slug: string; short_url: string } }>();
  expect(link.short_url).toBe(`${TRIAL}/${link.slug}`);
  expect((await get(link.short_url, tried)).headers.get("location")).toBe(DESTINATION);

  for (const host of [TRIAL, "https://go.example.com"]) {
    const response = await get(`${host}/${link.slug}`, moved);
    expect([response.status, response.headers.get("location")], host).toEqual([302, DESTINATION]);
  }
  const path = `/api/v1/links/${link.id}`;
  const read = await get(`https://links.example.com${path}`, moved, { authorization });
  expect(await read.json()).toMatchObject({ short_url: `https://go.example.com/${link.slug}` });
  for (const other of [path, "/app", "/docs", "/health"])
    expect((await get(`${TRIAL}${other}`, moved, { authorization })).status, other).toBe(404);
});
