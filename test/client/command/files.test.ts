import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { rowsOf } from "../../../src/lib/csv";
import { textOf } from "../../../src/lib/file-text";
import { columnsOf } from "../../../src/lib/import-columns";
import { cleanUp, DESTINATION, type Shell, shell, words } from "./setup";

afterAll(cleanUp);

async function filled(): Promise<Shell> {
  const one = shell();
  one.service.addGroup({ slug: "summer-2026" });
  for (const name of ["Print", "A, B"]) await one.json("tags", "create", name);
  const link = ["links", "create", "--destination", DESTINATION];
  const fields = ["--title", "=1+1", "--group", "summer-2026", "--external-id", "site:a"];
  await one.json(...link, "--slug", "summer", "--tag", "Print", "--tag", "A, B", ...fields);
  await one.json(...link, "--slug", "winter");
  await one.run("links", "archive", "winter");
  return one;
}

describe("export", () => {
  it("is a file that an import takes, with archived links and the oldest first", async () => {
    const { out, err, code } = await (await filled()).run("export");
    expect([code, err]).toEqual([0, "2 links exported.\n"]);
    const read = textOf(new TextEncoder().encode(out));
    const parsed = rowsOf(read.ok ? read.value : "", (heading) => columnsOf(heading).places.size);
    const rows = parsed.ok ? parsed.value.map(({ cells }) => cells) : [];
    expect(columnsOf(rows[0] ?? []).ignored).toEqual([]);
    const cells = (rows[0] ?? []).map((name, column) => [name.replace("\ufeff", ""), rows[1]?.[column]]);
    expect(Object.fromEntries(cells.filter(([, cell]) => cell !== ""))).toEqual({
      slug: "summer",
      short_url: "https://go.example.com/summer",
      domain: "go.example.com",
      destination_url: DESTINATION,
      title: "=1+1",
      status: "active",
      external_id: "site:a",
      utm_campaign_origin: "inherited",
      activity_group: "summer-2026",
      tags: '"A, B", Print',
      created_at: expect.stringMatching(/^2026-/),
    });
    expect(rows[2]?.slice(0, 1)).toEqual(["winter"]);
    // A spreadsheet must not run it.
    expect(out).toContain("'=1+1");
    expect(out.startsWith("\ufeffslug,short_url,")).toBe(true);
  });

  it("is JSON with --json, or in a file that ends so", async () => {
    const one = await filled();
    expect(await one.json("export")).toMatchObject([{ slug: "summer" }, { slug: "winter" }]);
    await one.run("export", "-o", one.path("links.json"), "--status", "active");
    expect(JSON.parse(one.read("links.json"))).toMatchObject([{ slug: "summer" }]);
    await one.run("export", "-o", one.path("links.csv"), "--tag", "print");
    expect(one.read("links.csv").split("\r\n")).toHaveLength(3);
    expect(readdirSync(one.path("")).sort()).toEqual(["links.csv", "links.json"]);
  });

  it("an export that fails leaves the file as it was", async () => {
    const one = await filled();
    one.write("links.csv", "old");
    one.service.onCall = async () => new Response("{}", { status: 500 });
    expect((await one.run("export", "-o", one.path("links.csv"))).code).toBe(1);
    expect(one.read("links.csv")).toBe("old");
    expect(readdirSync(one.path(""))).toEqual(["links.csv"]);
  });
});

describe("qr", () => {
  it.each([
    ["summer.svg", "svg", "<svg/>"],
    ["summer.PNG", "png", "PNG"],
  ])("%s is written in its format", async (name, format, content) => {
    const one = await filled();
    const { code, out, err } = await one.run(...words("qr summer --size 600 --ecc H -o"), one.path(name));
    expect([code, out]).toEqual([0, `${one.path(name)}\n`]);
    expect(err).toContain("encodes https://go.example.com/summer.");
    expect(one.read(name)).toContain(content);
    expect(one.service.calls.at(-1)?.url.search).toBe(`?format=${format}&size=600&ecc=H`);
  });

  it("goes to standard output, but no PNG to a terminal", async () => {
    const one = await filled();
    expect(await one.run("qr", "summer", "-o", "-")).toEqual({ code: 0, out: "<svg/>", err: "" });
    expect((await one.run("qr", "summer", "-o", "-", "--format", "png")).out).toContain("PNG");
    const { code } = await one.runUnder({ isTerminal: true }, "qr", "summer", "-o", "-", "--format", "png");
    expect(code).toBe(3);
  });

  it("an archived link has none", async () => {
    const one = await filled();
    const { code, err } = await one.run("qr", "winter", "-o", one.path("winter.svg"));
    expect([code, err]).toEqual([1, "/winter is archived. Archived links have no QR file.\n"]);
    expect(readdirSync(one.path(""))).toEqual([]);
  });
});
