import { afterAll, expect, it } from "vitest";
import { fakeService } from "../fake-service";
import { clientOf } from "../file/setup";
import { cleanUp, DESTINATION, listed, shell } from "./setup";

afterAll(cleanUp);

const REFUSED =
  '/hero belongs to "site" (external ID site:hero), a links file or a program, which may undo this. Change it there, or give --force.';

async function withOwned() {
  const one = shell(fakeService());
  for (const slug of ["tonight", "past"]) one.service.addGroup({ slug });
  const client = clientOf(one.service);
  const input = { destination_url: DESTINATION, activity_group_id: "tonight" };
  await client.links.create({ ...input, slug: "free", external_id: "free" });
  await client.links.create({ ...input, slug: "hero", external_id: "site:hero" });
  one.service.calls.length = 0;
  return one;
}

it("a link that a file owns is marked in lists and alone", async () => {
  const { run, runUnder } = await withOwned();
  const lines = (await run("links", "list", "--sort", "slug")).out.split("\n");
  expect(lines.slice(0, 2).map((line) => listed(line)["owner"])).toEqual(["", "site"]);
  expect((await run("links", "get", "hero")).out).toContain("owner\tsite\n");
  const table = (await runUnder({ isTerminal: true, columns: 200 }, "links", "list")).out;
  expect(table).toMatch(/OWNER\n.*site\n/);
});

it.each([
  ["links", "update", "hero", "--title", "Sale"],
  ["links", "archive", "hero"],
  ["links", "restore", "hero"],
  ["links", "delete", "hero"],
  ["move", "--from", "tonight", "--to", "past"],
])("waymark %s %s … tells who owns the link, and needs --force", async (...argv) => {
  const { run, service } = await withOwned();
  for (const dry of [[], ["--dry-run"]]) {
    const { code, err } = await run(...argv, ...dry);
    expect([code, err]).toEqual([1, expect.stringContaining(REFUSED)]);
  }
  expect(service.writes()).toEqual([]);
  expect((await run(...argv, "--force", "--dry-run")).code).toBe(0);
  expect((await run(...argv, "--force")).code).toBe(0);
  expect(service.writes().length).toBeGreaterThan(0);
});

it("of several links, those that nobody owns are changed", async () => {
  const { run, service } = await withOwned();
  const { code, out, err } = await run("links", "archive", "hero", "free");
  expect([code, out, err]).toEqual([5, "free\n", expect.stringContaining(REFUSED)]);
  expect(service.state.links.map(({ slug, status }) => [slug, status])).toEqual([
    ["free", "archived"],
    ["hero", "active"],
  ]);
});
