import { expect, it } from "vitest";
import { createApiKey } from "../../../src/access/keys";
import { addMember, changeRole } from "../../../src/access/members";
import {
  createActivityGroup,
  updateActivityGroup,
} from "../../../src/resources/activity-groups/manage-groups";
import { setAppFiles } from "../../../src/resources/domains/app-files";
import { setDomainAddresses } from "../../../src/resources/domains/domain-addresses";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { mergeTags } from "../../../src/resources/links/remove-tag";
import { updateLink } from "../../../src/resources/links/update-link";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import type { TestWorkspace } from "../../harness";
import { type Browser, makeMember } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";

// Every entry of the trail is a sentence in which days, times and values are written as on the other pages.

async function furnish() {
  const { workspace, browser } = await makeMember();
  await updateWorkspace(workspace.ctx, { time_zone: "Europe/Zurich" });
  return { workspace, browser, ctx: workspace.ctx };
}

const read = async (browser: Browser, { slug }: TestWorkspace, query = "") =>
  wordsIn((await browser.get(`/app/${slug}/audit${query}`)).text);

const edit = async (browser: Browser, { slug }: TestWorkspace, id: string, fields: object) => {
  const path = `/app/${slug}/links/${id}/edit`;
  const sent = { ...fieldsOf(await browser.get(path)), ...fields } as Record<string, string>;
  expect((await browser.post(path, sent)).status).toBe(303);
};

it("a start and an end are named as on the form of a link, with days as pages write them", async () => {
  const { workspace, browser } = await furnish();
  const { id, slug } = await workspace.link();
  await edit(browser, workspace, id, { ends_at: "2026-12-18" });
  await edit(browser, workspace, id, { ends_at: "2026-12-20" });
  await edit(browser, workspace, id, { starts_at: "2026-12-05", starts_at_time: "08:30", ends_at: "" });
  const words = await read(browser, workspace, `?subject=${id}`);
  expect(words).toContain(`edited the link /${slug} : Ends set to 18 Dec 2026`);
  expect(words).toContain(`edited the link /${slug} : Ends from 18 Dec 2026 to 20 Dec 2026`);
  expect(words).toContain("Opens set to 5 Dec 2026, 08:30 Zurich time , Ends removed (was 20 Dec 2026 )");
  expect(words).toContain("Ends from 20 Dec 2026 → to nothing");
  expect(words).not.toMatch(/2026-12-\d\d [^T]|_at|_on/);
});

it("a group starts and ends, also where a day follows a time", async () => {
  const { workspace, browser, ctx } = await furnish();
  const made = { name: "Advent", type: "campaign" as const, starts_on: "2026-12-01" };
  const { id } = await createActivityGroup(ctx, made);
  await updateActivityGroup(ctx, id, { ends_at: Date.parse("2026-12-24T11:00:00Z") });
  await updateActivityGroup(ctx, id, { ends_on: "2026-12-26" });
  await updateActivityGroup(ctx, id, { ends_links: true });
  const words = await read(browser, workspace, "?action=group");
  expect(words).toContain("Slug advent Starts 1 Dec 2026");
  expect(words).toContain("edited the group Advent : Ends set to 24 Dec 2026, 12:00 Zurich time");
  expect(words).toContain(
    "edited the group Advent : Ends from 24 Dec 2026, 12:00 Zurich time to 26 Dec 2026",
  );
  expect(words).toContain("edited the group Advent : Links end with it: on");
});

it("the workspace says what of it was changed, on the overview too", async () => {
  const { workspace, browser, ctx } = await furnish();
  await updateWorkspace(ctx, { name: "Demo AG", shows_name: true });
  await updateWorkspace(ctx, { own_networks: '["192.0.2.0/24","2001:db8::/32"]' });
  const said = [
    "changed the workspace : Own networks set to 192.0.2.0/24, 2001:db8::/32",
    `changed the workspace : Name from ${ctx.workspace.name} to Demo AG , Show our name to visitors: on`,
    "changed the workspace : Time zone from UTC to Zurich time",
  ];
  const overview = wordsIn((await browser.get(`/app/${workspace.slug}`)).text);
  const words = await read(browser, workspace);
  for (const sentence of said) {
    expect(words).toContain(sentence);
    expect(overview).toContain(sentence);
  }
});

it("with more than two fields, or long values, their names are enough", async () => {
  const { workspace, browser, ctx } = await furnish();
  const { id, slug } = await workspace.link({ title: "Before" });
  await updateLink(ctx, id, { title: "After", channel: "print", utm_source: "poster" });
  await updateLink(ctx, id, { title: "x".repeat(61) });
  const words = await read(browser, workspace, `?subject=${id}`);
  expect(words).toMatch(new RegExp(`edited the link /${slug} : Title, Channel, UTM source \\d`));
  expect(words).toMatch(new RegExp(`edited the link /${slug} : Title \\d`));
});

it("a role says from what to what", async () => {
  const { workspace, browser, ctx } = await furnish();
  const email = `${workspace.slug}@people.example`;
  await addMember(ctx, { email, role: "editor" });
  await changeRole(ctx, email, "viewer");
  expect(await read(browser, workspace, "?action=member")).toMatch(/: Role from editor to viewer/i);
});

it("tags, posters and status are named in the sentence", async () => {
  const { workspace, browser, ctx } = await furnish();
  const [print, fair] = [await workspace.tag({ name: "Print" }), await workspace.tag({ name: "Fair" })];
  const { id, slug } = await workspace.link();
  await workspace.call("POST", `/api/v1/links/${id}/tags`, { body: { tag_ids: [print.id, fair.id] } });
  await workspace.call("PATCH", `/api/v1/links/${id}`, { body: { status: "archived" } });
  await workspace.call("PATCH", `/api/v1/links/${id}`, { body: { status: "active" } });
  await mergeTags(ctx, print.id, fair.id);
  const words = (await read(browser, workspace)).replaceAll(/[\u2068\u2069]/g, "");
  expect(words).toMatch(new RegExp(`added the tags “(Print|Fair)”, “(Print|Fair)” to the link /${slug}`));
  expect(words).toContain(`archived the link /${slug} `);
  expect(words).toContain(`restored the link /${slug} `);
  expect(words).toContain("merged the tag Print into “Fair”");
  expect(words).not.toContain(print.id);
});

it("the times of rules are written as all times are", async () => {
  const { workspace, browser, ctx } = await furnish();
  const { id } = await workspace.link();
  await updateLink(ctx, id, {
    rules: [
      {
        destination_url: "https://www.example.com/?at=2026-01-01T00:00:00.000Z",
        starts_at: "2026-12-06T08:00:00.000Z",
      },
    ],
  });
  expect(await read(browser, workspace, `?subject=${id}`)).toContain(
    "from 6 Dec 2026, 09:00 Zurich time → https://www.example.com/?at=2026-01-01T00:00:00.000Z",
  );
});

it("a domain says where it leads from now on, and which files it serves", async () => {
  const { workspace, browser, ctx } = await furnish();
  const host = `${workspace.slug}.example`;
  await addDomain(ctx, host, true);
  await setDomainAddresses(ctx, host, { root_url: "https://www.example.com/", not_found_url: null });
  await setAppFiles(ctx, host, {
    apple_app_site_association: '{"webcredentials":{"apps":["ABCDE12345.a.b"]}}',
    assetlinks: null,
  });
  const words = await read(browser, workspace, "?action=domain");
  expect(words).toContain(
    `changed the domain ${host} : Where the domain itself leads set to https://www.example.com/`,
  );
  expect(words).toContain(`changed the domain ${host} : File for Apple’s phones set to 46 bytes`);
});

it("a change of many says what all of them were given", async () => {
  const { workspace, browser } = await furnish();
  const ids = [(await workspace.link()).id, (await workspace.link()).id];
  const change = (fields: Record<string, string>) =>
    browser.post(`/app/${workspace.slug}/links/change`, { ids, ...fields });
  await change({ change: "set_moment", moment_field: "ends_at", moment: "2027-01-31" });
  await change({ change: "remove_moment", moment_field: "ends_at" });
  await change({ change: "replace", find: "www.example.com", replacement: "www.example.org" });
  const words = await read(browser, workspace);
  expect(words).toContain("changed 2 links: Ends set to 31 Jan 2027");
  expect(words).toContain("changed 2 links: Ends removed");
  expect(words).toContain("changed 2 links: Destination");
});

it("a key says when it expires, and not twice when it was made", async () => {
  const { workspace, browser, ctx } = await furnish();
  await createApiKey(ctx, { name: "CI", expires_at: Date.parse("2027-02-28T23:00:00Z") });
  const words = await read(browser, workspace, "?action=key");
  expect(words).toContain("Expires 1 Mar 2027, 00:00 Zurich time");
  expect(words).not.toContain("Created at");
});
