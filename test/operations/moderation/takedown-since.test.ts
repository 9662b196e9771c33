import { expect, it } from "vitest";
import { takeDownMany } from "../../../src/operations/moderation/take-down-many";
import { importLinks } from "../../../src/resources/links/import-links";
import { makeWorkspace } from "../../harness";

it("a takedown of what somebody created since a time has imported links too, whatever their file says", async () => {
  const { ctx } = await makeWorkspace();
  const theirs = { ...ctx, actor: `member:${crypto.randomUUID()}@people.example` };
  const input = { destination_url: "https://www.example.com/" };
  const history = { created_at: "2020-01-01T00:00:00.000Z" };
  const send = (id: string, at: number) =>
    importLinks({ ...theirs, now: () => at }, id, [{ number: 1, input, history }]);
  const now = Date.now();
  await send("before", now - 60_000);
  await send("after", now);
  const takeDown = (since: number) => takeDownMany(ctx, { createdBy: theirs.actor, since }, false);
  expect((await takeDown(now - 1_000)).links).toBe(1);
  expect((await takeDown(now + 1_000)).links).toBe(0);
  expect((await takeDown(0)).links).toBe(2);
});
