import { addMember } from "../../src/access/members";
import { createSignInLink } from "../../src/access/sessions";
import { signInUrl } from "../../src/access/token";
import type { WorkspaceContext } from "../../src/context";
import { DAY_MS } from "../../src/lib/time";
import { checkFile } from "../../src/resources/imports/check-file";
import { continueImport } from "../../src/resources/imports/continue-import";
import { listLinksQuery } from "../../src/resources/links/link-schema";
import { listLinks } from "../../src/resources/links/list-links";
import { updateLink } from "../../src/resources/links/update-link";
import { createWorkspace, getWorkspace } from "../../src/resources/workspaces/workspace-service";
import { click } from "../console/clicks";
import type { Service } from "./chromium";

const DESTINATION = "https://www.example.com/";
const CHOOSER = "two@demo.example";

/** Long values without line breaks for everything that visitors send. */
const LONG = "a-very-long-referrer.with-no-end.and-still-more-of-it.news.example";

async function clickLinks(demo: WorkspaceContext, links: readonly { id: string }[]): Promise<void> {
  for (const [index, { id }] of links.entries()) {
    for (let days = 0; days < 28; days += 1 + (index % 3)) {
      const clicks = days === 12 ? 123_456 : (days * 37 + index * 11) % 90;
      await click({ ctx: demo }, id, demo.now() - days * DAY_MS, {
        clicks,
        bots: days % 5,
        country: ["CH", "GB", "T1", ""][days % 4] ?? "",
        referrer: ["", LONG, "www.example.com"][days % 3] ?? "",
        device: ["mobile", "desktop", "tablet"][days % 3] ?? "",
      });
    }
  }
}

const rowsOf = (count: number, name: string): string[] =>
  Array.from(
    { length: count },
    (_, index) => `${DESTINATION}${name}/${index},${name}-${index},Row ${index},`,
  );

/** Imports in each state, with refused rows, ignored columns and new tags. */
async function importFiles(demo: WorkspaceContext) {
  const check = async (name: string, rows: readonly string[]): Promise<string> => {
    const bytes = new TextEncoder().encode(`url,slug,title,tags,clicks\n${rows.join("\n")}\n`);
    const found = await checkFile(demo, { name: `${name}.csv`, bytes });
    return "id" in found ? found.id : found.earlier.id;
  };
  const bad = [
    `nonsense,,${"W".repeat(60)},`,
    `https://bit.ly/x,,Short,`,
    `${DESTINATION}${"a".repeat(400)},api,,`,
  ];
  const finished = await check("finished", [...rowsOf(5, "finished"), ...bad]);
  await continueImport(demo, finished);
  const running = await check("half-way", [...rowsOf(510, "half-way"), ...bad]);
  await continueImport(demo, running);
  const checked = await check("a file with a long name of many words", [
    ...rowsOf(110, "checked"),
    `${DESTINATION},,${"A title that is long. ".repeat(8)},New tag; ${"T".repeat(60)}`,
    ...bad,
  ]);
  return { checked, running, finished };
}

/** Adds clicks, imports and a member of two workspaces to the demo. */
export async function furnish({ ctx, base }: Pick<Service, "ctx" | "base">) {
  const demo: WorkspaceContext = { ...ctx, workspace: await getWorkspace(ctx, "demo") };
  const { items } = await listLinks(demo, listLinksQuery.parse({ status: "all" }));
  await clickLinks(demo, items);
  const imports = await importFiles(demo);
  await createWorkspace(ctx, { name: "Another workspace, with a name of many words", slug: "another" });
  for (const slug of ["demo", "another"]) {
    await addMember({ ...ctx, workspace: await getWorkspace(ctx, slug) }, { email: CHOOSER, role: "owner" });
  }
  const led = items.find(({ slug }) => slug !== "summer");
  if (led === undefined) throw new Error("The demo has no other link.");
  await updateLink(demo, led.id, {
    rules: [
      { destination_url: `${DESTINATION}${LONG.repeat(3)}`, countries: ["CH", "AT", "LI"], devices: ["ios"] },
      { destination_url: DESTINATION, starts_at: "2026-06-01T08:00:00.000Z", share: 50 },
    ],
  });
  const { token } = await createSignInLink(ctx, CHOOSER);
  const summer = items.find(({ slug }) => slug === "summer");
  if (summer?.activity_group === undefined) throw new Error("The demo has no link summer in a group.");
  return {
    link: `/app/demo/links/${summer.id}`,
    rules: `/app/demo/links/${led.id}/rules`,
    group: `/app/demo/groups/${summer.activity_group.id}`,
    checked: `/app/demo/import/${imports.checked}`,
    running: `/app/demo/import/${imports.running}`,
    finished: `/app/demo/import/${imports.finished}`,
    chooser: signInUrl(base, token),
  };
}
