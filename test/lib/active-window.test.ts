import { describe, expect, it } from "vitest";
import { windowInGroup, windowStateAt } from "../../src/lib/active-window";

it.each([
  ["without a start and an end", null, null, 0, "open"],
  ["before its start", 5, null, 4, "early"],
  ["at its start", 5, null, 5, "open"],
  ["before its end", null, 5, 4, "open"],
  ["at its end", null, 5, 5, "ended"],
  ["with an end at the epoch, at it", null, 0, 0, "ended"],
  // Only a group can end a link before its start.
  ["before its start, after the end of its group", 6, 5, 5, "early"],
  ["at its start, after the end of its group", 6, 5, 6, "ended"],
] as const)("a link at a time: %s", (_, startsAt, endsAt, now, windowState) => {
  expect(windowStateAt({ startsAt, endsAt }, now)).toBe(windowState);
});

describe("a link in a group", () => {
  const LINK = { starts_at: 1, ends_at: null, ended_url: null };
  const OF_GROUP = "https://group.example/";
  const OWN = "https://a.example/";
  const GROUP = { ends_at: 5, ended_url: OF_GROUP, ends_links: 1 };

  it.each([
    ["ends with the group", LINK, GROUP, 5, OF_GROUP],
    ["has an earlier end of its own", { ...LINK, ends_at: 4 }, GROUP, 4, OF_GROUP],
    ["has an end of its own at the epoch", { ...LINK, ends_at: 0 }, GROUP, 0, OF_GROUP],
    ["has an address of its own", { ...LINK, ended_url: OWN }, GROUP, 5, OWN],
    ["does not end with the group", LINK, { ...GROUP, ends_links: 0 }, null, OF_GROUP],
    ["is to end with a group that has no end", LINK, { ...GROUP, ends_at: null }, null, OF_GROUP],
    ["is in none", LINK, { ends_at: null, ended_url: null, ends_links: null }, null, null],
  ])("%s", (_, link, group, endsAt, endedUrl) => {
    expect(windowInGroup(link, group)).toEqual({ startsAt: 1, endsAt, endedUrl });
  });
});
