import { describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/access/keys";
import { DAY_MS } from "../../../src/lib/time";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { listAudit, MAX_SCANNED_ENTRIES } from "../../../src/resources/audit/audit-service";
import { parseObject, toFieldChanges } from "../../../src/resources/audit/field-changes";
import { blockHost, unblockHost } from "../../../src/resources/destinations/blocklist";
import { counted, serviceContext, type TestWorkspace } from "../../harness";
import { logged } from "../../log";
import { runSql, selectValue } from "../../sql";
import { type Browser, makeMember, signInAs } from "../browser";
import { linkTo, wordsAfter, wordsIn } from "../form-fields";
import { linkOf, tagsOn, totalOf } from "../state";

const entriesOf = (html: string): string[] => {
  const days = Array.from(html.matchAll(/<ol class="trail">([\s\S]*?)<\/ol>/g), ([, day = ""]) => day);
  return days.flatMap((day) => day.split("<li>").slice(1)).map((entry) => wordsIn(entry).trim());
};

const look = async (browser: Browser, workspace: TestWorkspace, query = "") => {
  const page = await browser.get(`/app/${workspace.slug}/audit${query}`);
  expect(page.status).toBe(200);
  return { entries: entriesOf(page.text), text: wordsIn(page.text), html: page.text };
};

const patch = async (workspace: TestWorkspace, id: string, body: object) => {
  const answer = await workspace.call("PATCH", `/api/v1/links/${id}`, { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.link;
};

/** The operation of the newest change of a thing. */
const lastOperation = async (subject: string, action = "link.update"): Promise<string> =>
  (await selectValue<string>`select operation_id from audit_log
    where subject = ${subject} and action = ${action} order by id desc limit 1`) ?? "";

const revertPath = (workspace: TestWorkspace, operation: string): string =>
  `/app/${workspace.slug}/audit/${encodeURIComponent(operation)}/revert`;

/** Writes rows of the log past the services, one a second. */
const writeRows = (workspace: TestWorkspace, rows: number, fields: { actor: string; from: number }) =>
  runSql`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${rows} - 1)
    insert into audit_log (operation_id, workspace_id, actor, action, subject, at)
    select ${crypto.randomUUID()} || '.' || i, ${workspace}, ${fields.actor}, 'tag.update', 'S',
      ${fields.from} + i * 1000 from n`;

describe("an entry of the audit trail", () => {
  it("shows which campaign a link inherited from its group, even if the request had none", async () => {
    const { workspace, browser } = await makeMember();
    const [summer, winter] = [
      await workspace.group({ name: "Summer", default_utm_campaign: "summer" }),
      await workspace.group({ name: "Winter", default_utm_campaign: "winter" }),
    ];
    const link = await workspace.link({ activity_group_id: summer.id });
    await patch(workspace, link.id, { activity_group_id: winter.id });
    await updateActivityGroup(workspace.ctx, winter.id, { default_utm_campaign: "snow" });
    const tag = await workspace.tag();
    await workspace.call("POST", `/api/v1/links/${link.id}/tags`, { body: { tag_ids: [tag.id] } });
    await browser.post(`/app/${workspace.slug}/links/change`, {
      ids: link.id,
      change: "move",
      to_group: summer.id,
    });
    await patch(workspace, link.id, { utm_campaign: "own" });
    await patch(workspace, link.id, { activity_group_id: winter.id });
    await patch(workspace, link.id, { utm_campaign: null });

    const { entries } = await look(browser, workspace, `?subject=${link.id}`);
    const campaignIn = (entry: string) => /.*UTM campaign (.*?) All changes/.exec(entry)?.[1] ?? null;
    expect(entries.map(campaignIn)).toEqual([
      "from own → to snow",
      null,
      "from summer → to own",
      "from winter → to summer",
      null,
      "from summer → to winter",
      "summer",
    ]);
  });

  it("says who changed which fields, from what to what, in the interface's terms", async () => {
    const { workspace, browser } = await makeMember();
    const [group, tag] = [await workspace.group({ name: "Summer" }), await workspace.tag({ name: "Print" })];
    const link = await workspace.link({ slug: `a-${workspace.slug}`, title: "Old <b>title</b>" });
    await patch(workspace, link.id, { title: "New", activity_group_id: group.slug, channel: null });
    await workspace.call("POST", `/api/v1/links/${link.id}/tags`, { body: { tag_ids: [tag.id] } });
    await workspace.call("DELETE", `/api/v1/links/${link.id}/tags/${tag.id}`);

    const { entries, html } = await look(browser, workspace, `?subject=${link.id}`);
    const the = "the tag “Print”";
    const told = [`removed ${the} from`, `added ${the} to`, "edited", "created"];
    expect(entries).toHaveLength(told.length);
    for (const [index, did] of told.entries()) {
      expect(entries[index]).toMatch(new RegExp(`^API key “test” ${did} the link /${link.slug}\\b`));
    }
    expect(entries[0]).toContain("Tags from Print → to nothing");
    expect(entries[1]).toContain("Tags from nothing → to Print");
    expect(entries[2]).toContain("Title from Old <b>title</b> → to New");
    expect(entries[2]).toContain("Group from nothing → to Summer");
    expect(entries[2]).not.toContain("Channel");
    expect(html).not.toContain("<b>title");
  });

  it("shows the previous name of what is deleted, and does not offer to restore a link", async () => {
    const { workspace, browser } = await makeMember();
    const link = await workspace.link({ slug: `b-${workspace.slug}` });
    await patch(workspace, link.id, { title: "T" });
    await workspace.call("DELETE", `/api/v1/links/${link.id}`);
    const { entries, html } = await look(browser, workspace, `?subject=${link.id}`);
    expect(entries[0]).toContain(`deleted the link /${link.slug}`);
    expect(entries[0]).toContain(`Details of /${link.slug} `);
    expect(entries[0]).toContain("A deleted link cannot be restored.");
    expect(entries[1]).toContain("The link has been deleted since, for good.");
    expect(html).not.toContain("/revert");
    const answer = await browser.post(revertPath(workspace, await lastOperation(link.id)));
    expect(answer.status).toBe(404);
    expect(wordsIn(answer.text)).toContain("A deleted link cannot be restored");
  });

  it("shows a viewer no names or access of keys", async () => {
    const { workspace, browser } = await makeMember("viewer");
    await createApiKey(workspace.ctx, { name: "very private" });
    const link = await workspace.link();
    await patch(workspace, link.id, { title: "T" });
    const { entries, html } = await look(browser, workspace);
    expect(html).not.toContain("very private");
    expect(entries[0]).toMatch(/^An API key edited the link/);
    const owner = await signInAs(workspace);
    expect((await look(owner, workspace)).html).toContain("very private");
  });
});

describe("the audit trail", () => {
  it("is filtered by actor, subject, action and time, also together", async () => {
    const { workspace, browser } = await makeMember();
    const link = await workspace.link({ slug: `Narrow-${workspace.slug}` });
    await patch(workspace, link.id, { title: "T" });
    await workspace.tag({ name: "Other" });
    const day = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
    const found = async (query: string) => (await look(browser, workspace, query)).entries.length;
    expect(await found(`?actor=key:${workspace.keyId}`)).toBe(3);
    expect(await found(`?actor=key:${workspace.keyId}&action=link`)).toBe(2);
    expect(await found("?action=link.update")).toBe(1);
    expect(await found("?action=lin")).toBe(0);
    expect(await found(`?subject=narrow-${workspace.slug}`)).toBe(2);
    expect(await found(`?subject=${link.id.toLowerCase()}&action=link.create`)).toBe(1);
    expect(await found("?actor=operator&action=tag")).toBe(0);
    expect(await found(`?from=${day}&to=${day}&action=tag`)).toBe(1);
    expect(await found(`?from=${tomorrow}`)).toBe(0);
    expect(await found("?to=2020-01-01")).toBe(0);
    expect(await found("?from=nonsense&action=tag")).toBe(1);
    const { text } = await look(browser, workspace, "?actor=operator&action=tag");
    expect(text).toContain("No changes match.");
  });

  it("takes days in the time zone of the workspace, also with fewer than 24 hours", async () => {
    const { workspace } = await makeMember();
    const ctx = { ...workspace.ctx, workspace: { ...workspace.ctx.workspace, timeZone: "Europe/Berlin" } };
    const actor = "member:days@people.example";
    // The clocks go forward at 01:00 UTC, so the day has 23 hours.
    const [before, first, last, after] = [
      "2026-03-28T22:59:59.000Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T21:59:59.000Z",
      "2026-03-29T22:00:00.000Z",
    ] as const;
    for (const at of [before, first, last, after])
      await writeRows(workspace, 1, { actor, from: Date.parse(at) });
    const found = async (days: { from?: string; to?: string }) =>
      (await listAudit(ctx, { actor, ...days }, true)).entries.map(({ at }) => at);
    expect(await found({ from: "2026-03-29", to: "2026-03-29" })).toEqual([last, first]);
    expect(await found({ from: "2026-03-29" })).toEqual([after, last, first]);
    expect(await found({ to: "2026-03-28" })).toEqual([before]);
  });

  it("is in the order of time, also with an entry that was written hours after later ones", async () => {
    const { workspace } = await makeMember();
    const actor = "member:late@people.example";
    const times = ["2026-03-29T12:00:00.000Z", "2026-03-30T12:00:00.000Z", "2026-03-28T12:00:00.000Z"];
    for (const at of times) await writeRows(workspace, 1, { actor, from: Date.parse(at) });
    const found = async (days: { from?: string; to?: string }) =>
      (await listAudit(workspace.ctx, { actor, ...days }, true)).entries.map(({ at }) => at);
    expect(await found({})).toEqual(times.toSorted().toReversed());
    expect(await found({ to: "2026-03-28" })).toEqual([times[2]]);
    expect(await found({ from: "2026-03-29" })).toEqual([times[1], times[0]]);
  });

  it("never shows another workspace's entries, whatever the filter", async () => {
    const [{ workspace, browser }, other] = [await makeMember(), await makeMember()];
    const theirs = await other.workspace.link({ slug: `theirs-${other.workspace.slug}` });
    const operation = await lastOperation(theirs.id, "link.create");
    for (const query of [`subject=${theirs.slug}`, `actor=key:${other.workspace.keyId}`]) {
      expect((await look(browser, workspace, `?${query}`)).entries).toEqual([]);
    }
    await workspace.tag();
    const all = (await look(browser, workspace)).entries;
    expect((await look(browser, workspace, `?before=${operation}`)).entries).toEqual(all);
    const unknown = await browser.get(revertPath(workspace, "nope"));
    expect([unknown.status, unknown.text.includes("There is no such change.")]).toEqual([404, true]);
  });

  it("looks through at most 5,000 entries, says how far it came, and continues from there", async () => {
    const { workspace, browser } = await makeMember();
    const rare = Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS;
    const actor = "member:rare@people.example";
    await writeRows(workspace, 5, { actor, from: rare });
    await writeRows(workspace, MAX_SCANNED_ENTRIES, { actor: "schedule", from: rare + 2 * DAY_MS });
    const first = await look(browser, workspace, `?actor=${actor}`);
    expect(first.entries).toEqual([]);
    expect(first.text).toContain("Looked through 5,000 changes, back to ");
    const next = await browser.get(linkTo({ text: first.html }));
    expect(entriesOf(next.text)).toHaveLength(5);

    // A point in time is found without reading the later entries.
    const day = new Date(rare).toISOString().slice(0, 10);
    const timed = await look(browser, workspace, `?actor=${actor}&from=${day}&to=${day}`);
    expect(timed.entries).toHaveLength(5);
    expect(timed.text).toContain("That is all.");
    expect(JSON.parse(logged.at(-1) ?? "{}").rows_read).toBeLessThan(500);
  });
});

describe("reverting a link", () => {
  it("shows what will change, does it, and restores the campaign's origin too", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [spring, autumn] = [
      await workspace.group({ name: "Spring", default_utm_campaign: "spring" }),
      await workspace.group({ name: "Autumn", default_utm_campaign: "autumn" }),
    ];
    const link = await workspace.link({
      destination_url: "https://www.example.com/old",
      slug: `First-${workspace.slug}`,
      title: "Old",
      channel: "poster",
      utm_source: "s",
      activity_group_id: spring.id,
    });
    await patch(workspace, link.id, {
      destination_url: "https://www.example.com/new",
      slug: `second-${workspace.slug}`,
      title: null,
      channel: "flyer",
      status: "archived",
      utm_source: null,
      utm_medium: "m",
      utm_campaign: "given",
      activity_group_id: autumn.id,
    });
    // Its group's default has changed since: the link still had the old one.
    await updateActivityGroup(workspace.ctx, spring.id, { default_utm_campaign: "spring_2" });
    const path = revertPath(workspace, await lastOperation(link.id));
    const { env: environment, trips } = counted();
    const preview = await browser.get(path, {}, environment);
    expect([preview.status, trips.d1]).toEqual([200, 3]);
    const said = wordsIn(preview.text);
    expect(said).toContain("Destination from https://www.example.com/new → to https://www.example.com/old");
    expect(said).toContain("Group from Autumn → to Spring");
    expect(said).toContain("UTM campaign from given → to spring (from the group)");
    expect(said).toContain("Status from archived → to active");

    const answer = await browser.post(path);
    expect([answer.status, answer.location]).toEqual([
      303,
      `/app/${workspace.slug}/audit?subject=${link.id}`,
    ]);
    const { updated_at } = await linkOf(workspace, link.id);
    expect(await linkOf(workspace, link.id)).toEqual({ ...link, updated_at });
    expect(await wordsAfter(browser, answer)).toContain(
      `The link /${link.slug} is reverted to its earlier state: Destination, Slug, Title`,
    );

    // It is inherited again, so another group changes it.
    const moved = await patch(workspace, link.id, { activity_group_id: autumn.id });
    expect(moved.utm_campaign).toBe("autumn");

    // An explicit campaign is restored as explicit, so no group changes it.
    const given = await lastOperation(link.id, "link.revert");
    expect((await browser.post(revertPath(workspace, given))).status).toBe(303);
    const again = await patch(workspace, link.id, { activity_group_id: spring.id });
    expect(again.utm_campaign).toBe("given");
  });

  it("reverts what it can, and says why the rest stays", async () => {
    const { workspace, browser } = await makeMember();
    const host = `${workspace.slug}.example`;
    const link = await workspace.link({ destination_url: `https://${host}/`, title: "Old" });
    await patch(workspace, link.id, { destination_url: "https://www.example.com/", title: "New" });
    await blockHost(serviceContext(), host);
    const path = revertPath(workspace, await lastOperation(link.id));
    const reason = "The destination leads to a host that this service does not allow.";
    expect(wordsIn((await browser.get(path)).text)).toContain(
      `What cannot be reverted Destination ${reason}`,
    );
    expect(await wordsAfter(browser, await browser.post(path))).toContain(
      `is reverted to its earlier state: Title. Destination could not be reverted: ${reason}`,
    );
    const partly = { destination_url: "https://www.example.com/", title: "Old" };
    expect(await linkOf(workspace, link.id)).toMatchObject(partly);

    // Nothing is left to revert.
    const refused = await browser.post(path);
    expect(refused.status).toBe(422);
    expect(wordsIn(refused.text)).toContain(reason);
    await unblockHost(serviceContext(), host);
    expect((await browser.post(path)).status).toBe(303);
    expect((await linkOf(workspace, link.id)).destination_url).toBe(`https://${host}/`);
    expect(await wordsAfter(browser, await browser.post(path))).toContain("was already as it was then");
  });

  it("restores its tags without those deleted since", async () => {
    const { workspace, browser } = await makeMember();
    const tags = [
      await workspace.tag({ name: "A" }),
      await workspace.tag({ name: "B" }),
      await workspace.tag({ name: "C" }),
    ];
    const [a, b, c] = tags.map(({ id }) => id);
    const link = await workspace.link({ tag_ids: [a, b] });
    await workspace.call("DELETE", `/api/v1/links/${link.id}/tags/${a}`);
    const path = revertPath(workspace, await lastOperation(link.id, "link.detach_tag"));
    await workspace.call("POST", `/api/v1/links/${link.id}/tags`, { body: { tag_ids: [c] } });
    await workspace.call("DELETE", `/api/v1/tags/${b}`);
    const said = wordsIn((await browser.get(path)).text);
    expect(said).toContain("Tags from C → to A");
    expect(said).toContain(`The tag ${b} has been deleted.`);
    expect((await browser.post(path)).status).toBe(303);
    expect(tagsOn(await linkOf(workspace, link.id))).toEqual(["A"]);
    expect(await totalOf(workspace, `tag=${c}`)).toBe(0);
    expect((await look(browser, workspace, `?subject=${link.id}`)).entries[0]).toContain(
      "Tags from C → to A",
    );
  });

  it("tells groups of one name apart", async () => {
    const { workspace, browser } = await makeMember("editor");
    const first = await workspace.group({ name: "Summer" });
    const second = await workspace.group({ name: "Summer" });
    const link = await workspace.link({ activity_group_id: first.id });
    await patch(workspace, link.id, { activity_group_id: second.slug });
    const path = revertPath(workspace, await lastOperation(link.id));
    const moved = `Group from Summer (${second.id}) → to Summer (${first.id})`;
    expect(wordsIn((await browser.get(path)).text)).toContain(moved);
    expect(await wordsAfter(browser, await browser.post(path))).toContain(
      "is reverted to its earlier state: Group.",
    );
    expect((await linkOf(workspace, link.id)).activity_group?.id).toBe(first.id);
    const { entries } = await look(browser, workspace, `?subject=${link.id}`);
    expect(entries[0]).toContain(moved);
    expect(entries[1]).toContain(`Group from Summer (${first.id}) → to Summer (${second.id})`);
  });

  it("tells a rule for a device from one for a language, and a tag with a comma from two", async () => {
    const { workspace, browser } = await makeMember("editor");
    const destination_url = "https://www.example.com/ios";
    const [both, a, b] = [
      await workspace.tag({ name: "a, b" }),
      await workspace.tag({ name: "a" }),
      await workspace.tag({ name: "b" }),
    ];
    const link = await workspace.link({
      rules: [{ destination_url, devices: ["ios"] }],
      tag_ids: [both.id],
    });
    await patch(workspace, link.id, {
      rules: [{ destination_url, languages: ["ios"] }],
      tag_ids: [a.id, b.id],
    });
    const answer = await browser.post(revertPath(workspace, await lastOperation(link.id)));
    expect(await wordsAfter(browser, answer)).toContain("to its earlier state: Rules, Tags.");
    const { rules, tags } = await linkOf(workspace, link.id);
    expect({ rules, tags }).toEqual({ rules: link.rules, tags: link.tags });
    const change = JSON.parse(
      (await selectValue<string>`select change from audit_log
        where subject = ${link.id} and action = 'link.revert'`) ?? "",
    );
    expect(change).toMatchObject({ rules: link.rules, tag_ids: [both.id] });
  });

  it("is neither offered nor accepted for other changes", async () => {
    const { workspace, browser } = await makeMember();
    const link = await workspace.link();
    const answer = await browser.post(revertPath(workspace, await lastOperation(link.id, "link.create")));
    expect(answer.status).toBe(422);
    expect(wordsIn(answer.text)).toContain("A change of this kind cannot be undone.");
  });
});

describe("the facts of an entry", () => {
  const [UPDATE, GROUP, EPOCH] = ["link.update", "activity_group_id", "1970-01-01T00:00:00.000Z"];
  const nameOf = (id: string): string => (id === "G" || id === "H" ? "Group" : id);
  const to = (field: string, was: string | null, is: string | null) => ({ field, was, is });
  it.each<[string, string, object, object, unknown[]]>([
    ["nothing said", "a.b", {}, {}, []],
    ["made", "tag.create", {}, { id: "T", name: "A", colour: null }, [{ field: "name", is: "A" }]],
    ["deleted", "tag.delete", { name: "A", colour: "" }, {}, [{ field: "name", was: "A" }]],
    ["the same value", UPDATE, { title: "A" }, { title: "A" }, []],
    ["cleared", UPDATE, { title: "A" }, { title: null }, [{ field: "title", was: "A", is: null }]],
    ["archived", UPDATE, { archived_at: null }, { status: "archived" }, [to("status", "active", "archived")]],
    ["a time", "group.update", { starts_at: 0 }, { starts_at: null }, [to("starts_at", EPOCH, null)]],
    ["a group", UPDATE, { activity_group_id: "G" }, { activity_group_id: null }, [to(GROUP, "Group", null)]],
    ["the same group", UPDATE, { activity_group_id: "G" }, { activity_group_id: "G" }, []],
    [
      "a link of the same slug on another domain",
      "asset.update",
      { link: "G" },
      { link: "H" },
      [to("link", "Group (G)", "Group (H)")],
    ],
    ["the same time in another form", "group.update", { starts_at: 0 }, { starts_at: EPOCH }, []],
    ["the same tags in another order", UPDATE, { tag_ids: ["A", "B"] }, { tag_ids: ["B", "A"] }, []],
    [
      "a value that people read like the earlier one",
      "workspace.update",
      { conventions: { utm_source: { strictness: "off", values: ["a"] } } },
      { conventions: { utm_source: { strictness: "off", values: [] } } },
      [to("conventions", "Source: any value", "Source: any value")],
    ],
    ["a role", "member.change_role", {}, { role: "viewer", was: "owner" }, [to("role", "owner", "viewer")]],
    [
      "a tag merged into one that is not on the link",
      "link.merge_tag",
      { tag_ids: ["A", "B"] },
      { tag_id: "A", into: "C" },
      [to("tag_ids", "A, B", "B, C")],
    ],
    [
      "a key rotated",
      "key.rotate",
      {},
      { into: "G", expires_at: EPOCH, was: null },
      [to("expires_at", null, EPOCH)],
    ],
    ["a number that is no time", "x.y", {}, { at_at: 1e300 }, [{ field: "at_at", is: "1e+300" }]],
    ["an object", "x.y", {}, { n: { a: 1 } }, [{ field: "n", is: '{"a":1}' }]],
  ])("%s", (_, action, before, change, fieldChanges) => {
    expect(toFieldChanges(action, { ...before }, { ...change }, nameOf)).toMatchObject(fieldChanges);
  });

  it.each([[null], ["{"], ["[1]"], ["1"], ["null"], ['"a"']])("%j says nothing", (json) => {
    expect(parseObject(json)).toEqual({});
  });
});
