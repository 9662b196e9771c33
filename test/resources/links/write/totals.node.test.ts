import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { totalDifferences, totalsStatements } from "../../../../src/resources/links/write/link-totals";
import { written } from "../../../fakes";
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

  it("count a link on a domain for it too", () => {
    const was = row({ tags: [], channel: null, utm_source: null, domain: "go.example.com" });
    expect(moves({ was, will: undefined })).toEqual(["workspace -1 0", "domain go.example.com -1 0"]);
  });

  it("no longer count a deleted link", () => {
    const was = row({ tags: [tag(1)], channel: null, utm_source: null });
    expect(moves({ was, will: undefined })).toEqual(["workspace -1 0", "tag 1 -1 0"]);
  });

  it("move when a link is archived", () => {
    const was = row({ tags: [tag(1)], channel: null, utm_source: null });
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
      utm_source: fc.option(fc.constantFrom("1", "mail")),
      utm_medium: fc.option(fc.constantFrom("1", "mail")),
      utm_campaign: fc.option(fc.constantFrom("1", "mail")),
      utm_term: fc.option(fc.constantFrom("1", "mail")),
      utm_content: fc.option(fc.constantFrom("1", "mail")),
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

describe("the statements of totals", () => {
  const statements = (...change: Parameters<typeof totalsStatements>) =>
    totalsStatements(...change).map(written);

  it("take from totals, which exist, and add to those that may not", () => {
    const was = row({ tags: [tag(1)], utm_source: null });
    const will = { ...was, archived_at: 0, channel: "sms", utm_medium: "text" };
    const [workspace, taking, adding, ...more] = statements(9, [{ was, will }], 0);
    expect(workspace?.sql).toMatch(/^update "workspaces" set "active_links" = .*, "archived_links" = /);
    expect(workspace?.params).toEqual([-1, 1, 0, 9]);
    expect(taking?.sql).toMatch(/^update "link_totals" set active = active \+ /);
    expect(taking?.params).toEqual([
      JSON.stringify([
        [9, "tag", "1", -1, 1],
        [9, "channel", "print", -1, 0],
      ]),
    ]);
    expect(adding?.sql).toMatch(/^insert into "link_totals" .* on conflict do update set active = /s);
    expect(adding?.params).toEqual([
      JSON.stringify([
        [9, "utm_medium", "text", 0, 1],
        [9, "channel", "sms", 0, 1],
      ]),
    ]);
    expect(more).toEqual([]);
  });

  it("count new claims with or without changes of links", () => {
    const [claims, ...more] = statements(9, [], 2);
    expect(claims?.params).toEqual([0, 0, 2, 9]);
    expect(more).toEqual([]);
    expect(statements(9, [], 0)).toEqual([]);
  });
});
