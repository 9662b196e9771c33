import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { archiveActivityGroup, updateActivityGroup } from "../../src/resources/activity-groups/manage";
import { makeWorkspace, type TestWorkspace, visit } from "../harness";

const LINKS = "/api/v1/links";

/** Two groups with a default, one without, and one that reveals whether a link's campaign is inherited. */
async function makeGroups(ws: TestWorkspace) {
  const [spring, autumn, plain, probe] = [
    await ws.group({ default_utm_campaign: "spring" }),
    await ws.group({ default_utm_campaign: "autumn" }),
    await ws.group(),
    await ws.group({ default_utm_campaign: "probe" }),
  ];
  return { spring: spring.id, autumn: autumn.slug, plain: plain.id, probe: probe.id };
}
type Groups = Awaited<ReturnType<typeof makeGroups>>;
type Fields = (groups: Groups) => Record<string, string | null>;

const EXPLICIT = "explicit";
const INHERITED = "inherited";
type Origin = typeof EXPLICIT | typeof INHERITED;

/** Moves the link to a group: an explicit campaign stays, an inherited one becomes the group's default. */
async function originOf(ws: TestWorkspace, id: string, groups: Groups): Promise<Origin> {
  const answer = await ws.call("PATCH", `${LINKS}/${id}`, { body: { activity_group_id: groups.probe } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.link.utm_campaign === "probe" ? INHERITED : EXPLICIT;
}

const CREATE: [string, Fields, string | null, Origin][] = [
  ["is explicit if given without a group", () => ({ utm_campaign: "mine" }), "mine", EXPLICIT],
  [
    "is the given one rather than the group's default",
    (g) => ({ utm_campaign: "mine", activity_group_id: g.spring }),
    "mine",
    EXPLICIT,
  ],
  [
    "is explicit even if it equals the group's default",
    (g) => ({ utm_campaign: "spring", activity_group_id: g.spring }),
    "spring",
    EXPLICIT,
  ],
  [
    "is the given one in a group without a default",
    (g) => ({ utm_campaign: "mine", activity_group_id: g.plain }),
    "mine",
    EXPLICIT,
  ],
  ["is the group's default if omitted", (g) => ({ activity_group_id: g.spring }), "spring", INHERITED],
  [
    "is the default of a group given by slug if omitted",
    (g) => ({ activity_group_id: g.autumn }),
    "autumn",
    INHERITED,
  ],
  [
    "is the group's default if null",
    (g) => ({ utm_campaign: null, activity_group_id: g.spring }),
    "spring",
    INHERITED,
  ],
  [
    "is the group's default if blank",
    (g) => ({ utm_campaign: "  ", activity_group_id: g.spring }),
    "spring",
    INHERITED,
  ],
  [
    "is null if omitted and the group has no default",
    (g) => ({ activity_group_id: g.plain }),
    null,
    INHERITED,
  ],
  ["is null if omitted without a group", () => ({}), null, INHERITED],
];

describe("the campaign of a created link", () => {
  it.each(CREATE)("%s", async (_, fields, campaign, origin) => {
    const ws = await makeWorkspace();
    const groups = await makeGroups(ws);
    const link = await ws.link(fields(groups));
    expect(link.utm_campaign).toBe(campaign);
    expect((await ws.call("GET", `${LINKS}/${link.id}`)).body.utm_campaign).toBe(campaign);
    const query = campaign === null ? "" : `?utm_campaign=${campaign}`;
    expect((await visit(`/${link.slug}`)).headers.get("location")).toBe(`https://www.example.com/${query}`);
    expect(await originOf(ws, link.id, groups)).toBe(origin);
  });
});

const mine: Fields = () => ({ utm_campaign: "mine" });
const mineInSpring: Fields = (g) => ({ utm_campaign: "mine", activity_group_id: g.spring });
const springs: Fields = (g) => ({ activity_group_id: g.spring });
const none: Fields = () => ({});
const inPlain: Fields = (g) => ({ activity_group_id: g.plain });

const toAutumn: Fields = (g) => ({ activity_group_id: g.autumn });
const toPlain: Fields = (g) => ({ activity_group_id: g.plain });
const sentAgain: Fields = (g) => ({ activity_group_id: g.spring });
const give: Fields = () => ({ utm_campaign: "given" });
const giveAndMove: Fields = (g) => ({ utm_campaign: "given", activity_group_id: g.autumn });
const giveAndLeave: Fields = () => ({ utm_campaign: "given", activity_group_id: null });
const giveUp: Fields = () => ({ utm_campaign: null });
const blank: Fields = () => ({ utm_campaign: " " });
const giveUpAndMove: Fields = (g) => ({ utm_campaign: null, activity_group_id: g.autumn });
const giveUpAndMoveToPlain: Fields = (g) => ({ utm_campaign: null, activity_group_id: g.plain });
const giveUpAndLeave: Fields = () => ({ utm_campaign: null, activity_group_id: null });
const leave: Fields = () => ({ activity_group_id: null });
const other: Fields = () => ({ title: "other", utm_source: "mail", status: "archived" });

const UPDATE: [string, Fields, Fields, string | null, Origin][] = [
  ["campaign given: it replaces an explicit one", mine, give, "given", EXPLICIT],
  ["campaign given: it replaces an explicit one in a group", mineInSpring, give, "given", EXPLICIT],
  ["campaign given: it replaces an inherited one and is explicit", springs, give, "given", EXPLICIT],
  ["campaign given: it is set where there was none and is explicit", none, give, "given", EXPLICIT],
  [
    "campaign given with the inherited value: it becomes explicit",
    springs,
    () => ({ utm_campaign: "spring" }),
    "spring",
    EXPLICIT,
  ],
  [
    "campaign and group given: the campaign replaces an explicit one",
    mineInSpring,
    giveAndMove,
    "given",
    EXPLICIT,
  ],
  [
    "campaign and group given: the campaign replaces an inherited one",
    springs,
    giveAndMove,
    "given",
    EXPLICIT,
  ],
  [
    "campaign and group given: the campaign is set where there was none",
    none,
    giveAndMove,
    "given",
    EXPLICIT,
  ],
  ["campaign given while the assignment ends: it is explicit", springs, giveAndLeave, "given", EXPLICIT],
  ["group assigned: an explicit campaign stays", mine, toAutumn, "mine", EXPLICIT],
  ["group assigned: a link without a campaign gets the default", none, toAutumn, "autumn", INHERITED],
  [
    "group without a default assigned: a link without a campaign still has none",
    none,
    toPlain,
    null,
    INHERITED,
  ],
  ["link moved: an explicit campaign stays", mineInSpring, toAutumn, "mine", EXPLICIT],
  ["link moved: an inherited campaign becomes the new default", springs, toAutumn, "autumn", INHERITED],
  [
    "link moved to a group without a default: an explicit campaign stays",
    mineInSpring,
    toPlain,
    "mine",
    EXPLICIT,
  ],
  [
    "link moved to a group without a default: an inherited campaign becomes null",
    springs,
    toPlain,
    null,
    INHERITED,
  ],
  [
    "link moved from a group without a default: it gets the new default",
    inPlain,
    toAutumn,
    "autumn",
    INHERITED,
  ],
  ["same group sent again: an explicit campaign stays", mineInSpring, sentAgain, "mine", EXPLICIT],
  ["same group sent again: an inherited campaign is its default", springs, sentAgain, "spring", INHERITED],
  [
    "campaign cleared: an explicit one becomes the group's default",
    mineInSpring,
    giveUp,
    "spring",
    INHERITED,
  ],
  [
    "campaign cleared by a blank: an explicit one becomes the group's default",
    mineInSpring,
    blank,
    "spring",
    INHERITED,
  ],
  ["campaign cleared without a group: an explicit one becomes null", mine, giveUp, null, INHERITED],
  ["campaign cleared: an inherited one is the group's default", springs, giveUp, "spring", INHERITED],
  ["campaign cleared where there is none: it stays null", none, giveUp, null, INHERITED],
  [
    "campaign cleared on a move: an explicit one becomes the new group's default",
    mineInSpring,
    giveUpAndMove,
    "autumn",
    INHERITED,
  ],
  [
    "campaign cleared on a first assignment: an explicit one becomes the group's default",
    mine,
    giveUpAndMove,
    "autumn",
    INHERITED,
  ],
  [
    "campaign cleared on a move: an inherited one becomes the new default",
    springs,
    giveUpAndMove,
    "autumn",
    INHERITED,
  ],
  [
    "campaign cleared on a move to a group without a default: it becomes null",
    mineInSpring,
    giveUpAndMoveToPlain,
    null,
    INHERITED,
  ],
  [
    "campaign cleared while the assignment ends: it becomes null",
    mineInSpring,
    giveUpAndLeave,
    null,
    INHERITED,
  ],
  ["assignment ended: an explicit campaign stays", mineInSpring, leave, "mine", EXPLICIT],
  ["assignment ended: an inherited campaign becomes null", springs, leave, null, INHERITED],
  ["no assignment to end: an explicit campaign stays", mine, leave, "mine", EXPLICIT],
  ["neither campaign nor group sent: an explicit campaign stays", mineInSpring, other, "mine", EXPLICIT],
  ["neither campaign nor group sent: an inherited campaign stays", springs, other, "spring", INHERITED],
];

describe("the campaign of an updated link", () => {
  it.each(UPDATE)("%s", async (_, before, change, campaign, origin) => {
    const ws = await makeWorkspace();
    const groups = await makeGroups(ws);
    const link = await ws.link(before(groups));
    const answer = await ws.call("PATCH", `${LINKS}/${link.id}`, { body: change(groups) });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.link.utm_campaign).toBe(campaign);
    expect((await ws.call("GET", `${LINKS}/${link.id}`)).body).toEqual(answer.body.link);
    const location = (await visit(`/${link.slug}`)).headers.get("location") ?? "";
    expect(new URL(location).searchParams.get("utm_campaign")).toBe(campaign);
    expect(await originOf(ws, link.id, groups)).toBe(origin);
  });
});

describe("a group whose default changes", () => {
  const withDefault = async (value: string | null) => {
    const ws = await makeWorkspace();
    const group = await ws.group({ default_utm_campaign: value });
    const [explicit, inherited] = [
      await ws.link({ activity_group_id: group.id, utm_campaign: "mine" }),
      await ws.link({ activity_group_id: group.id }),
    ];
    const campaigns = async () =>
      Promise.all(
        [explicit, inherited].map(
          async ({ id }) => (await ws.call("GET", `${LINKS}/${id}`)).body.utm_campaign,
        ),
      );
    return { ws, group, explicit, inherited, campaigns };
  };
  const patch = (ws: TestWorkspace, id: string, body: object) => ws.call("PATCH", `${LINKS}/${id}`, { body });

  it("leaves its links' campaigns unchanged on edit, archiving and restoring", async () => {
    const { ws, group, campaigns } = await withDefault("old");
    await updateActivityGroup(ws.ctx, group.id, { default_utm_campaign: "new" });
    expect(await campaigns()).toEqual(["mine", "old"]);
    await archiveActivityGroup(ws.ctx, group.id);
    expect(await campaigns()).toEqual(["mine", "old"]);
    await updateActivityGroup(ws.ctx, group.id, { status: "draft", default_utm_campaign: null });
    expect(await campaigns()).toEqual(["mine", "old"]);
  });

  it("gives an inherited campaign its current default if the group is sent again or the campaign is cleared", async () => {
    for (const again of ["group", "campaign"] as const) {
      const { ws, group, explicit, inherited, campaigns } = await withDefault("old");
      const body = again === "group" ? { activity_group_id: group.slug } : { utm_campaign: null };
      await updateActivityGroup(ws.ctx, group.id, { default_utm_campaign: "new" });
      expect((await patch(ws, inherited.id, { title: "other" })).body.link.utm_campaign).toBe("old");
      expect((await patch(ws, inherited.id, body)).body.link.utm_campaign).toBe("new");
      await updateActivityGroup(ws.ctx, group.id, { default_utm_campaign: null });
      expect((await patch(ws, inherited.id, body)).body.link.utm_campaign).toBeNull();
      await patch(ws, explicit.id, body);
      expect(await campaigns()).toEqual([again === "group" ? "mine" : null, null]);
    }
  });

  it("still gives its default to links when it is archived", async () => {
    const { ws, group, explicit } = await withDefault("old");
    await archiveActivityGroup(ws.ctx, group.id);
    expect((await ws.link({ activity_group_id: group.id })).utm_campaign).toBe("old");
    expect((await patch(ws, explicit.id, { utm_campaign: null })).body.link.utm_campaign).toBe("old");
  });
});

describe("a campaign that becomes explicit and stays the same", () => {
  it("increases the row's version, and only shows another origin", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group({ default_utm_campaign: "spring" });
    const link = await ws.link({ activity_group_id: group.id });
    const versionNow = () =>
      env.DB.prepare("select version from links where public_id = ?").bind(link.id).first<number>("version");
    const before = await versionNow();
    const answer = await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { utm_campaign: "spring" } });
    expect(answer.body.link).toEqual({
      ...link,
      utm_campaign_origin: "explicit",
      updated_at: answer.body.link.updated_at,
    });
    expect(await versionNow()).toBe((before ?? 0) + 1);
    await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { utm_campaign: "spring" } });
    expect(await versionNow()).toBe((before ?? 0) + 1);
  });
});
