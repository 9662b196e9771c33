import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSlugOwners } from "../../../src/client/file/state";
import { callsOf, workspace } from "./setup";

describe("the owners of slugs", () => {
  it("are those that each slug opens, by its current or an old one", async () => {
    const slugs = Array.from({ length: 12 }, (_, number) => `s${number}x`);
    const link = fc.uniqueArray(fc.constantFrom(...slugs), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(link, { maxLength: 5 }), async (links) => {
        const { client } = workspace();
        const taken = new Set<string>();
        for (const names of links) {
          const [first, ...later] = names.filter((name) => !taken.has(name));
          if (first === undefined) continue;
          const { id } = await client.links.create({ destination_url: "https://example.com/", slug: first });
          for (const slug of later) await client.links.update(id, { slug });
          for (const slug of [first, ...later]) taken.add(slug);
        }
        const owners = await readSlugOwners(client, slugs);
        for (const slug of slugs) expect(owners.get(slug)?.id).toBe((await client.links.bySlug(slug))?.id);
      }),
      { numRuns: 100 },
    );
  });

  it("are asked once for each hundred slugs that are free", async () => {
    const { service, client } = workspace();
    const slugs = Array.from({ length: 250 }, (_, number) => `slug-${number}`);
    expect(await callsOf(service, () => readSlugOwners(client, slugs))).toBe(3);
    expect(await callsOf(service, () => readSlugOwners(client, []))).toBe(0);
  });
});
