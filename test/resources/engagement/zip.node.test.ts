import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ZipFile, zip } from "../../../src/resources/engagement/codes-zip";
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
    const archive = await bytesOf(FILES);
    // The flag for names in UTF-8, in the header of the first file.
    expect(archive.readUInt16LE(6)).toBe(0x0800);
    expect(unzip(archive).map(([name, bytes]) => [name, hexOf(bytes)])).toEqual(
      FILES.map(({ name, bytes }) => [name, hexOf(bytes)]),
    );
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
