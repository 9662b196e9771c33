import Papa from "papaparse";
import { expect } from "vitest";
import {
  choose,
  codeOn,
  download,
  fileOf,
  follow,
  LINKS,
  NEWSLETTERS,
  press,
  said,
  section,
  setting,
  slugOf,
  type Team,
  visit,
} from "./week-steps";

// What a marketing team does on each day of a week. The owner and the editor have a browser each.

const POSTERS = 40;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The owner invites an editor, sets the time zone, and imports links into a new campaign. */
export async function monday({ base, owner, editor, name, hasScript, look }: Team): Promise<void> {
  await owner.goto(`${base}/app/demo`);
  await look(owner, "overview");
  await setting(owner, "People");
  await owner.getByLabel("E-mail address").fill(`${name}@demo.example`);
  await press(owner, "Invite");
  const url = (
    await owner
      .getByText(/\/app\/sign-in\?token=sgn_/)
      .first()
      .innerText()
  ).trim();
  await look(owner, "invited");
  await editor.goto(url);
  await look(editor, "sign-in link");
  await press(editor, "Sign in");
  await editor.waitForURL((at) => at.pathname === "/app/demo");

  await setting(owner, "Workspace");
  // Another one than the week before it set.
  const city = hasScript ? "Zurich" : "Athens";
  await choose(owner, "Time zone", city);
  await press(owner, "Save");
  await look(owner, "change of zone");
  await press(owner, `Change to ${city} time`);
  await said(owner, "The workspace is saved.");
  await look(owner, "workspace");

  await section(owner, "Groups");
  await look(owner, "groups");
  await follow(owner, "New group");
  await owner.getByLabel("Name").fill(`Campaign ${name}`);
  await owner.getByLabel("Default UTM campaign").fill(name);
  await owner.getByLabel("Status", { exact: true }).selectOption({ label: "Active" });
  await look(owner, "new group");
  await press(owner, "Create group");
  await said(owner, "created");
  await follow(owner, "Import links");
  const buffer = Buffer.from(fileOf(name));
  await owner.getByLabel("CSV file").setInputFiles({ name: `${name}.csv`, mimeType: "text/csv", buffer });
  await look(owner, "import");
  await press(owner, "Check the file");
  await owner.getByRole("button", { name: `Create ${LINKS} links` }).waitFor();
  await look(owner, "checked import");
  await press(owner, `Create ${LINKS} links`);
  const finished = owner.getByRole("heading", { name: "Finished" });
  const goOn = owner.getByRole("button", { name: /^Import the next/ });
  await finished.or(goOn).first().waitFor();
  if (!hasScript && (await goOn.count()) > 0) await goOn.click();
  await owner.getByText(`${LINKS} links were created`).waitFor();
  await look(owner, "finished import");
}

/** The editor shortens an address, and makes a link with a new tag and UTM parameters. */
export async function tuesday({ base, editor, name, hasScript, look }: Team): Promise<void> {
  await section(editor, "Overview");
  const address = `https://www.example.com/${name}?from=overview`;
  await editor.getByLabel("Shorten a link").fill(address.replace("https://", ""));
  await press(editor, "Shorten");
  const made = editor.getByRole("status", { name: "The new link" });
  const short = (await made.locator("[data-by-hand]").innerText()).trim();
  expect(await visit(short)).toBe(address);
  if (hasScript) {
    await made.getByRole("button", { name: /Copy/ }).click();
    await made.getByText("Copied").waitFor();
    expect(await editor.evaluate("navigator.clipboard.readText()")).toBe(short);
  }
  await look(editor, "shortened");

  await section(editor, "Links");
  await look(editor, "links");
  await follow(editor, "New link");
  await editor.getByLabel("Destination").fill("www.example.com/?a=b#c");
  await editor.getByLabel("Short link").fill(`${name}-poster`);
  await editor.getByText("Title, group and tags").click();
  await editor.getByLabel("Title").fill(`Poster of ${name}`);
  await choose(editor, "Group", `Campaign ${name}`);
  const tags = editor.getByRole("group", { name: /^Tags/ });
  if (hasScript) {
    await tags.getByRole("combobox").fill(`Posters of ${name}`);
    await editor.getByRole("option", { name: /Create/ }).click();
  } else {
    await tags.getByLabel("New tags").fill(`Posters of ${name}`);
  }
  await editor.getByText("UTM parameters").click();
  await editor.getByLabel("Source").fill("poster");
  await editor.getByLabel("Term").fill("orange");
  if (!hasScript) await press(editor, "Preview");
  await editor.locator("#preview").getByText("utm_term=orange").first().waitFor();
  await look(editor, "new link");
  await press(editor, "Create the link");
  await said(editor, `${base}/${name}-poster`);
  await editor
    .locator("main")
    .getByRole("link", { name: `Posters of ${name}` })
    .first()
    .waitFor();
  expect(await visit(`${base}/${name}-poster`)).toBe(
    `https://www.example.com/?a=b&utm_source=poster&utm_campaign=${name}&utm_term=orange#c`,
  );
  expect(await codeOn(editor, "img.qr")).toBe(`${base}/${name}-poster`);
  await look(editor, "link");
}

/** Forty posters from a pasted list are printed, and visitors come. */
export async function wednesday({ base, editor, name, look }: Team): Promise<void> {
  await editor.getByText("More", { exact: true }).click();
  await follow(editor, "Create several posters");
  const places = Array.from(
    { length: POSTERS },
    (_, index) => `Poster ${index + 1}\tPlatz ${index + 1}, ${name}`,
  );
  await editor.getByLabel("List").fill(places.join("\n"));
  await editor.getByLabel("Status").selectOption({ label: "Live" });
  await press(editor, "Check the list");
  await editor.getByRole("button", { name: `Create ${POSTERS} posters` }).waitFor();
  await look(editor, "checked list");
  await press(editor, `Create ${POSTERS} posters`);
  await said(editor, `${POSTERS} live posters are created.`);
  // The message stands above codes that may still be on their way.
  await editor.waitForLoadState();
  const codes = await editor.locator(".sheet img").all();
  expect(codes).toHaveLength(POSTERS);
  await look(editor, "print sheet");
  const first = await codeOn(editor, ".sheet img");
  for (const url of [first ?? "", first ?? "", `${base}/${name}-poster`]) {
    expect(await visit(url)).toContain("utm_source=poster");
  }
  for (let times = 0; times < 9; times++) {
    expect(await visit(`${base}/${slugOf(name, 0)}`)).toContain(`/${name}/0`);
  }
  await section(editor, "Posters");
  await editor.getByLabel("Name or place").fill(name);
  await press(editor, "Search");
  await editor.getByRole("cell", { name: `Platz 2, ${name}` }).waitFor();
  await look(editor, "assets");
}

/** The editor finds a link by its address, tags twenty, changes a destination, and undoes it. */
export async function thursday({ base, editor, name, hasScript, look }: Team): Promise<void> {
  await section(editor, "Overview");
  const search = editor.getByRole("searchbox").first();
  const title = `Newsletter 7 of ${name}`;
  await search.fill(`${base}/${slugOf(name, 7)}`);
  if (hasScript) await editor.locator(".found a", { hasText: title }).first().click();
  else {
    await search.press("Enter");
    await follow(editor, title);
  }
  await editor.getByRole("heading", { level: 1, name: title }).waitFor();
  await follow(editor, "Edit");
  await editor.getByLabel("Destination").fill("https://www.example.com/mistaken");
  await press(editor, "Save");
  await said(editor, "Saved");
  expect(await visit(`${base}/${slugOf(name, 7)}`)).toContain("/mistaken");
  await press(editor, "Undo");
  await said(editor, "Undid the change of 1 link.");
  await look(editor, "undone");
  expect(await visit(`${base}/${slugOf(name, 7)}`)).toContain(`/${name}/7`);

  await section(editor, "Links");
  await editor.locator("main").getByRole("searchbox").fill(`newsletter ${name}`);
  await press(editor, "Search");
  const boxes = editor.locator('input[name="ids"]');
  await editor.getByText(`Newsletter 19 of ${name}`).first().waitFor();
  expect(await boxes.count()).toBe(NEWSLETTERS);
  if (hasScript) await editor.getByLabel("Select all on this page").check();
  else for (const box of await boxes.all()) await box.check();
  const bar = editor.locator("fieldset[data-counts]");
  // On a narrow screen the script folds the actions.
  if ((await bar.locator("details[data-folds]:not([open])").count()) > 0) {
    expect((await bar.boundingBox())?.height).toBeLessThan(120);
    await bar.getByText("Actions").click();
  }
  await bar.getByRole("combobox", { name: "Tag" }).fill("Print");
  // There the bar covers no links.
  await editor.evaluate("scrollTo(0, document.body.scrollHeight)");
  await look(editor, "selected links");
  await press(editor, "Add tag");
  await said(editor, `${NEWSLETTERS} links`);
}

/** The owner compares the campaign, ends it, and undoes the import. */
export async function friday({ base, owner, name, look }: Team): Promise<void> {
  await section(owner, "Groups");
  await follow(owner, `Campaign ${name}`);
  await owner.locator(".range summary").click();
  await follow(owner, "Last 7 days");
  const page = owner.url();
  await expect
    .poll(
      async () => {
        await owner.goto(page);
        return owner.locator("main").innerText();
      },
      { timeout: 300_000, interval: 1_000 },
    )
    .toMatch(new RegExp(`Newsletter 0 of ${name}\\s+9\\s`));
  await owner.getByText("Compared", { exact: true }).waitFor();
  await look(owner, "campaign");
  await follow(owner, "Links");
  await owner.locator("main summary", { hasText: "More" }).click();
  const rows = Papa.parse<Record<string, string>>(await download(owner, () => follow(owner, /^Export/)), {
    header: true,
    skipEmptyLines: true,
  }).data;
  expect(rows.slice(0, 2).map((row) => [row["Slug"], row["Clicks"], row["Scans"]])).toEqual([
    [slugOf(name, 0), "9", "0"],
    [`${name}-poster`, "2", "2"],
  ]);

  await follow(owner, "Settings");
  await look(owner, "settings of a campaign");
  await owner
    .getByLabel("Ends", { exact: true })
    .fill(new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10));
  await owner.getByLabel("Links end with the group").check();
  await owner.getByLabel("After the end").fill("https://www.example.com/thanks");
  await press(owner, "Save changes");
  await said(owner, "The changes were saved.");
  await look(owner, "ended campaign");
  // Nobody has visited it before, so no instance remembers it.
  expect(await visit(`${base}/${slugOf(name, LINKS - 1)}`)).toBe("https://www.example.com/thanks");

  await setting(owner, "Import and export");
  await follow(owner, `${name}.csv`);
  await owner.getByText("Undo this import").click();
  await press(owner, "Archive its links");
  await said(owner, `Undid the import of ${LINKS - NEWSLETTERS} links.`);
  await owner.getByText(`and ${NEWSLETTERS - 3} more. Changed since.`).waitFor();
  await look(owner, "undone import");
}
