import { expect, it } from "vitest";
import { makeWorkspace, testEnv, visit } from "../harness";

const off = { ...testEnv, CREATIONS: "off" };

it("while creations are off nothing is created and no slug claimed, and everything else goes on", async () => {
  const ws = await makeWorkspace();
  const link = await ws.link();
  const path = `/api/v1/links/${link.id}`;
  const refused = { status: 503, body: { message: "Service temporarily unavailable." } };
  const body = { destination_url: "https://www.example.com/" };
  const created = await ws.call("POST", "/api/v1/links", { body, env: off });
  expect(created).toMatchObject(refused);
  expect(created.headers.get("retry-after")).toBe("3600");
  expect(await ws.call("POST", "/api/v1/tags", { body: { name: "A" }, env: off })).toMatchObject(refused);
  const slug = `${link.slug}-new`;
  expect(await ws.call("PATCH", path, { body: { slug }, env: off })).toMatchObject(refused);
  expect((await ws.call("PATCH", path, { body: { title: "New" }, env: off })).status).toBe(200);
  expect((await visit(`/${link.slug}`, {}, off)).status).toBe(302);
  // A slug of its own is no new claim.
  await ws.call("PATCH", path, { body: { slug } });
  expect((await ws.call("PATCH", path, { body: { slug: link.slug }, env: off })).status).toBe(200);
  expect((await ws.call("DELETE", path, { env: off })).status).toBe(204);
  expect((await ws.call("POST", "/api/v1/links", { body })).status).toBe(201);
});
