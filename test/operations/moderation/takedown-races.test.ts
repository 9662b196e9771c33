import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Env } from "../../../src/context";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import { importLinks } from "../../../src/resources/links/import-links";
import { overtakenBy } from "../../faulty";
import { makeWorkspace, serviceContext } from "../../harness";

const TAKEN_DOWN = { slug: ["The slug has been taken down."] };
const name = () => `s-${crypto.randomUUID().slice(0, 8)}`;

const marksOf = async (...keys: string[]) => {
  const { results } = await env.DB.prepare(
    "select key from slugs where taken_down_at is not null and key in (select value from json_each(?)) order by key",
  )
    .bind(JSON.stringify(keys))
    .all<{ key: string }>();
  return results.map(({ key }) => key);
};

/** A workspace with a link, and functions to change it. */
async function made() {
  const ws = await makeWorkspace();
  const slug = name();
  const link = await ws.link({ slug });
  const path = `/api/v1/links/${link.id}`;
  return {
    ws,
    link,
    slug,
    rename: (to: string, environment?: Env) =>
      ws.call("PATCH", path, { body: { slug: to }, ...(environment && { env: environment }) }),
    remove: (environment?: Env) => ws.call("DELETE", path, environment ? { env: environment } : {}),
    create: (environment?: Env) =>
      ws.call("POST", "/api/v1/links", {
        body: { destination_url: "https://phish.example/", slug },
        ...(environment && { env: environment }),
      }),
  };
}

describe("an operator's takedown", () => {
  it("stays with the slug of a link whose deletion read the link before the takedown", async () => {
    const { link, slug, remove, create } = await made();
    const gone = await remove(overtakenBy(() => takeDown(serviceContext(), link.id)));
    expect(gone.status).toBe(204);
    expect(await marksOf(slug)).toEqual([slug]);
    expect((await create()).body.errors).toEqual(TAKEN_DOWN);
  });

  it("refuses a creation, or a rename of another link, that read the slug before the takedown", async () => {
    const { ws, slug, remove, create } = await made();
    await remove();
    const downAndGone = async () => {
      const { body } = await create();
      await takeDown(serviceContext(), slug);
      await ws.call("DELETE", `/api/v1/links/${body.link.id}`);
    };
    const refused = await create(overtakenBy(downAndGone));
    expect([refused.status, refused.body.errors]).toEqual([422, TAKEN_DOWN]);
    await endTakedown(serviceContext(), slug);
    const other = await ws.link();
    const renamed = await ws.call("PATCH", `/api/v1/links/${other.id}`, {
      body: { slug },
      env: overtakenBy(downAndGone),
    });
    expect([renamed.status, renamed.body.errors]).toEqual([422, TAKEN_DOWN]);
  });

  it("refuses an import row that read the slug before the takedown", async () => {
    const { ws, slug, remove, create } = await made();
    await remove();
    const overtaken = overtakenBy(async () => {
      const { body } = await create();
      await takeDown(serviceContext(), slug);
      await ws.call("DELETE", `/api/v1/links/${body.link.id}`);
    });
    const rows = [{ number: 1, input: { destination_url: "https://phish.example/", slug } }];
    const ctx = { ...ws.ctx, db: serviceContext(overtaken).db };
    expect(await importLinks(ctx, name(), rows)).toMatchObject({
      created: 0,
      refused: [{ number: 1, errors: [{ field: "slug", message: TAKEN_DOWN.slug[0] }] }],
    });
  });

  it("is not replaced by a check that read the link before the takedown", async () => {
    const { link, slug, rename } = await made();
    const ctx = serviceContext(overtakenBy(() => takeDown(serviceContext(), link.id)));
    await expect(takeDown(ctx, link.id, "www.example.com")).rejects.toThrow("is taken down already");
    expect(await marksOf(slug)).toEqual([slug]);
    expect((await rename(name())).body.errors).toEqual(TAKEN_DOWN);
  });

  it("that is ended while the link is deleted ends for the given slug", async () => {
    const { link, slug, rename, remove } = await made();
    const to = name();
    await rename(to);
    await takeDown(serviceContext(), link.id);
    const ctx = serviceContext(overtakenBy(() => remove()));
    expect(await endTakedown(ctx, to)).toEqual({ slug: to, taken_down_at: null });
    expect(await marksOf(slug, to)).toEqual([slug]);
  });

  it("that is ended for a slug by two operators at once ends once", async () => {
    const { link, slug, remove, create } = await made();
    await takeDown(serviceContext(), link.id);
    await remove();
    const ctx = serviceContext(overtakenBy(() => endTakedown(serviceContext(), slug)));
    await expect(endTakedown(ctx, slug)).rejects.toThrow(`The slug ${slug} is not taken down.`);
    expect((await create()).status).toBe(201);
  });
});

it("a check of a destination does not apply its result to a new host that the link gets meanwhile", async () => {
  const { ws, link } = await made();
  const checked = overtakenBy(() =>
    env.DB.prepare("update links set host_check = 'ok', check_at = 1 where public_id = ?")
      .bind(link.id)
      .run(),
  );
  const moved = await ws.call("PATCH", `/api/v1/links/${link.id}`, {
    body: { destination_url: "https://elsewhere.example/" },
    env: checked,
  });
  expect(moved.status).toBe(200);
  const row = await env.DB.prepare("select host_check, check_at from links where public_id = ?")
    .bind(link.id)
    .first();
  expect(row).toEqual({ host_check: "unknown", check_at: null });
});
