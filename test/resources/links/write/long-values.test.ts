import { expect, it } from "vitest";
import { changeLinks } from "../../../../src/resources/links/change-many";
import { importLinks } from "../../../../src/resources/links/import";
import { makeWorkspace } from "../../../harness";

it("a hundred links with destinations of the maximal length change together", async () => {
  const ws = await makeWorkspace();
  // Folded for search, it is eleven times as long.
  const destination_url = `https://www.example.com/${"ﷺ".repeat(2_024)}`;
  await importLinks(
    ws.ctx,
    "long",
    Array.from({ length: 100 }, (_, number) => ({ number, input: { destination_url } })),
  );
  const { body } = await ws.call("GET", "/api/v1/links?per_page=100");
  const ids = body.links.map(({ id }: { id: string }) => id);
  const outcomes = await changeLinks(ws.ctx, { ids, change: "archive" });
  expect(outcomes.filter(({ outcome }) => outcome === "changed")).toHaveLength(100);
});
