import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownerOf, readOwners } from "../../../src/client/file/file-state";
import { setup } from "../api/setup";
import { keyOf } from "../fake/links";
import { state } from "./links";
import { fileOf } from "./setup";

const DOMAINS = ["go.example.com", "acme.example"];

describe("the owners of slugs", () => {
  it("are the links that each opens on a domain, as their current slug or an old one", async () => {
    const slugs = Array.from({ length: 12 }, (_, number) => `s${number}x`);
    const link = fc.record({
      domain: fc.constantFrom(...DOMAINS),
      names: fc.uniqueArray(fc.constantFrom(...slugs), { minLength: 1, maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(link, { maxLength: 5 }), async (links) => {
        const { client, service } = setup({ domains: DOMAINS });
        for (const { domain, names } of links) {
          const [slug, ...later] = names.filter((name) => !service.state.slugs.has(keyOf(domain, name)));
          if (slug === undefined) continue;
          const { id } = await client.links.create({ destination_url: "https://example.com/", domain, slug });
          for (const next of later) await client.links.update(id, { slug: next });
        }
        const known = state([], { owners: await readOwners(client, slugs) });
        for (const domain of DOMAINS) {
          for (const slug of slugs) {
            const current = service.state.links.some((one) => one.slug === slug && one.domain !== domain);
            const owner = ownerOf(known, fileOf({}), { domain, slug });
            // An old slug on this domain is not told apart where the slug is the current one on another.
            if (owner === undefined && current) continue;
            expect(owner?.id).toBe(service.state.slugs.get(keyOf(domain, slug)));
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
