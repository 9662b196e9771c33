import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { TEXT_FIELD_NAMES } from "../../../src/lib/link-fields";
import { type Rule, toRules } from "../../../src/lib/visitor-rules";
import { backupLines } from "../../../src/operations/backup/back-up";
import { listAudit } from "../../../src/resources/audit/audit-service";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { checkFile } from "../../../src/resources/imports/check-file";
import { continueImport } from "../../../src/resources/imports/continue-import";
import { getImport } from "../../../src/resources/imports/import-service";
import { exportLinks } from "../../../src/resources/links/export-links";
import type { formInputs } from "../../../src/resources/links/input-schema";
import { type Link, type UpdateLink, updateLinkSchema } from "../../../src/resources/links/link-schema";
import { previewRevert, revertLink } from "../../../src/resources/links/revert/revert-link";
import { makeMember } from "../../console/browser";
import { makeWorkspace, type TestWorkspace } from "../../harness";

// Every field of an update can be set, cleared, audited, reverted, exported, imported, backed up and edited in the form.

// Tags are rows of their own, with tests in tags-on-update.test.ts.
// What chats show and the note are not in the interface: redirect/own-previews.test.ts, notes.test.ts.
type Field = Exclude<keyof UpdateLink, "tag_ids" | "tag_names" | keyof typeof formInputs>;
const FIELDS = Object.keys(updateLinkSchema.shape).filter((name) => !name.startsWith("tag_")) as Field[];
const isCleared = (field: Field): boolean => updateLinkSchema.shape[field].safeParse(null).success;

const unique = (): string => `f-${crypto.randomUUID().slice(0, 13)}`;

/** A value of a field that differs from a new link's. */
async function otherValue(ws: TestWorkspace, field: Field): Promise<string | Rule[] | null> {
  if (field === "destination_url" || field === "ended_url") return `https://www.example.com/${unique()}`;
  if (field === "starts_at") return "2026-06-01T08:00:00.000Z";
  if (field === "ends_at") return "2026-08-31T22:00:00.000Z";
  if (field === "status") return "archived";
  if (field === "domain") return (await addDomain(ws.ctx, `${unique()}.acme.example`, true)).host;
  if (field === "activity_group_id") return (await ws.group({ slug: unique() })).slug;
  if (field === "rules")
    return toRules([{ destination_url: `https://www.example.com/${unique()}`, devices: ["ios"] }]);
  return unique();
}

/** A link's field as the input of an update. */
const shown = (link: Link, field: Field): Link[Exclude<Field, "activity_group_id">] =>
  field === "activity_group_id" ? (link.activity_group?.slug ?? null) : link[field];

/** The fields of a link by name, so that a comparison names those that differ. */
const fieldsOf = (link: Link) => Object.fromEntries(FIELDS.map((field) => [field, shown(link, field)]));

const update = async (ws: TestWorkspace, { id }: Link, body: object): Promise<Link> => {
  const answer = await ws.call("PATCH", `/api/v1/links/${id}`, { body });
  expect(answer.text).toContain("updated successfully");
  return answer.body.link;
};

/** A link, and the same with another value in every field. */
async function changed(ws: TestWorkspace) {
  const link = await ws.link({ slug: unique() });
  const values: Record<string, Awaited<ReturnType<typeof otherValue>>> = {};
  for (const field of FIELDS) values[field] = await otherValue(ws, field);
  return { link, values, updated: await update(ws, link, values) };
}

const get = async (ws: TestWorkspace, { id }: Link): Promise<Link> =>
  (await ws.call("GET", `/api/v1/links/${id}`)).body;

async function exported(ws: TestWorkspace): Promise<string> {
  let csv = "";
  for await (const part of exportLinks(ws.ctx)) csv += part;
  return csv;
}

async function imported(ws: TestWorkspace, csv: string): Promise<Link> {
  const file = await checkFile(ws.ctx, { name: "links.csv", bytes: new TextEncoder().encode(csv) });
  if (!("id" in file)) throw new Error("imported already");
  await continueImport(ws.ctx, file.id);
  expect(await getImport(ws.ctx, file.id, { show: "all", page: 1 })).toMatchObject({ made: 1, refused: 0 });
  return (await ws.call("GET", "/api/v1/links?status=all")).body.links[0];
}

describe("every field of a link", () => {
  it("can be set, and cleared if it is nullable", async () => {
    const ws = await makeWorkspace();
    const { link, values, updated } = await changed(ws);
    expect(fieldsOf(updated)).toEqual(values);
    expect(fieldsOf(await get(ws, link))).toEqual(values);
    const nothing = Object.fromEntries(FIELDS.filter(isCleared).map((field) => [field, null]));
    await update(ws, link, nothing);
    expect(fieldsOf(await get(ws, link))).toEqual({ ...values, ...nothing, rules: [] });
  });

  it("is in the audit trail, and can be reverted", async () => {
    const ws = await makeWorkspace();
    const { link } = await changed(ws);
    const [entry] = (await listAudit(ws.ctx, { subject: link.id }, true)).entries;
    const { operation = "", fieldChanges = [] } = entry ?? {};
    expect(fieldChanges.map(({ field }) => field)).toEqual(expect.arrayContaining(FIELDS));
    const { fields } = await previewRevert(ws.ctx, operation);
    expect(fields.map(({ field }) => field).toSorted()).toEqual(FIELDS.toSorted());
    await revertLink(ws.ctx, operation);
    expect(fieldsOf(await get(ws, link))).toEqual(fieldsOf(link));
  });

  it("is exported and imported again", async () => {
    const [ws, there] = [await makeWorkspace(), await makeWorkspace()];
    const { link, values, updated } = await changed(ws);
    await there.group({ slug: String(values["activity_group_id"]) });
    const { host: domain } = await addDomain(there.ctx, `${unique()}.acme.example`, true);
    const csv = await exported(ws);
    const [row] = Papa.parse<Record<string, string>>(csv.replace(/^\ufeff/, ""), { header: true }).data;
    const { activity_group_id: group, rules, ...others } = values;
    expect(row).toMatchObject({ ...others, activity_group: group, rules: JSON.stringify(rules) });
    // A workspace keeps its slugs permanently.
    const slug = unique();
    const elsewhere = csv
      .replaceAll(updated.slug, slug)
      .replaceAll(link.slug, unique())
      .replaceAll(updated.domain, domain);
    expect(fieldsOf(await imported(there, elsewhere))).toEqual({ ...values, slug, domain });
  });

  it("is in a backup", async () => {
    const ws = await makeWorkspace();
    const { link, values, updated } = await changed(ws);
    const found: unknown[] = [];
    for await (const line of backupLines(ws.ctx, ws.slug)) {
      if (line.includes(link.id)) JSON.parse(line, (_, value: unknown) => found.push(value) && value);
    }
    const stored = {
      ...values,
      rules: JSON.stringify(values["rules"]),
      domain: `${values["domain"]}/${updated.slug}`,
      activity_group_id: updated.activity_group?.id,
      status: Date.parse(updated.archived_at ?? ""),
      starts_at: Date.parse(String(values["starts_at"])),
      ends_at: Date.parse(String(values["ends_at"])),
    };
    expect(Object.entries(stored).filter(([, value]) => !found.includes(value))).toEqual([]);
  });

  it("is in the form, but for the status and the rules, which have forms of their own", async () => {
    const { workspace, browser } = await makeMember("editor");
    const { link, values, updated } = await changed(workspace);
    const form = (await browser.get(`/app/${workspace.slug}/links/${link.id}/edit`)).text;
    const typed = {
      ...values,
      ...{ starts_at: "2026-06-01", starts_at_time: "08:00", ends_at: "2026-08-31", ends_at_time: "22:00" },
      activity_group_id: updated.activity_group?.id,
    };
    const missing = Object.entries(typed).filter(([name, value]) => {
      return (
        !["status", "rules"].includes(name) &&
        !(form.includes(`name="${name}"`) && form.includes(`value="${value}"`))
      );
    });
    expect(missing, "has no input in src/console/links/optional-fields.tsx").toEqual([]);
    const page = (await browser.get(`/app/${workspace.slug}/links/${link.id}`)).text;
    expect(
      TEXT_FIELD_NAMES.filter((name) => !page.includes(String(values[name]))),
      "is not on the page of a link, in src/console/links/properties.tsx",
    ).toEqual([]);
  });
});
