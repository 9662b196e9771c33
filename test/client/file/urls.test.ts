import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { urlsJson, writeFileAtomically, writeQrFiles } from "../../../src/client/file/urls";
import { setup } from "../api/setup";
import { applyAll, callsOf, fileOf } from "./setup";

const folder = () => mkdtemp(join(tmpdir(), "waymark-urls-"));

async function applied() {
  const { service, client } = setup();
  return {
    service,
    client,
    links: await applyAll(client, fileOf({ hero: { slug: "summer" }, "a.b": { slug: "ab" } })),
  };
}

describe("urls.json", () => {
  it("is the same text again, whatever was created first", async () => {
    const { links } = await applied();
    expect(urlsJson(new Map([...links].toReversed()))).toBe(urlsJson(links));
  });

  it("is replaced in one rename", async () => {
    const place = await folder();
    const path = join(place, "urls.json");
    await writeFile(path, "old");
    await writeFileAtomically(path, "new");
    expect([await readFile(path, "utf8"), await readdir(place)]).toEqual(["new", ["urls.json"]]);
  });

  it("leaves no part behind where it fails", async () => {
    const place = await folder();
    await mkdir(join(place, "urls.json"));
    await expect(writeFileAtomically(join(place, "urls.json"), "new")).rejects.toThrow();
    expect(await readdir(place)).toEqual(["urls.json"]);
  });
});

describe("QR files", () => {
  it("are named by key, one call each", async () => {
    const { service, client, links } = await applied();
    const place = join(await folder(), "qr");
    expect(await callsOf(service, () => writeQrFiles(client, place, links))).toBe(2);
    await writeQrFiles(client, place, links, { format: "png", size: 1024 });
    expect((await readdir(place)).toSorted()).toEqual(["a.b.png", "a.b.svg", "hero.png", "hero.svg"]);
    expect(await readFile(join(place, "hero.svg"), "utf8")).toBe("<svg/>");
    expect(service.calls.at(-1)?.url.search).toBe("?format=png&size=1024");
  });

  it("fail as a whole", async () => {
    const { service, client, links } = await applied();
    service.state.links = [];
    await expect(writeQrFiles(client, await folder(), links)).rejects.toMatchObject({ status: 404 });
  });
});
