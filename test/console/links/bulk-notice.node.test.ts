import { expect, it } from "vitest";
import { addOutcomes, describeOutcomes } from "../../../src/console/links/bulk-notice";
import type { ChangeOutcome } from "../../../src/resources/links/bulk-change";

const ARCHIVE = { change: "archive" } as const;

const refusedOf = (slug: string, reason: "taken" | "ends_before_start" = "taken"): ChangeOutcome => ({
  id: slug,
  slug,
  outcome: "refused",
  failures: [{ field: "ends_at", reason }],
});

const changed: ChangeOutcome = { id: "done", slug: "done", outcome: "changed" };

it("the last step of a change names the links that earlier steps refused, with the reasons", () => {
  const none = { changed: 0, unchanged: 0, refused: 0, refusals: "" };
  const first = addOutcomes(ARCHIVE, [changed, refusedOf("one")], none);
  const second = addOutcomes(ARCHIVE, [changed], first);
  const said = describeOutcomes(ARCHIVE, [refusedOf("two", "ends_before_start")], { earlier: second });
  expect(said).toBe(
    "Archived 2 links. Not changed: one. The end is taken. Not changed: two. The end must not be before the start.",
  );
});

it("the refusals of many steps are counted once they are long", () => {
  let earlier = { changed: 0, unchanged: 0, refused: 0, refusals: "" };
  for (let step = 0; step < 200; step++) {
    earlier = addOutcomes(ARCHIVE, [refusedOf(`link-${step}`)], earlier);
  }
  const said = describeOutcomes(ARCHIVE, [changed], { earlier });
  expect(said.length).toBeLessThan(600);
  expect(said).toMatch(/^Archived 1 link\. Not changed: link-0\. .* Not changed in all: 200 links\.$/);
});
