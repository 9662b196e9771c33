import { expect, it } from "vitest";
import { updateLink } from "../../src/resources/links/update-link";
import { updateWorkspace } from "../../src/resources/workspaces/workspace-service";
import { makeWorkspace, SHORT, send, testEnv } from "../harness";
import { runSql } from "../sql";

// The page of a link that is not open yet says when it opens, by the clocks of its workspace.

const read = async (slug: string, language: string) =>
  (await send(new Request(`${SHORT}/${slug}`, { headers: { "accept-language": language } }), testEnv)).text();

it.each([
  ["en", "It opens on 5 December 2999. Please come back then."],
  ["de", "Er funktioniert ab dem 5. Dezember 2999."],
  ["fr", "Il fonctionnera à partir du 5 décembre 2999."],
  ["it", "Funzionerà a partire dal giorno 5 dicembre 2999."],
  ["es", "Funcionará a partir del 5 de diciembre de 2999."],
  ["pt", "Funcionará a partir de 5 de dezembro de 2999."],
  ["nl", "De link werkt vanaf 5 december 2999."],
  ["pl", "Zacznie działać 5 grudnia 2999."],
])("in %s: %s", async (language, sentence) => {
  const workspace = await makeWorkspace();
  const { slug } = await workspace.link({ starts_at: "2999-12-05T00:00:00Z" });
  expect(await read(slug, language)).toContain(sentence);
});

it("a day is one of the workspace's zone, also after the zone has changed, and a time is said with its clocks", async () => {
  const workspace = await makeWorkspace();
  const { id, slug } = await workspace.link({ starts_at: "2999-12-04T23:00:00Z" });
  expect(await read(slug, "en")).toMatch(/It opens on 4 December 2999[^.]* 23:00 UTC\./);
  await updateWorkspace(workspace.ctx, { time_zone: "Europe/Zurich" });
  expect(await read(slug, "en")).toContain("It opens on 5 December 2999. ");
  const ctx = { ...workspace.ctx, workspace: { ...workspace.ctx.workspace, timeZone: "Europe/Zurich" } };
  await updateLink(ctx, id, { starts_at: "2999-12-05T07:30:00Z" });
  expect(await read(slug, "de")).toMatch(/ab dem 5\. Dezember 2999 um 08:30 MEZ\./);
});

it("without a zone that is one, the page says that the link is not open yet", async () => {
  const workspace = await makeWorkspace();
  const { slug } = await workspace.link({ starts_at: "2999-12-05T00:00:00Z" });
  await runSql`update workspaces set time_zone = 'Mars/Olympus' where id = ${workspace}`;
  expect(await read(slug, "en")).toContain("has set a time from which on it works. Please come back later.");
});
