import { describe, expect, it } from "vitest";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import type { TestWorkspace } from "../../harness";
import { makeMember } from "../browser";
import { fieldsOf, openParts, wordsIn } from "../form-fields";
import { linkOf } from "../state";

// The fields of begin and end in a workspace whose clocks are changed twice a year.

const ZONE = "Europe/Zurich";

async function makeEditor() {
  const { workspace, browser } = await makeMember("editor");
  await updateWorkspace(workspace.ctx, { time_zone: ZONE });
  return { workspace, browser, path: (id: string) => `/app/${workspace.slug}/links/${id}/edit` };
}

const windowOf = async (ws: TestWorkspace, id: string) => {
  const { starts_at, ends_at, updated_at } = await linkOf(ws, id);
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
      ...{ starts_at: "2026-01-10", starts_at_time: "08:00" },
      ...{ ends_at: "2026-07-10", ends_at_time: "08:00:30.250" },
    });
    for (const label of ["Opens", "Ends"])
      expect(wordsIn(form.text)).toMatch(
        new RegExp(`${label} Zurich time\\. Without a time, .*${label} at \\(optional\\)`),
      );
    expect(wordsIn((await browser.get(`/app/${workspace.slug}/links/${id}`)).text)).toContain(
      "Opened 10 Jan 2026, 08:00 Zurich time Ended 10 Jul 2026, 08:00 Zurich time",
    );
    await browser.post(path(id), { ...fieldsOf(form), starts_at_time: "", ends_at_time: "" });
    expect(wordsIn((await browser.get(`/app/${workspace.slug}/links/${id}`)).text)).toMatch(
      /Opened 10 Jan 2026 , Zurich time Ended 10 Jul 2026 After/,
    );
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
      const open = await browser.get(path(id));
      expect(openParts(open)).toContain("Start and end");
      await browser.post(path(id), { ...fieldsOf(open), starts_at: "" });
      expect(await windowOf(workspace, id)).toMatchObject({ starts_at: null, ends_at });
    },
  );
});
