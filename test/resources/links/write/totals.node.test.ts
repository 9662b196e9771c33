import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { moveTotals, totalMoves } from "../../../../src/resources/links/write/totals";
import { written } from "../../../fakes";
import { row, tag } from "./links";

const IN_GROUP = row({ group: { ...row().group, id: 5 } as never });
const KEYS = ["tag 1", "tag 2", "group 5", "channel print"];

/** The differences in each total, as `kind key active archived`. */
function moves(...changes: Parameters<typeof totalMoves>[0]): string[] {
  const { workspace, totals } = totalMoves(changes);
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

  it("no longer count a deleted link", () => {
    const was = row({ tags: [tag(1)], channel: null });
    expect(moves({ was, will: undefined })).toEqual(["workspace -1 0", "tag 1 -1 0"]);
  });

  it("move when a link is archived", () => {
    const was = row({ tags: [tag(1)], channel: null });
    expect(moves({ was, will: { ...was, archived_at: 0 } })).toEqual(["workspace -1 1", "tag 1 -1 1"]);
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

  it("do not change for unchanged links", () => {
    expect(moves({ was: IN_GROUP, will: { ...IN_GROUP, tags: [tag(2), tag(1)] } })).toEqual([]);
    expect(moves()).toEqual([]);
  });

  it("change once for many links", () => {
    const archived = { ...IN_GROUP, archived_at: 0 };
    expect(
      moves(
        { was: IN_GROUP, will: archived },
        { was: IN_GROUP, will: { ...IN_GROUP, tags: [tag(1), tag(3)], channel: null } },
        { was: { ...archived, tags: [] }, will: { ...IN_GROUP, tags: [tag(3)] } },
      ),
    ).toEqual(["tag 1 -1 1", "tag 2 -2 1", "channel print -1 0", "tag 3 2 0"]);
  });

  it("equal a recount after any history", () => {
    const counted = fc.record({
      archived_at: fc.option(fc.constant(0)),
      tags: fc.uniqueArray(fc.integer({ min: 1, max: 4 })).map((ids) => ids.map(tag)),
      group: fc.record({ id: fc.option(fc.integer({ min: 1, max: 3 })) }),
      channel: fc.option(fc.constantFrom("1", "print")),
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

describe("the statements of totals", () => {
  const statements = (...change: Parameters<typeof moveTotals>) => moveTotals(...change).map(written);

  it("shift, subtract and add with one list each, and update the workspace's counts", () => {
    const was = row({ tags: [tag(1)] });
    const will = { ...was, archived_at: 0, channel: "sms" };
    const [workspace, shifting, subtracting, adding, ...more] = statements(9, [{ was, will }], 0);
    expect(workspace?.sql).toMatch(/^update "workspaces" set "active_links" = .*, "archived_links" = /);
    expect(workspace?.params).toEqual([-1, 1, 9]);
    expect(shifting?.sql).toContain("set active = active + excluded.active - excluded.archived");
    expect(shifting?.params).toEqual([9, "tag", "1", 0, 1]);
    expect(subtracting?.sql).toContain("set active = active - excluded.active");
    expect(subtracting?.params).toEqual([9, "channel", "print", 1, 0]);
    expect(adding?.sql).toContain("set active = active + excluded.active,");
    expect(adding?.params).toEqual([9, "channel", "sms", 0, 1]);
    expect(more).toEqual([]);
  });

  it("separate shifts from additions and subtractions", () => {
    const link = row({ tags: [tag(1)], channel: null });
    const archived = { ...link, archived_at: 0 };
    const [, shifting, subtracting] = statements(
      9,
      [
        { was: link, will: archived },
        { was: link, will: undefined },
        { was: link, will: undefined },
      ],
      0,
    );
    expect(shifting?.params).toEqual([9, "tag", "1", 0, 1]);
    expect(subtracting?.params).toEqual([9, "tag", "1", 2, 0]);
  });

  it.each<[active: number, archived: number, kinds: string[], params: [number, number][]]>([
    [2, 0, ["add"], [[2, 0]]],
    [0, -2, ["subtract"], [[0, 2]]],
    [2, 1, ["add"], [[2, 1]]],
    [1, 2, ["add"], [[1, 2]]],
    [-2, -1, ["subtract"], [[2, 1]]],
    [1, -1, ["shift"], [[1, 0]]],
    [-1, 1, ["shift"], [[0, 1]]],
    [
      3,
      -1,
      ["shift", "add"],
      [
        [1, 0],
        [2, 0],
      ],
    ],
    [
      1,
      -3,
      ["shift", "subtract"],
      [
        [1, 0],
        [0, 2],
      ],
    ],
    [
      -3,
      1,
      ["shift", "subtract"],
      [
        [0, 1],
        [2, 0],
      ],
    ],
    [
      -1,
      3,
      ["shift", "add"],
      [
        [0, 1],
        [0, 2],
      ],
    ],
  ])("split %i active and %i archived links into %j", (active, archived, kinds, params) => {
    const link = row({ tags: [tag(1)], channel: null });
    const changes = (count: number, counted: typeof link) =>
      Array.from({ length: Math.abs(count) }, () =>
        count > 0 ? { was: undefined, will: counted } : { was: counted, will: undefined },
      );
    const all = [...changes(active, link), ...changes(archived, { ...link, archived_at: 0 })];
    const split = statements(9, all, 0).filter(({ sql }) => sql.startsWith("insert"));
    const kindOf = (sql: string) =>
      sql.includes("- excluded.archived,") ? "shift" : sql.includes("active + ") ? "add" : "subtract";
    expect(split.map(({ sql }) => kindOf(sql))).toEqual(kinds);
    expect(split.map((one) => one.params)).toEqual(params.map((counts) => [9, "tag", "1", ...counts]));
  });

  it("shift back what comes out of the archive", () => {
    const was = row({ tags: [tag(1)], channel: null, archived_at: 5 });
    const [, shifting, ...more] = statements(9, [{ was, will: { ...was, archived_at: null } }], 0);
    expect(shifting?.params).toEqual([9, "tag", "1", 1, 0]);
    expect(more).toEqual([]);
  });

  it("count a new link and its claim once", () => {
    const [counted, adding, ...more] = statements(9, [{ was: undefined, will: row({ tags: [] }) }], 1);
    expect(counted?.sql).toMatch(/^update "workspaces" set "active_links" = .*"slug_claims" = /);
    expect(counted?.params.slice(0, 2)).toEqual([1, 0]);
    expect(adding?.params).toEqual([9, "channel", "print", 1, 0]);
    expect(more).toEqual([]);
  });

  it("count new claims with or without changes of links", () => {
    const [claims, ...more] = statements(9, [], 2);
    expect(claims?.sql).toContain('"slug_claims" = case when');
    expect(claims?.params).toContain(2);
    expect(more).toEqual([]);
    expect(statements(9, [], 0)).toEqual([]);
  });
});
