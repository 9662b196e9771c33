import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LinkRow } from "../../src/links/repository";
import {
  type Counted,
  channelsInUse,
  countedFor,
  joinTotalsOfTags,
  keysOf,
  leaveTotalOfTag,
  moveTotals,
  moveTotalsOfMany,
} from "../../src/links/totals";
import { written } from "../fakes";

const LINK: Counted = { archived: false, tags: [1, 2], group: 5, channel: "print" };

/** What the statements do: by how much each total goes up or down. */
function steps(was: Counted | undefined, will: Counted | undefined): string[] {
  return moveTotals(9, was, will).map((statement) => {
    const { sql, params } = written(statement);
    if (sql.startsWith('update "workspaces" set "active_links" = ')) {
      expect(sql).toContain('"archived_links" = ');
      const [active, archived, id] = params;
      expect(id).toBe(9);
      return `workspace ${active} ${archived}`;
    }
    if (sql.startsWith('update "link_totals" set active = active + ')) {
      const [active, archived, id, kind, key] = params;
      expect(id).toBe(9);
      return `${kind} ${key} ${active} ${archived}`;
    }
    expect(sql).toMatch(/^insert into "link_totals" .*on conflict do update set active = active \+ /s);
    const [id, kind, key, active, archived] = params;
    expect(id).toBe(9);
    return `${kind} ${key} from ${active} ${archived}`;
  });
}

describe("what a link counts for", () => {
  it("is what its row says", () => {
    const row = { archived_at: null, tags: '[{"id":1},{"id":2}]', group: { id: 5 }, channel: "print" };
    expect(countedFor(row as unknown as LinkRow)).toEqual(LINK);
    const bare = { archived_at: 0, tags: "[]", group: { id: null }, channel: null };
    expect(countedFor(bare as unknown as LinkRow)).toEqual({
      archived: true,
      tags: [],
      group: null,
      channel: null,
    });
  });

  it("is each of its tags, its group and its channel", () => {
    expect(keysOf(LINK)).toEqual([
      ["tag", "1"],
      ["tag", "2"],
      ["group", "5"],
      ["channel", "print"],
    ]);
    expect(keysOf({ archived: false, tags: [], group: null, channel: null })).toEqual([]);
  });
});

describe("the totals", () => {
  it("begin with a new link, also one that is archived", () => {
    const keys = ["tag 1", "tag 2", "group 5", "channel print"];
    expect(steps(undefined, LINK)).toEqual(["workspace 1 0", ...keys.map((key) => `${key} from 1 0`)]);
    expect(steps(undefined, { ...LINK, archived: true })).toEqual([
      "workspace 0 1",
      ...keys.map((key) => `${key} from 0 1`),
    ]);
  });

  it("lose a deleted link", () => {
    expect(steps({ ...LINK, tags: [1], channel: null }, undefined)).toEqual([
      "workspace -1 0",
      "tag 1 -1 0",
      "group 5 -1 0",
    ]);
  });

  it("move with a link into the archive", () => {
    expect(
      steps({ ...LINK, tags: [1], channel: null }, { ...LINK, tags: [1], channel: null, archived: true }),
    ).toEqual(["workspace -1 1", "tag 1 -1 1", "group 5 -1 1"]);
  });

  it("follow a link to other tags, another group and another channel, its place in the workspace the same", () => {
    const will: Counted = { archived: false, tags: [2, 3], group: 1, channel: "5" };
    expect(steps(LINK, will)).toEqual([
      "tag 1 -1 0",
      "group 5 -1 0",
      "channel print -1 0",
      "tag 3 from 1 0",
      "group 1 from 1 0",
      "channel 5 from 1 0",
    ]);
  });

  it("stay for what does not change, and for no link at all", () => {
    expect(steps(LINK, { ...LINK, tags: [2, 1] })).toEqual([]);
    expect(steps(undefined, undefined)).toEqual([]);
  });

  it("are, after any history, what a count would say", () => {
    const counted = fc.record({
      archived: fc.boolean(),
      tags: fc.uniqueArray(fc.integer({ min: 1, max: 4 })),
      group: fc.option(fc.integer({ min: 1, max: 3 })),
      channel: fc.option(fc.constantFrom("1", "print")),
    });
    const history = fc.array(fc.option(counted, { nil: undefined }), { maxLength: 6 });
    fc.assert(
      fc.property(history, (states) => {
        const totals = new Map<string, number[]>();
        let was: Counted | undefined;
        for (const will of states) {
          for (const step of steps(was, will)) {
            const [, key = "", active, archived] = /^(.*?)(?: from)? (-?\d) (-?\d)$/.exec(step) ?? [];
            const [old = 0, older = 0] = totals.get(key) ?? [];
            totals.set(key, [old + Number(active), older + Number(archived)]);
          }
          was = will;
        }
        const place = was?.archived ? [0, 1] : [1, 0];
        const own = was === undefined ? [] : ["workspace", ...keysOf(was).map((key) => key.join(" "))];
        const left = [...totals].filter(([, [active, archived]]) => active !== 0 || archived !== 0);
        expect(Object.fromEntries(left)).toEqual(Object.fromEntries(own.map((key) => [key, place])));
      }),
    );
  });
});

describe("the totals of many links", () => {
  const ofMany = (...links: (readonly [Counted, Counted])[]) => moveTotalsOfMany(9, links).map(written);

  it("move once, by what each link moves them", () => {
    const [steps, begun] = ofMany(
      [LINK, { ...LINK, archived: true }],
      [LINK, { ...LINK, tags: [1, 3], channel: null }],
      [
        { ...LINK, tags: [], archived: true },
        { ...LINK, tags: [3] },
      ],
    );
    expect(steps?.sql).toMatch(
      /^update "link_totals" set active = active \+ \(select value ->> 2 .* archived = archived \+ \(select value ->> 3 /s,
    );
    const moved = '[["tag","1",-1,1],["tag","2",-2,1],["channel","print",-1,0]]';
    expect(steps?.params).toEqual([moved, moved, 9, moved]);
    expect(begun?.sql).toMatch(/^insert into "link_totals" .*on conflict do update set active = active \+ /s);
    expect(begun?.params).toEqual([9, '[["tag","3",2,0]]']);
  });

  it("move with those of the workspace, where a link goes into the archive", () => {
    const archived = { ...LINK, archived: true };
    const [workspace, , begun] = ofMany([LINK, archived], [LINK, archived], [archived, LINK]);
    expect(workspace?.sql).toMatch(/^update "workspaces" set "active_links" = .*, "archived_links" = /);
    expect(workspace?.params).toEqual([-1, 1, 9]);
    expect(begun?.params).toEqual([9, "[]"]);
  });
});

it("the channels in use are those of a link that is there", () => {
  const { sql, params } = written(channelsInUse(9, 4));
  expect(sql).toMatch(/^select "key" from "link_totals" .*"active" \+ "link_totals"."archived" > 0/);
  expect(params).toEqual([9, "channel", 4]);
});

describe("the totals of tags alone", () => {
  it("are told which link and which tags", () => {
    const joining = written(joinTotalsOfTags(9, "L", ["A", "B"]));
    expect(joining.sql).toMatch(/^insert into "link_totals".*on conflict do update/s);
    expect(new Set(joining.params)).toEqual(new Set([9, "L", '["A","B"]']));
    const leaving = written(leaveTotalOfTag(9, "L", "A"));
    expect(leaving.sql).toMatch(/^update "link_totals" set active = active - 1 \+ was/);
    expect(new Set(leaving.params)).toEqual(new Set([9, "L", "A"]));
  });
});
