import { describe, expect, it } from "vitest";
import type { Context } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { etagOf } from "../../../src/lib/etag";
import {
  changeSavedChannel,
  createSavedChannel,
  listSavedChannels,
  removeSavedChannel,
} from "../../../src/resources/channels/channel-service";
import { deleteTag, mergeTags } from "../../../src/resources/links/remove-tag";
import { overtakenBy } from "../../faulty";
import type { TestWorkspace } from "../../harness";
import { makeMember } from "../browser";
import { fieldsOf, undoOn, wordsIn } from "../form-fields";
import { prefix } from "../imports/helpers";
import { linksOf, tagsOn } from "../state";

const DESTINATION = "https://www.example.com/sale";

const channelsOf = ({ slug }: TestWorkspace, more = "") => `/app/${slug}/channels${more}`;
const severalOf = ({ slug }: TestWorkspace) => `/app/${slug}/links/several`;

/** An editor whose workspace has channels with these slug patterns. */
async function makeEditor(patterns: readonly (string | null)[] = ["{link}-mail", "{link}-li"]) {
  const { workspace, browser } = await makeMember("editor");
  const tag = await workspace.tag({ name: "Spring" });
  for (const [index, slug_pattern] of patterns.entries()) {
    await createSavedChannel(workspace.ctx, {
      name: `Channel ${index}`,
      utm_source: `source-${index}`,
      utm_medium: "email",
      channel: `channel-${index}`,
      tag_ids: index === 0 ? [tag.id] : [],
      slug_pattern,
    });
  }
  const ids = (await listSavedChannels(workspace.ctx)).map(({ id }) => id);
  return { workspace, browser, tag, ids };
}

describe("saved channels", () => {
  it("are saved, listed, edited and deleted", async () => {
    const { workspace, browser } = await makeMember("editor");
    const tag = await workspace.tag({ name: "Spring" });
    const fields = {
      name: "Newsletter",
      utm_source: "newsletter",
      utm_medium: "email",
      channel: "mail",
      slug_pattern: "{link}-mail",
      tag_ids: [tag.id],
    };
    const saved = await browser.post(channelsOf(workspace), fields);
    expect([saved.status, saved.location]).toEqual([303, channelsOf(workspace)]);
    const ofGroup = channelsOf(workspace, "?activity_group_id=01ARZ3NDEKTSV4RRFFQ69G5FAV");
    const other = await browser.post(ofGroup, { name: "Radio" });
    expect(other.location).toBe(ofGroup);
    const next = (await browser.get(ofGroup)).text;
    expect(next).toContain(
      `${severalOf(workspace)}?activity_group_id=01ARZ3NDEKTSV4RRFFQ69G5FAV">Create links<`,
    );
    const [radio] = (await listSavedChannels(workspace.ctx)).filter(({ name }) => name === "Radio");
    await browser.post(channelsOf(workspace, `/${radio?.id}/delete`));
    const list = wordsIn((await browser.get(channelsOf(workspace))).text);
    expect(list).toContain("Newsletter newsletter email mail {link}-mail Spring");
    const [found] = await listSavedChannels(workspace.ctx);
    const page = channelsOf(workspace, `/${found?.id}`);
    const shown = await browser.get(page);
    expect(fieldsOf(shown)).toMatchObject({ ...fields });
    await browser.post(page, { ...fields, name: "Letter", tag_ids: [] });
    expect(await listSavedChannels(workspace.ctx)).toMatchObject([{ name: "Letter", tag_ids: [] }]);
    await browser.post(`${page}/delete`);
    expect(await listSavedChannels(workspace.ctx)).toEqual([]);
    const trail = wordsIn((await browser.get(`/app/${workspace.slug}/audit?action=channel`)).text);
    for (const done of ["saved the channel", "edited the saved channel", "deleted the saved channel"])
      expect(trail).toContain(done);
  });

  it.each([
    [{ name: "" }, "Enter the name."],
    [{ name: "CHANNEL 0" }, "The name is taken."],
    [{ name: "x", slug_pattern: "mail" }, "The pattern must be letters"],
    [{ name: "x", utm_source: "x".repeat(256) }, "must not have more than 255 characters"],
  ])("are not saved as %j", async (fields, message) => {
    const { workspace, browser } = await makeEditor();
    const answer = await browser.post(channelsOf(workspace), fields);
    expect([answer.status, wordsIn(answer.text).includes(message)], answer.text).toEqual([422, true]);
    expect(await listSavedChannels(workspace.ctx)).toHaveLength(2);
  });

  it("are at most a hundred", async () => {
    const { workspace, browser } = await makeEditor(Array(100).fill(null));
    const answer = await browser.post(channelsOf(workspace), { name: "One more" });
    expect(answer.status).toBe(422);
    expect(wordsIn(answer.text)).toContain("100 saved channels");
  });
});

describe("several links of one destination", () => {
  it("are shown as they will be, created as they were edited, and archived by one undo", async () => {
    const { workspace, browser, ids } = await makeEditor(["{link}-mail", "{link}-li", null]);
    const group = await workspace.group({ default_utm_campaign: "spring" });
    const link = prefix();
    const fields = {
      destination_url: "www.example.com/sale",
      link,
      title: "Sale",
      activity_group_id: group.id,
      channels: ids,
    };
    const shown = await browser.post(severalOf(workspace), { ...fields, do: "check" });
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(`value="${link}-mail"`);
    expect(wordsIn(shown.text)).toContain(
      `${DESTINATION}?utm_source=source-1&utm_medium=email&utm_campaign=spring`,
    );
    expect(await linksOf(workspace)).toEqual([]);

    const sent = { ...fieldsOf(shown), channels: ids, activity_group_id: group.id };
    const edited = { [`${ids[1]}.slug`]: `${link}-in` };
    const made = await browser.post(severalOf(workspace), { ...sent, ...edited, do: "create" });
    expect(made.status).toBe(303);
    expect(made.location).toContain(`/app/${workspace.slug}/groups/${group.id}?tab=links&made=`);
    const links = await linksOf(workspace);
    expect(links.map((one) => [one.title, one.utm_source, one.utm_campaign, one.channel])).toEqual([
      ["Sale, Channel 0", "source-0", "spring", "channel-0"],
      ["Sale, Channel 1", "source-1", "spring", "channel-1"],
      ["Sale, Channel 2", "source-2", "spring", "channel-2"],
    ]);
    expect(links.map(({ slug }) => slug).slice(0, 2)).toEqual([`${link}-mail`, `${link}-in`]);
    expect(links[0] && tagsOn(links[0])).toEqual(["Spring"]);

    const list = await browser.get(made.location ?? "");
    expect(wordsIn(list.text)).toContain("3 links are ready.");
    expect(wordsIn(list.text)).toContain("3 new links");
    expect(list.text.match(/badge-new/g)).toHaveLength(3);
    const copied = links.map((one) => `${one.title}\t${one.short_url}`).join("\n");
    expect(list.text).toContain(`data-copy="${copied}"`);
    expect((await browser.get(`/app/${workspace.slug}/groups/${group.id}?tab=links`)).text).not.toContain(
      "badge-new",
    );
    await browser.post(undoOn(list));
    expect((await linksOf(workspace)).map(({ status }) => status)).toEqual(Array(3).fill("archived"));
    const trail = wordsIn((await browser.get(`/app/${workspace.slug}/audit`)).text);
    expect(trail).toContain("created 3 links");
    expect(trail).toContain("undid a change of 3 links");
  });

  it("are all refused if one is, and the row says why", async () => {
    const { workspace, browser, ids } = await makeEditor();
    const link = prefix();
    await workspace.link({ slug: `${link}-li` });
    const fields = { destination_url: DESTINATION, link, channels: ids, do: "create" };
    const answer = await browser.post(severalOf(workspace), fields);
    expect(answer.status).toBe(422);
    expect(wordsIn(answer.text)).toContain("1 link cannot be created as shown, so none is.");
    expect(wordsIn(answer.text)).toContain("The short link is taken.");
    const twice = { ...fields, [`${ids[0]}.slug`]: `${link}-x`, [`${ids[1]}.slug`]: `${link}-X` };
    expect(wordsIn((await browser.post(severalOf(workspace), twice)).text)).toContain(
      "Two of the links have this short link.",
    );
    const local = { ...fields, destination_url: "https://localhost/" };
    const wrong = await browser.post(severalOf(workspace), local);
    expect(wordsIn(wrong.text)).toContain("2 links cannot be created as shown");
    expect(await linksOf(workspace)).toHaveLength(1);
  });

  it("say what is wrong once, beside its field, and have the button to create when nothing is", async () => {
    const { workspace, browser, ids } = await makeEditor();
    const link = prefix();
    const fields = { destination_url: "localhost", link, channels: ids };
    const wrong = await browser.post(severalOf(workspace), { ...fields, do: "check" });
    expect(wrong.status).toBe(422);
    expect(wrong.text.match(/class="refused"/g)).toHaveLength(1);
    expect(wrong.text).toContain('id="destination_url-refusal"');
    expect(wrong.text).not.toContain('value="create"');
    const slug = `${ids[1]}.slug`;
    const malformed = { ...fields, destination_url: DESTINATION, [slug]: "a b", do: "check" };
    const marked = await browser.post(severalOf(workspace), malformed);
    expect(marked.text.match(/class="refused"/g)).toHaveLength(1);
    expect(marked.text).toContain(`id="${slug}-refusal"`);
    const right = await browser.post(severalOf(workspace), { ...malformed, [slug]: `${link}-b` });
    expect([right.status, right.text.includes('value="create"')]).toEqual([200, true]);
    const none = await browser.post(severalOf(workspace), { ...fields, channels: [], do: "check" });
    expect(wordsIn(none.text).match(/Select at least one channel\./g)).toHaveLength(1);
  });

  it("get new proposals for another short link, but keep the short links that a person has typed", async () => {
    const { workspace, browser, ids } = await makeEditor();
    const link = prefix();
    const fields = { destination_url: DESTINATION, link, channels: ids, do: "check" };
    const shown = fieldsOf(await browser.post(severalOf(workspace), fields));
    const typed = {
      ...shown,
      channels: ids,
      [`${ids[1]}.slug`]: `${link}-own`,
      link: `${link}x`,
      do: "check",
    };
    const again = fieldsOf(await browser.post(severalOf(workspace), typed));
    expect(ids.map((id) => again[`${id}.slug`])).toEqual([`${link}x-mail`, `${link}-own`]);
  });

  it("are made once if their form is sent again", async () => {
    const { workspace, browser, ids } = await makeEditor();
    const form = fieldsOf(await browser.get(severalOf(workspace)))["form"] ?? "";
    const fields = { form, destination_url: DESTINATION, link: prefix(), channels: ids, do: "create" };
    expect((await browser.post(severalOf(workspace), fields)).status).toBe(303);
    expect((await browser.post(severalOf(workspace), fields)).status).toBe(303);
    expect(await linksOf(workspace)).toHaveLength(ids.length);
  });

  it("are not offered to copy once they are deleted", async () => {
    const { workspace, browser, ids } = await makeEditor();
    const fields = { destination_url: DESTINATION, link: prefix(), channels: ids, do: "create" };
    const { location } = await browser.post(severalOf(workspace), fields);
    const [gone, kept] = await linksOf(workspace);
    await workspace.call("DELETE", `/api/v1/links/${gone?.id}`);
    const { text } = await browser.get(location ?? "");
    expect(wordsIn(text)).toContain("1 new link ");
    expect([text.includes(gone?.short_url ?? ""), text.includes(kept?.short_url ?? "")]).toEqual([
      false,
      true,
    ]);
  });

  it("have no tag that was deleted, and one that it was merged into", async () => {
    const { workspace, browser, ids, tag } = await makeEditor();
    const into = await workspace.tag({ name: "Season" });
    await mergeTags(workspace.ctx, tag.id, into.id);
    const create = async () => {
      const fields = { destination_url: DESTINATION, link: prefix(), channels: ids[0] ?? "", do: "create" };
      expect((await browser.post(severalOf(workspace), fields)).status).toBe(303);
      return (await linksOf(workspace)).map(tagsOn).at(-1);
    };
    expect(await create()).toEqual(["Season"]);
    await deleteTag(workspace.ctx, into.id);
    expect(await create()).toEqual([]);
  });

  it("are created as they were shown, whatever was selected since, or not at all", async () => {
    const { workspace, browser, ids } = await makeEditor();
    const link = prefix();
    const fields = { destination_url: DESTINATION, link, channels: ids };
    const shown = await browser.post(severalOf(workspace), { ...fields, do: "check" });
    const sent = { ...fieldsOf(shown), channels: ids };
    for (const changed of [{ destination_url: `${DESTINATION}-other` }, { channels: ids[0] ?? "" }]) {
      const looked = await browser.post(severalOf(workspace), { ...sent, ...changed, do: "create" });
      expect(looked.status).toBe(422);
      expect(wordsIn(looked.text)).toContain("You have changed what the links are made of.");
      expect(looked.text).toContain('value="create"');
    }
    await removeSavedChannel(workspace.ctx, ids[1] ?? "");
    const answer = await browser.post(severalOf(workspace), { ...fields, do: "create" });
    expect(answer.status).toBe(422);
    expect(wordsIn(answer.text)).toContain("A saved channel was deleted meanwhile.");
    expect(await linksOf(workspace)).toEqual([]);
  });

  it("say that all their saved channels were deleted meanwhile", async () => {
    const { workspace, browser, ids } = await makeEditor();
    const fields = { destination_url: DESTINATION, link: prefix(), channels: ids[0] ?? "", do: "create" };
    await removeSavedChannel(workspace.ctx, ids[0] ?? "");
    const { status, text } = await browser.post(severalOf(workspace), fields);
    expect(status).toBe(422);
    expect(wordsIn(text)).toContain("A saved channel was deleted meanwhile. Look at the links again.");
  });

  it.each([
    [{ channels: [] }, "Select at least one channel."],
    [{ channels: Array(41).fill("01JZ8Q4V6T3K9M2N5P7R8S0W1X") }, "Select at most 40 channels."],
    [{ link: "x".repeat(65) }, "The short link has at most 64 characters."],
  ])("are not shown for %j", async (fields, message) => {
    const { workspace, browser, ids } = await makeEditor();
    const form = { destination_url: DESTINATION, link: "a", channels: ids, do: "check" };
    const answer = await browser.post(severalOf(workspace), { ...form, ...fields });
    expect([answer.status, wordsIn(answer.text).includes(message)]).toEqual([422, true]);
    expect(answer.text).not.toContain('value="create"');
  });

  it("have what was typed in their short links, whatever it means elsewhere", async () => {
    const { workspace, browser, ids } = await makeEditor();
    const form = { destination_url: DESTINATION, link: "$&", channels: ids, do: "check" };
    const shown = await browser.post(severalOf(workspace), form);
    expect(shown.text).toContain('value="$&amp;-mail"');
    expect(wordsIn(shown.text)).toContain("must be 1 to 64 letters");
  });
});

describe("an older form of a saved channel", () => {
  it("does not overwrite what was saved meanwhile, and says what that is", async () => {
    const { workspace, browser, ids } = await makeEditor();
    const page = channelsOf(workspace, `/${ids[1]}`);
    const { etag = "" } = fieldsOf(await browser.get(page));
    const save = (name: string, tag = etag) => browser.post(page, { name, utm_source: "x", etag: tag });
    expect((await save("Theirs")).status).toBe(303);
    const refused = await save("Mine");
    expect([refused.status, fieldsOf(refused)["name"]]).toEqual([412, "Mine"]);
    expect(wordsIn(refused.text)).toContain("Saved meanwhile: Theirs, x");
    expect((await save("Mine", fieldsOf(refused)["etag"])).status).toBe(303);
    expect((await listSavedChannels(workspace.ctx)).map(({ name }) => name)).toEqual(["Channel 0", "Mine"]);
  });

  it("neither does one of two that are sent at once", async () => {
    const { workspace, ids } = await makeEditor();
    const [, saved] = await listSavedChannels(workspace.ctx);
    const ifMatch = [await etagOf(saved)];
    const save = (ctx: Context, name: string) =>
      changeSavedChannel({ ...ctx, ifMatch }, ids[1] ?? "", { name });
    const { DB } = overtakenBy(() => save(workspace.ctx, "Theirs"));
    await expect(save({ ...workspace.ctx, db: createDatabase(DB) }, "Mine")).rejects.toMatchObject({
      status: 412,
    });
    expect((await listSavedChannels(workspace.ctx)).map(({ name }) => name)).toEqual(["Channel 0", "Theirs"]);
  });
});
