import { describe, expect, it } from "vitest";
import { overtakenBy } from "../../../faulty";
import { makeWorkspace, type TestWorkspace } from "../../../harness";
import { selectRows } from "../../../sql";

/** An environment that deletes a tag between a change's read and its write. */
const afterDeletionOf = (ws: TestWorkspace, tagId: string) =>
  overtakenBy(async () => expect((await ws.call("DELETE", `/api/v1/tags/${tagId}`)).status).toBe(204));

const totalsOf = async (ws: TestWorkspace) => {
  const results = await selectRows`select kind, active, archived from link_totals
    where workspace_id = ${ws} and active + archived > 0`;
  return results;
};

describe("a tag that is deleted while one of its links changes", () => {
  it("is not on the returned link", async () => {
    const ws = await makeWorkspace();
    const [tag, other] = [await ws.tag(), await ws.tag()];
    const link = await ws.link({ tag_ids: [tag.id] });
    const answer = await ws.call("POST", `/api/v1/links/${link.id}/tags`, {
      body: { tag_ids: [other.id] },
      env: afterDeletionOf(ws, tag.id),
    });
    expect([answer.status, answer.body.link?.tags]).toEqual([200, [other]]);
  });

  it("is 404 when it is detached, and has no total left", async () => {
    const ws = await makeWorkspace();
    const tag = await ws.tag();
    const link = await ws.link({ tag_ids: [tag.id] });
    const answer = await ws.call("DELETE", `/api/v1/links/${link.id}/tags/${tag.id}`, {
      env: afterDeletionOf(ws, tag.id),
    });
    expect([answer.status, answer.body]).toEqual([404, { message: "Tag not found." }]);
    expect(await totalsOf(ws)).toEqual([]);
  });
});
