import { expect, it } from "vitest";
import { dateAt } from "../../../src/lib/local-time";
import { DAY_MS } from "../../../src/lib/time";
import { createActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { linkInZone, previewZoneChange, zoneEffect } from "../../../src/resources/workspaces/zone-effects";
import { selectValue } from "../../sql";
import { makeMember } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";

// Before another time zone is saved, its page says what opens or ends at once. The clocks of these two are 25 hours apart, so a
// day that has begun in the first is not there yet in the second.

const [EARLY, LATE] = ["Pacific/Kiritimati", "Pacific/Pago_Pago"] as const;

async function furnish(zone: string) {
  const { workspace, browser } = await makeMember();
  await updateWorkspace(workspace.ctx, { time_zone: zone });
  const ctx = { ...workspace.ctx, workspace: { ...workspace.ctx.workspace, timeZone: zone } };
  const day = (days: number) => dateAt(new Date(Date.now() + days * DAY_MS).toISOString(), zone);
  const link = async (title: string, dates: Record<string, string>) => {
    const made = await browser.post(`/app/${workspace.slug}/links/new`, {
      ...{ destination_url: "https://www.example.com/", title },
      ...dates,
    });
    expect(made.status).toBe(303);
  };
  const path = `/app/${workspace.slug}/workspace`;
  const send = async (fields: object) =>
    browser.post(path, { ...fieldsOf(await browser.get(path)), ...fields } as Record<string, string>);
  const stored = () => selectValue<string>`select time_zone from workspaces where id = ${workspace}`;
  return { workspace, browser, ctx, day, link, path, send, stored };
}

it("says which links and groups close or open again, and saves once that was seen", async () => {
  const { workspace, ctx, day, link, browser, path, send, stored } = await furnish(EARLY);
  await link("Begun", { starts_at: day(0) });
  await link("Over since yesterday", { ends_at: day(-1) });
  await link("Long over", { ends_at: day(-30) });
  await link("Far off", { starts_at: day(30), ends_at: day(40) });
  await link("A time", { starts_at: day(-1), ends_at: `${day(10)}T12:00` });
  await createActivityGroup(ctx, {
    ...{ name: "Advent", type: "campaign", ends_links: true, starts_on: day(-5), ends_on: day(-1) },
  });
  expect(wordsIn((await browser.get(path)).text)).toContain(
    "1 group and 5 links start or end on a day. Before another time zone is saved",
  );

  const asked = await send({ time_zone: LATE, name: "Renamed" });
  expect([asked.status, await stored()]).toEqual([200, EARLY]);
  const words = wordsIn(asked.text);
  expect(words).toContain("Change to Pago Pago time?");
  expect(words).toContain("1 group and 5 links keep their days");
  expect(words).toMatch(/Open again, until their new end \(2\) Group Advent , and with it/);
  expect(words).toMatch(/Over since yesterday \/\w+ Close at once, until their new start \(1\) Begun/);
  expect(words).toContain("1 link of them has ended and stays ended.");
  for (const other of ["Long over", "Far off", "A time"]) expect(words).not.toContain(other);

  const saved = await browser.post(path, fieldsOf(asked));
  expect([saved.status, await stored()]).toEqual([303, LATE]);
  expect(await selectValue`select name from workspaces where id = ${workspace}`).toBe("Renamed");
  expect(wordsIn((await browser.get(`/app/${workspace.slug}/audit`)).text)).toContain(
    "to Renamed , Time zone from Kiritimati time to Pago Pago time",
  );
});

it("is shown again for another zone than that which was seen", async () => {
  const { day, link, browser, path, send, stored } = await furnish(EARLY);
  await link("Today", { starts_at: day(0) });
  const seen = fieldsOf(await send({ time_zone: LATE }));
  const asked = await browser.post(path, { ...seen, time_zone: "Europe/Zurich" });
  expect([asked.status, await stored()]).toEqual([200, EARLY]);
  expect(wordsIn(asked.text)).toContain("Change to Zurich time?");
});

it("says which open or end, ten by name and the others below", async () => {
  const { ctx, day, link, send } = await furnish(LATE);
  await createActivityGroup(ctx, { name: "Fair", type: "campaign", ends_on: day(0) });
  for (let made = 0; made < 12; made++) await link(`Until ${made}.`, { ends_at: day(0) });
  await link("From tomorrow", { starts_at: day(1) });
  const words = wordsIn((await send({ time_zone: EARLY })).text);
  expect(words).toMatch(/Open at once \(1\) From tomorrow \/\w+ End at once \(13\) Group Fair Until/);
  expect(words).toMatch(/and 3 more Until/);
  expect(words).not.toMatch(/stays? ended/);
});

it("is not shown where nothing moves", async () => {
  const { day, link, send, stored } = await furnish("Europe/Zurich");
  await link("Today", { starts_at: day(0) });
  expect([(await send({ time_zone: "Europe/Berlin" })).status, await stored()]).toEqual([
    303,
    "Europe/Berlin",
  ]);
});

it("counts no link that has another end or start than its days", async () => {
  const { ctx, day, link } = await furnish(LATE);
  await link("Starts later", { starts_at: `${day(3)}T12:00`, ends_at: day(5) });
  await link("Has ended", { starts_at: `${day(-3)}T12:00`, ends_at: day(0) });
  const { effects, moved } = await previewZoneChange(ctx, EARLY);
  expect(effects.map(({ effect, links }) => [effect, links.map(({ title }) => title)])).toEqual([
    ["ends", ["Has ended"]],
  ]);
  expect(moved).toEqual({ groups: 0, links: 2 });
});

it("a group that begins opens none of its links, and one that is over or ends keeps its links from opening", async () => {
  const { ctx, day, link, send } = await furnish(LATE);
  const made = { type: "campaign", ends_links: true } as const;
  await createActivityGroup(ctx, { ...made, name: "Begins", starts_on: day(1), ends_on: day(30) });
  const over = await createActivityGroup(ctx, {
    ...made,
    name: "Over",
    starts_on: day(-9),
    ends_on: day(-5),
  });
  const ending = await createActivityGroup(ctx, { ...made, name: "Ending", ends_on: day(0) });
  await link("Of a group that is over", { starts_at: day(1), activity_group_id: over.id });
  await link("Of a group that ends", { starts_at: day(1), activity_group_id: ending.id });
  const words = wordsIn((await send({ time_zone: EARLY })).text);
  expect(words).toMatch(/Open at once \(1\) Group Begins End at once \(3\) Group Ending , and with it/);
  expect(words.match(/and with it/g)).toHaveLength(1);
  expect(words).toMatch(/Of a group that is over .*Of a group that ends/);
});

const NEVER = { starts_at: null, ends_at: null, starts_on: null, ends_on: null };

it.each([
  [{ starts_at: 5 }, { starts_at: 5 }, undefined],
  [{ starts_at: 20 }, { starts_at: 5 }, "opens"],
  [{ starts_at: 5 }, { starts_at: 20 }, "closes"],
  [{ ends_at: 5 }, { ends_at: 20 }, "opens_again"],
  [{ ends_at: 20 }, { ends_at: 5 }, "ends"],
  [{ starts_at: 11, ends_at: 20 }, { starts_at: 1, ends_at: 9 }, "ends"],
  [{ ends_at: 5 }, { ends_at: 6 }, undefined],
])("dates %o that become %o: %s", (was, will, effect) => {
  expect(zoneEffect({ ...NEVER, ...was }, { ...NEVER, ...will }, 10)).toBe(effect);
});

it("a day that would begin after the end, which is a time, stays the time that it is", () => {
  const end = Date.parse("2026-11-25T01:00:00.000Z");
  const link = { starts_at: end - 1, ends_at: end, starts_on: "2026-11-25", ends_on: null };
  expect(linkInZone(link, "America/New_York")).toEqual(link);
});
