import { describe, expect, it } from "vitest";
import { takeDown } from "../../../src/operations/moderation/takedown";
import { blockHost } from "../../../src/resources/destinations/blocklist";
import { counted, makeWorkspace, type TestWorkspace, visit } from "../../harness";
import { brokenInvariants } from "../../invariants";
import { makeMember } from "../browser";
import { watched } from "../depth";
import { fieldsOf } from "../form-fields";
import { linkOf } from "../state";

const DESTINATION = "https://www.example.com/";
const pathOf = (ws: TestWorkspace, rest: string) => `/app/${ws.slug}/links${rest}`;

describe("the preview of a link", () => {
  it("is a part of the page, comes with the whole form without scripts, and saves nothing", async () => {
    const { workspace, browser } = await makeMember();
    const group = await workspace.group({ default_utm_campaign: "spring" });
    const fields = {
      destination_url: `${DESTINATION}?utm_source=old`,
      utm_source: "<new>",
      activity_group_id: group.id,
    };
    const part = await browser.post(pathOf(workspace, "/preview"), fields);
    expect(part.status).toBe(200);
    expect(part.text).not.toContain("<html");
    const whole = await browser.post(pathOf(workspace, "/new"), { ...fields, preview: "1" });
    expect(whole.status).toBe(200);
    expect(fieldsOf(whole)).toMatchObject(fields);
    for (const { text } of [part, whole]) {
      expect(text).toContain("https://www.example.com/?utm_source=%3Cnew%3E&amp;utm_campaign=spring");
      expect(text).toContain("&lt;new&gt;");
      expect(text).toContain("Replaces in the destination");
      expect(text).toContain("the group’s default");
    }
    expect((await workspace.call("GET", "/api/v1/links")).body.meta.total).toBe(0);
  });

  it.each(["", "h", "https://", "https://www.exa", "https://ü.", "https://a.b/%", "\u202ehttps://x.example"])(
    "accepts the half-typed address %j",
    async (destination_url) => {
      const { workspace, browser } = await makeMember();
      const answer = await browser.post(pathOf(workspace, "/preview"), { destination_url });
      expect(answer.status).toBe(200);
    },
  );

  it("says that saving would refuse a host that the operator does not allow", async () => {
    const { workspace, browser } = await makeMember();
    const host = `${workspace.slug}.example`;
    await blockHost(workspace.ctx, host);
    const refused = "leads to a host that this service does not allow";
    const fields = { destination_url: `https://www.${host}/` };
    const { id } = await workspace.link();
    for (const [path, more] of [
      ["/preview", {}],
      ["/new", { preview: "1" }],
      ["/new", {}],
      ["/preview", { link: id }],
      [`/${id}/edit`, { preview: "1" }],
    ] as const) {
      const watch = watched();
      const page = await browser.post(pathOf(workspace, path), { ...fields, ...more }, {}, watch.env);
      const preview = page.text.slice(page.text.indexOf("Where visitors will land"));
      expect(preview).toContain(refused);
      expect(preview).not.toContain('class="target"');
      expect(watch.depth()).toBeLessThanOrEqual(3);
    }
  });

  it("says that a link stays stopped, and for how long", async () => {
    const { workspace, browser } = await makeMember();
    const shown = async (id: string, destination_url: string) => {
      const page = await browser.post(pathOf(workspace, "/preview"), { link: id, destination_url });
      return [
        page.text.includes("On a page that says that this link was taken down"),
        page.text.includes("Once it is no longer stopped"),
        page.text.includes('class="target"'),
      ];
    };
    const [taken, checked] = [await workspace.link(), await workspace.link()];
    await takeDown(workspace.ctx, taken.id);
    await takeDown(workspace.ctx, checked.id, "www.example.com");
    expect(await shown(taken.id, "https://www.example.org/")).toEqual([true, true, true]);
    expect(await shown(taken.id, "")).toEqual([true, false, false]);
    expect(await shown(checked.id, checked.destination_url)).toEqual([true, true, true]);
    expect(await shown(checked.id, "https://www.example.org/")).toEqual([false, false, true]);
  });

  it("of another workspace's link is 404", async () => {
    const { workspace, browser } = await makeMember();
    const foreign = await (await makeWorkspace()).link();
    expect((await browser.post(pathOf(workspace, "/preview"), { link: foreign.id })).status).toBe(404);
  });
});

describe("the form of an existing link", () => {
  it("changes nothing if it is saved unchanged", async () => {
    const { workspace, browser } = await makeMember();
    const [tag, group] = [await workspace.tag(), await workspace.group({ default_utm_campaign: "spring" })];
    const link = await workspace.link({ title: "Été", activity_group_id: group.id, tag_ids: [tag.id] });
    const path = pathOf(workspace, `/${link.id}/edit`);
    const answer = await browser.post(path, fieldsOf(await browser.get(path)));
    expect(answer.location).toBe(pathOf(workspace, `/${link.id}`));
    expect(await linkOf(workspace, link.id)).toEqual(link);
  });

  it("changes fields and tags at once, and the old slug keeps redirecting", async () => {
    const { workspace, browser } = await makeMember();
    const tags = [await workspace.tag(), await workspace.tag(), await workspace.tag()];
    const [a = "", b = "", c = ""] = tags.map(({ id }) => id);
    const link = await workspace.link({ tag_ids: [a, b], channel: "print" });
    const path = pathOf(workspace, `/${link.id}/edit`);
    const slug = `new-${crypto.randomUUID().slice(0, 8)}`;
    const counter = counted();
    const answer = await browser.post(
      path,
      { ...fieldsOf(await browser.get(path)), slug, channel: "", utm_campaign: "own", tag_ids: [b, c] },
      {},
      counter.env,
    );
    expect(answer.status).toBe(303);
    // The session, the reads for the rules, the batch, the operation to undo, and the settling of the push after the
    // response.
    expect(counter.trips.d1).toBe(5);
    expect((await browser.get(answer.location ?? "")).text).toContain(
      `The old slug ${link.slug} goes on leading here.`,
    );
    const after = await linkOf(workspace, link.id);
    expect(after).toMatchObject({ slug, channel: null, utm_campaign: "own" });
    expect(after.tags.map(({ id }) => id).toSorted()).toEqual([b, c].toSorted());
    expect((await visit(`/${link.slug}`)).headers.get("location")).toBe(`${DESTINATION}?utm_campaign=own`);
    expect(await brokenInvariants()).toEqual([]);
  });

  it("keeps an inherited campaign, and an emptied one becomes the group's again", async () => {
    const { workspace, browser } = await makeMember();
    const [spring, autumn] = [
      await workspace.group({ default_utm_campaign: "spring" }),
      await workspace.group({ default_utm_campaign: "autumn" }),
    ];
    const link = await workspace.link({ activity_group_id: spring.id });
    const path = pathOf(workspace, `/${link.id}/edit`);
    const save = async (fields: object) => {
      const form = fieldsOf(await browser.get(path));
      expect((await browser.post(path, { ...form, ...fields })).status).toBe(303);
      return (await linkOf(workspace, link.id)).utm_campaign;
    };
    expect(fieldsOf(await browser.get(path))["utm_campaign"]).toBe("");
    expect(await save({ title: "New" })).toBe("spring");
    expect(await save({ activity_group_id: autumn.id })).toBe("autumn");
    expect(await save({ utm_campaign: "own" })).toBe("own");
    expect(await save({ activity_group_id: spring.id })).toBe("own");
    expect(await save({ utm_campaign: "" })).toBe("spring");
  });

  it("is refused if the link has changed in the meantime, and keeps what was typed", async () => {
    const { workspace, browser } = await makeMember();
    const link = await workspace.link({ title: "Old", channel: "print" });
    const path = pathOf(workspace, `/${link.id}/edit`);
    const form = fieldsOf(await browser.get(path));
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, {
      body: { title: "Theirs", utm_source: "theirs" },
    });
    const stale = await browser.post(path, { ...form, title: "Mine" });
    expect(stale.status).toBe(412);
    expect(stale.text).toContain("The link was changed meanwhile");
    expect(fieldsOf(stale)).toMatchObject({ title: "Mine", channel: "print", utm_source: "theirs" });
    expect(await linkOf(workspace, link.id)).toMatchObject({ title: "Theirs" });
    expect((await browser.post(path, fieldsOf(stale))).status).toBe(303);
    expect(await linkOf(workspace, link.id)).toMatchObject({
      title: "Mine",
      utm_source: "theirs",
      channel: "print",
    });
  });

  it("is refused by a rule with what was typed, also without its initial fields", async () => {
    const { workspace, browser } = await makeMember();
    const [link, other] = [await workspace.link(), await workspace.link()];
    const path = pathOf(workspace, `/${link.id}/edit`);
    const form = fieldsOf(await browser.get(path));
    const taken = await browser.post(path, { ...form, slug: other.slug, title: "Typed" });
    expect(taken.status).toBe(422);
    expect(fieldsOf(taken)).toMatchObject({
      slug: other.slug,
      title: "Typed",
      was: form["was"],
      etag: form["etag"],
    });
    for (const was of ["", "{", "[]", '{"tag_ids":3}']) {
      const answer = await browser.post(path, { ...form, was, destination_url: "" });
      expect(answer.status).toBe(422);
    }
    expect((await browser.post(path, { ...form, etag: "" })).status).toBe(412);
  });
});
