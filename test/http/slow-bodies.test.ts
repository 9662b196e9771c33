import { createExecutionContext } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import worker from "../../src/worker";
import { makeMember } from "../console/browser";
import { API, makeWorkspace, otherInstance, testEnv } from "../harness";

type Member = Awaited<ReturnType<typeof makeMember>>;

afterEach(() => {
  vi.useRealTimers();
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 300));

/** Sends the start of a body, and the rest when it is told to. */
function sendSlowly(env: typeof testEnv, path: string, headers: Record<string, string>) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  void writer.write(new TextEncoder().encode("name=a")).catch(() => undefined);
  const request = new Request(API + path, { method: "POST", headers, body: readable, redirect: "manual" });
  const answer = Promise.resolve(worker.fetch(request as never, env, createExecutionContext()));
  return { answer, end: () => writer.close() };
}

const sendForm = (env: typeof testEnv, { browser, workspace }: Member, page: string) =>
  sendSlowly(env, `/app/${workspace.slug}/${page}`, {
    cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    origin: API,
    "content-type": "application/x-www-form-urlencoded",
  });

it.each(["tags", "links/change"])(
  "slow forms of two workspaces, sent to %s, keep no share from a third one",
  async (page) => {
    const env = otherInstance(testEnv);
    const slow = [await makeMember(), await makeMember()];
    const other = await makeMember();
    const forms = slow.flatMap((member) => Array.from({ length: 8 }, () => sendForm(env, member, page)));
    await settled();
    const path = `/app/${other.workspace.slug}`;
    expect((await other.browser.get(`${path}/tags`, {}, env)).status).toBe(200);
    expect((await other.workspace.call("GET", "/api/v1/links", { env })).status).toBe(200);
    expect((await other.browser.post(`${path}/links/change`, { change: "none" }, {}, env)).status).toBe(422);
    for (const { end } of forms) await end();
    expect(
      new Set((await Promise.all(forms.map(({ answer }) => answer))).map(({ status }) => status)),
    ).not.toContain(500);
  },
);

it("a body is not waited for longer than 30 s, and an import's two minutes; its share is then free", async () => {
  const env = otherInstance(testEnv);
  const member = await makeMember();
  const ws = await makeWorkspace();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const sent = [
    sendForm(env, member, "tags"),
    sendSlowly(env, "/api/v1/tags", {
      authorization: `Bearer ${ws.key}`,
      "content-type": "application/json",
    }),
    sendForm(env, member, "import"),
  ];
  const statuses: (number | undefined)[] = [];
  for (const [index, { answer }] of sent.entries())
    void answer.then(({ status }) => (statuses[index] = status));
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThanOrEqual(3));
  await vi.advanceTimersByTimeAsync(30_000);
  await vi.waitFor(() => expect(statuses).toEqual([422, 422]));
  expect(await (await sent[1]?.answer)?.json()).toEqual({
    message: "The body must arrive within 30 seconds.",
    errors: { body: ["The body must arrive within 30 seconds."] },
  });
  await vi.advanceTimersByTimeAsync(90_000);
  await vi.waitFor(() => expect(statuses).toEqual([422, 422, 422]));
  vi.useRealTimers();
  const next = sendForm(env, member, "import");
  await next.end();
  expect((await next.answer).status).toBe(422);
});
