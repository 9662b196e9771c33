import { describe, expect, it } from "vitest";
import { toBytes } from "../../../src/lib/file-text";
import { makeMember } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";
import { linkAt } from "../state";
import { checkedAt, DESTINATION, goOn, prefix, show, upload } from "./helpers";

// A file in a code page of Windows whose letters are not certain, such as Excel saves it.

async function furnish(rows = (p: string) => `url;slug;title\r\n${DESTINATION};${p};Genève, été\r\n`) {
  const { workspace, browser } = await makeMember("editor");
  const p = prefix();
  const file = toBytes(rows(p));
  const ask = () => upload(browser, workspace, file, { new_tags: "Suisse" });
  const answer = (fields: Record<string, string>) =>
    browser.post(`/app/${workspace.slug}/import`, { ...fields, existing: "refuse" });
  const start = async (fields: Record<string, string>) => {
    const { location, text } = await answer(fields);
    if (location === null) throw new Error(text);
    return location;
  };
  return { workspace, browser, p, file, ask, answer, start };
}

describe("a file whose letters can be read in two ways", () => {
  it.each([
    ["Windows-1252", "Genève, été"],
    ["Windows-1250", "Genčve, été"],
  ])("is asked about with its cells, and read in %s", async (encoding, title) => {
    const { workspace, browser, p, ask, start } = await furnish();
    const asked = await ask();
    expect(asked.status).toBe(200);
    const words = wordsIn(asked.text);
    expect(words).toContain("Which of these are the right letters?");
    expect(words).toContain("Western European: Genève");
    expect(words).toContain("Central European: Genčve");
    const at = await start({ ...fieldsOf(asked), encoding });
    expect(await show(browser, at)).toContain(`The file is not in UTF-8, so it was read as ${encoding}.`);
    await goOn(browser, at);
    const link = await linkAt(workspace, p);
    expect([link.title, link.tags.map(({ name }) => name)]).toEqual([title, ["Suisse"]]);
  });

  it("asks again without an answer, and with one that is none", async () => {
    const { ask, answer } = await furnish();
    for (const encoding of ["", "UTF-8", "toString"]) {
      const again = await answer({ ...fieldsOf(await ask()), encoding });
      expect([again.status, wordsIn(again.text)]).toEqual([200, expect.stringContaining("Genčve")]);
    }
  });

  it("is known when it is sent again and read in the same way", async () => {
    const { browser, ask, start } = await furnish();
    const send = async () => start({ ...fieldsOf(await ask()), encoding: "Windows-1252" });
    const at = await send();
    await goOn(browser, at);
    expect(await send()).toBe(at);
    expect(await show(browser, at)).toContain("Finished");
  });

  it("is then asked about its columns and its dates, and stays in the chosen letters", async () => {
    const { workspace, browser, p, ask, answer, start } = await furnish(
      (one) => `url;slug;Überschrift;fin\n${DESTINATION};${one};Genève;03/04/2030\n`,
    );
    const columns = await answer({ ...fieldsOf(await ask()), encoding: "Windows-1252" });
    expect(wordsIn(columns.text)).toContain("“Überschrift” is");
    const dates = await answer({ ...fieldsOf(columns), column_2: "title", column_3: "ends_at" });
    expect(wordsIn(dates.text)).toContain("What comes first in its dates?");
    const at = await start({ ...fieldsOf(dates), dates: "day" });
    expect(await show(browser, at)).toContain("read as Windows-1252");
    await goOn(browser, at);
    expect((await linkAt(workspace, p)).title).toBe("Genève");
  });

  it("of more than 1 MB is chosen again with the answer, also for the next question", async () => {
    const note = "x".repeat(1_100_000);
    const { workspace, browser, file, p, ask } = await furnish(
      (one) => `url;slug;title;Autre\n${DESTINATION};${one};Genève;${note}\n`,
    );
    const asked = fieldsOf(await ask());
    expect(asked).not.toHaveProperty("western");
    const send = (fields: Record<string, string>) => upload(browser, workspace, file, fields);
    const columns = await send({ ...asked, encoding: "Windows-1252" } as Record<string, string>);
    expect(wordsIn(columns.text)).toContain("“Autre” is");
    const { location } = await send(fieldsOf(columns) as Record<string, string>);
    await goOn(browser, location ?? "");
    expect((await linkAt(workspace, p)).title).toBe("Genève");
  });
});

it("a file with letters that both have in the same place is shown with one reading", async () => {
  const { ask, start, browser } = await furnish((p) => `url;slug;title\n${DESTINATION};${p};Façade\n`);
  const asked = await ask();
  expect(wordsIn(asked.text)).toContain("Western or Central European: Façade");
  const at = await start({ ...fieldsOf(asked), encoding: "Windows-1252" });
  expect(await show(browser, at)).toContain("Façade");
});

it("an answer does not touch a file that is in UTF-8", async () => {
  const { workspace, browser } = await makeMember("editor");
  const csv = `url,title\n${DESTINATION},Genčve\n`;
  const at = await checkedAt(browser, workspace, csv, { encoding: "Windows-1252" });
  expect(await show(browser, at)).toContain("Genčve");
});
