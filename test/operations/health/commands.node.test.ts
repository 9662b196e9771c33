import { expect, it } from "vitest";
import { localOfFile } from "../../cli/local";

const local = localOfFile(async ({ json }) => void (await json("demo")));

it("link broken lists broken links, as a table or as JSON", async () => {
  const { out: whileOff } = await local.admin("link broken");
  expect(whileOff).toContain("health check  off");
  expect(whileOff).toContain('DESTINATION_HEALTH_CHECK = "on": set it in wrangler.toml');
  // The demo workspace has one.
  expect(await local.json("link broken")).toMatchObject({
    broken_links: [{ slug: "partner-offer" }],
    health_check: "off",
  });
  await local.env.DB.prepare(
    `insert into destination_health (url, host, domain, due_at, asked_at, state, reason, http_status, failing_since)
      select distinct destination_url, destination_host, destination_host, 0, 86400000, 'broken', 'http', 410, 0 from links where slug_key = 'summer'`,
  ).run();
  const { broken_links: links } = await local.json("link broken --workspace demo");
  expect(links).toContainEqual(
    expect.objectContaining({
      workspace: "demo",
      slug: "summer",
      status: "active",
      reason: "410 Gone",
      http_status: 410,
      failing_since: "1970-01-01T00:00:00.000Z",
      asked_at: "1970-01-02T00:00:00.000Z",
    }),
  );
  const { out } = await local.admin("link broken");
  expect(out).toMatch(/workspace +id +slug +destination url +status +live assets +reason/);
  expect(out).toContain("410 Gone");
  expect((await local.admin("link broken --workspace nobody")).code).toBe(1);
});
