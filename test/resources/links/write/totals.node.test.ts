import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eachField, VALUE_FIELDS } from "../../../../src/lib/link-fields";
import { totalDifferences } from "../../../../src/resources/links/write/link-totals";
import { row, tag } from "./links";

const IN_GROUP = row({ group: { ...row().group, id: 5 } as never });
const KEYS = ["tag 1", "tag 2", "group 5", "utm_source flyer", "channel print"];

/** The differences in each total, as `kind key active archived`. */
function moves(...changes: Parameters<typeof totalDifferences>[0]): string[] {
  const { workspace, totals } = totalDifferences(changes);
  const own = workspace.every((count) => count === 0) ? [] : [`workspace ${workspace.join(" ")}`];
  return [...own, ...totals.map(([key, counts]) => [...key, ...counts].join(" "))];
}

describe("the totals", () => {
  it("count a new link, even an archived one", () => {
    expect(moves({ was: undefined, will: IN_GROUP })).toEqual([
      "workspace 1 0",
      ...KEYS.map((key) => `${key} 1 0`),
    ]);
    expect(moves({ was: undefined, will: { ...IN_GROUP, archived_at: 0 } })).toEqual([
      "workspace 0 1",
      ...KEYS.map((key) => `${key} 0 1`),
    ]);
  });

  it("follow a link to other tags, another group and channel, while the workspace's counts stay", () => {
    const will = { ...IN_GROUP, tags: [tag(2), tag(3)], group: { id: 1 }, channel: "5" };
    expect(moves({ was: IN_GROUP, will })).toEqual([
      "tag 1 -1 0",
      "group 5 -1 0",
      "channel print -1 0",
      "tag 3 1 0",
      "group 1 1 0",
      "channel 5 1 0",
    ]);
  });

  it("equal a recount after any history", () => {
    const counted = fc.record({
      archived_at: fc.option(fc.constant(0)),
      tags: fc.uniqueArray(fc.integer({ min: 1, max: 4 })).map((ids) => ids.map(tag)),
      group: fc.record({ id: fc.option(fc.integer({ min: 1, max: 3 })) }),
      ...eachField(VALUE_FIELDS, () => fc.option(fc.constantFrom("1", "print"))),
      domain: fc.constantFrom("", "a.example"),
    });
    const histories = fc.array(fc.array(fc.option(counted, { nil: undefined }), { maxLength: 6 }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(histories, (states) => {
        const changes = states.flatMap((history) =>
          history.map((will, index) => ({ was: history[index - 1], will })),
        );
        const now = states.flatMap((history) => ({ was: undefined, will: history.at(-1) }));
        expect(moves(...changes).toSorted()).toEqual(moves(...now).toSorted());
      }),
    );
  });
});
