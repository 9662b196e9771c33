import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { runSchedule } from "../../../src/operations/schedule";
import { blockHost } from "../../../src/resources/destinations/blocklist";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { makeWorkspace, SHORT, testEnv, visit } from "../../harness";
import { runSql, selectValue } from "../../sql";
import { makeMember, signInAs } from "../browser";
import { wordsIn } from "../form-fields";
import { stateOf } from "../import-state";
import { linkAt, tagsOf, tagsOn, totalOf } from "../state";
import { checkedAt, DESTINATION, goOn, prefix, show, upload } from "./helpers";

describe("an import", () => {
  it.each(["before", "after"])(
    "refuses rules to a host that is blocked %s the file is checked",
    async (when) => {
      const { workspace, browser } = await makeMember("editor");
      const blocked = `${prefix()}.evil.example`;
      const rules = JSON.stringify([{ destination_url: `https://www.${blocked}/`, devices: ["ios"] }]);
      const file = `destination_url,rules\n${DESTINATION},"${rules.replaceAll('"', '""')}"\n${DESTINATION},\n`;
      if (when === "before") await blockHost(workspace.ctx, blocked);
      const at = await checkedAt(browser, workspace, file);
      if (when === "after") await blockHost(workspace.ctx, blocked);
      await goOn(browser, at);
      expect(await show(browser, at)).toContain("leads to a host that this service does not allow.");
      expect(await totalOf(workspace)).toBe(1);
    },
  );

  it("of 500 rows with eight invalid ones names each, and creates the others", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    await workspace.link({ slug: `${p}-taken` });
    await blockHost(workspace.ctx, `${p}.evil.example`);
    const bad = new Map([
      [17, [`,${p}-a`, "Enter the destination."]],
      [102, [`${SHORT}/x,${p}-e`, "The destination must not point to this service itself."]],
      [
        150,
        [`https://${p}.evil.example/,`, "The destination leads to a host that this service does not allow."],
      ],
      [200, [`${DESTINATION},${p}-TAKEN`, "The slug is taken."]],
      [250, [`${DESTINATION},${p}-3`, "The slug is already in row 3 of this file."]],
      [
        350,
        [`${DESTINATION},${p}-f,${"x".repeat(256)}`, "The title must not have more than 255 characters."],
      ],
      [400, [`${DESTINATION},${p}-g,,nowhere`, "Activity Group was not found in this workspace."]],
      [500, [`${DESTINATION},${p}-h,,,perhaps`, "The selected status is invalid."]],
    ]);
    const rows = Array.from(
      { length: 500 },
      (_, index) => bad.get(index + 2)?.[0] ?? `${DESTINATION}${index},${p}-${index + 2}`,
    );
    const at = await checkedAt(browser, workspace, `url,slug,title,group,status\n${rows.join("\n")}\n`);

    const checked = await show(browser, at);
    expect(checked).toContain("500 rows checked: 8 are refused.");
    expect(checked).toContain("492 rows would create a link, and 8 rows are refused.");
    expect(await totalOf(workspace)).toBe(1);
    const refused = (await browser.get(`${at}?show=refused`)).text;
    const shown = [...refused.matchAll(/<tr><th scope="row"[^>]*>([\d,]+)<\/th>(.*?)<\/tr>/gs)];
    expect(shown.map(([, number]) => Number(number))).toEqual([...bad.keys()]);
    for (const [, number, cells = ""] of shown) {
      expect(wordsIn(cells)).toContain(bad.get(Number(number))?.[1]);
    }

    expect(await goOn(browser, at)).toBe(1);
    expect(await totalOf(workspace)).toBe(493);
    const finished = await show(browser, at);
    expect(finished).toContain("492 links were created, and 8 rows were refused.");
    expect((await linkAt(workspace, `${p}-499`)).destination_url).toBe(`${DESTINATION}497`);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it.each([
    ["a refused row", "nothing://,x\n", "1 is refused", "notice warning"],
    ["no refused row", "", "none is refused", "notice"],
  ])("has a notice with the look of a warning only with a refused row: %s", async (_, row, said, look) => {
    const { workspace, browser } = await makeMember("editor");
    const at = await checkedAt(browser, workspace, `url,title\n${DESTINATION},T\n${row}`);
    const { text } = await browser.get(at);
    expect(text).toMatch(new RegExp(`<p class="${look}" role="status"[^>]*>[^<]*${said}`));
  });

  it("supplies https:// where an address has no scheme, and shows it before it imports", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const at = await checkedAt(
      browser,
      workspace,
      ["url,slug,ended_url", `www.example.com/d,${p}-1,//example.com/over`, `shop,${p}-2,`].join("\n"),
    );
    const page = (await browser.get(at)).text;
    expect(page).toContain('data-label="Destination">https://www.example.com/d</td>');
    expect(page).toContain('data-label="Destination">shop</td>');
    expect(wordsIn(page)).toContain("1 row would create a link, and 1 row is refused.");
    await goOn(browser, at);
    const { destination_url, ended_url } = await linkAt(workspace, `${p}-1`);
    expect([destination_url, ended_url]).toEqual(["https://www.example.com/d", "https://example.com/over"]);
  });

  it("of the same rows redirects to the existing import, and creates nothing", async () => {
    const { workspace, browser } = await makeMember();
    const rows = Array.from({ length: 501 }, (_, index) => DESTINATION + index);
    const csv = `url,title\n${rows.map((url) => `${url},"a title"`).join("\n")}\n`;
    const at = await checkedAt(browser, workspace, csv);
    await browser.post(`${at}/go-on`);
    // Sent half way, then as saved again by a spreadsheet, and after the end.
    const saved = `\uFEFF${csv.replaceAll(",", ";").replaceAll('"', "").replaceAll("\n", "\r\n")}`;
    expect(await checkedAt(browser, workspace, saved)).toBe(at);
    await goOn(browser, at);
    expect(await checkedAt(browser, workspace, csv)).toBe(at);
    await browser.post(`${at}/go-on`);
    expect(await totalOf(workspace)).toBe(501);

    expect(await checkedAt(browser, workspace, csv.replace("a title", "another title"))).not.toBe(at);
    const other = await makeMember();
    expect(await checkedAt(other.browser, other.workspace, csv)).not.toBe(at);
  });

  it("of the same rows is known however its dates and times are read", async () => {
    const { workspace, browser } = await makeMember();
    const csv = `url,ends_at,title\n${DESTINATION},03/04/2036 10:00,Fair\n`;
    const at = await checkedAt(browser, workspace, csv, { dates: "day" });
    await goOn(browser, at);
    expect(await checkedAt(browser, workspace, csv, { dates: "month" })).toBe(at);
    await updateWorkspace(workspace.ctx, { time_zone: "America/New_York" });
    expect(await checkedAt(browser, workspace, csv, { dates: "day" })).toBe(at);
    // A column by another name is another file.
    expect(await checkedAt(browser, workspace, csv.replace("title", "note"), { dates: "day" })).not.toBe(at);
  });

  it("of the same rows in another order of its dates says which order was taken, and how to take the other", async () => {
    const { workspace, browser } = await makeMember();
    const again = async (csv: string) => {
      const at = await checkedAt(browser, workspace, csv, { dates: "day" });
      const pending = await checkedAt(browser, workspace, csv, { dates: "month" });
      await goOn(browser, at);
      const sent = await checkedAt(browser, workspace, csv, { dates: "month" });
      const said = [sent, await show(browser, sent)] as const;
      const { location } = await browser.post(`${pending}/go-on`);
      return { at, said, begun: await show(browser, location ?? "") };
    };
    const OTHER =
      "This file was imported already, with the day first in its dates. Nothing is created twice, so its dates stay as they were read. To read them with the month first,";
    const unnamed = await again(`url,ends_at\n${DESTINATION},03/04/2036\n`);
    expect(unnamed.said).toEqual([
      unnamed.at,
      expect.stringContaining(`${OTHER} undo this import, and send`),
    ]);
    expect(unnamed.begun).toContain(`${OTHER} undo this import, and send`);
    const named = await again(`url,slug,ends_at\n${DESTINATION},${prefix()},03/04/2036\n`);
    expect(named.said[1]).toContain(`${OTHER} send the file again and choose “Update the link”.`);
    const same = await checkedAt(browser, workspace, `url,ends_at\n${DESTINATION},03/04/2036\n`, {
      dates: "day",
    });
    expect(await show(browser, same)).toContain("These rows have been sent before");
  });

  it("of the same rows can be checked again until one of the imports has started, and the last is shown", async () => {
    const { workspace, browser } = await makeMember();
    const csv = `url\n${DESTINATION}1\n${DESTINATION}2\n`;
    const [one, other, third] = [
      await checkedAt(browser, workspace, csv),
      await checkedAt(browser, workspace, csv),
      await checkedAt(browser, workspace, csv),
    ];
    expect(new Set([one, other, third]).size).toBe(3);
    const list = (await browser.get(`/app/${workspace.slug}/import`)).text;
    expect([one, other, third].map((at) => list.includes(`href="${at}"`))).toEqual([false, false, true]);
    expect((await browser.get(`/app/${workspace.slug}`)).text).toContain("1</strong> import is not finished");
    const answers = await Promise.all([one, other, third].map((at) => browser.post(`${at}/go-on`)));
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
    expect(await totalOf(workspace)).toBe(2);
    expect((await browser.post(`${third}/go-on`)).location).toBe(answers[0]?.location);
    expect(await totalOf(workspace)).toBe(2);
  });

  it("of the same rows is checked again if nothing was created, or the first has been deleted", async () => {
    const workspace = await makeWorkspace({ linkLimit: 1 });
    const browser = await signInAs(workspace);
    const { id } = await workspace.link();
    const csv = `url\n${DESTINATION}1\n`;
    await workspace.call("DELETE", `/api/v1/links/${id}`);
    const refused = await checkedAt(browser, workspace, csv);
    const between = await workspace.link();
    await goOn(browser, refused);
    await workspace.call("DELETE", `/api/v1/links/${between.id}`);
    const made = await checkedAt(browser, workspace, csv);
    expect(made).not.toBe(refused);
    await goOn(browser, made);
    expect(await checkedAt(browser, workspace, csv)).toBe(made);
    await browser.post(`${made}/discard`);
    expect(await checkedAt(browser, workspace, csv)).not.toBe(made);
  });

  it("creates missing tags, finds groups by slug, id and name, and archives links", async () => {
    const { workspace, browser } = await makeMember();
    const p = prefix();
    const group = await workspace.group({
      name: "Spring Fair",
      slug: `${p}-spring`,
      default_utm_campaign: "spring",
    });
    await workspace.group({ name: "Twins", slug: `${p}-twin-1` });
    await workspace.group({ name: "twins", slug: `${p}-twin-2` });
    const old = await workspace.tag({ name: "Poster" });
    const at = await checkedAt(
      browser,
      workspace,
      [
        "long_url,link,tags,activity_group,archived,utm_campaign,uniqueClicks",
        `${DESTINATION},https://bit.ly/${p}-1,"poster, ""Nürnberg, Süd""",${p}-spring,false,,5`,
        `${DESTINATION},${p}-2,Neu; POSTER|neu,spring fair,true,own,5`,
        `${DESTINATION},${p}-3,,${group.id.toLowerCase()},,,`,
        `${DESTINATION},${p}-4,,Twins,,,`,
      ].join("\r\n"),
    );
    const checked = await show(browser, at);
    expect(checked).toContain("This column is ignored: uniqueClicks");
    expect(checked).toContain("2 new tags are made with the links: Nürnberg, Süd, Neu");
    expect(checked).toContain("More than one group has this name: write its slug instead.");
    expect(await tagsOf(workspace)).toEqual(["Poster"]);
    await goOn(browser, at);

    const [one, two, three] = [
      await linkAt(workspace, `${p}-1`),
      await linkAt(workspace, `${p}-2`),
      await linkAt(workspace, `${p}-3`),
    ];
    expect(one).toMatchObject({ status: "active", utm_campaign: "spring", activity_group: { id: group.id } });
    expect(tagsOn(one)).toEqual(["Nürnberg, Süd", "Poster"]);
    expect(one.tags[1]?.id).toBe(old.id);
    expect(two).toMatchObject({ status: "archived", utm_campaign: "own", activity_group: { id: group.id } });
    expect(two.archived_at).not.toBeNull();
    expect(two.tags.map(({ slug }) => slug)).toEqual(["neu", "poster"]);
    expect(three).toMatchObject({ utm_campaign: "spring", activity_group: { id: group.id } });
    expect(await totalOf(workspace, `status=archived&tag=neu`)).toBe(1);
    expect((await visit(`/${p}-2`)).status).toBe(302);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("gives a link its old slugs, and refuses those that are taken", async () => {
    const { workspace, browser } = await makeMember();
    const p = prefix();
    await workspace.link({ slug: `${p}-taken` });
    const at = await checkedAt(
      browser,
      workspace,
      [
        "url,slug,old_slugs",
        `${DESTINATION}1,${p}-1,${p}-Old ${p}-1 ${p}-older`,
        `${DESTINATION}2,${p}-2,${p}-TAKEN`,
        `${DESTINATION}3,${p}-3,${p}-OLDER`,
        `${DESTINATION}4,${p}-old,`,
        `${DESTINATION}5,${p}-5,api`,
        `${DESTINATION}6,,${p}-race`,
      ].join("\n"),
    );
    const refused = await show(browser, `${at}?show=refused`);
    for (const reason of [
      `The old slug ${p}-TAKEN is taken.`,
      `The old slug ${p}-OLDER is already in row 2 of this file.`,
      "The slug is already in row 2 of this file.",
      "An old slug must be 1 to 64 letters",
    ])
      expect(refused).toContain(reason);
    await workspace.link({ slug: `${p}-race` });
    await goOn(browser, at);
    expect(await show(browser, `${at}?show=refused`)).toContain(`The old slug ${p}-race is taken.`);
    for (const slug of [`${p}-1`, `${p}-old`, `${p}-older`]) {
      expect((await visit(`/${slug}`)).headers.get("location")).toBe(`${DESTINATION}1`);
    }
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("offers its refused rows as CSV, which can be corrected and imported", async () => {
    const { workspace, browser } = await makeMember();
    const p = prefix();
    const at = await checkedAt(
      browser,
      workspace,
      `url,slug,title,tags\n${DESTINATION},${p}-1,,\nnonsense,${p}-2,=title,"a;b"\n`,
    );
    const answer = await browser.get(`${at}/refused.csv`);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.text.split("\r\n")).toEqual([
      "url,slug,title,tags,errors",
      `nonsense,${p}-2,'=title,"a;b",The destination must be an address such as https://www.example.com/page.`,
      "",
    ]);
    const mended = await checkedAt(browser, workspace, answer.text.replace("nonsense", DESTINATION));
    expect((await browser.get(mended)).text).not.toContain("ignored");
    await goOn(browser, mended);
    expect(await linkAt(workspace, `${p}-2`)).toMatchObject({
      title: "=title",
      tags: [{ name: "a" }, { name: "b" }],
    });
  });

  it("can be discarded at any time, and its created links stay", async () => {
    const { workspace, browser } = await makeMember();
    const rows = Array.from({ length: 501 }, (_, index) => DESTINATION + index);
    const at = await checkedAt(browser, workspace, `url\n${rows.join("\n")}`);
    await browser.post(`${at}/go-on`);
    const gone = await browser.post(`${at}/discard`);
    expect([gone.status, gone.location]).toEqual([303, `/app/${workspace.slug}/import`]);
    expect((await browser.get(at)).status).toBe(404);
    expect((await browser.post(`${at}/go-on`)).status).toBe(404);
    expect(await totalOf(workspace)).toBe(500);
  });

  it("is one of at most a hundred, also if several are sent at once", async () => {
    const { workspace, browser } = await makeMember();
    const kept = () =>
      selectValue<number>`select count(*) as n from imports where workspace_id = ${workspace}`;
    await runSql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers
      where n < 98)
      insert into imports (public_id, workspace_id, name, row_count, digest, about, created_at)
        select ${workspace.slug} || n, ${workspace}, 'links.csv', 1, 'd', '{}', ${Date.now()}
      from numbers`;
    const sent = [0, 1, 2, 3, 4].map((number) => upload(browser, workspace, `url\n${DESTINATION}${number}`));
    expect((await Promise.all(sent)).map(({ status }) => status).sort()).toEqual([303, 303, 422, 422, 422]);
    expect(await kept()).toBe(100);
    const refused = await upload(browser, workspace, `url\n${DESTINATION}9`);
    expect(refused.text).toContain("The workspace has reached its limit of 100 imports. Discard one;");
    expect(await kept()).toBe(100);
  });

  it("keeps refused cells without control characters, and the beginning of those that are too long", async () => {
    const { workspace, browser } = await makeMember();
    const ws = workspace.ctx.workspace.rowId;
    const row = (start: string, title: string) => `${start},"${title}"`;
    const rows = [
      ...Array.from({ length: 400 }, (_, index) => row(`\u0001${index}`, "\u0002".repeat(20_000))),
      row("x", "a".repeat(30_000)),
      row(DESTINATION, "Fine"),
    ];
    await upload(browser, workspace, ["url,title", ...rows].join("\n"));
    const stored = await env.DB.prepare(
      `select imports.bytes, sum(length(cast(input as blob))) as inputs, max(length(input)) as longest,
        sum(input like '%\\u000%') as dirty
        from imports join import_rows on import_id = imports.id where imports.workspace_id = ?`,
    )
      .bind(ws)
      .first<{ bytes: number; inputs: number; longest: number; dirty: number }>();
    expect(stored).toMatchObject({ dirty: 0 });
    expect(stored?.inputs).toBeLessThan(100_000);
    expect(stored?.longest).toBeLessThan(300);
    // The rest are numbers and errors.
    expect(stored?.bytes).toBeGreaterThan(stored?.inputs ?? 0);
  });

  it("is refused if too much of it would be stored", async () => {
    const { workspace, browser } = await makeMember();
    const rows = Array.from({ length: 450 }, (_, index) => `x${index},${"\\".repeat(19_000)}`);
    const { status, text } = await upload(browser, workspace, ["url,title", ...rows].join("\n"), {
      new_tags: "Orphan",
    });
    expect(status).toBe(422);
    expect(text).toContain("The file takes more than 15 MB with what");
    expect(await tagsOf(workspace)).toEqual([]);
  });

  it("is one of at most 50 MB together, also if several are sent at once", async () => {
    const { workspace, browser } = await makeMember();
    const ws = workspace.ctx.workspace.rowId;
    await runSql`insert into imports (public_id, workspace_id, name, row_count, bytes, digest, about, created_at)
      values (${workspace.slug}, ${ws}, 'a.csv', 1, ${50 * 1024 * 1024 - 3000}, 'd', '{}', ${Date.now()})`;
    const sent = [0, 1, 2].map((number) =>
      upload(
        browser,
        workspace,
        `url,title\n${DESTINATION}${number},${"t".repeat(200)}\n${"x".repeat(1500)},`,
      ),
    );
    expect((await Promise.all(sent)).map(({ status }) => status).sort()).toEqual([303, 422, 422]);
    const refused = await upload(browser, workspace, `url,title\nx,${"t".repeat(2500)}`);
    expect(refused.text).toContain("The workspace has reached its limit of 50 MB of stored imports.");
  });

  it("is deleted after seven days", async () => {
    const { workspace, browser } = await makeMember();
    const [old, young] = [
      await checkedAt(browser, workspace, `url\n${DESTINATION}`),
      await checkedAt(browser, workspace, `url\n${DESTINATION}`),
    ];
    await runSql`update imports set created_at = ${Date.now() - 7 * 86_400_000 - 1_000}
      where public_id = ${old.split("/").at(-1)}`;
    await runSchedule("* * * * *", testEnv);
    expect((await browser.get(old)).status).toBe(404);
    expect((await browser.get(young)).status).toBe(200);
  });
});

describe("a file", () => {
  it.each([
    ["in the code page of DOS", Uint8Array.of(0x75, 0x81), "The file is not in UTF-8."],
    ["without a destination", "slug,title\na,b\n", "one of them must be the destination"],
    ["of a heading alone", "url,slug\n\n", "The file has a heading, but no rows."],
    [
      "of 10,001 rows",
      `url\n${"x\n".repeat(10_001)}`,
      "The file has 10,001 rows; an import takes at most 10,000.",
    ],
    ["over 10 MB", `url\n${"x".repeat(10_600_000)}`, "The file has 10.1 MB; an import takes at most 10 MB."],
  ])("%s is refused at the field", async (_, content, message) => {
    const { workspace, browser } = await makeMember();
    const page = await upload(browser, workspace, content);
    expect(page.status).toBe(422);
    expect(page.text).toMatch(/<input type="file"[^>]*aria-invalid="true"/);
    expect(wordsIn(/id="file-refusal">(.*?)<\/p>/.exec(page.text)?.[1] ?? "")).toContain(message);
  });

  it("of 10,000 rows is checked, and rows with a cell outside the columns are named", async () => {
    const { workspace, browser } = await makeMember();
    const rows = Array.from({ length: 10_000 }, (_, index) => `${DESTINATION}${index},t${index}`);
    rows[4_999] = `${DESTINATION},one,two`;
    const at = await checkedAt(browser, workspace, `url,title\n${rows.join("\n")}`);
    const page = await show(browser, `${at}?show=refused`);
    expect(page).toContain("9,999 rows would create a link, and 1 row is refused.");
    expect(page).toContain("5,001 generated");
    expect(page).toContain("The row has more cells than the heading");
  });
});

describe("the pages of import and export", () => {
  it("offer an example that can be imported unchanged", async () => {
    const { workspace, browser } = await makeMember();
    const example = await browser.get(`/app/${workspace.slug}/import/example.csv`);
    const at = await checkedAt(browser, workspace, example.text);
    const page = await show(browser, at);
    expect(page).toContain("2 rows would create a link.");
    expect(page).not.toContain("ignored");
  });
});
