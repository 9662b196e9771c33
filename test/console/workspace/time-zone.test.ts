import { describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/access/keys";
import { ZONES_WITH_CITIES } from "../../../src/console/shell/zone-text";
import type { TestWorkspace } from "../../harness";
import { selectValue } from "../../sql";
import { makeMember, signInAs } from "../browser";
import { click } from "../clicks";

const pathOf = ({ slug }: { slug: string }): string => `/app/${slug}/workspace`;
const storedIn = (ws: TestWorkspace) =>
  selectValue<string>`select time_zone from workspaces where id = ${ws}`;
const selected = (text: string) => /<option value="([^"]*)" selected=""[ >]/.exec(text)?.[1];

describe("the time zone of a workspace", () => {
  it("is chosen by an owner, acts on every date at once, and is in the audit trail", async () => {
    const { workspace, browser } = await makeMember();
    const viewer = await signInAs(workspace, "viewer");
    await createApiKey(workspace.ctx, { name: "Build", expires_at: Date.UTC(2035, 6, 1, 12) });
    const keys = `/app/${workspace.slug}/keys`;
    expect((await browser.get(keys)).text).toContain("1 Jul 2035, 12:00 UTC");
    expect(selected((await browser.get(pathOf(workspace))).text)).toBe("UTC");

    const answer = await browser.post(pathOf(workspace), { time_zone: "Europe/Zurich" });
    expect([answer.status, answer.location]).toEqual([303, pathOf(workspace)]);
    expect(selected((await browser.get(pathOf(workspace))).text)).toBe("Europe/Zurich");
    expect((await browser.get(keys)).text).toContain("1 Jul 2035, 14:00 Zurich time");
    expect(selected((await viewer.get(pathOf(workspace))).text)).toBe("Europe/Zurich");
    const { text } = await browser.get(`/app/${workspace.slug}/audit?action=workspace`);
    expect(text).toContain("<dt>Time zone</dt>");
    expect(text).toContain("Zurich time</ins>");
  });

  it("is no name that is unknown or unsafe", async () => {
    const { workspace, browser } = await makeMember();
    for (const time_zone of ["Nowhere/Else", "UTC'; drop table links"]) {
      const page = await browser.post(pathOf(workspace), { time_zone });
      expect(page.status).toBe(422);
      expect(page.text).toContain('id="time_zone-refusal"');
    }
    expect(await storedIn(workspace)).toBe("UTC");
  });

  it("is found by large cities in other languages, each of a zone that is offered", async () => {
    const { workspace, browser } = await makeMember();
    const form = (await browser.get(pathOf(workspace))).text;
    expect(form).toMatch(
      /<option value="Europe\/Vienna" data-names="Wien, [^"]*">Vienna time \(Europe\)<\/option>/,
    );
    for (const zone of ZONES_WITH_CITIES) expect(form).toContain(`<option value="${zone}" data-names="`);
    expect(form).toMatch(/<select[^>]* name="time_zone"[^>]* data-searched/);
  });

  it("is offered and stored by its present name, and accepted by its earlier one", async () => {
    const { workspace, browser } = await makeMember();
    const form = (await browser.get(pathOf(workspace))).text;
    expect(form).toMatch(/<option value="Asia\/Kolkata"[^>]*>Kolkata time \(Asia\)<\/option>/);
    expect(form).not.toContain("Calcutta");
    await browser.post(pathOf(workspace), { time_zone: "Asia/Kolkata" });
    expect(await storedIn(workspace)).toBe("Asia/Kolkata");
    await browser.post(pathOf(workspace), { time_zone: "Europe/Kiev" });
    expect(await storedIn(workspace)).toBe("Europe/Kyiv");
    await browser.post(pathOf(workspace), { time_zone: "US/Eastern" });
    expect(selected((await browser.get(pathOf(workspace))).text)).toBe("US/Eastern");
  });

  it("begins the days of tags and groups in their lists, from its change on", async () => {
    const { workspace, browser } = await makeMember();
    const home = `/app/${workspace.slug}`;
    const [tag, group] = [await workspace.tag(), await workspace.group()];
    const link = await workspace.link({ tag_ids: [tag.id], activity_group_id: group.id });
    await browser.post(pathOf(workspace), { time_zone: "Pacific/Kiritimati" });
    // At noon in UTC, which is 2 o'clock of the next day there.
    await click(workspace, link.id, "2026-05-01T12:00:00Z", { clicks: 123 });
    const tagged = async (day: string) =>
      (await browser.get(`${home}/tags?from=${day}&to=${day}`)).text.includes('class="number">123<');
    expect([await tagged("2026-05-01"), await tagged("2026-05-02")]).toEqual([false, true]);
    await browser.post(pathOf(workspace), { time_zone: "UTC" });
    expect([await tagged("2026-05-01"), await tagged("2026-05-02")]).toEqual([false, true]);
    const days = "?from=2026-05-02&to=2026-05-02";
    for (const page of ["", `/links/${link.id}`, `/groups/${group.id}`, `/tags/${tag.id}`, "/tags"]) {
      expect((await browser.get(home + page + days)).text, page).toContain(
        " began at midnight Kiritimati time: the time zone was changed on",
      );
    }
    // Midnight there is 10 o'clock in UTC of the day before, so the noon of UTC is at the third hour.
    const page = (await browser.get(`${home}/links/${link.id}${days}`)).text;
    expect(page).toContain("1 May 2026, 10:00\n");
    expect(page).toContain('<th scope="row">1 May 2026, 12:00</th>');
  });
});
