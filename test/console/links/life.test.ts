import { describe, expect, it } from "vitest";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { blockHost } from "../../../src/resources/destinations/blocklist";
import { serviceContext } from "../../harness";
import { makeMember, signInAs } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";

const OVER = "https://www.example.com/over";
const PAST = "2020-06-01T08:00:00.000Z";
const FUTURE = "2090-06-01T08:00:30.250Z";

describe("the page of a link says when it is open and what follows", () => {
  it.each<[string, object, object, string[]]>([
    [
      "before the start",
      { starts_at: FUTURE },
      {},
      [
        "This link is not open yet. It opens on 1 Jun 2090, 08:00 UTC",
        "Not open yet",
        "Opens 1 Jun 2090, 08:00 UTC",
      ],
    ],
    [
      "after the start, before the end",
      { starts_at: PAST, ends_at: FUTURE },
      {},
      ["Opened 1 Jun 2020", "Ends 1 Jun 2090", "Visitors see a page that says that the link has ended."],
    ],
    [
      "after the end, with an own address",
      { ends_at: PAST, ended_url: OVER },
      { ended_url: "https://group.example/" },
      [
        "This link ended on 1 Jun 2020, 08:00 UTC . Visitors are sent to https://www.example.com/over",
        "Ended",
      ],
    ],
    [
      "after the end, with its group's address",
      { ends_at: PAST },
      { ended_url: "https://group.example/" },
      ["Visitors are sent to https://group.example/ (from its group)"],
    ],
    [
      "ended with its group",
      {},
      { ends_at: Date.parse(PAST), ends_links: true },
      ["Ended 1 Jun 2020, 08:00 UTC (with its group)"],
    ],
    ["with an address and no end", { ended_url: OVER }, {}, ["The link has no end yet."]],
  ])("%s", async (_, fields, ofGroup, said) => {
    const { workspace, browser } = await makeMember("viewer");
    const group = await workspace.group();
    await updateActivityGroup(workspace.ctx, group.id, ofGroup);
    const { id } = await workspace.link({ ...fields, activity_group_id: group.id });
    const text = wordsIn((await browser.get(`/app/${workspace.slug}/links/${id}`)).text);
    for (const words of said) expect(text).toContain(words);
  });

  it("and that the operator does not allow the address", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const host = `h${crypto.randomUUID().slice(0, 8)}.example`;
    const { id } = await workspace.link({ ends_at: PAST, ended_url: `https://${host}/` });
    await blockHost(serviceContext(), host);
    expect(wordsIn((await browser.get(`/app/${workspace.slug}/links/${id}`)).text)).toContain(
      `because the operator of this service does not allow the host of https://${host}/`,
    );
  });
});

it("the list of links has a badge on links that are not open, also if their group ends them", async () => {
  const { workspace, browser } = await makeMember("viewer");
  const ended = await workspace.group({ ends_at: Date.parse(PAST), ends_links: true });
  await workspace.link({ title: "Early", starts_at: FUTURE });
  await workspace.link({ title: "Over", ends_at: PAST });
  await workspace.link({ title: "Over with its group", activity_group_id: ended.id });
  await workspace.link({ title: "Own end", activity_group_id: ended.id, ends_at: FUTURE });
  await workspace.link({ title: "Ordinary", starts_at: PAST });
  const { text } = await browser.get(`/app/${workspace.slug}/links`);
  const rows = text.split("<tr>").flatMap((row) => {
    const [, title] = /<bdi>([^<]*)<\/bdi>/.exec(row) ?? [];
    const badges = [...row.matchAll(/class="badge badge-(not_open_yet|ended)">([^<]*)</g)].map(
      ([, , says]) => says,
    );
    return title !== undefined && row.includes('class="visits"') ? [[title, ...badges]] : [];
  });
  expect(rows.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1))).toEqual([
    ["Early", "Not open yet"],
    ["Ordinary"],
    ["Over", "Ended"],
    ["Over with its group", "Ended"],
    ["Own end"],
  ]);
});

it("the form of an Activity Group sets the end of its links and where visitors go then, and clears both", async () => {
  const { workspace, browser } = await makeMember("editor");
  const made = await browser.post(`/app/${workspace.slug}/groups/new`, {
    name: "Fair",
    type: "event",
    ends_at: "2020-06-01",
    ends_links: "true",
    ended_url: OVER,
  });
  const page = made.location?.split("?")[0] ?? "";
  const viewer = await signInAs(workspace, "viewer");
  const seen = async () => {
    const { text } = await viewer.get(`${page}?tab=settings`);
    expect(text).toContain('<fieldset class="fields" disabled="">');
    expect(text).not.toContain("Save changes");
    const { ends_links = [], ended_url } = fieldsOf({ text });
    return [ends_links, ended_url];
  };
  expect(await seen()).toEqual([["true"], OVER]);
  const save = async (changed: object) => {
    const fields = fieldsOf(await browser.get(`${page}?tab=settings`));
    await browser.post(page, { ...fields, ...changed });
    return seen();
  };
  expect(await save({})).toEqual([["true"], OVER]);
  // A browser does not send an empty checkbox.
  expect(await save({ ends_links: [] })).toEqual([[], OVER]);
  expect(await save({ ended_url: "" })).toEqual([[], ""]);
});
