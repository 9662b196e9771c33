import { describe, expect, it } from "vitest";
import { makeMember } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";
import { linksOf, tagsOn } from "../state";
import { DESTINATION, prefix, press } from "./helpers";

type Member = Awaited<ReturnType<typeof makeMember>>;

const again = ({ workspace, browser }: Member, fields: Record<string, string | readonly string[] | File>) =>
  browser.post(`/app/${workspace.slug}/import`, fields);

const uploaded = (member: Member, content: string, fields: Record<string, string> = {}) =>
  again(member, { ...fields, file: new File([content], `<i>"a".csv`, { type: "text/csv" }) });

describe("a file with columns that are not known", () => {
  it("is shown with their first values, and checked without a second upload as they are matched", async () => {
    const member = await makeMember();
    const p = prefix();
    const rows = [
      "Adresse der Seite;Kürzel;Überschrift;IP;Randnotiz;leer;",
      `${DESTINATION}a;${p}-1;"Größe, <b>""XL""</b>";5;"two\nlines";;x`,
      `${DESTINATION}b;${p}-2;Zwei;6;;;`,
    ];
    const asked = await uploaded(member, rows.join("\r\n"), { new_tags: "Alle, Neu" });
    expect(asked.status).toBe(200);
    const text = wordsIn(asked.text);
    expect(text).toContain("“Adresse der Seite” is");
    expect(text).toContain(`${DESTINATION}a · ${DESTINATION}b`);
    expect(text).toContain("two lines");
    expect(text).toContain("“Column 7” is");
    expect(text).not.toContain("“leer”");
    expect(text).not.toContain("“Kürzel”");
    expect(asked.text).not.toContain("<i>");
    expect(asked.text).not.toContain("<b>");
    // The field of a column that is known cannot be chosen.
    expect(asked.text).toContain('<option value="destination_url">');
    expect(asked.text).not.toContain('<option value="slug">');
    expect(await linksOf(member.workspace)).toEqual([]);

    const sent = fieldsOf(asked);
    const checked = await again(member, {
      ...sent,
      column_0: "destination_url",
      column_2: "title",
      column_4: "note",
    });
    expect(checked.status, checked.text).toBe(303);
    const page = wordsIn((await member.browser.get(checked.location ?? "")).text);
    expect(page).toContain("These columns are ignored: IP, leer, column 7, which has no name");
    await press(member.browser, `${checked.location}/go-on`);
    const [one, two] = await linksOf(member.workspace);
    expect(one && tagsOn(one)).toEqual(["Alle", "Neu"]);
    expect(one).toMatchObject({
      slug: `${p}-1`,
      destination_url: `${DESTINATION}a`,
      title: 'Größe, <b>"XL"</b>',
    });
    expect(two).toMatchObject({ slug: `${p}-2`, title: "Zwei" });
    const detail = await member.browser.get(`/app/${member.workspace.slug}/links/${one?.id}`);
    expect(detail.text).toMatch(/two\s+lines/);
  });

  it("proposes the only column with addresses as the destination, and keeps another answer", async () => {
    const member = await makeMember();
    const proposed = '<option value="destination_url" selected="">';
    const asked = await uploaded(member, `Seite,one,two\n${DESTINATION},A,B\n${DESTINATION}b,C,D`);
    const [, before = ""] = asked.text.split("“Seite” is");
    expect(before.split("“one” is")[0]).toContain(proposed);
    expect(asked.text.match(/<option value="destination_url" selected/g)).toHaveLength(1);
    const sent = fieldsOf(asked);
    const answered = await again(member, { ...sent, column_0: "", column_1: "title", column_2: "title" });
    expect([answered.status, answered.text.includes(proposed)]).toEqual([422, false]);
  });

  it.each([
    ["two columns have addresses", `Seite,one\n${DESTINATION},${DESTINATION}b`],
    ["the file has a destination", `url,one\n${DESTINATION},${DESTINATION}b`],
    ["a cell of it is no address", `Seite,title\n${DESTINATION},A\nnothing,B`],
  ])("proposes no destination if %s", async (_, content) => {
    const asked = await uploaded(await makeMember(), content);
    expect([asked.status, asked.text.includes('value="destination_url" selected')]).toEqual([200, false]);
  });

  it("is refused beside the second of two columns that are matched to one field", async () => {
    const member = await makeMember();
    const asked = await uploaded(member, `url,one,two\n${DESTINATION},A,B`);
    const sent = fieldsOf(asked);
    const twice = await again(member, { ...sent, column_1: "title", column_2: "title" });
    expect(twice.status).toBe(422);
    expect(twice.text).toContain(
      '<p class="refused" id="column_2-refusal">Another column is this already. Choose something else for one of them.</p>',
    );
    expect(twice.text.match(/<option value="title" selected/g)).toHaveLength(2);
    // The file is still there.
    const fields = fieldsOf(twice);
    const checked = await again(member, { ...fields, column_2: "" });
    await press(member.browser, `${checked.location}/go-on`);
    expect((await linksOf(member.workspace))[0]).toMatchObject({ title: "A" });
  });

  it("takes no field that the file has, no column that is known, and no unknown field", async () => {
    const member = await makeMember();
    const asked = await uploaded(member, `url,title,one\n${DESTINATION},T,${DESTINATION}other`);
    const sent = fieldsOf(asked);
    const forged = { column_0: "note", column_1: "channel", column_2: "destination_url", column_9: "note" };
    const checked = await again(member, { ...sent, ...forged });
    await press(member.browser, `${checked.location}/go-on`);
    const [link] = await linksOf(member.workspace);
    expect(link).toMatchObject({ destination_url: DESTINATION, title: "T", channel: null });
    const second = await again(member, { ...sent, column_2: "__proto__" });
    expect(second.status).toBe(303);
  });

  it("of more than 1 MB is chosen again", async () => {
    const member = await makeMember();
    const content = `url,one\n${DESTINATION},T\n${`${DESTINATION}${"x".repeat(1_900)},U\n`.repeat(600)}`;
    const asked = await uploaded(member, content);
    expect(asked.text.length).toBeLessThan(50_000);
    const sent = fieldsOf(asked);
    expect(sent["text"]).toBeUndefined();
    const without = await again(member, { ...sent, column_1: "title" });
    expect(without.status).toBe(422);
    expect(wordsIn(without.text)).toContain("Choose a CSV file.");
    const file = new File([content], "links.csv", { type: "text/csv" });
    expect((await again(member, { ...sent, column_1: "title", file })).status).toBe(303);
  });

  it("is not asked about if the columns are known of other services, empty or without a name", async () => {
    const member = await makeMember();
    const checked = await uploaded(member, `url,Updated At,Unique clicks,nothing,\n${DESTINATION},2026,5,,x`);
    expect(checked.status).toBe(303);
  });

  it("is not asked about if the first row is a link already, which would be lost as the names of columns", async () => {
    const member = await makeMember();
    const refused = await uploaded(member, `${DESTINATION}1\n${DESTINATION}2\n`);
    expect(refused.status).toBe(422);
    expect(wordsIn(refused.text)).toContain("The first row must name the columns");
    const text = `${DESTINATION}1,one\n${DESTINATION}2,two\n`;
    const forged = await again(member, { step: "columns", text, column_0: "destination_url" });
    expect(forged.status).toBe(422);
  });

  it("is refused with more columns than Excel has, before their fields are looked for", async () => {
    const member = await makeMember();
    const refused = await uploaded(member, `url${",".repeat(100_000)}\n${DESTINATION}`);
    expect(refused.status).toBe(422);
    expect(wordsIn(refused.text)).toContain("has 100,001 columns; an import takes at most 16,384.");
  });

  it("is not read if the page would carry back more than an import takes", async () => {
    const member = await makeMember();
    const text = `url,one\n${DESTINATION},${"x".repeat(11_000_000)}\n`;
    const refused = await again(member, { step: "columns", text, column_1: "title" });
    expect(refused.status).toBe(422);
    expect(wordsIn(refused.text)).toContain("an import takes at most 10 MB");
    expect(refused.text).not.toContain('name="column_1"');
  });
});
