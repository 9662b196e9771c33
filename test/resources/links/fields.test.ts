import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { backupLines } from "../../../src/operations/backup/back-up";
import { listAudit } from "../../../src/resources/audit/service";
import { checkFile } from "../../../src/resources/imports/check";
import { continueImport } from "../../../src/resources/imports/continue";
import { exportLinks } from "../../../src/resources/links/export";
import { previewRevert, revertLink } from "../../../src/resources/links/revert/revert";
import { type Link, type UpdateLink, updateLinkSchema } from "../../../src/resources/links/schema";
import { makeMember } from "../../console/browser";
import { makeWorkspace, type TestWorkspace } from "../../harness";

// Each field of an update can be set, cleared, audited, reverted, exported, imported and backed up.

// Tags are rows of their own, with tests in tags-on-update.test.ts.
type Field = Exclude<keyof UpdateLink, "tag_ids" | "tag_names">;
const FIELDS = Object.keys(updateLinkSchema.shape).filter((name) => !name.startsWith("tag_")) as Field[];
const isCleared = (field: Field): boolean => updateLinkSchema.shape[field].safeParse(null).success;

const unique = (): string => `f-${crypto.randomUUID().slice(0, 13)}`;

/** A value of a field that differs from a new link's. */
async function otherValue(ws: TestWorkspace, field: Field): Promise<string> {
  if (field === "destination_url" || field === "ended_url") return `https://www.example.com/${unique()}`;
  if (field === "starts_at" || field === "ends_at") return "2026-08-31T22:00:00.000Z";
  if (field === "status") return "archived";
  if (field === "activity_group_id") return (await ws.group({ slug: unique() })).slug;
  return unique();
}

/** A link's field as the input of an update. */
const shown = (link: Link, field: Field): string | null =>
  field === "activity_group_id" ? (link.activity_group?.slug ?? null) : link[field];

const update = async (ws: TestWorkspace, { id }: Link, body: object): Promise<Link> => {
  const answer = await ws.call("PATCH", `/api/v1/links/${id}`, { body });
  expect(answer.text).toContain("updated successfully");
  return answer.body.link;
};

const get = async (ws: TestWorkspace, { id }: Link): Promise<Link> =>
  (await ws.call("GET", `/api/v1/links/${id}`)).body;

const lastChange = async (ws: TestWorkspace, { id }: Link) => {
  const [entry] = (await listAudit(ws.ctx, { subject: id }, true)).entries;
  if (entry === undefined) throw new Error("the trail is empty");
  return entry;
};

async function exported(ws: TestWorkspace): Promise<string> {
  let csv = "";
  for await (const part of exportLinks(ws.ctx)) csv += part;
  return csv;
}

async function imported(ws: TestWorkspace, csv: string): Promise<Link> {
  const file = await checkFile(ws.ctx, { name: "links.csv", bytes: new TextEncoder().encode(csv) });
  if (!("id" in file)) throw new Error("imported already");
  expect(await continueImport(ws.ctx, file.id)).toMatchObject({ done: true, made: 1, refused: 0 });
  return (await ws.call("GET", "/api/v1/links?status=all")).body.links[0];
}

describe.each(FIELDS)("the field %s of a link", (field) => {
  it("can be set, and cleared if it is nullable", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ slug: unique() });
    const value = await otherValue(ws, field);
    expect(shown(await update(ws, link, { [field]: value }), field)).toBe(value);
    expect(shown(await get(ws, link), field)).toBe(value);
    if (!isCleared(field)) return;
    expect(shown(await update(ws, link, { [field]: null }), field)).toBeNull();
    expect(shown(await get(ws, link), field)).toBeNull();
  });

  it("is in the audit trail with both values, and can be reverted", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ slug: unique() });
    const value = await otherValue(ws, field);
    await update(ws, link, { [field]: value });
    const { operation, fieldChanges } = await lastChange(ws, link);
    expect(fieldChanges.map((fieldChange) => fieldChange.field)).toContain(field);
    expect((await previewRevert(ws.ctx, operation)).fields.map((reverted) => reverted.field)).toEqual([
      field,
    ]);
    await revertLink(ws.ctx, operation);
    expect(shown(await get(ws, link), field)).toBe(shown(link, field));
  });

  it("is exported and imported again", async () => {
    const [ws, there] = [await makeWorkspace(), await makeWorkspace()];
    const link = await ws.link({ slug: unique() });
    const value = await otherValue(ws, field);
    await update(ws, link, { [field]: value });
    if (field === "activity_group_id") await there.group({ slug: value });
    const csv = await exported(ws);
    const column = field === "activity_group_id" ? "activity_group" : field;
    const [row] = Papa.parse<Record<string, string>>(csv.replace(/^\ufeff/, ""), { header: true }).data;
    expect(row?.[column]).toBe(value);
    // A workspace keeps its slugs permanently.
    const elsewhere = field === "slug" ? unique() : value;
    const other = csv.replaceAll((await get(ws, link)).slug, field === "slug" ? elsewhere : unique());
    expect(shown(await imported(there, other.replaceAll(link.slug, unique())), field)).toBe(elsewhere);
  });

  it("is in a backup", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ slug: unique() });
    const value = await otherValue(ws, field);
    const { activity_group: group, archived_at: archivedAt } = await update(ws, link, { [field]: value });
    const kept = {
      activity_group_id: group?.id,
      status: archivedAt && Date.parse(archivedAt),
      starts_at: Date.parse(value),
      ends_at: Date.parse(value),
    }[field as "status"];
    const values: unknown[] = [];
    for await (const line of backupLines(ws.ctx, ws.slug)) {
      if (line.includes(link.id)) JSON.parse(line, (_, found: unknown) => values.push(found) && found);
    }
    expect(values).toContain(kept ?? value);
  });
});

// The status has buttons of its own.
it.each(FIELDS.filter((field) => field !== "status"))("the form of a link has its %s", async (field) => {
  const { workspace, browser } = await makeMember("editor");
  const link = await workspace.link({ slug: unique() });
  const value = await otherValue(workspace, field);
  const { activity_group: group } = await update(workspace, link, { [field]: value });
  const form = (await browser.get(`/app/${workspace.slug}/links/${link.id}/edit`)).text;
  expect(form).toContain(`name="${field}"`);
  // A form has moments in UTC, without a zone.
  const typed = field === "starts_at" || field === "ends_at" ? "2026-08-31T22:00" : value;
  expect(form).toContain(`value="${group?.id ?? typed}"`);
});
