import { expect, it, vi } from "vitest";
import type { Env } from "../../src/context";
import { takeDown } from "../../src/operations/moderation/takedown";
import { listAudit } from "../../src/resources/audit/audit-service";
import { blockHost, unblockHost } from "../../src/resources/destinations/blocklist";
import { checkFile } from "../../src/resources/imports/check-file";
import { continueImport } from "../../src/resources/imports/continue-import";
import { getImport } from "../../src/resources/imports/import-service";
import { exportLinks } from "../../src/resources/links/export-links";
import { getLinkDetails } from "../../src/resources/links/link-details";
import { revertLink } from "../../src/resources/links/revert/revert-link";
import { updateLink } from "../../src/resources/links/update-link";
import { signInAs } from "../console/browser";
import { fieldsOf, wordsIn } from "../console/form-fields";
import { makeWorkspace, otherInstance, serviceContext, type TestWorkspace, testEnv, visit } from "../harness";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const HOUR = 3_600_000;
const CHAT = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)";
const PREVIEW = {
  preview_title: 'Summer "sale" & more',
  preview_text: "Half of everything <until Sunday>.",
  preview_image_url: "https://images.example.com/sale.png?a=1&b=2",
};
const switchedOn = (): Env => ({ ...otherInstance(), OWN_PREVIEWS: "on" });

const asChat = async (path: string, env = switchedOn(), method = "GET") => {
  const response = await visit(path, { method, headers: { "user-agent": CHAT } }, env);
  const { status, headers } = response;
  return { status, to: headers.get("location"), headers, text: await response.text() };
};

const withPreview = async (ws: TestWorkspace, fields: object = {}) => {
  const link = await ws.link(fields);
  await updateLink(ws.ctx, link.id, PREVIEW);
  return link;
};

it("a chat gets the link's own title, text and picture, everybody else the redirect, from D1, KV and memory", async () => {
  const { slug } = await withPreview(ws);
  const instance = switchedOn();
  for (const env of [instance, instance, switchedOn()]) {
    const { status, headers, text } = await asChat(`/${slug}`, env);
    expect(status).toBe(200);
    expect(text).toContain('<meta property="og:title" content="Summer &#34;sale&#34; &#38; more">');
    expect(text).toContain(
      '<meta property="og:description" content="Half of everything &#60;until Sunday&#62;.">',
    );
    expect(text).toContain(
      '<meta property="og:image" content="https://images.example.com/sale.png?a=1&#38;b=2">',
    );
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).not.toContain("www.example.com");
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(headers.get("cache-control")).toBe("private, no-store");
    const person = await visit(`/${slug}`, { headers: { "user-agent": "LinkedInApp/9.1" } }, env);
    expect([person.status, person.headers.get("location")]).toEqual([302, "https://www.example.com/"]);
  }
  expect(await asChat(`/${slug}`, instance, "HEAD")).toMatchObject({ status: 200, text: "" });
  expect(await asChat(`/${slug}`, otherInstance())).toMatchObject({ status: 302 });
  for (const OWN_PREVIEWS of ["", "off", "yes"])
    expect(await asChat(`/${slug}`, { ...otherInstance(), OWN_PREVIEWS })).toMatchObject({ status: 302 });
  const plain = await ws.link();
  expect(await asChat(`/${plain.slug}`)).toMatchObject({ status: 302, to: "https://www.example.com/" });
});

it("comes after the takedown, the start and the end", async () => {
  const early = await withPreview(ws, { starts_at: new Date(Date.now() + HOUR).toISOString() });
  const over = await withPreview(ws, { ends_at: "2020-01-01T00:00Z" });
  const taken = await withPreview(ws);
  await takeDown(serviceContext(), taken.id);
  for (const [{ slug }, status] of [
    [early, 404],
    [over, 410],
    [taken, 404],
  ] as const) {
    const answer = await asChat(`/${slug}`);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain("Half of everything");
  }
});

it("has no picture on a host that is not allowed, at once after a change", async () => {
  const { id, slug } = await withPreview(ws);
  const host = `${slug}.pictures.example`;
  await updateLink(ws.ctx, id, { preview_image_url: `https://${host}/a.png` });
  await blockHost(serviceContext(), host);
  const shown = await asChat(`/${slug}`);
  expect(shown.text).toContain("og:title");
  // KV has the value that was written before the host was blocked, until its lease ends.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 6 * 60_000 });
  expect((await asChat(`/${slug}`)).text).not.toContain("og:image");
  vi.useRealTimers();
  await expect(updateLink(ws.ctx, id, { preview_image_url: `https://${host}/b.png` })).rejects.toMatchObject({
    body: { errors: { preview_image_url: [expect.any(String)] } },
  });
  await unblockHost(serviceContext(), host);
});

it("is in no answer of the interface, which refuses it, and leaves the ETag as it is", async () => {
  const link = await ws.link();
  const read = () => ws.call("GET", `/api/v1/links/${link.id}`);
  const before = await read();
  await updateLink(ws.ctx, link.id, PREVIEW);
  const after = await read();
  expect(after.body).toEqual(before.body);
  expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
  const strict = await ws.call("PATCH", `/api/v1/links/${link.id}`, {
    body: { preview_title: "Other" },
    headers: { Prefer: "handling=strict" },
  });
  expect([strict.status, Object.keys(strict.body.errors)]).toEqual([422, ["preview_title"]]);
  await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { title: "T", preview_title: "Other" } });
  expect((await getLinkDetails(ws.ctx, link.id)).preview).toEqual(PREVIEW);
});

it("is audited, reverted, exported and imported", async () => {
  const ws = await makeWorkspace();
  const link = await withPreview(ws);
  const [entry] = (await listAudit(ws.ctx, { subject: link.id }, true)).entries;
  expect(entry?.fieldChanges.map(({ field }) => field)).toEqual(Object.keys(PREVIEW));
  await revertLink(ws.ctx, entry?.operation ?? "");
  const nothing = { preview_title: null, preview_text: null, preview_image_url: null };
  expect((await getLinkDetails(ws.ctx, link.id)).preview).toEqual(nothing);
  await updateLink(ws.ctx, link.id, PREVIEW);
  let csv = "";
  for await (const part of exportLinks(ws.ctx)) csv += part;
  const other = await makeWorkspace();
  const bytes = new TextEncoder().encode(csv.replaceAll(link.slug, `${link.slug}-2`));
  const file = await checkFile(other.ctx, { name: "links.csv", bytes });
  if (!("id" in file)) throw new Error("imported already");
  await continueImport(other.ctx, file.id);
  expect(await getImport(other.ctx, file.id, { show: "all", page: 1 })).toMatchObject({
    made: 1,
    refused: 0,
  });
  const [made] = (await other.call("GET", "/api/v1/links")).body.links;
  expect((await getLinkDetails(other.ctx, made.id)).preview).toEqual(PREVIEW);
});

it("is edited in the form of a link, where the operator allows it; where not, the form keeps it", async () => {
  const on = await signInAs(ws, "editor", { ...testEnv, OWN_PREVIEWS: "on" });
  const off = await signInAs(ws, "editor");
  const created = await on.post(`/app/${ws.slug}/links/new`, {
    ...fieldsOf(await on.get(`/app/${ws.slug}/links/new`)),
    destination_url: "https://www.example.com/",
    ...PREVIEW,
    preview_image_url: "images.example.com/sale.png",
  });
  expect(created.status, wordsIn(created.text)).toBe(303);
  const page = created.location ?? "";
  expect(wordsIn((await on.get(page)).text)).toContain("Half of everything <until Sunday>.");
  expect(wordsIn((await off.get(page)).text)).not.toContain("Half of everything");

  const form = await off.get(`${page}/edit`);
  expect(Object.keys(fieldsOf(form))).not.toContain("preview_title");
  expect(await off.post(`${page}/edit`, { ...fieldsOf(form), title: "T" })).toMatchObject({ status: 303 });
  const id = page.split("/").at(-1) ?? "";
  const { preview, link } = await getLinkDetails(ws.ctx, id);
  expect(link.title).toBe("T");
  expect(preview).toEqual({ ...PREVIEW, preview_image_url: "https://images.example.com/sale.png" });

  const cleared = { ...fieldsOf(await on.get(`${page}/edit`)), preview_text: "" };
  expect(await on.post(`${page}/edit`, cleared)).toMatchObject({ status: 303 });
  expect((await getLinkDetails(ws.ctx, id)).preview.preview_text).toBeNull();
  const refused = await on.post(`${page}/edit`, {
    ...cleared,
    preview_title: "x".repeat(121),
    preview_image_url: "https://localhost/a",
  });
  expect(refused.status).toBe(422);
  expect(wordsIn(refused.text)).toContain("The title in chats must not have more than 120 characters.");
  expect(wordsIn(refused.text)).toContain("The picture in chats");
});
