import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { archiveActivityGroup, updateActivityGroup } from "../../src/activity-groups/manage";
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
  ["given without a group is explicit", () => ({ utm_campaign: "mine" }), "mine", EXPLICIT],
  [
    "given wins over the group's default",
    (g) => ({ utm_campaign: "mine", activity_group_id: g.spring }),
    "mine",
    EXPLICIT,
  ],
  [
    "given as the group's very default is explicit",
    (g) => ({ utm_campaign: "spring", activity_group_id: g.spring }),
    "spring",
    EXPLICIT,
  ],
  [
    "given stays in a group without a default",
    (g) => ({ utm_campaign: "mine", activity_group_id: g.plain }),
    "mine",
    EXPLICIT,
  ],
  ["omitted is the group's default", (g) => ({ activity_group_id: g.spring }), "spring", INHERITED],
  [
    "omitted is the default of a group named by its slug",
    (g) => ({ activity_group_id: g.autumn }),
    "autumn",
    INHERITED,
  ],
  ["null is as omitted", (g) => ({ utm_campaign: null, activity_group_id: g.spring }), "spring", INHERITED],
  ["blank is as omitted", (g) => ({ utm_campaign: "  ", activity_group_id: g.spring }), "spring", INHERITED],
  [
    "omitted is null where the group has no default",
    (g) => ({ activity_group_id: g.plain }),
    null,
    INHERITED,
  ],
  ["omitted is null without a group", () => ({}), null, INHERITED],
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
  ["given, an explicit one becomes it", mine, give, "given", EXPLICIT],
  ["given, an explicit one in a group becomes it", mineInSpring, give, "given", EXPLICIT],
  ["given, an inherited one becomes it and explicit", springs, give, "given", EXPLICIT],
  ["given, none becomes it and explicit", none, give, "given", EXPLICIT],
  [
    "given as what is inherited already, it becomes explicit",
    springs,
    () => ({ utm_campaign: "spring" }),
    "spring",
    EXPLICIT,
  ],
  ["given with a group, an explicit one becomes it", mineInSpring, giveAndMove, "given", EXPLICIT],
  ["given with a group, an inherited one becomes it", springs, giveAndMove, "given", EXPLICIT],
  ["given with a group, none becomes it", none, giveAndMove, "given", EXPLICIT],
  ["given while the assignment ends, it is explicit", springs, giveAndLeave, "given", EXPLICIT],
  ["a group assigned, an explicit one stays", mine, toAutumn, "mine", EXPLICIT],
  ["a group assigned, none becomes its default", none, toAutumn, "autumn", INHERITED],
  ["a group without a default assigned, none stays none", none, toPlain, null, INHERITED],
  ["moved, an explicit one stays", mineInSpring, toAutumn, "mine", EXPLICIT],
  ["moved, an inherited one becomes the new default", springs, toAutumn, "autumn", INHERITED],
  ["moved to a group without a default, an explicit one stays", mineInSpring, toPlain, "mine", EXPLICIT],
  ["moved to a group without a default, an inherited one becomes null", springs, toPlain, null, INHERITED],
  ["moved from a group without a default, none becomes the new one", inPlain, toAutumn, "autumn", INHERITED],
  ["the group sent again, an explicit one stays", mineInSpring, sentAgain, "mine", EXPLICIT],
  ["the group sent again, an inherited one is its default", springs, sentAgain, "spring", INHERITED],
  ["given up, an explicit one becomes the group's default", mineInSpring, giveUp, "spring", INHERITED],
  [
    "given up by a blank, an explicit one becomes the group's default",
    mineInSpring,
    blank,
    "spring",
    INHERITED,
  ],
  ["given up without a group, an explicit one becomes null", mine, giveUp, null, INHERITED],
  ["given up, an inherited one is the group's default", springs, giveUp, "spring", INHERITED],
  ["given up where there is none, it stays none", none, giveUp, null, INHERITED],
  [
    "given up on a move, an explicit one becomes the new group's default",
    mineInSpring,
    giveUpAndMove,
    "autumn",
    INHERITED,
  ],
  [
    "given up on a first assignment, an explicit one becomes its default",
    mine,
    giveUpAndMove,
    "autumn",
    INHERITED,
  ],
  [
    "given up on a move, an inherited one becomes the new default",
    springs,
    giveUpAndMove,
    "autumn",
    INHERITED,
  ],
  [
    "given up on a move to a group without a default, it becomes null",
    mineInSpring,
    giveUpAndMoveToPlain,
    null,
    INHERITED,
  ],
  ["given up while the assignment ends, it becomes null", mineInSpring, giveUpAndLeave, null, INHERITED],
  ["the assignment ended, an explicit one stays", mineInSpring, leave, "mine", EXPLICIT],
  ["the assignment ended, an inherited one becomes null", springs, leave, null, INHERITED],
  ["no assignment to end, an explicit one stays", mine, leave, "mine", EXPLICIT],
  ["neither campaign nor group named, an explicit one stays", mineInSpring, other, "mine", EXPLICIT],
  ["neither campaign nor group named, an inherited one stays", springs, other, "spring", INHERITED],
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

  it("leaves its links unchanged on edit, archiving and restoring", async () => {
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
  it("is a new version of the row, and the same link for clients", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group({ default_utm_campaign: "spring" });
    const link = await ws.link({ activity_group_id: group.id });
    const versionNow = () =>
      env.DB.prepare("select version from links where public_id = ?").bind(link.id).first<number>("version");
    const before = await versionNow();
    const answer = await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { utm_campaign: "spring" } });
    expect(answer.body.link).toEqual(link);
    expect(await versionNow()).toBe((before ?? 0) + 1);
    await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { utm_campaign: "spring" } });
    expect(await versionNow()).toBe((before ?? 0) + 1);
  });
});
