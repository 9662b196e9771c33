import { describe, expect, it } from "vitest";
import { writeCounts } from "../../../src/analytics/write-visits";
import { startOfUtcDay } from "../../../src/lib/time";
import { takeDown } from "../../../src/operations/moderation/takedown";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { getLinkDetails } from "../../../src/resources/links/link-details";
import { makeWorkspace, otherInstance, send, serviceContext, type TestWorkspace } from "../../harness";
import { runSql, selectRows } from "../../sql";
import { type Browser, makeMember, signInAs } from "../browser";

const wordsIn = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

const asked = ({ ctx }: TestWorkspace, addresses: readonly string[], visits: number) =>
  writeCounts(ctx, {
    hours: addresses.map((link) => ({
      ...{ link, asset: null, hour: startOfUtcDay(Date.now()), last: null },
      ...{ clicks: 0, scans: 0, bots: 0, after_end: visits },
    })),
    days: [],
  });

async function makeMisprint(visits = 214) {
  const { workspace, browser } = await makeMember("editor");
  const { host } = await addDomain(workspace.ctx, `m${crypto.randomUUID().slice(0, 8)}.acme.example`, true);
  const link = await workspace.link({ slug: "Summer", domain: host, title: "Summer sale" });
  await asked(workspace, [`${host}/sumer`], visits);
  const page = `/app/${workspace.slug}/links/unknown`;
  return { workspace, browser, host, link, page };
}

const leadsTo = async (url: string) =>
  (await send(new Request(url, { redirect: "manual" }), otherInstance())).headers.get("location");

/** The fields of the button that leads an address to the nearest link. */
const buttonIn = (text: string): Record<string, string> => {
  const form = text.split("<form").find((part) => part.includes("Lead it to /")) ?? "";
  return Object.fromEntries(
    [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
};

const send1 = async (browser: Browser, page: string) => {
  const fields = buttonIn((await browser.get(page)).text);
  return { fields, answer: await browser.post(page, fields) };
};

describe("the page of unknown addresses", () => {
  it("lists what people asked for, and makes it an old slug of the nearest link with one button, which can be undone", async () => {
    const { workspace, browser, host, link, page } = await makeMisprint();
    const overview = await browser.get(`/app/${workspace.slug}`);
    expect(wordsIn(overview.text)).toContain("1 unknown address was asked for more than 100 times a day");
    expect(overview.text).toContain(`<a href="${page}"`);
    expect((await browser.get(`/app/${workspace.slug}/links`)).text).toContain(`<a href="${page}">`);

    const { fields, answer } = await send1(browser, page);
    expect(fields).toMatchObject({ address: `${host}/sumer`, link: "summer" });
    expect([answer.status, answer.location]).toEqual([303, page]);
    const { text } = await browser.get(page);
    expect(text).toContain(`${host}/sumer leads to https://${host}/Summer now.`);
    expect(text).toContain("Nobody asked for an unknown address.");
    expect(await leadsTo(`https://${host}/SUMER`)).toBe(link.destination_url);
    expect((await getLinkDetails(workspace.ctx, link.id)).old_slugs).toEqual(["sumer"]);

    const [entry] = await selectRows<{ operation_id: string; action: string; change: string }>`
      select operation_id, action, change from audit_log where subject = ${link.id} order by id desc limit 1`;
    expect([entry?.action, entry?.change]).toEqual(["link.add_slug", `{"added_slug":"${host}/sumer"}`]);
    const undo = `/app/${workspace.slug}/audit/${entry?.operation_id}/undo`;
    expect(text).toContain(`action="${undo}"`);
    const ofLink = (await browser.get(`/app/${workspace.slug}/links/${link.id}`)).text;
    expect(wordsIn(ofLink)).toContain(`led the address ${host}/sumer to the link`);
    expect(ofLink).toContain(`action="${undo}"`);
    expect((await browser.get(`/app/${workspace.slug}/audit`)).text).toContain(`action="${undo}"`);
    expect((await browser.post(undo, {})).location).toBe(`/app/${workspace.slug}/links/${link.id}`);
    expect((await getLinkDetails(workspace.ctx, link.id)).old_slugs).toEqual([]);
    expect(await leadsTo(`https://${host}/sumer`)).toBeNull();
    expect((await browser.post(undo, {})).status).toBe(422);
  });

  it("makes it once, however often the form is sent", async () => {
    const { workspace, browser, link, page } = await makeMisprint();
    const { fields } = await send1(browser, page);
    expect((await browser.post(page, fields)).status).toBe(303);
    const entries =
      await selectRows`select 1 from audit_log where subject = ${link.id} and action = 'link.add_slug'`;
    expect(entries).toHaveLength(1);
    expect(await selectRows`select slug_claims from workspaces where slug = ${workspace.slug}`).toEqual([
      { slug_claims: 2 },
    ]);
  });

  it("leads an address to any link of the workspace, by its slug or address", async () => {
    const { workspace, browser, host, page } = await makeMisprint();
    const short = await workspace.link({ slug: `s${crypto.randomUUID().slice(0, 8)}` });
    const names = [short.slug, `/${short.slug}`, short.short_url, `${host}/summer`, "summer"];
    for (const [index, link] of names.entries()) {
      const answer = await browser.post(page, { address: `${host}/x${index}`, link });
      expect([answer.status, wordsIn(answer.text)], link).toEqual([303, ""]);
    }
    expect((await getLinkDetails(workspace.ctx, short.id)).old_slugs).toEqual(
      [0, 1, 2].map((x) => `${host}/x${x}`),
    );
  });

  it("takes the slug of a deleted link back, and refuses with a sentence what cannot be", async () => {
    const { workspace, browser, host, link, page } = await makeMisprint();
    const old = await workspace.link({ slug: "old", domain: host });
    await workspace.link({ slug: "taken", domain: host });
    await deleteLink(workspace.ctx, old.id);
    expect((await browser.post(page, { address: `${host}/old`, link: "summer" })).status).toBe(303);
    const foreign = await addDomain(
      (await makeWorkspace()).ctx,
      `f${crypto.randomUUID().slice(0, 8)}.example`,
      true,
    );
    const refusedWith = async (address: string, link: string) => {
      const answer = await browser.post(page, { address, link });
      expect(answer.status, address).toBe(422);
      return wordsIn(answer.text);
    };
    const noAddress = "The address must be a slug on a domain of the workspace.";
    for (const address of [`${foreign.host}/x`, "x", `${host}/api`, `${host}/a b`, `s.example/x`, ""])
      expect(await refusedWith(address, "summer"), address).toContain(noAddress);
    expect(await refusedWith(`${host}/taken`, "summer")).toContain("The slug is taken.");
    expect(await refusedWith(`${host}/x`, "none")).toContain("No link of this workspace has this address.");
    await takeDown(serviceContext(), link.id);
    expect(await refusedWith(`${host}/x`, "summer")).toContain("The slug was taken down by the operator");
  });

  it("refuses the hundred-and-first slug of a link", async () => {
    const { browser, host, link, page } = await makeMisprint();
    const numbers = JSON.stringify(Array.from({ length: 99 }, (_, index) => index));
    await runSql`insert into slugs (key, workspace_id, link_id, created_at)
      select ${`${host}/full-`} || value, workspace_id, links.id, 0 from json_each(${numbers}), links where public_id = ${link.id}`;
    const answer = await browser.post(page, { address: `${host}/sumer`, link: "summer" });
    expect([answer.status, wordsIn(answer.text).includes("100 slugs")]).toEqual([422, true]);
  });

  it("is calm below a hundred a day, and shows viewers no button", async () => {
    const { workspace, browser, host, page } = await makeMisprint(100);
    expect((await browser.get(`/app/${workspace.slug}`)).text).not.toContain("unknown address");
    await asked(workspace, [`${host}/sumer`], 1);
    expect((await browser.get(`/app/${workspace.slug}`)).text).toContain("unknown address was asked for");
    const viewer = await signInAs(workspace, "viewer");
    const { text } = await viewer.get(page);
    expect(text).toContain(`${host}/sumer`);
    expect(text).not.toContain("Lead it");
  });
});
