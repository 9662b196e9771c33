import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ZipFile, zip } from "../../../src/resources/engagement/zip";
import { unzip } from "../../unzip";

const folder = mkdtempSync(join(tmpdir(), "zip-"));
afterAll(() => rmSync(folder, { recursive: true }));

const text = (value: string) => new TextEncoder().encode(value);

const hasUnzip = spawnSync("unzip", ["-v"]).status === 0;

async function bytesOf(files: readonly ZipFile[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of zip(files)) parts.push(part);
  return Buffer.concat(parts);
}

const FILES: readonly ZipFile[] = [
  { name: "01-bern.svg", bytes: text("<svg/>") },
  { name: "02-leer.txt", bytes: new Uint8Array() },
  { name: "03-zürich-駅.bin", bytes: Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 251) },
];

describe("a ZIP archive", () => {
  it.skipIf(!hasUnzip)("passes the check of Info-ZIP, which unpacks the same bytes", async () => {
    const archive = join(folder, "some.zip");
    writeFileSync(archive, await bytesOf(FILES));
    expect(execFileSync("unzip", ["-t", archive], { encoding: "utf8" })).toContain("No errors detected");
    for (const { name, bytes } of FILES.slice(0, 2)) {
      expect(execFileSync("unzip", ["-p", archive, name]).equals(bytes), name).toBe(true);
    }
  });

  it("is read back with its names in UTF-8, in the order of the files", async () => {
    const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
    expect(unzip(await bytesOf(FILES)).map(([name, bytes]) => [name, hexOf(bytes)])).toEqual(
      FILES.map(({ name, bytes }) => [name, hexOf(bytes)]),
    );
  });

  it("is each file below its header, then the directory, then its end, byte by byte", async () => {
    const bytes = await bytesOf([
      { name: "a.txt", bytes: text("A") },
      { name: "é", bytes: text("BC") },
    ]);
    // Version, UTF-8, stored, date, checksum, sizes, the length of the name, no extra field.
    const first = "1400 0008 0000 0000 2100 8b9ed9d3 01000000 01000000 0500 0000";
    const second = "1400 0008 0000 0000 2100 522f436c 02000000 02000000 0200 0000";
    // No comment, the first disk, no attributes.
    const plain = "0000 0000 0000 00000000";
    const parts = [
      ...["504b0304", first, "612e747874", "41"],
      ...["504b0304", second, "c3a9", "4243"],
      // The version that made it, and where the file's header begins.
      ...["504b0102 1400", first, plain, "00000000", "612e747874"],
      ...["504b0102 1400", second, plain, "24000000", "c3a9"],
      // Two entries on this disk and in all, the directory's size and where it begins, no comment.
      ...["504b0506 0000 0000", "0200 0200", "63000000", "46000000", "0000"],
    ];
    expect(bytes.toString("hex")).toBe(parts.join("").replaceAll(" ", ""));
  });

  it("may be empty", async () => {
    expect((await bytesOf([])).toString("hex")).toBe(`504b0506${"00".repeat(18)}`);
  });

  it("asks for a file only when the one before it has been taken", async () => {
    const asked: string[] = [];
    function* files() {
      for (const file of FILES) {
        asked.push(file.name);
        yield file;
      }
    }
    const parts = zip(files());
    await parts.next();
    expect(asked).toEqual(["01-bern.svg"]);
    await parts.return();
    expect(asked).toEqual(["01-bern.svg"]);
  });
});
