import { beforeAll, expect, it } from "vitest";
import { updateActivityGroup } from "../../src/resources/activity-groups/manage-groups";
import { makeWorkspace, type TestWorkspace, visit } from "../harness";

const LINKS = "/api/v1/links";

/** Two groups with a default, and one without. */
async function makeGroups(ws: TestWorkspace) {
  const spring = await ws.group({ default_utm_campaign: "spring" });
  const autumn = await ws.group({ default_utm_campaign: "autumn" });
  const plain = await ws.group();
  return { spring: spring.id, autumn: autumn.slug, plain: plain.id };
}
type Groups = Awaited<ReturnType<typeof makeGroups>>;
type Fields = (groups: Groups) => Record<string, string | null>;

const EXPLICIT = "explicit";
const INHERITED = "inherited";
type Origin = typeof EXPLICIT | typeof INHERITED;

const mine: Fields = () => ({ utm_campaign: "mine" });
const mineInSpring: Fields = (g) => ({ utm_campaign: "mine", activity_group_id: g.spring });
const inSpring: Fields = (g) => ({ activity_group_id: g.spring });
const inPlain: Fields = (g) => ({ activity_group_id: g.plain });
const none: Fields = () => ({});

const CREATE: [string, Fields, string | null, Origin][] = [
  ["is explicit if given without a group", mine, "mine", EXPLICIT],
  ["is the given one rather than the group's default", mineInSpring, "mine", EXPLICIT],
  ["is the group's default if omitted", inSpring, "spring", INHERITED],
  ["is the group's default if null", (g) => ({ utm_campaign: null, ...inSpring(g) }), "spring", INHERITED],
  ["is null if omitted and the group has no default", inPlain, null, INHERITED],
];

let ws: TestWorkspace;
let groups: Groups;
beforeAll(async () => {
  ws = await makeWorkspace();
  groups = await makeGroups(ws);
});

it.each(CREATE)("the campaign of a created link %s", async (_, fields, campaign, origin) => {
  const link = await ws.link(fields(groups));
  expect([link.utm_campaign, link.utm_campaign_origin]).toEqual([campaign, origin]);
  const query = campaign === null ? "" : `?utm_campaign=${campaign}`;
  expect((await visit(`/${link.slug}`)).headers.get("location")).toBe(`https://www.example.com/${query}`);
});

const give: Fields = () => ({ utm_campaign: "given" });
const clear: Fields = () => ({ utm_campaign: null });
const toAutumn: Fields = (g) => ({ activity_group_id: g.autumn });
const leave: Fields = () => ({ activity_group_id: null });
const and =
  (...parts: Fields[]): Fields =>
  (groups) =>
    Object.assign({}, ...parts.map((part) => part(groups)));

// The rows of the documented table, each for an explicit and an inherited campaign, and for none.
const UPDATE: [string, Fields, Fields, string | null, Origin][] = [
  ["given: an explicit one is replaced", mineInSpring, give, "given", EXPLICIT],
  ["given: an inherited one is replaced and explicit", inSpring, give, "given", EXPLICIT],
  ["given: it is set where there was none", none, and(give, toAutumn), "given", EXPLICIT],
  ["group assigned: an explicit campaign stays", mine, toAutumn, "mine", EXPLICIT],
  ["group assigned: a link without one gets the default", none, toAutumn, "autumn", INHERITED],
  ["moved: an explicit campaign stays", mineInSpring, toAutumn, "mine", EXPLICIT],
  ["moved: an inherited one becomes the new default", inSpring, toAutumn, "autumn", INHERITED],
  ["same group sent again: an explicit campaign stays", mineInSpring, inSpring, "mine", EXPLICIT],
  ["same group sent again: an inherited one is its default", inSpring, inSpring, "spring", INHERITED],
  ["cleared: an explicit one becomes the group's default", mineInSpring, clear, "spring", INHERITED],
  ["cleared on a move: it becomes the new default", mineInSpring, and(clear, toAutumn), "autumn", INHERITED],
  ["assignment ended: an explicit campaign stays", mineInSpring, leave, "mine", EXPLICIT],
  ["assignment ended: an inherited campaign becomes null", inSpring, leave, null, INHERITED],
];

it.each(UPDATE)("the campaign of an updated link %s", async (_, before, change, campaign, origin) => {
  const link = await ws.link(before(groups));
  const answer = await ws.call("PATCH", `${LINKS}/${link.id}`, { body: change(groups) });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.link).toMatchObject({ utm_campaign: campaign, utm_campaign_origin: origin });
  const location = (await visit(`/${link.slug}`)).headers.get("location") ?? "";
  expect(new URL(location).searchParams.get("utm_campaign")).toBe(campaign);
});

it("a group leaves its links' campaigns unchanged when its default changes or it is archived, and gives links its current default", async () => {
  const group = await ws.group({ default_utm_campaign: "old" });
  const links = [
    await ws.link({ activity_group_id: group.id, utm_campaign: "mine" }),
    await ws.link({ activity_group_id: group.id }),
  ];
  await updateActivityGroup(ws.ctx, group.id, { default_utm_campaign: "new" });
  await updateActivityGroup(ws.ctx, group.id, { status: "archived" });
  const campaigns = [];
  for (const { id } of links) campaigns.push((await ws.call("GET", `${LINKS}/${id}`)).body.utm_campaign);
  expect(campaigns).toEqual(["mine", "old"]);
  expect((await ws.link({ activity_group_id: group.id })).utm_campaign).toBe("new");
  for (const [index, body] of [{ utm_campaign: null }, { activity_group_id: group.slug }].entries()) {
    const answer = await ws.call("PATCH", `${LINKS}/${links[index]?.id}`, { body });
    expect(answer.body.link.utm_campaign).toBe("new");
  }
});
