import { describe, expect, it } from "vitest";
import { differenceOf } from "../../../src/console/groups/compared-figures";
import { DAY_MS, isoTime } from "../../../src/lib/time";
import { runSql } from "../../sql";
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
    for (const shown of [
      "Visits 1,234 56 +1,178 ",
      "Visits a day, without today 205.7 9.3 +196.4 ",
      "Clicks 1,234 56 +1,178 ",
      "Scans 0 0 none ",
      "After a link’s end 17 0 +17 ",
      "Mail 1,234 0 +1,234 ",
      "Poster 0 56 −56 (−100%) ",
      "Mail link 1,234 ",
      "Poster link 56 ",
    ])
      expect(text).toContain(shown);
    const coloursOf = (name: string) => [
      ...page.text.matchAll(new RegExp(`series-(\\d)">(?:<a[^>]*>)?(?:<bdi>)?${name}<`, "g")),
    ];
    const colours = ["Spring &lt;b&gt;", "Autumn", "Mail", "Poster"].map((name) => [
      ...new Set(coloursOf(name).map(([, colour]) => colour)),
    ]);
    expect(colours.map((one) => one.length)).toEqual([1, 1, 1, 1]);
    expect(new Set(colours.flat()).size).toBe(4);
    expect(page.text.match(/<polyline class="line series-[01]"/g)).toHaveLength(2);
    expect(page.text).toContain("Autumn\t56\n".trim());
    expect(page.text).not.toContain("Spring <b>");
    const days = { from: dateOf(now + 2 * DAY_MS), to: dateOf(now + 3 * DAY_MS) };
    const future = await browser.get(
      `${home}/${spring.id}/compare?${new URLSearchParams({ with: autumn.id, ...days })}`,
    );
    expect(wordsIn(future.text)).toContain("Visits a day – – – ");
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
    for (const shown of [
      "Visits a day, without today 1.1 3.8 −2.7 (−71%) Clicks 12 34 –",
      "The groups have different numbers of days, so only their visits a day are compared.",
      "Visits a day, without today 1.1 3.8 ",
      "Day 1",
      "Day 11",
    ])
      expect(text).toContain(shown);
    for (const not of ["500", "512", "Day 12"]) expect(text).not.toContain(not);
    // The line of the later one ends with today, which is not over.
    const [first = "", second = "", dashed = ""] = Array.from(
      page.text.matchAll(/<polyline class="([^"]*)" points="([^"]*)"/g),
      ([, name, points = ""]) => `${name}: ${new Set(points.split(" ")).size}`,
    );
    expect([first, second, dashed]).toEqual([
      "line series-0: 11",
      "line series-1: 9",
      "line series-1 unfinished: 2",
    ]);
    expect(page.text).toContain(`from=${dateOf(now - 100 * DAY_MS)}&amp;to=${dateOf(now - 90 * DAY_MS)}`);
  });

  it("are of as many days since each start, without today", async () => {
    const { workspace, browser, now, spring, autumn, mail, poster, home } = await makeCampaigns();
    await click(workspace, mail.id, now - 95 * DAY_MS, { clicks: 12 });
    await click(workspace, mail.id, now - 91 * DAY_MS, { clicks: 500 });
    await click(workspace, poster.id, now - 5 * DAY_MS, { clicks: 34 });
    await click(workspace, poster.id, now, { clicks: 700 });
    const path = `${home}/${spring.id}/compare?with=${autumn.id}`;
    const { text } = await browser.get(`${path}&since=equal`);
    for (const shown of [
      "The first 9 days of each",
      "Clicks 12 34 −22 (−65%)",
      "Visits a day 1.3 3.8",
      "Day 9",
    ])
      expect(wordsIn(text)).toContain(shown);
    expect(wordsIn(text)).not.toContain("Day 10");
    const early = await workspace.group({ name: "Early", starts_at: now + 9 * DAY_MS });
    const without = await browser.get(`${home}/${spring.id}/compare?with=${early.id}&since=equal`);
    expect(wordsIn(without.text)).not.toContain("of each");
    expect(wordsIn(without.text)).toContain("Early has no days since its start");
  });

  it("are not compared by their first days, and have no visits a day, until each has a complete one", async () => {
    const { workspace, browser, now, autumn, poster, home } = await makeCampaigns();
    const today = await workspace.group({ name: "Today", status: "active", starts_at: now });
    const link = await workspace.link({ activity_group_id: today.id });
    await click(workspace, link.id, now, { clicks: 75 });
    await click(workspace, poster.id, now - 9 * DAY_MS, { clicks: 14 });
    await click(workspace, poster.id, now, { clicks: 500 });
    const page = async (path: string) =>
      wordsIn((await browser.get(`${home}/${today.id}/compare?with=${autumn.id}&since=${path}`)).text);
    const start = await page("start");
    expect(start).toContain("The first days of each");
    expect(start).toContain("Visits a day, without today – 1.6 – ");
    expect(start).toMatch(/Today”: \d+ \w+ \d+, today so far ·/);
    const equal = await page("equal");
    expect(equal).toContain("Today has no complete day yet.");
    expect(equal).not.toContain("Autumn has no");
    expect(equal).not.toContain("Difference");

    const yesterday = await workspace.group({ name: "Next", status: "active", starts_at: now - DAY_MS });
    const one = wordsIn(
      (await browser.get(`${home}/${yesterday.id}/compare?with=${autumn.id}&since=equal`)).text,
    );
    expect(one).toContain("The first day of each");
    expect(one).toContain("Visits 0 14 −14 (−100%) Visits a day 0 14 ");
  });

  it("have top links with the days that are compared", async () => {
    const { workspace, browser, now, spring, autumn, mail, poster, home } = await makeCampaigns();
    await click(workspace, mail.id, now - 95 * DAY_MS, { clicks: 1 });
    await click(workspace, poster.id, now - 2 * DAY_MS, { clicks: 2 });
    const links = `/app/${workspace.slug}/links`;
    const path = `${home}/${spring.id}/compare?with=${autumn.id}`;
    expect((await browser.get(`${path}&last=7`)).text).toContain(`href="${links}/${poster.id}?last=7"`);
    const { text } = await browser.get(`${path}&last=7&since=start`);
    const [first, last] = [dateOf(now - 100 * DAY_MS), dateOf(now - 90 * DAY_MS)];
    expect(text).toContain(`href="${links}/${mail.id}?from=${first}&amp;to=${last}"`);
  });

  it("say which of their days began by an earlier time zone", async () => {
    const { workspace, browser, now, spring, autumn, home } = await makeCampaigns();
    const path = `${home}/${spring.id}/compare?with=${autumn.id}`;
    const said = async (query: string) =>
      (await browser.get(path + query)).text.match(/began at midnight Kathmandu time/g)?.length;
    const days = `&from=${dateOf(now - 97 * DAY_MS)}&to=${dateOf(now)}`;
    expect(await Promise.all(["&since=start", days].map(said))).toEqual([undefined, undefined]);
    const until = now - (now % DAY_MS) - 95 * DAY_MS;
    const earlier = JSON.stringify([{ zone: "Asia/Kathmandu", until, lastDay: until / DAY_MS - 1 }]);
    await runSql`update workspaces set earlier_zones = ${earlier} where id = ${workspace}`;
    expect(await Promise.all(["&since=start", "&since=equal", days, "&last=7"].map(said))).toEqual([
      1,
      1,
      1,
      undefined,
    ]);
  });

  it.each([
    [[2, 663], "−661 (−99.7%)"],
    [[0, 663], "−663 (−100%)"],
    [[1, 100_000], "−99,999 (−99.999%)"],
    [[664, 663], "+1 (+0.2%)"],
    [[100_001, 100_000], "+1 (+0.001%)"],
    [[1_325, 663], "+662 (+99.8%)"],
    [[1_326, 663], "+663 (+100%)"],
    [[34, 12], "+22 (+183%)"],
    [[0.024, 11.3], "−11.3 (−99.8%)"],
    [[0.024, 0], "+0.024"],
    [[8, 0], "+8"],
    [[5, 5], "none"],
    [[null, 5], "–"],
  ] as const)("have a difference that is 100%% or 0%% only if it is: %j", (values, text) => {
    expect(differenceOf(values)).toBe(text);
  });

  it("are by week since each start, if one of them is long", async () => {
    const { workspace, browser, now, autumn, mail, poster, home } = await makeCampaigns();
    const long = await workspace.group({ name: "Long", status: "active", starts_at: now - 100 * DAY_MS });
    const link = await workspace.link({ activity_group_id: long.id });
    await click(workspace, link.id, now - 95 * DAY_MS, { clicks: 12 });
    await click(workspace, link.id, now - 93 * DAY_MS, { clicks: 3 });
    await click(workspace, poster.id, now - 1 * DAY_MS, { clicks: 34 });
    await click(workspace, mail.id, now, { clicks: 1 });
    const text = wordsIn(
      (await browser.get(`${home}/${long.id}/compare?with=${autumn.id}&since=start`)).text,
    );
    for (const shown of ["Week 1 Long 12", "Week 2 Long 3 Autumn 34", "Week 15"])
      expect(text).toContain(shown);
    expect(text).not.toContain("Week 16");
  });

  it("are dots while each has one day, which is not over", async () => {
    const { workspace, browser, now, home } = await makeCampaigns();
    const begin = (name: string) => workspace.group({ name, status: "active", starts_at: now });
    const [one, other] = [await begin("One"), await begin("Other")];
    const link = await workspace.link({ activity_group_id: one.id });
    await click(workspace, link.id, now, { clicks: 3 });
    const { text } = await browser.get(`${home}/${one.id}/compare?with=${other.id}&since=start`);
    const lines = [...text.matchAll(/ unfinished" points="([^"]*)"/g)].map(([, points = ""]) =>
      points.split(" "),
    );
    expect(lines.map(([from, to]) => to !== undefined && from === to)).toEqual([true, true]);
    expect(text.match(/<polyline class="line dot series-[01] unfinished"/g)).toHaveLength(2);
  });

  it("say so if neither has visits", async () => {
    const { browser, spring, autumn, home } = await makeCampaigns();
    const text = wordsIn((await browser.get(`${home}/${spring.id}/compare?with=${autumn.id}`)).text);
    expect(text).toContain("Neither of them has clicks or scans on these days.");
    expect(text).toContain("Visits 0 0 none");
  });

  it("are not those of another workspace", async () => {
    const [own, foreign] = [await makeCampaigns(), await makeCampaigns()];
    const path = `${own.home}/${own.spring.id}/compare`;
    for (const id of [foreign.spring.id, "nonsense"])
      expect((await own.browser.get(`${path}?with=${id}`)).status, id).toBe(404);
    expect((await own.browser.get(path)).text).not.toContain(foreign.workspace.slug);
  });
});
