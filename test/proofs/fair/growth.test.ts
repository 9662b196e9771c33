import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { makeWorkspace, otherInstance, type TestWorkspace, testEnv } from "../../harness";
import { overriding } from "../../overriding";

// What a workspace can add to the database: bytes a request, as the table in src/db/STORAGE.md says.

const LINKS = "/api/v1/links";
const REQUESTS = 200;
const SHORT = { destination_url: "https://www.example.com/" };
const LONG = (number: number) => ({
  destination_url: `https://www.example.com/${number}${"é".repeat(300)}`,
  title: `${number}${"ü".repeat(240)}`,
});

/** How many kilobytes the database grows by in each of some requests. */
async function growth(ws: TestWorkspace, request: (number: number, env: typeof testEnv) => Promise<unknown>) {
  let bytes = 0;
  const db = overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements);
      bytes = results.at(-1)?.meta.size_after ?? bytes;
      return results;
    },
  });
  const environment = { ...otherInstance(testEnv), DB: db };
  await ws.call("GET", LINKS, { env: environment });
  const before = bytes;
  for (let number = 0; number < REQUESTS; number++) await request(number, environment);
  return (bytes - before) / REQUESTS / 1024;
}

it("a request of each kind adds no more than the storage document says", async () => {
  const ws = await makeWorkspace();
  const tags = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      ws.tag({ name: `${index}${"x".repeat(90)}`, description: "d".repeat(255) }),
    ),
  );
  const ids = tags.map(({ id }) => id);
  const link = await ws.link();
  const create = (body: object, key?: string) => (number: number, environment: typeof testEnv) =>
    ws.call("POST", LINKS, {
      env: environment,
      body,
      ...(key !== undefined && { headers: { "Idempotency-Key": `${key}-${number}` } }),
    });
  const kilobytes = {
    link: await growth(ws, create(SHORT)),
    withKey: await growth(ws, create(SHORT, "short")),
    withTags: await growth(ws, create({ ...LONG(0), tag_ids: ids }, "tags")),
    change: await growth(ws, (number, environment) =>
      ws.call("PATCH", `${LINKS}/${link.id}`, { env: environment, body: LONG(number) }),
    ),
  };
  const most = { link: 1.5, withKey: 2.2, withTags: 70, change: 5 };
  for (const [kind, added] of Object.entries(kilobytes)) {
    expect([kind, added]).toEqual([kind, expect.any(Number)]);
    expect(added, kind).toBeGreaterThan(0.3);
    expect(added, kind).toBeLessThan(most[kind as keyof typeof most]);
  }
});
