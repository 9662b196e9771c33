import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { urlsJson, writeFileAtomically } from "../../../src/client/file/urls";
import { setup } from "../api/setup";
import { applyAll, fileOf } from "./setup";

const folder = () => mkdtemp(join(tmpdir(), "waymark-urls-"));

describe("urls.json", () => {
  it("is the same text again, whatever was created first", async () => {
    const links = await applyAll(setup().client, fileOf({ hero: { slug: "summer" }, "a.b": { slug: "ab" } }));
    expect(urlsJson(new Map([...links].toReversed()))).toBe(urlsJson(links));
  });

  it("is replaced in one rename", async () => {
    const place = await folder();
    const path = join(place, "urls.json");
    await writeFile(path, "old");
    await writeFileAtomically(path, "new");
    expect([await readFile(path, "utf8"), await readdir(place)]).toEqual(["new", ["urls.json"]]);
  });

  it("is not written through a link that somebody else has put beside it", async () => {
    const place = await folder();
    const path = join(place, "urls.json");
    await writeFile(join(place, "victim"), "precious");
    await symlink(join(place, "victim"), `${path}.${process.pid}.part`);
    await writeFileAtomically(path, "new");
    expect([await readFile(path, "utf8"), await readFile(join(place, "victim"), "utf8")]).toEqual([
      "new",
      "precious",
    ]);
  });

  it("leaves no part behind where it fails", async () => {
    const place = await folder();
    await mkdir(join(place, "urls.json"));
    await expect(writeFileAtomically(join(place, "urls.json"), "new")).rejects.toThrow();
    expect(await readdir(place)).toEqual(["urls.json"]);
  });
});
