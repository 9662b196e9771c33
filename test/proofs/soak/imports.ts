import { again, command, type Soak } from "./soak";
import { begin, unborn } from "./truth";

const WORKSPACES = "imported-";
/** A workspace keeps at most 100 imports. */
const FILES_A_WORKSPACE = 80;
const ROWS = 120;
/** The number of invalid rows among them. */
const REFUSED = 3;
const PAUSE_MS = 15_000;

/** Imports file after file. Returns the titles of all links that must exist. */
export async function beImporter(soak: Soak): Promise<string[]> {
  const titles: string[] = [];
  let files = 0;
  await again(soak, PAUSE_MS, async () => {
    const workspace = `${WORKSPACES}${Math.floor(files / FILES_A_WORKSPACE)}`;
    if (files % FILES_A_WORKSPACE === 0) await command(soak, "workspace", workspace);
    const file = ++files;
    const rows = Array.from({ length: ROWS }, (_, row) => ({
      slug: `i${file}-${row}`,
      title: `Row ${row} of file ${file}`,
      url: `https://www.example.com/imported/${file}/${row}`,
    }));
    const csv = [
      "url,slug,title,tags",
      ...rows.map(({ slug, title, url }, row) => `${url},${slug},${title},"tag ${row % 7}, tag ${file % 5}"`),
      "example.com,,No address,",
      `https://www.example.com/,i${file}-0,Twice,`,
      "https://192.168.0.1/,,An address,",
    ].join("\n");
    const sentAt = Date.now();
    const slugs = rows.map(({ slug, url }) => {
      const made = unborn(slug);
      return { made, change: begin([made], url, sentAt) };
    });
    const name = `file-${file}.csv`;
    const { id } = await command(soak, "check-import", JSON.stringify({ workspace, name, csv }));
    let result = { done: false, made: 0, refused: 0 };
    while (!result.done) result = await command(soak, "go-on", JSON.stringify({ workspace, id }));
    if (result.made !== ROWS || result.refused !== REFUSED)
      soak.wrong(`import ${file}: ${JSON.stringify(result)}`);
    for (const { made, change } of slugs) {
      change.confirm(Date.now());
      soak.slugs.push(made);
    }
    titles.push(...rows.map(({ title }) => title));
    soak.count("files imported");
    soak.count("rows imported", ROWS);
  });
  return titles;
}

/** Lists the rows that have no link or several. */
export async function checkImports(soak: Soak, titles: readonly string[]): Promise<void> {
  const rows: { title: string; links: number }[] = await command(
    soak,
    "sql",
    `select title, count(*) as links from links join workspaces on workspaces.id = links.workspace_id
      where workspaces.slug like '${WORKSPACES}%' group by title`,
  );
  const found = new Map(rows.map(({ title, links }) => [title, links]));
  for (const title of titles)
    if (found.get(title) !== 1) soak.wrong(`${title}: ${found.get(title) ?? 0} links`);
  if (found.size !== titles.length) soak.wrong(`imports made ${found.size} titles, not ${titles.length}`);
}
