import { describe, expect, it } from "vitest";
import { DAY_MS, isoTime } from "../../../src/lib/time";
import { makeMember } from "../browser";
import { click } from "../clicks";
import { watched } from "../depth";
import { wordsIn } from "../form-fields";

const dateOf = (at: number) => isoTime(at).slice(0, 10);

async function makeCampaigns() {
  const { workspace, browser } = await makeMember("viewer");
  const now = Date.now();
  const [spring, autumn] = [
    await workspace.group({
      name: "Spring <b>",
      status: "active",
      starts_at: now - 100 * DAY_MS,
      ends_at: now - 90 * DAY_MS,
    }),
    await workspace.group({ name: "Autumn", status: "active", starts_at: now - 9 * DAY_MS }),
  ];
  const link = async (group: { id: string }, channel: string) =>
    workspace.link({ activity_group_id: group.id, channel, title: `${channel} link` });
  const [mail, poster] = [await link(spring, "Mail"), await link(autumn, "Poster")];
  return { workspace, browser, now, spring, autumn, mail, poster, home: `/app/${workspace.slug}/groups` };
}

describe("two Activity Groups compared", () => {
  it("show the same figures as their own pages in the same dates, with channels, links and a chart of both", async () => {
    const { workspace, browser, now, spring, autumn, mail, poster, home } = await makeCampaigns();
    await click(workspace, mail.id, now - 3 * DAY_MS, { clicks: 1_234, after_end: 17 });
    await click(workspace, poster.id, now - 2 * DAY_MS, { clicks: 56 });
    const own = await browser.get(`${home}/${spring.id}?last=7`);
    expect(own.text).toContain(`href="${home}/${spring.id}/compare?last=7"`);
    expect(wordsIn(own.text)).toContain("1,234 clicks");
    const choose = await browser.get(`${home}/${spring.id}/compare?last=7`);
    expect(choose.text).toContain(">Autumn</option>");
    const watch = watched();
    const path = `${home}/${spring.id}/compare?with=${autumn.id}&last=7`;
    const page = await browser.get(path, undefined, watch.env);
    expect(watch.depth()).toBeLessThanOrEqual(4);
    const text = wordsIn(page.text);
    const half = text.indexOf("Autumn", text.indexOf("17 after a link’s end"));
    for (const shown of [
      "1,234 clicks",
      "1,234 visits",
      "17 after a link’s end",
      "Mail 1,234",
      "Mail link 1,234",
    ])
      expect(text.slice(0, half)).toContain(shown);
    for (const shown of ["56 clicks", "Poster 56", "Poster link 56"])
      expect(text.slice(half)).toContain(shown);
    expect(page.text).not.toContain("Spring <b>");
    expect(
      (await browser.get(`${home}/${autumn.id}/compare?with=${spring.id}&from=2020-01-01&to=x`)).status,
    ).toBe(200);
  });

  it("are each in their own dates since their start", async () => {
    const { workspace, browser, now, spring, autumn, mail, poster, home } = await makeCampaigns();
    await click(workspace, mail.id, now - 95 * DAY_MS, { clicks: 12 });
    await click(workspace, mail.id, now - 20 * DAY_MS, { clicks: 500 });
    await click(workspace, poster.id, now - 5 * DAY_MS, { clicks: 34 });
    const page = await browser.get(`${home}/${spring.id}/compare?with=${autumn.id}&since=start`);
    const text = wordsIn(page.text);
    for (const shown of ["12 clicks", "34 clicks", "Day 1", "Day 11"]) expect(text).toContain(shown);
    for (const not of ["500 clicks", "512 clicks", "Day 12"]) expect(text).not.toContain(not);
    expect(page.text).toContain(`from=${dateOf(now - 100 * DAY_MS)}&amp;to=${dateOf(now - 90 * DAY_MS)}`);
  });

  it("are not those of another workspace", async () => {
    const [own, foreign] = [await makeCampaigns(), await makeCampaigns()];
    const path = `${own.home}/${own.spring.id}/compare`;
    for (const id of [foreign.spring.id, "nonsense"])
      expect((await own.browser.get(`${path}?with=${id}`)).status, id).toBe(404);
    expect((await own.browser.get(path)).text).not.toContain(foreign.workspace.slug);
  });
});
