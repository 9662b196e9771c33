import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { takeDown } from "../../../src/operations/moderation/takedown";
import { makeWorkspace, SHORT } from "../../harness";
import { alertContext, quiet, storedAlerts } from "./receiver";

beforeEach(quiet);
afterEach(() => vi.unstubAllGlobals());

const made = async () => {
  const ws = await makeWorkspace();
  const link = await ws.link({ destination_url: "https://evil.example/path?token=secret" });
  return { ws, link };
};

it("a takedown by a check queues an alert in the same batch, also under concurrency", async () => {
  const { ctx, clock } = alertContext();
  const { ws, link } = await made();
  const ended = await Promise.allSettled([1, 2, 3].map(() => takeDown(ctx, link.id, "evil.example")));
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const [alert, ...others] = await storedAlerts();
  expect(others).toEqual([]);
  expect(alert).toMatchObject({
    key: `link.taken_down:${link.id}:${clock.now}`,
    kind: "link.taken_down",
    text: `A check took down ${SHORT}/${link.slug} of the workspace "${ws.ctx.workspace.name}", because evil.example is known to spread malware.`,
  });
  expect(JSON.parse(alert?.facts ?? "")).toEqual({
    link: link.id,
    short_url: `${SHORT}/${link.slug}`,
    host: "evil.example",
  });
  expect(JSON.stringify(alert)).not.toContain("secret");
});

it("a takedown by the operator, or one that fails, queues none", async () => {
  const { ctx } = alertContext();
  const { link } = await made();
  await expect(takeDown(ctx, link.id, "other.example")).rejects.toThrow("led elsewhere");
  await takeDown(ctx, link.id);
  await expect(takeDown(ctx, link.id, "evil.example")).rejects.toThrow("taken down already");
  expect(await storedAlerts()).toEqual([]);
});
