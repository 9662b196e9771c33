import { describe, expect, it } from "vitest";
import { type TestWorkspace, testEnv } from "../../harness";
import { makeMember } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";

// The fields of begin and end in a workspace whose clocks are changed twice a year.

const ZONE = "Europe/Zurich";

async function makeEditor() {
  const { workspace, browser } = await makeMember("editor");
  await testEnv.DB.prepare("update workspaces set time_zone = ? where id = ?")
    .bind(ZONE, workspace.ctx.workspace.rowId)
    .run();
  return { workspace, browser, path: (id: string) => `/app/${workspace.slug}/links/${id}/edit` };
}

const windowOf = async (ws: TestWorkspace, id: string) => {
  const { starts_at, ends_at, updated_at } = (await ws.call("GET", `/api/v1/links/${id}`)).body;
  return { starts_at, ends_at, updated_at };
};

describe("the start and end of a link", () => {
  it("are typed and shown in the time zone of the workspace, which the form names", async () => {
    const { workspace, browser, path } = await makeEditor();
    const answer = await browser.post(`/app/${workspace.slug}/links/new`, {
      destination_url: "https://www.example.com/",
      starts_at: "2026-01-10T08:00",
      ends_at: "2026-07-10T08:00:30.250",
    });
    const id = answer.location?.split("/").at(-1) ?? "";
    expect(await windowOf(workspace, id)).toMatchObject({
      starts_at: "2026-01-10T07:00:00.000Z",
      ends_at: "2026-07-10T06:00:30.250Z",
    });
    const form = await browser.get(path(id));
    expect(fieldsOf(form)).toMatchObject({
      starts_at: "2026-01-10T08:00",
      ends_at: "2026-07-10T08:00:30.250",
    });
    expect(wordsIn(form.text)).toContain(`In the time zone ${ZONE}.`);
  });

  it.each([
    ["is skipped", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z"],
    ["occurs twice", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
  ])("at a time that %s are decided", async (_, typed, expected) => {
    const { workspace, browser } = await makeEditor();
    const answer = await browser.post(`/app/${workspace.slug}/links/new`, {
      destination_url: "https://www.example.com/",
      ends_at: typed,
    });
    expect(await windowOf(workspace, answer.location?.split("/").at(-1) ?? "")).toMatchObject({
      ends_at: expected,
    });
  });

  it.each(["2026-10-25T01:30:12.345Z", "2026-10-25T00:30:12.345Z", "2026-07-01T00:00:59.001Z"])(
    "%s stays to the millisecond if something else is edited",
    async (ends_at) => {
      const { workspace, browser, path } = await makeEditor();
      const { id } = await workspace.link({ ends_at });
      const before = await windowOf(workspace, id);
      const form = fieldsOf(await browser.get(path(id)));
      await browser.post(path(id), form);
      expect(await windowOf(workspace, id)).toEqual(before);
      expect((await browser.post(path(id), { ...form, title: "T" })).status).toBe(303);
      expect(await windowOf(workspace, id)).toMatchObject({ starts_at: null, ends_at });
      const again = fieldsOf(await browser.get(path(id)));
      await browser.post(path(id), { ...again, starts_at: "2026-06-01T00:00" });
      expect(await windowOf(workspace, id)).toMatchObject({ starts_at: "2026-05-31T22:00:00.000Z", ends_at });
    },
  );
});
