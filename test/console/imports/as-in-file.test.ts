import { describe, expect, it } from "vitest";
import { addDomain, setPrimaryDomain } from "../../../src/resources/domains/domain-service";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { SHORT } from "../../harness";
import { makeMember, signInAs } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";
import { linkAt, linksOf } from "../state";
import { checkedAt, csvOf, DESTINATION, goOn, prefix, press, show, upload } from "./helpers";

const SHORT_HOST = new URL(SHORT).host;

describe("the refused rows of an import", () => {
  it("are as in the file: its columns, their order, its separator and the text of each cell", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    await workspace.link({ slug: `${p}-taken` });
    const file = [
      "Clicks;IP;Titel;Long URL;=ours;Kurzlink;Ende",
      `7;;"Zwei  \nZeilen, ""hier""";www.example.com/a;=1+1;https://bit.ly/${p}-TAKEN;31.12.2026`,
      `;;;${DESTINATION}b;;${p}-b;`,
      `;;;${DESTINATION}c;;${p}-c;bald;;more`,
    ].join("\r\n");
    const at = await checkedAt(browser, workspace, file, { step: "columns" });
    await workspace.link({ slug: `${p}-b` });
    await press(browser, `${at}/go-on`);
    const refused = (await browser.get(`${at}/refused.csv`)).text;
    const reason =
      "The row has more cells than the heading: text that contains the separator must stand in quotation marks.";
    expect(refused.split("\r\n")).toEqual([
      "Clicks;IP;Titel;Long URL;'=ours;Kurzlink;Ende;errors",
      `7;;"Zwei  \nZeilen, ""hier""";www.example.com/a;'=1+1;https://bit.ly/${p}-TAKEN;31.12.2026;The slug is taken.`,
      `;;;${DESTINATION}b;;${p}-b;;The slug is taken.`,
      `;;;${DESTINATION}c;;${p}-c;bald;${reason};;more`,
      "",
    ]);
    // It can be mended and sent again, also what is refused a second time.
    const mended = refused.replace(`${p}-TAKEN`, `${p}-a`).replace(";;more", ";;");
    const again = await checkedAt(browser, workspace, mended, { step: "columns" });
    expect(await show(browser, again)).toContain("1 row would create a link, and 2 rows are refused.");
    const second = (await browser.get(`${again}/refused.csv`)).text;
    expect(second.split("\r\n")[0]).toBe("Clicks;IP;Titel;Long URL;'=ours;Kurzlink;Ende;errors");
    expect(second).toContain(`${p}-c;bald;"The end must be a date or time, such as 31.12.2026,`);
  });

  it("are refused once more where their columns are longer than can be kept, and say so", async () => {
    const { workspace, browser } = await makeMember("editor");
    const names = Array.from({ length: 16_000 }, (_, index) => `a name of a column ${index}`);
    const refused = await upload(browser, workspace, `url,${names.join(",")}\n${DESTINATION}`, {
      step: "columns",
    });
    expect(refused.status).toBe(422);
    expect(wordsIn(refused.text)).toContain("The names of the columns are longer than 300,000 characters");
  });

  it("have no text of ignored columns in a row that is too long to be kept", async () => {
    const { workspace, browser } = await makeMember("editor");
    const long = Array.from({ length: 50 }, () => "x".repeat(19_000));
    const heading = ["url", ...long.map((_, index) => `c${index}`), "slug"];
    const file = [heading, ["nonsense", ...long, "s"]].map((cells) => cells.join(",")).join("\n");
    const at = await checkedAt(browser, workspace, file, { step: "columns" });
    const [, row = ""] = (await browser.get(`${at}/refused.csv`)).text.split("\r\n");
    expect(row.slice(0, 70)).toBe(`nonsense${",".repeat(51)}s,The desti`);
  });
});

describe("the check of an import", () => {
  it("finds a group by its slug in any case", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const group = await workspace.group({ name: "Spring Fair", slug: `${p}-spring` });
    const file = `url,slug,group\n${DESTINATION},${p},${p}-Spring`;
    await goOn(browser, await checkedAt(browser, workspace, file));
    expect((await linkAt(workspace, p)).activity_group?.id).toBe(group.id);
  });

  it("shows the address that each link gets, and its page the one that it has", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const { host } = await addDomain(workspace.ctx, `go.${p}.example`, true);
    const other = await addDomain(workspace.ctx, `at.${p}.example`, true);
    const file = [
      "destination_url,slug,domain",
      `${DESTINATION}1,${p}-1,`,
      `${DESTINATION}2,,`,
      `${DESTINATION}3,${p}-3,${other.host}`,
      `${DESTINATION}4,${p}-4,nowhere.example`,
    ].join("\n");
    const before = await show(browser, await checkedAt(browser, workspace, file));
    expect(before).toContain(`Links are created on ${SHORT_HOST}, except those`);
    expect(before).toContain(`${SHORT_HOST}/${p}-1`);
    await setPrimaryDomain(workspace.ctx, host);
    const at = await checkedAt(browser, workspace, file);
    const checked = await show(browser, at);
    for (const says of [
      `Links are created on ${host}, except those whose row names another domain`,
      `2 ${host}/${p}-1 `,
      `3 generated on ${host} `,
      `4 ${other.host}/${p}-3 `,
      `5 ${p}-4 `,
    ])
      expect(checked).toContain(says);
    await goOn(browser, at);
    await setPrimaryDomain(workspace.ctx, other.host);
    const made = (await linksOf(workspace)).map(({ short_url: url }) => url.replace("https://", ""));
    expect(made).toHaveLength(3);
    const finished = await show(browser, at);
    for (const address of made) expect(finished).toContain(` ${address} `);
  });

  it.each([
    [
      "UTF-16",
      (text: string) =>
        new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (sign) => sign.charCodeAt(0)).buffer),
    ],
    ["Windows-1252", (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))],
  ])("reads a file in %s where that is certain, and says so", async (encoding, bytes) => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const at = await checkedAt(
      browser,
      workspace,
      bytes(`url;slug;title\n${DESTINATION};${p};Größe für Zürich\n`),
    );
    expect(await show(browser, at)).toContain(`The file is not in UTF-8, so it was read as ${encoding}.`);
    await goOn(browser, at);
    expect((await linkAt(workspace, p)).title).toBe("Größe für Zürich");
    expect(await show(browser, at)).not.toContain("UTF-8");
    // Also behind the page that asks for columns, which carries the text.
    const asked = await upload(browser, workspace, bytes(`url;x;slug\n${DESTINATION};Größe;${p}-2\n`));
    const sent = await browser.post(`/app/${workspace.slug}/import`, {
      ...fieldsOf(asked),
      column_1: "title",
    });
    expect(await show(browser, sent.location ?? "")).toContain(`read as ${encoding}.`);
  });

  it("says nothing of the encoding of a file in UTF-8", async () => {
    const { workspace, browser } = await makeMember("editor");
    const at = await checkedAt(browser, workspace, `url,title\n${DESTINATION},Größe\n`);
    expect(await show(browser, at)).not.toContain("UTF-8");
  });
});

describe("dates in a file", () => {
  const ZURICH = { time_zone: "Europe/Zurich" };

  it("are read in the zone of the workspace: a day as a start is its beginning, and as an end its end", async () => {
    const { workspace, browser } = await makeMember("editor");
    await updateWorkspace(workspace.ctx, ZURICH);
    const p = prefix();
    const at = await checkedAt(
      browser,
      workspace,
      [
        "url,slug,start,ende,created",
        `${DESTINATION},${p}-1,1.5.2026,31.12.2026,31.12.2019`,
        `${DESTINATION},${p}-2,2026-05-01,2026-10-25 18:00,2019-12-31`,
        `${DESTINATION},${p}-3,2026-05-01T08:00:00Z,,`,
        `${DESTINATION},${p}-4,1.5.26,,`,
        `${DESTINATION},${p}-5,2.5.2026,1.5.2026,`,
      ].join("\n"),
    );
    const checked = await show(browser, at);
    expect(checked).toContain(
      "Opens: 1 May 2026 2 more Ends: 31 Dec 2026 Created: 31 Dec 2019, 00:00 Zurich time",
    );
    expect(checked).toContain("3 rows would create a link, and 2 rows are refused.");
    expect(checked).toContain("The start must be a date or time, such as 31.12.2026, 2026-05-01 or");
    expect(checked).not.toContain("Dates such as");
    await goOn(browser, at);
    expect(await linkAt(workspace, `${p}-1`)).toMatchObject({
      starts_at: "2026-04-30T22:00:00.000Z",
      ends_at: "2026-12-31T22:59:59.999Z",
      created_at: "2019-12-30T23:00:00.000Z",
    });
    expect(await linkAt(workspace, `${p}-2`)).toMatchObject({
      starts_at: "2026-04-30T22:00:00.000Z",
      ends_at: "2026-10-25T17:00:00.000Z",
      created_at: "2019-12-30T23:00:00.000Z",
    });
    expect((await linkAt(workspace, `${p}-3`)).starts_at).toBe("2026-05-01T08:00:00.000Z");
  });

  it("that no calendar has are named in the refusal, in every order", async () => {
    const { workspace, browser } = await makeMember("editor");
    const days = ["31.02.2026", "31/02/2026", "2026-02-29 10:00", "13/13/2026", "0.1.2026"];
    const times = ["31.12.2026 25:00", "31/12/2026 13:30 PM", "31/12/2026 0:30 AM"];
    const rows = [...days, ...times].map((day) => `${DESTINATION},${day}`);
    const shown = await show(browser, await checkedAt(browser, workspace, ["url,ende", ...rows].join("\n")));
    for (const day of days) expect(shown).toContain(`Refused ${day} is no day of the calendar.`);
    for (const time of times) expect(shown).toContain(`Ends: ${time} Refused The end must be a date or time`);
  });

  it("that can be read in two ways are asked about once for the file, with what was chosen before", async () => {
    const { workspace, browser } = await makeMember("editor");
    await updateWorkspace(workspace.ctx, ZURICH);
    const tag = await workspace.tag();
    const p = prefix();
    const file = `url,slug,x,ende,created\n${DESTINATION},${p},T,05/04/2027,03/04/2019\n`;
    const columns = await upload(browser, workspace, file, { tag_ids: tag.id });
    const asked = await browser.post(`/app/${workspace.slug}/import`, {
      ...fieldsOf(columns),
      column_2: "title",
    });
    expect([asked.status, asked.text.includes("refused")]).toEqual([200, false]);
    expect(wordsIn(asked.text)).toContain(
      "links.csv has dates that can be read in two ways, such as 05/04/2027. Say how to read them. The file is checked then, and nothing is imported yet. What comes first in its dates? Choose one The day: 05/04/2027 is 5 Apr 2027 The month: 05/04/2027 is 4 May 2027",
    );
    expect(wordsIn(asked.text)).not.toContain("“x” is");
    const sent = fieldsOf(asked);
    const again = await browser.post(`/app/${workspace.slug}/import`, sent);
    expect(wordsIn(again.text)).toContain("What comes first in its dates?");
    const { location } = await browser.post(`/app/${workspace.slug}/import`, { ...sent, dates: "month" });
    const at = location ?? "";
    expect(await show(browser, at)).toContain("Dates such as 05/04/2027 are read with the month first.");
    // Times are those of the check, whatever the zone is when the rows are imported. Days are of that zone.
    await updateWorkspace(workspace.ctx, { time_zone: "UTC" });
    await goOn(browser, at);
    expect(await show(browser, at)).toContain("Dates such as 05/04/2027 are read with the month first.");
    const link = await linkAt(workspace, p);
    expect(link).toMatchObject({
      title: "T",
      ends_at: "2027-05-04T23:59:59.999Z",
      created_at: "2019-03-03T23:00:00.000Z",
      tags: [{ id: tag.id }],
    });
  });

  it("that can be read in two ways are asked about in a file without other questions", async () => {
    const { workspace, browser } = await makeMember("editor");
    const asked = await upload(browser, workspace, `url,start\n${DESTINATION},03/04/2026\n`);
    expect([asked.status, asked.text.includes("refused")]).toEqual([200, false]);
    expect(wordsIn(asked.text)).toContain("What comes first in its dates?");
    expect(await linksOf(workspace)).toEqual([]);
    const sent = { ...fieldsOf(asked), dates: "day" };
    const { location } = await browser.post(`/app/${workspace.slug}/import`, sent);
    expect(await show(browser, location ?? "")).toContain("Opens: 3 Apr 2026");
  });

  it.each([
    ["31/12/2026", "3 Apr 2026", "day"],
    ["12/31/2026", "4 Mar 2026", "month"],
    ["31.12.2026", "3 Apr 2026", "day"],
  ])("are read as %s shows, if the file has it", async (clear, shown, order) => {
    const { workspace, browser } = await makeMember("editor");
    const at = await checkedAt(browser, workspace, `url,start,ende\n${DESTINATION},03/04/2026,${clear}\n`);
    const checked = await show(browser, at);
    expect(checked).toContain(`Opens: ${shown}`);
    expect(checked).toContain(
      `Dates such as 03/04/2026 are read with the ${order} first, as ${clear} in row 2 shows.`,
    );
  });

  it("are read as dates with slashes show, where those with dots show another order", async () => {
    const { workspace, browser } = await makeMember("editor");
    const rows = ["31.12.2026", "03/04/2026", "12/31/2026"].map((date) => `${DESTINATION},${date}`);
    const at = await checkedAt(browser, workspace, ["url,start", ...rows].join("\n"));
    expect(await show(browser, at)).toContain(
      "Dates such as 03/04/2026 are read with the month first, as 12/31/2026 in row 4 shows.",
    );
  });

  it("of both orders are refused with their rows, also behind a question about the file", async () => {
    const { workspace, browser } = await makeMember("editor");
    const rows = ["31/12/2026", "03/04/2026", "12/31/2026"].map((date) => `${DESTINATION},T,${date}`);
    const message =
      "Row 2 has 31/12/2026, with the day first, and row 4 has 12/31/2026, with the month first. Write all dates in one order, such as 2026-12-31.";
    const refused = await upload(browser, workspace, ["url,title,start", ...rows].join("\n"));
    expect([refused.status, wordsIn(refused.text).includes(message)]).toEqual([422, true]);
    const asked = await upload(browser, workspace, ["url,x,start", ...rows].join("\n"));
    const answered = await browser.post(`/app/${workspace.slug}/import`, fieldsOf(asked));
    expect(wordsIn(answered.text)).toContain(message);
    expect(wordsIn(answered.text)).toContain("CSV file");
  });
});

it("a running import goes on by itself on the page of the person who started it, however they came there", async () => {
  const { workspace, browser } = await makeMember("editor");
  const p = prefix();
  const slugs = Array.from({ length: 501 }, (_, index) => `${p}-${index}`);
  const at = await checkedAt(browser, workspace, csvOf(slugs));
  expect((await browser.get(at)).text).not.toContain("data-goes-on");
  await press(browser, `${at}/go-on`);
  expect((await browser.get(at)).text).toContain("data-goes-on");
  const colleague = (await (await signInAs(workspace, "editor")).get(at)).text;
  expect(colleague).toContain("Import the next 1 now");
  expect(colleague).not.toContain("data-goes-on");
});
