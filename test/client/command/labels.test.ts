import { afterAll, describe, expect, it } from "vitest";
import { cleanUp, shell } from "./setup";

afterAll(cleanUp);

describe("tags", () => {
  it("are created, listed, changed and deleted, each by name, slug or ID", async () => {
    const one = shell();
    expect(
      await one.run("tags", "create", "Summer sale", "--colour", "#f90", "--description", "2026"),
    ).toEqual({
      code: 0,
      out: "summer-sale\n",
      err: 'Created the tag "Summer sale".\n',
    });
    const { id } = await one.json("tags", "create", "Print");
    expect((await one.run("tags", "list")).out).toBe(
      `Print\tprint\t\t\t${id}\nSummer sale\tsummer-sale\t#f90\t2026\t${(await one.json("tags", "list"))[1].id}\n`,
    );
    expect(
      await one.json("tags", "update", "SUMMER SALE", "--name", "Sale", "--description", ""),
    ).toMatchObject({
      name: "Sale",
      description: null,
      colour: "#f90",
    });
    expect(await one.run("tags", "delete", id, "summer-sale")).toEqual({
      code: 0,
      out: "Print\nSale\n",
      err: "2 tags deleted.\n",
    });
    expect(await one.run("tags", "list")).toEqual({ code: 0, out: "", err: "No tags.\n" });
  });

  it.each([
    [["create", "New", "--colour", "red"], "name\tNew\ncolour\tred\n", "Would create this tag.\n"],
    [["update", "print", "--name", "Poster"], "name\tPoster\n", 'Would update the tag "Print".\n'],
    [["delete", "print"], "Print\n", "Would delete 1 tag.\n"],
  ])("tags %j --dry-run writes nothing", async (argv, out, err) => {
    const one = shell();
    await one.json("tags", "create", "Print");
    const writes = one.service.writes().length;
    expect(await one.run("tags", ...argv, "--dry-run")).toEqual({ code: 0, out, err });
    expect(await one.json("tags", ...argv, "--dry-run")).toMatchObject({ dry_run: true });
    expect(one.service.writes()).toHaveLength(writes);
  });

  it("a mistyped tag is suggested, and nothing is deleted", async () => {
    const one = shell();
    await one.json("tags", "create", "Print");
    const { code, err } = await one.run("tags", "delete", "Print", "Pritn");
    expect([code, err]).toEqual([1, 'The workspace has no tag "Pritn". Did you mean "Print"?\n']);
    expect(await one.json("tags", "list")).toHaveLength(1);
  });
});

describe("groups list", () => {
  it("lists Activity Groups by filter", async () => {
    const one = shell();
    const { id } = one.service.addGroup({ slug: "summer", name: "Summer", default_utm_campaign: "s26" });
    one.service.addGroup({ slug: "fair", name: "Fair", type: "event", status: "draft" });
    expect((await one.run("groups", "list")).out.split("\n").map((line) => line.split("\t")[0])).toEqual([
      "fair",
      "summer",
      "",
    ]);
    expect((await one.run("groups", "list", "--status", "active")).out).toBe(
      `summer\tSummer\tcampaign\tactive\ts26\t${id}\n`,
    );
    expect(await one.json("groups", "list", "--type", "event", "--q", "fa")).toMatchObject([
      { slug: "fair" },
    ]);
    expect((await one.run("groups", "list", "--slug", "nope")).err).toBe("No Activity Groups.\n");
  });
});
