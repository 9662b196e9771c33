import { afterAll, expect, it } from "vitest";
import { cleanUp, DESTINATION, type Shell, shell } from "./setup";

afterAll(cleanUp);

const SLUGS = Array.from({ length: 12 }, (_, number) => `s${number}`);

async function filled(slugs: readonly string[] = SLUGS): Promise<Shell> {
  const one = shell();
  for (const slug of ["tonight", "past", "other"]) one.service.addGroup({ slug });
  for (const name of ["Live", "Past", "Print"]) await one.json("tags", "create", name);
  for (const slug of slugs) {
    const link = ["--destination", DESTINATION, "--slug", slug, "--group", "tonight", "--channel", "web"];
    await one.json("links", "create", ...link, "--tag", "Live", "--tag", "Print");
  }
  return one;
}

const ARGV = ["move", "--from", "tonight", "--to", "past", "--tag", "Past", "--untag", "Live"];
const slugsIn = async (one: Shell, group: string): Promise<string[]> =>
  (await one.json("links", "list", "--group", group)).map(({ slug }: { slug: string }) => slug).sort();

it("moves each link and its tags in one request", async () => {
  const one = await filled();
  const before = one.service.calls.length;
  const { code, out, err } = await one.run(...ARGV);
  expect([code, err]).toEqual([0, "12 links moved.\n"]);
  expect(out.split("\n").sort()).toEqual(["", ...SLUGS].sort());
  // Two groups, the tags, one page of links.
  expect(one.service.calls.length - before).toBe(4 + 12);
  const links = await one.json("links", "list", "--group", "past");
  for (const link of links) {
    expect(link).toMatchObject({ channel: "web", tags: [{ name: "Past" }, { name: "Print" }] });
  }
  expect(await one.run(...ARGV)).toEqual({ code: 0, out: "", err: "0 links moved.\n" });
});

it("--dry-run lists the links", async () => {
  const one = await filled(["a", "b"]);
  const writes = one.service.writes().length;
  expect(await one.run(...ARGV, "--dry-run")).toEqual({
    code: 0,
    out: "b\na\n",
    err: "Would move 2 links from tonight to past.\n",
  });
  expect(await one.json(...ARGV, "--dry-run")).toEqual({
    dry_run: true,
    from: "tonight",
    to: "past",
    move: ["b", "a"],
  });
  expect(one.service.writes()).toHaveLength(writes);
});

it("leaves archived links, unless they are asked for", async () => {
  const one = await filled(["a", "b"]);
  await one.run("links", "archive", "a");
  await one.run(...ARGV);
  expect(await slugsIn(one, "past")).toEqual(["b"]);
  await one.run(...ARGV, "--status", "all");
  expect(await one.json("links", "list", "--group", "past", "--status", "all")).toHaveLength(2);
});

it.each([
  [["--from", "nope", "--to", "past"], 1, 'no Activity Group "nope"'],
  [["--from", "tonight", "--to", "nope"], 1, 'no Activity Group "nope"'],
  [["--from", "tonight", "--to", "past", "--tag", "Lve"], 1, 'Did you mean "Live"?'],
  [["--from", "tonight", "--to", "tonight"], 3, "the same Activity Group"],
])("%j moves nothing", async (argv, exit, message) => {
  const one = await filled(["a"]);
  const writes = one.service.writes().length;
  const { code, err } = await one.run("move", ...argv);
  expect(code).toBe(exit);
  expect(err).toContain(message);
  expect(one.service.writes()).toHaveLength(writes);
});

it("a link that somebody moves elsewhere meanwhile stays there", async () => {
  const one = await filled(["a", "b"]);
  const other = await one.json("groups", "list", "--slug", "other");
  let isFirst = true;
  one.service.onCall = async (call, answer) => {
    const [link] = one.service.state.links;
    if (call.method === "PATCH" && isFirst && link?.activity_group !== undefined) {
      isFirst = false;
      link.activity_group = { ...link.activity_group, id: other[0].id, slug: "other" };
    }
    return answer();
  };
  await one.run(...ARGV);
  expect([await slugsIn(one, "other"), await slugsIn(one, "past")]).toEqual([["a"], ["b"]]);
});

it("an interrupt ends it between two requests, and the next run does the rest", async () => {
  const one = await filled();
  const interrupt = new AbortController();
  let patches = 0;
  one.service.onCall = async (call, answer) => {
    if (call.method === "PATCH" && ++patches === 3) interrupt.abort();
    return answer();
  };
  const { code, err } = await one.runUnder({ interrupt }, ...ARGV);
  expect(code).toBe(5);
  const moved = (await slugsIn(one, "past")).length;
  expect(moved).toBeGreaterThan(2);
  expect(err).toBe(`${moved} links moved, ${12 - moved} skipped.\nSkipped: Interrupted.\n`);
  expect((await one.run(...ARGV)).err).toBe(`${12 - moved} links moved.\n`);
  expect(await slugsIn(one, "past")).toEqual([...SLUGS].sort());
});
