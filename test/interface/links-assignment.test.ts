import { describe, expect, it } from "vitest";
import { makeWorkspace, type TestWorkspace } from "../harness";
import { itemsOf } from "./links-rows";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const LINKS = "/api/v1/links";
const patch = (ws: TestWorkspace, id: string, body: object) => ws.call("PATCH", `${LINKS}/${id}`, { body });

describe("the assignment of a link to an Activity Group", () => {
  it("is not created twice if the same request is repeated, by id or by slug", async () => {
    const group = await ws.group();
    const link = await ws.link({ channel: "radio" });
    for (const named of [
      group.id,
      group.id,
      group.slug,
      group.id.toLowerCase(),
      ` ${group.slug}`,
      group.slug.toUpperCase(),
    ]) {
      const answer = await patch(ws, link.id, { activity_group_id: named, channel: "radio" });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.link.activity_group.id).toBe(group.id);
    }
    expect(await itemsOf(link.id)).toEqual([{ group: group.id, role: "primary", open: 1 }]);
  });

  it("takes the link's new channel, alone or with a move, and leaves closed ones unchanged", async () => {
    const [a, b] = [await ws.group(), await ws.group()];
    const link = await ws.link({ activity_group_id: a.id });
    const steps: [object, string | null, string][] = [
      [{ channel: "radio" }, "radio", a.id],
      [{ activity_group_id: b.id }, "radio", b.id],
      [{ channel: null }, null, b.id],
      [{ channel: "radio", activity_group_id: b.slug }, "radio", b.id],
      [{ title: "other" }, "radio", b.id],
      [{ channel: "poster", activity_group_id: a.slug }, "poster", a.id],
    ];
    for (const [body, channel, group] of steps) {
      const answer = await patch(ws, link.id, body);
      expect(answer.body.link, JSON.stringify(body)).toMatchObject({
        channel,
        activity_group: { id: group, assignment: { role: "primary", channel } },
      });
      expect((await itemsOf(link.id)).filter((item) => item.open === 1)).toEqual([
        { group, role: "primary", open: 1 },
      ]);
    }
    expect(await itemsOf(link.id)).toEqual([
      { group: a.id, role: "primary", open: 0 },
      { group: b.id, role: "primary", open: 0 },
      { group: a.id, role: "primary", open: 1 },
    ]);
  });

  it("ends with null or blank, and the link keeps its channel for the next one", async () => {
    const group = await ws.group();
    for (const nothing of [null, "", " "]) {
      const link = await ws.link({ activity_group_id: group.id, channel: "radio" });
      const ended = await patch(ws, link.id, { activity_group_id: nothing });
      expect(ended.status, ended.text).toBe(200);
      const { activity_group: _, ...bare } = link;
      expect(ended.body.link).toEqual({ ...bare, updated_at: ended.body.link.updated_at });
      expect(ended.body.link).not.toHaveProperty("activity_group");
      expect((await itemsOf(link.id)).map((item) => item.open)).toEqual([0]);
      const again = await patch(ws, link.id, { activity_group_id: group.id });
      expect(again.body.link.activity_group.assignment.channel).toBe("radio");
      expect((await itemsOf(link.id)).map((item) => item.open)).toEqual([0, 1]);
    }
  });
});
