import { afterAll, describe, expect, it } from "vitest";
import { type Fields, textOf } from "../file/setup";
import { addCopies, cleanUp, DESTINATION, type Ended, type Shell, shell } from "./setup";

afterAll(cleanUp);

/** Runs one command line. Returns its output and the number of calls. */
async function counted(one: Shell, ...argv: string[]): Promise<Ended & { calls: number; writes: number }> {
  const [calls, writes] = [one.service.calls.length, one.service.writes().length];
  const ended = await one.run(...argv);
  return {
    ...ended,
    calls: one.service.calls.length - calls,
    writes: one.service.writes().length - writes,
  };
}

describe("a build keeps 60 links of a site", () => {
  const site = (fields: Fields) =>
    textOf(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, number) => [`page-${number}`, { slug: `p${number}`, ...fields }]),
      ),
      {
        defaults: { group: "summer-2026", utm: { source: "site" } },
      },
    );
  const apply = (one: Shell, text: string) =>
    counted(one, "apply", "-f", one.write("waymark.yaml", text), "--urls", one.path("urls.json"));

  it("by `waymark apply --urls urls.json`", async () => {
    const one = shell();
    one.service.addGroup({ slug: "summer-2026" });
    for (const name of ["Website", "Sale"]) await one.json("tags", "create", name);

    const created = await apply(one, site({ title: "Page", tags: ["Website"] }));
    expect(created).toMatchObject({ code: 0, calls: 64, writes: 60 });
    expect(Object.keys(JSON.parse(one.read("urls.json")))).toHaveLength(60);
    const unchanged = await apply(one, site({ title: "Page", tags: ["Website"] }));
    expect(unchanged).toMatchObject({ code: 0, calls: 3, writes: 0 });
    const changed = await apply(one, site({ title: "Sale", tags: ["Website", "Sale"] }));
    expect(changed).toMatchObject({ code: 0, calls: 63, writes: 60 });
  });
});

describe("331 links move to another group every night", () => {
  it("by `waymark move --from tonight --to past --tag Past --untag Live`", async () => {
    const one = shell();
    for (const slug of ["tonight", "past"]) one.service.addGroup({ slug });
    for (const name of ["Live", "Past"]) await one.json("tags", "create", name);
    const link = ["--destination", DESTINATION, "--group", "tonight", "--tag", "Live"];
    await one.json("links", "create", ...link);
    addCopies(one.service, 330);

    const moved = await counted(
      one,
      "move",
      "--from",
      "tonight",
      "--to",
      "past",
      "--tag",
      "Past",
      "--untag",
      "Live",
    );
    // Two groups, the tags, and four pages of links.
    expect(moved).toMatchObject({ code: 0, calls: 7 + 331, writes: 331 });
    expect(new Set(one.service.state.links.map(({ activity_group: group }) => group?.slug))).toEqual(
      new Set(["past"]),
    );
  });
});

describe("which poster links point to /summer? One of them is corrected", () => {
  it("by `waymark links list --tag poster --q /summer` and `waymark links update`", async () => {
    const one = shell();
    await one.json("tags", "create", "Poster");
    for (const [slug, path] of [
      ["metro", "summer"],
      ["bus", "summmer"],
      ["tram", "winter"],
    ]) {
      const link = [
        "--slug",
        slug ?? "",
        "--destination",
        `https://www.example.com/${path}`,
        "--tag",
        "Poster",
      ];
      await one.json("links", "create", ...link);
    }
    const listed = await counted(one, "links", "list", "--tag", "poster", "--q", "/summ");
    expect(listed.out.split("\n").map((line) => line.split("\t").slice(0, 2))).toEqual([
      ["bus", "https://www.example.com/summmer"],
      ["metro", "https://www.example.com/summer"],
      [""],
    ]);
    const update = ["links", "update", "bus", "--destination", "https://www.example.com/summer"];
    const updated = await counted(one, ...update);
    // The tags, and a page of links.
    expect(listed.calls).toBe(2);
    expect([updated.calls, updated.writes, updated.code]).toEqual([2, 1, 0]);
  });
});
