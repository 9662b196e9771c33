import { describe, expect, it } from "vitest";
import type { Waymark } from "../../../src/client/api/wire-types";
import { EXIT } from "../../../src/client/exit";
import { applyPlan } from "../../../src/client/file/apply-plan";
import { makePlan } from "../../../src/client/file/make-plan";
import { assertFresh, parseSavedPlan, savePlan } from "../../../src/client/file/saved-plan";
import { setup } from "../api/setup";
import { applyAll, clientOf, killAt, parsed, revive, textOf, writesOf } from "./setup";

const SERVICE = "https://go.example.com";

const TEXT = textOf(
  { a: { slug: "a", title: "New", tags: ["One"] }, b: { slug: "b" } },
  { on_removed: "delete" },
);

async function prepared() {
  const { service, client } = setup();
  await applyAll(
    client,
    parsed(textOf({ a: { slug: "a", title: "Old" }, same: {}, gone: { slug: "gone" } })),
  );
  const plan = await makePlan(client, parsed(TEXT));
  const text = await savePlan(plan, parsed(TEXT), SERVICE);
  return { service, client, text };
}

/** As the command does it. */
async function applySaved(client: Waymark, text: string) {
  const saved = parseSavedPlan(text, SERVICE);
  const plan = await makePlan(client, parsed(saved.file_text));
  await assertFresh(saved, plan);
  return applyPlan(client, plan);
}

describe("a saved plan", () => {
  it("holds its file and each write", async () => {
    const { text, service } = await prepared();
    const saved = parseSavedPlan(text, SERVICE);
    expect(saved).toMatchObject({
      format: "waymark-plan-1",
      service: SERVICE,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      file_name: "waymark.yaml",
      file_text: TEXT,
    });
    expect(saved.writes.map((write) => JSON.parse(write).slice(0, 2))).toEqual([
      ["create_tag", "One"],
      ["update", "a"],
      ["create", "b"],
      ["delete", "gone"],
      ["delete", "same"],
    ]);
    expect(text).not.toContain(service.key);
  });

  it.each<[name: string, change: (client: Waymark) => Promise<unknown>]>([
    ["a rename by hand", async (client) => rename(client, "a", "by-hand")],
    ["a rename by hand of what is removed", async (client) => rename(client, "gone", "by-hand")],
    ["a deletion by hand of what is updated", async (client) => client.links.delete(await idOf(client, "a"))],
    [
      "a new link of this file",
      (client) => client.links.create({ destination_url: "https://example.com/", external_id: "site:new" }),
    ],
  ])("is stale after %s", async (_, change) => {
    const { service, client, text } = await prepared();
    await change(client);
    service.calls.length = 0;
    await expect(applySaved(client, text)).rejects.toMatchObject({ exitCode: EXIT.refused });
    expect(service.writes()).toEqual([]);
  });

  it("is refused where another link took a slug", async () => {
    const { client, text } = await prepared();
    await client.links.create({ destination_url: "https://example.com/", slug: "b" });
    await expect(applySaved(client, text)).rejects.toMatchObject({ exitCode: EXIT.failed });
  });

  it("stays good after changes that do not matter", async () => {
    const { client, text } = await prepared();
    await client.links.create({ destination_url: "https://example.com/", slug: "other" });
    await client.tags.create({ name: "Other" });
    expect(await applySaved(client, text)).toMatchObject({ failed: [], skipped: [] });
  });

  it("goes on after a kill at any request", async () => {
    for (const hasEffect of [false, true]) {
      for (let count = 0; count < 8; count++) {
        const { service, text } = await prepared();
        killAt(service, count, hasEffect);
        await applySaved(clientOf(service), text).catch(() => undefined);
        revive(service);
        expect(await applySaved(clientOf(service), text)).toMatchObject({ failed: [], skipped: [] });
        expect(writesOf(await makePlan(clientOf(service), parsed(TEXT)))).toEqual([]);
        expect(service.state.links).toHaveLength(2);
      }
    }
  });

  it("belongs to one service", async () => {
    const { text } = await prepared();
    expect(() => parseSavedPlan(text, "https://other.example.com")).toThrow(
      "The plan was made for https://go.example.com, not for https://other.example.com.",
    );
  });

  it.each(["", "{}", "[]", "null", "version: 1", '{"format":"waymark-plan-1"}'])("is not %j", (text) => {
    expect(() => parseSavedPlan(text, SERVICE)).toThrow("The file is not a plan of this version of waymark.");
  });

  it("is not made of a plan with conflicts", async () => {
    const { client } = setup();
    await client.links.create({ destination_url: "https://example.com/", slug: "b" });
    const plan = await makePlan(client, parsed(TEXT));
    await expect(savePlan(plan, parsed(TEXT), SERVICE)).rejects.toMatchObject({ exitCode: EXIT.failed });
  });
});

const idOf = async (client: Waymark, slug: string): Promise<string> =>
  (await client.links.bySlug(slug))?.id ?? "";
const rename = async (client: Waymark, from: string, to: string) =>
  client.links.update(await idOf(client, from), { slug: to });
