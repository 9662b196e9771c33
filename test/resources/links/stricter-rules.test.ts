import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SHORTENER_HOSTS } from "../../../src/lib/destination-hosts";
import { check } from "../../../src/lib/validation";
import { changedActivityGroup } from "../../../src/resources/activity-groups/group-schema";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { exportLinks } from "../../../src/resources/links/export-links";
import { makeMember } from "../../console/browser";
import { visit } from "../../harness";
import { addDestinations, emptyHealth, healthOf, openNet } from "../../operations/health/net";

// A rule becomes stricter after links were made. Their destinations stay valid as they are; new ones are checked.

const HOST = "later-refused.example";
const KEPT = `https://${HOST}/status/200?utm_term=shoes`;
const ENDED = `https://${HOST}/over`;
const NEW = `https://${HOST}/new`;
const rule = SHORTENER_HOSTS as Set<string>;

async function makeKept() {
  rule.delete(HOST);
  const { workspace, browser } = await makeMember();
  const link = await workspace.link({ destination_url: KEPT, ended_url: ENDED });
  const { id: groupId } = await workspace.group({ slug: "kept", ended_url: ENDED });
  rule.add(HOST);
  return { workspace, browser, link, groupId, path: `/api/v1/links/${link.id}` };
}

let kept: Awaited<ReturnType<typeof makeKept>>;
beforeAll(async () => {
  await emptyHealth();
  kept = await makeKept();
});
afterAll(() => void rule.delete(HOST));

describe("a link whose destination breaks a later rule", () => {
  it("is edited, also with its own destinations in the request", async () => {
    const { workspace, path } = kept;
    const plain = await workspace.call("PATCH", path, { body: { title: "Plain" } });
    expect(plain.status).toBe(200);
    const body = { title: "With both", destination_url: KEPT, ended_url: ENDED };
    const both = await workspace.call("PATCH", path, { body });
    expect([both.status, both.body.link]).toEqual([200, expect.objectContaining(body)]);
  });

  it("cannot get another destination that breaks the rule, and every invalid field is named", async () => {
    const { workspace, path } = kept;
    const body = { destination_url: NEW, ended_url: ENDED, slug: "no slug" };
    const refused = await workspace.call("PATCH", path, { body });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["destination_url", "slug"]]);
    const swapped = await workspace.call("PATCH", path, { body: { ended_url: KEPT } });
    expect(Object.keys(swapped.body.errors)).toEqual(["ended_url"]);
    expect((await workspace.call("POST", "/api/v1/links", { body: { destination_url: KEPT } })).status).toBe(
      422,
    );
  });

  it("is shown with its parameters and its preview", async () => {
    const { workspace, browser, link } = kept;
    const page = `/app/${workspace.slug}/links/${link.id}`;
    expect((await browser.get(page)).text).toContain(HOST);
    const form = (await browser.get(`${page}/edit`)).text;
    expect(form).toContain(KEPT);
    expect(/class="target"/.test(form) && !/class="refused"/.test(form)).toBe(true);
  });

  it("redirects, is exported and is asked for its health", async () => {
    const { workspace, link } = kept;
    expect((await visit(`/${link.slug}`)).headers.get("location")).toBe(KEPT);
    let csv = "";
    for await (const part of exportLinks(workspace.ctx)) csv += part;
    expect(csv).toContain(KEPT);
    const net = openNet();
    await addDestinations([KEPT], net.clock.now);
    await net.run();
    expect(await healthOf(KEPT)).toMatchObject({ state: "ok" });
  });

  it("may have a group whose ended URL breaks it, which is edited likewise", async () => {
    const { workspace, groupId } = kept;
    const change = (fields: object) => {
      const checked = check(changedActivityGroup, fields);
      if (!checked.ok) throw new Error("the fields are invalid");
      return updateActivityGroup(workspace.ctx, groupId, checked.value);
    };
    expect(await change({ name: "Renamed", ended_url: ENDED })).toMatchObject({ name: "Renamed" });
    await expect(change({ ended_url: NEW })).rejects.toMatchObject({ status: 422 });
  });
});
