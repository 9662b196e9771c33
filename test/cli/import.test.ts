import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { localOfFile } from "./local";
import { temporaryDirectory } from "./terminal";

const local = localOfFile();

it("a file of JSON lines creates each link once, and every invalid line is listed", async () => {
  await local.json("workspace create --name Acme --slug acme");
  const file = join(temporaryDirectory(), "links.jsonl");
  writeFileSync(
    file,
    [
      '\uFEFF{"destination_url": " https://www.example.com/spring ", "slug": "spring", "title": "  "}',
      "",
      "destination_url,slug",
      '{"destination_url": "https://www.example.com/", "slug": "app"}',
      '["https://www.example.com/"]',
      '{"destination_url": "https://www.example.com/", "activity_group_id": "nowhere"}\r',
      '{"destination_url": "https://www.example.com/summer"}',
    ].join("\n"),
  );
  const command = ["import", "--workspace", "acme", "--from", file];
  const importing = async (...more: string[]) => {
    const { code, out, err } = await local.admin(...command, ...more, "--json");
    expect([code, err]).toEqual([1, ""]);
    return JSON.parse(out).import;
  };
  const result = await importing();
  expect(result).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{26}$/),
    created: 2,
    existing: 0,
    refused: [
      { number: 3, errors: [{ field: "line", message: "The line must be a JSON object." }] },
      { number: 4, errors: [{ field: "slug", message: expect.stringContaining("app") }] },
      { number: 5, errors: [{ field: "line", message: "The line must be a JSON object." }] },
      { number: 6, errors: [expect.objectContaining({ field: "activity_group_id" })] },
    ],
  });
  expect(await importing()).toMatchObject({ created: 0, existing: 2 });
  expect((await importing("--id", "another")).refused).toContainEqual({
    number: 1,
    errors: [{ field: "slug", message: "The slug has already been taken." }],
  });
});

it("an import exits with 0 if no line is refused", async () => {
  await local.json("workspace create --name Gamma --slug gamma");
  const file = join(temporaryDirectory(), "good.jsonl");
  writeFileSync(file, '{"destination_url": "https://www.example.com/autumn"}\n');
  const command = ["import", "--workspace", "gamma", "--from", file];
  expect((await local.json(...command)).import).toMatchObject({ created: 1, refused: [] });
});

it("an import reads a file in UTF-16, and refuses one of an unknown encoding", async () => {
  await local.json("workspace create --name Delta --slug delta");
  const file = join(temporaryDirectory(), "powershell.jsonl");
  const line = '{"destination_url": "https://www.example.com/winter", "title": "Größe"}\r\n';
  writeFileSync(file, Buffer.from(`\uFEFF${line}`, "utf16le"));
  const command = ["import", "--workspace", "delta", "--from", file];
  expect((await local.json(...command)).import).toMatchObject({
    created: 1,
    refused: [],
    encoding: "UTF-16",
  });
  writeFileSync(file, Buffer.from(line.replace("Größe", "Genève"), "latin1"));
  const { code, err } = await local.admin(...command);
  expect([code, err]).toEqual([1, expect.stringContaining("The file is not in UTF-8.")]);
});

it("an import reports a file that it cannot read", async () => {
  await local.json("workspace create --name Beta --slug beta");
  const { code, err } = await local.admin("import --workspace beta --from /nowhere.jsonl");
  expect(code).toBe(1);
  expect(err).toContain("There is no file /nowhere.jsonl that can be read.");
});
