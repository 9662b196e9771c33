import { describe, expect, it } from "vitest";
import { makePlan } from "../../../src/client/file/plan";
import { apply, applyAll, clientOf, fileOf, killAt, revive, workspace, writesOf } from "./setup";

describe("an apply that is killed", () => {
  const BEFORE = fileOf({
    stays: { slug: "stays", tags: ["Print"] },
    renamed: { slug: "first" },
    changed: { slug: "changed", title: "Old", group: "summer" },
    "gone-1": { slug: "gone-1" },
    "gone-2": { slug: "gone-2" },
  });
  const links = {
    stays: { slug: "stays", tags: ["Print"] },
    renamed: { slug: "second" },
    changed: { slug: "changed", title: "New", group: "winter", tags: ["New 1"] },
    "new-1": { slug: "new-1", tags: ["New 1", "New 2"], utm: { campaign: "inherit" } },
    "new-2": { slug: "new-2", group: "summer" },
    generated: { title: "x" },
  };

  async function prepared() {
    const { service, client } = workspace();
    service.addGroup({ slug: "summer", default_utm_campaign: "sale" });
    service.addGroup({ slug: "winter" });
    await applyAll(client, BEFORE);
    await client.links.create({ destination_url: "https://example.com/", slug: "theirs" });
    service.calls.length = 0;
    return service;
  }

  /** The state without what depends on time and order. */
  const shown = ({ state }: Awaited<ReturnType<typeof prepared>>) => ({
    tags: state.tags.map(({ name }) => name),
    slugs: [...state.slugs.keys()].filter((slug) => !/^s\d+$/.test(slug)).toSorted(),
    links: state.links
      .map(
        ({ id: _, created_at: _c, updated_at: _u, archived_at: _a, slug, short_url: _s, tags, ...rest }) => ({
          ...rest,
          slug: rest.external_id === "site:generated" ? "generated" : slug,
          tags: tags.map(({ name }) => name),
        }),
      )
      .toSorted((one, other) => ((one.external_id ?? "") < (other.external_id ?? "") ? -1 : 1)),
  });

  it.each(["archive", "delete"])(
    "at any request ends in the same state, with on_removed: %s",
    async (on_removed) => {
      const file = fileOf(links, { on_removed });
      const whole = await prepared();
      await applyAll(clientOf(whole), file);
      const total = whole.calls.length;
      expect(total).toBe(4 + 2 + 5 + 2);
      for (const hasEffect of [false, true]) {
        for (let count = 0; count < total; count++) {
          const service = await prepared();
          killAt(service, count, hasEffect);
          await apply(clientOf(service), file).catch(() => undefined);
          revive(service);
          await applyAll(clientOf(service), file);
          expect(shown(service)).toEqual(shown(whole));
          expect(writesOf(await makePlan(clientOf(service), file))).toEqual([]);
        }
      }
    },
  );
});
