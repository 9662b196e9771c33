import { describe, expect, it } from "vitest";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { brokenInvariants } from "../../invariants";
import { selectRows } from "../../sql";
import { makeMember } from "../browser";
import { addVisits } from "../clicks";
import { wordsIn } from "../form-fields";
import { stateOf } from "../import-state";
import { linkAt, linksOf } from "../state";
import { checkedAt, DESTINATION, goOn, prefix, pressThrough, show, undoIn } from "./helpers";

const MOVED = "1,204 clicks before the move, by the file of its import.";

describe("a file that says when its links were created, and their clicks", () => {
  it("gives each link its time, by which it is listed, and a number apart from its visits", async () => {
    const { workspace, browser } = await makeMember();
    const p = prefix();
    await updateWorkspace(workspace.ctx, { time_zone: "Europe/Zurich" });
    const here = await workspace.link({ slug: `${p}-here` });
    const at = await checkedAt(
      browser,
      workspace,
      [
        "keyword,url,title,timestamp,ip,clicks",
        `${p}-c,${DESTINATION}c,C,2024-03-05 14:30:00,127.0.0.1,1204`,
        `${p}-a,${DESTINATION}a,A,1420070400,,0`,
        `${p}-d,${DESTINATION}d,D,,,`,
        `${p}-b1,${DESTINATION}b,B,2020-02-29,,7`,
        `${p}-b2,${DESTINATION}b,B,2020-02-29,,7`,
      ].join("\n"),
    );
    const checked = await show(browser, at);
    expect(checked).toContain("This column is ignored: ip");
    expect(checked).toContain("Created: 5 Mar 2024, 14:30");
    expect(checked).toContain("Clicks before the move: 1204");
    const before = Date.now();
    await goOn(browser, at);

    const links = await linksOf(workspace);
    expect(links.map(({ slug, created_at: created }) => [slug.slice(p.length + 1), created])).toEqual([
      ["a", "2015-01-01T00:00:00.000Z"],
      ["b1", "2020-02-28T23:00:00.000Z"],
      ["b2", "2020-02-28T23:00:00.000Z"],
      ["c", "2024-03-05T13:30:00.000Z"],
      ["here", here.created_at],
      ["d", expect.any(String)],
    ]);
    // A client that follows the changes hears of all of them.
    const changed = await linksOf(workspace, "status=all&sort=-updated_at&per_page=5");
    expect(changed.map(({ updated_at: updated }) => Date.parse(updated) >= before)).toEqual(
      Array(5).fill(true),
    );
    expect(changed.map(({ slug }) => slug)).not.toContain(here.slug);

    const moved = await linkAt(workspace, `${p}-c`);
    const page = `/app/${workspace.slug}/links/${moved.id}`;
    expect(await show(browser, page)).toContain(MOVED);
    await addVisits(workspace, moved.id, Date.now(), { clicks: 1 });
    const after = await show(browser, page);
    expect(after).toContain(MOVED);
    expect(after).toContain("In all 1 click and 0 scans");
    const unknown = await linkAt(workspace, `${p}-d`);
    expect(await show(browser, `/app/${workspace.slug}/links/${unknown.id}`)).not.toContain(
      "before the move",
    );
    expect(await selectRows`select clicks from workspaces where id = ${workspace}`).toEqual([{ clicks: 1 }]);

    // The list of "since its creation" opens for a link of any age.
    const [oldest] = links;
    expect((await browser.get(`/app/${workspace.slug}/links/${oldest?.id}?last=all`)).status).toBe(200);
    expect(await show(browser, `/app/${workspace.slug}`)).toContain("Overview");

    await pressThrough(browser, `${at}/undo`);
    expect((await linkAt(workspace, `${p}-c`)).status).toBe("archived");
    await pressThrough(browser, await undoIn(browser, at));
    expect(await linkAt(workspace, `${p}-c`)).toMatchObject({
      status: "active",
      created_at: "2024-03-05T13:30:00.000Z",
    });
    expect([await stateOf(workspace), await brokenInvariants()]).toEqual([[], []]);
  });

  it("comes back as the service's own export, without the clicks that were counted here", async () => {
    const { workspace, browser } = await makeMember();
    const there = await makeMember();
    const [p, q] = [prefix(), prefix()];
    const file = `url,slug,created_at,clicks\n${DESTINATION},${p}-1,2019-05-06T07:08:09.010Z,12\n`;
    await goOn(browser, await checkedAt(browser, workspace, file));
    const ids = (await linksOf(workspace)).map(({ id }) => id);
    await addVisits(workspace, ids[0] ?? "", Date.now(), { clicks: 1 });
    for (const path of ["export.csv", "links/list.csv?status=all"]) {
      const csv = (await browser.get(`/app/${workspace.slug}/${path}`)).text;
      expect(csv).toMatch(/,2019-05-06T07:08:09\.010Z,12(,1,0)?\r\n$/);
      const slug = `${q}-${path.length}`;
      const at = await checkedAt(there.browser, there.workspace, csv.replaceAll(`${p}-1`, slug));
      expect(await show(there.browser, at)).not.toContain("ignored");
      await goOn(there.browser, at);
      const link = await linkAt(there.workspace, slug);
      expect(ids).not.toContain(link.id);
      expect(link.created_at).toBe("2019-05-06T07:08:09.010Z");
      expect(await show(there.browser, `/app/${there.workspace.slug}/links/${link.id}`)).toContain(
        "12 clicks before the move",
      );
    }
  });

  it("is refused row by row where they are none, each with its sentence", async () => {
    const { workspace, browser } = await makeMember();
    const cells = [
      ['"Mar 5, 2024"', "", "The time of creation must be a date or time, such as 2026-05-01"],
      ["2024-02-30", "", "2024-02-30 is no day of the calendar."],
      ["1969-12-31 10:00:00", "", "The time of creation must not be before 2000."],
      [
        new Date(Date.now() + 86_400_000).toISOString(),
        "",
        "The time of creation must not be in the future.",
      ],
      ["", "many", "The number of clicks must be a whole number."],
      ["", "1.5", "The number of clicks must be a whole number."],
      ["", "-1", "The number of clicks must be between 0 and 1000000000000."],
      ["", "1000000000001", "The number of clicks must be between 0 and 1000000000000."],
    ] as const;
    const rows = cells.map(([created, clicks], index) => `${DESTINATION}${index},${created},${clicks}`);
    const at = await checkedAt(browser, workspace, ["url,created,hits", ...rows].join("\n"));
    const { text } = await browser.get(at);
    const outcomes = [...text.matchAll(/<tr>(<th scope="row".*?)<\/tr>/gs)].map(([, row = ""]) =>
      wordsIn(row.slice(row.lastIndexOf("<td"))),
    );
    expect(outcomes).toEqual(cells.map(([, , says]) => expect.stringContaining(says)));
    // The file of what is refused can be corrected: it has them as they were written.
    const refused = await browser.get(`${at}/refused.csv`);
    expect(refused.text).toContain("url,created,hits,errors");
    expect(refused.text).toContain('"Mar 5, 2024",');
    expect(await linksOf(workspace)).toEqual([]);
  });

  it("that updates links leaves both as they are, whatever it says, and gives them to new ones", async () => {
    const { workspace, browser } = await makeMember();
    const p = prefix();
    const file = `url,slug,created_at,clicks\n${DESTINATION},${p}-1,2019-05-06,12\n`;
    await goOn(browser, await checkedAt(browser, workspace, file));
    const was = await linkAt(workspace, `${p}-1`);
    const update = [
      "slug,url,title,created_at,clicks",
      `${p}-1,,New,never,lots`,
      `${p}-2,${DESTINATION},Two,2018-01-02T03:04:05Z,3`,
    ].join("\n");
    const at = await checkedAt(browser, workspace, update, { existing: "update" });
    expect(await show(browser, at)).toContain("Will be changed Title: from");
    await goOn(browser, at);
    const now = await linkAt(workspace, `${p}-1`);
    expect(now).toEqual({ ...was, title: "New", updated_at: now.updated_at });
    expect(await linkAt(workspace, `${p}-2`)).toMatchObject({ created_at: "2018-01-02T03:04:05.000Z" });
    expect(
      await selectRows`select clicks_before, clicks from links where workspace_id = ${workspace} order by slug`,
    ).toEqual([
      { clicks_before: 12, clicks: 0 },
      { clicks_before: 3, clicks: 0 },
    ]);
  });
});
