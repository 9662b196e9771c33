import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { backupLines } from "../../../src/operations/backup/back-up";
import { findAuditEntry, listAudit } from "../../../src/resources/audit/audit-service";
import { checkFile } from "../../../src/resources/imports/check-file";
import { continueImport } from "../../../src/resources/imports/continue-import";
import { exportLinks } from "../../../src/resources/links/export-links";
import { getLinkDetails } from "../../../src/resources/links/link-details";
import { undoOperation } from "../../../src/resources/links/revert/undo-changes";
import { updateLink } from "../../../src/resources/links/update-link";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { makeMember } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";

const NOTE = "Agreed with <b>Ada</b> & Bob:\n\n=1+1; then call 'them'\n-2 for VAT";
const ESCAPED = "Agreed with &lt;b&gt;Ada&lt;/b&gt; &amp; Bob:\n\n=1+1";
const LONG = "x".repeat(2_001);

const noteOf = async (ws: TestWorkspace, id: string) => (await getLinkDetails(ws.ctx, id)).note;
const lastChange = async (ws: TestWorkspace, subject: string) =>
  (await listAudit(ws.ctx, { subject }, true)).entries[0];

describe("the note of a link", () => {
  it("is typed in the form with its line breaks, and shown as text on the page", async () => {
    const { workspace: ws, browser } = await makeMember("editor");
    const path = `/app/${ws.slug}/links/new`;
    const created = await browser.post(path, {
      ...fieldsOf(await browser.get(path)),
      destination_url: "https://www.example.com/",
      note: `\r\n ${NOTE.replaceAll("\n", "\r\n")} \r\n`,
    });
    expect(created.status, wordsIn(created.text)).toBe(303);
    const page = created.location ?? "";
    const id = page.split("/").at(-1) ?? "";
    expect(await noteOf(ws, id)).toBe(NOTE);
    expect((await browser.get(page)).text).toContain(`<dd class="screen note" dir="auto">${ESCAPED}`);
    const edit = await browser.get(`${page}/edit`);
    expect(edit.text).toContain(`${ESCAPED}; then call &#39;them&#39;\n-2 for VAT</textarea>`);

    // A form that is saved as it is changes nothing, and one without the field keeps the note.
    const unchanged = { ...fieldsOf(edit), note: NOTE.replaceAll("\n", "\r\n") };
    expect((await browser.post(`${page}/edit`, unchanged)).status).toBe(303);
    expect((await lastChange(ws, id))?.action).toBe("link.create");
    expect((await browser.post(`${page}/edit`, { ...fieldsOf(edit), title: "T" })).status).toBe(303);
    expect(await noteOf(ws, id)).toBe(NOTE);
    const later = fieldsOf(await browser.get(`${page}/edit`));
    expect((await browser.post(`${page}/edit`, { ...later, note: " \r\n" })).status).toBe(303);
    expect(await noteOf(ws, id)).toBeNull();
    expect((await browser.get(page)).text).not.toContain('class="screen note"');
  });

  it.each([
    [LONG, "The note must not have more than 2000 characters."],
    ["a\u0007b", "The note must not contain control characters."],
  ])("is refused beside its field, and stays in the form", async (note, said) => {
    const { workspace: ws, browser } = await makeMember("editor");
    const path = `/app/${ws.slug}/links/new`;
    const fields = { ...fieldsOf(await browser.get(path)), destination_url: "https://www.example.com/" };
    const refused = await browser.post(path, { ...fields, note: `a\nb ${note}` });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(`id="note-refusal">${said}</p>`);
    expect(refused.text).toContain(`a\nb ${note}</textarea>`);
  });

  it("is in no answer of the interface, which ignores it, and leaves the ETag as it is", async () => {
    const ws = await makeWorkspace();
    const { id } = await ws.link();
    const read = () => ws.call("GET", `/api/v1/links/${id}`);
    const before = await read();
    await updateLink(ws.ctx, id, { note: NOTE });
    const after = await read();
    expect(after.body).toEqual(before.body);
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
    await ws.call("PATCH", `/api/v1/links/${id}`, { body: { title: "T", note: "Other" } });
    expect(await noteOf(ws, id)).toBe(NOTE);
  });

  it("is audited with both values, undone, backed up, exported and imported as it is", async () => {
    const { workspace: ws, browser } = await makeMember("editor");
    const { id, slug } = await ws.link();
    await updateLink(ws.ctx, id, { note: "Before" });
    await updateLink(ws.ctx, id, { note: NOTE });
    const entry = await lastChange(ws, id);
    expect(entry?.fieldChanges).toEqual([{ field: "note", was: "Before", is: NOTE }]);
    const trail = wordsIn((await browser.get(`/app/${ws.slug}/audit?subject=${id}`)).text);
    expect(trail).toContain("Note from Before → to Agreed with <b>Ada</b> & Bob:");
    await undoOperation(ws.ctx, await findAuditEntry(ws.ctx, entry?.operation ?? ""));
    expect(await noteOf(ws, id)).toBe("Before");
    await updateLink(ws.ctx, id, { note: NOTE });

    let backup = "";
    for await (const line of backupLines(ws.ctx, ws.slug)) backup += line;
    expect(backup).toContain(JSON.stringify(NOTE));

    let csv = "";
    for await (const part of exportLinks(ws.ctx)) csv += part;
    const other = await makeWorkspace();
    const bytes = new TextEncoder().encode(csv.replaceAll(slug, `${slug}-2`));
    const file = await checkFile(other.ctx, { name: "links.csv", bytes });
    if (!("id" in file)) throw new Error("imported already");
    expect(await continueImport(other.ctx, file.id)).toEqual({ done: true });
    const [made] = (await other.call("GET", "/api/v1/links")).body.links;
    expect(await noteOf(other, made.id)).toBe(NOTE);
  });

  it("keeps its lines in the file of refused rows", async () => {
    const { workspace: ws, browser } = await makeMember("editor");
    const csv = Papa.unparse([{ destination_url: "ftp://x", Notes: "one\r\n\r\n two" }]);
    const file = await checkFile(ws.ctx, { name: "links.csv", bytes: new TextEncoder().encode(csv) });
    if (!("id" in file)) throw new Error("imported already");
    const refused = await browser.get(`/app/${ws.slug}/import/${file.id}/refused.csv`);
    const [row] = Papa.parse<Record<string, string>>(refused.text, { header: true }).data;
    expect(row?.["Notes"]).toBe("one\n\n two");
  });
});

it("the note of an Activity Group is typed in its form, shown on its page alone, audited and undone", async () => {
  const { workspace: ws, browser } = await makeMember("editor");
  const created = await browser.post(`/app/${ws.slug}/groups/new`, {
    name: "Summer",
    type: "campaign",
    note: NOTE.replaceAll("\n", "\r\n"),
  });
  const page = created.location ?? "";
  const id = page.split("/").at(-1) ?? "";
  const { body } = await ws.call("GET", `/api/v1/activity-groups?id=${id}`);
  expect(JSON.stringify(body)).not.toContain("Agreed");

  const form = await browser.get(`${page}?tab=settings`);
  expect(form.text).toContain(`>${ESCAPED}`);
  const fields = { ...fieldsOf(form), type: "campaign", description: "" };
  // The form of the status is on the same page, and has no note.
  const other = await browser.post(`${page}/status`, { status: "none" });
  expect(other.status).toBe(422);
  expect(other.text).toContain(`>${ESCAPED}`);
  const refused = await browser.post(page, { ...fields, note: `a\r\nb ${LONG}` });
  expect(refused.text).toContain('id="note-refusal">The note must not have more than 2000 characters.</p>');
  expect((await browser.post(page, { ...fields, note: "New" })).status).toBe(303);
  const entry = await lastChange(ws, id);
  expect(entry?.fieldChanges).toEqual([{ field: "note", was: NOTE, is: "New" }]);
  await browser.post(`/app/${ws.slug}/audit/${entry?.operation}/undo`);
  expect((await browser.get(`${page}?tab=settings`)).text).toContain(ESCAPED);
  expect((await browser.post(page, { ...fields, note: "" })).status).toBe(303);
  expect((await browser.get(`${page}?tab=settings`)).text).toMatch(/id="note"[^>]*><\/textarea>/);
});
