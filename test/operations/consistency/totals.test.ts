import { expect, it } from "vitest";
import {
  selectWrongCopies,
  selectWrongTotals,
  selectWrongWorkspaceTotals,
} from "../../../src/operations/consistency/statements";
import { makeWorkspace } from "../../harness";

it("changes of links and tags keep the totals that the doctor recounts", async () => {
  const ws = await makeWorkspace();
  const { rowId } = ws.ctx.workspace;
  const [spring, autumn] = [await ws.group({ slug: "spring" }), await ws.group({ slug: "autumn" })];
  const [print, social, partner] = [await ws.tag(), await ws.tag(), await ws.tag()];
  const other = await ws.link({ channel: "email", tag_ids: [print.id], activity_group_id: spring.id });
  const link = await ws.link({
    channel: "email",
    tag_ids: [print.id, social.id],
    activity_group_id: spring.id,
  });
  const path = `/api/v1/links/${link.id}`;
  const steps: [string, string, object?][] = [
    ["PATCH", path, { status: "archived" }],
    ["PATCH", path, { status: "archived", title: "still" }],
    ["POST", `${path}/tags`, { tag_ids: [print.id, partner.id] }],
    ["DELETE", `${path}/tags/${social.id}`],
    ["PATCH", path, { status: "active", activity_group_id: autumn.id, channel: "print" }],
    ["PATCH", path, { status: "archived", channel: null }],
    ["PATCH", path, { activity_group_id: null }],
    ["PATCH", path, { channel: "sms", activity_group_id: spring.id }],
    ["PATCH", path, { slug: `s-${crypto.randomUUID().slice(0, 8)}` }],
    ["PATCH", path, { slug: link.slug }],
    ["DELETE", `/api/v1/tags/${partner.id}`],
    ["DELETE", path],
    ["DELETE", `/api/v1/links/${other.id}`],
  ];
  for (const [method, to, body] of steps) {
    const { status } = await ws.call(method, to, body === undefined ? {} : { body });
    expect(status, `${method} ${JSON.stringify(body)}`).toBeLessThan(300);
    const wrong = await ws.ctx.db.read(
      selectWrongWorkspaceTotals(rowId),
      selectWrongTotals(rowId),
      selectWrongCopies(rowId),
    );
    expect(wrong.flat(), `${method} ${JSON.stringify(body)}`).toEqual([]);
  }
});
