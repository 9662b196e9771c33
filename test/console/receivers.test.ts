import { afterEach, expect, it, vi } from "vitest";
import { newId } from "../../src/lib/ids";
import { deliverEvents } from "../../src/resources/events/deliver-events";
import { listReceivers } from "../../src/resources/events/receivers";
import { ALL_KINDS, makeReceiver, network, ok, status } from "../resources/events/receiver";
import { runSql, selectRows } from "../sql";
import { makeMember } from "./browser";
import { fieldsOf, wordsIn } from "./form-fields";

afterEach(() => void vi.unstubAllGlobals());

it("an owner adds a receiver, sees its secret once, tries it, reads its deliveries, sends one again and switches it off", async () => {
  const hosts = network();
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  const host = `hooks-${crypto.randomUUID().slice(0, 8)}.example`;
  const added = await browser.post(pages, { url: `https://${host}/in`, kinds: "link.created" });
  const secret = /whsec_[0-9A-Za-z+/]{32}/.exec(added.text)?.[0] ?? "";
  expect(secret).not.toBe("");
  const [receiver] = await listReceivers(workspace.ctx);
  const page = `${pages}/${receiver?.id}`;
  expect((await browser.get(pages)).text + (await browser.get(page)).text).not.toContain(secret);

  const received: { id: string; body: unknown }[] = [];
  const answers = [status(500, "<b>no</b>"), ok];
  hosts.set(host, { secret, answers, received });
  await browser.post(`${page}/test`);
  expect((await browser.get(page)).text).toContain("It is not delivered: HTTP 500.");
  await browser.post(`${page}/test`);
  expect(received.map(({ body }) => body)).toMatchObject([{ type: "test" }, { type: "test" }]);
  await workspace.link();
  await deliverEvents(workspace.ctx);
  const shown = await browser.get(page);
  expect(shown.text).toContain("&lt;b&gt;no&lt;/b&gt;");
  expect(wordsIn(shown.text)).toContain("link.created");

  await browser.post(`${page}/again/${received[2]?.id}`);
  expect(received[3]).toEqual(received[2]);
  expect((await browser.post(`${page}/again/nobody`)).status).toBe(404);
  expect(
    await selectRows`select subject from audit_log where workspace_id = ${workspace}
    and action = 'receiver.send_again'`,
  ).toHaveLength(1);
  await browser.post(page, { url: `https://${host}/in`, kinds: "link.deleted" });
  expect((await listReceivers(workspace.ctx))[0]).toMatchObject({ is_on: false, kinds: ["link.deleted"] });
  expect((await browser.post(`${page}/test`)).status).toBe(422);
  await browser.post(`${page}/remove`);
  expect(await listReceivers(workspace.ctx)).toEqual([]);
});

it.each([
  ["http://hooks.example/", "must use https"],
  ["https://10.0.0.1/", "must not point to an IP address"],
  ["https://localhost/", "must not point to a host of an internal network"],
  ["https://hooks.internal/", "must not point to a host of an internal network"],
  ["https://me:pass@hooks.example/", "must not contain a user name or password"],
  ["https://api.example/app", "must not point to this service itself"],
  ["https://bit.ly/x", "must not point to another link shortener"],
])("%s is refused, and so are a receiver without events and a sixth one", async (url, reason) => {
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  const refused = await browser.post(pages, { url, kinds: "link.created" });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(reason)]);
  const without = await browser.post(pages, { url: "https://hooks.example/" });
  expect([without.status, without.text]).toEqual([
    422,
    expect.stringContaining("Choose at least one event."),
  ]);
  for (let number = 0; number < 5; number++)
    await browser.post(pages, { url: "https://hooks.example/", kinds: "link.created" });
  const sixth = await browser.post(pages, { url: "https://hooks.example/", kinds: "link.created" });
  expect(sixth.text).toContain("limit of 5 receivers");
});

it("receivers on one host are told apart in the list, on their pages, on the overview and in the trail", async () => {
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  const names = ["hooks.example/sales", "hooks.example/orders", "hooks.example/in/…7zZ"];
  for (const path of ["sales", "orders", "in/token4of-secret7zZ?key=never-shown"])
    await browser.post(pages, { url: `https://hooks.example/${path}`, kinds: "link.created" });
  await runSql`update receivers set is_on = 0, switched_off_at = 1, switched_off_by = 'failures' where workspace_id = ${workspace}`;
  const [list, overview, trail] = await Promise.all(
    [pages, `/app/${workspace.slug}`, `/app/${workspace.slug}/audit`].map((path) => browser.get(path)),
  );
  for (const page of [list, overview, trail]) {
    for (const name of names) expect(page?.text).toContain(name);
    expect(page?.text).not.toMatch(/token4of|never-shown/);
  }
  for (const { id, name } of await listReceivers(workspace.ctx))
    expect((await browser.get(`${pages}/${id}`)).text).toContain(`<h1>${name}</h1>`);
});

it("a receiver has the name that an owner gives it, wherever it is named", async () => {
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  const url = "https://hooks.example/in/token4of-secret7zZ";
  await browser.post(pages, { name: " CRM ", url, kinds: "link.created" });
  await runSql`update receivers set is_on = 0, switched_off_at = 1, switched_off_by = 'failures' where workspace_id = ${workspace}`;
  const [receiver] = await listReceivers(workspace.ctx);
  const page = `${pages}/${receiver?.id}`;
  expect((await browser.get(page)).text).toContain("<h1>CRM</h1>");
  const named = [pages, `/app/${workspace.slug}`, `/app/${workspace.slug}/audit`];
  for (const path of named) expect(wordsIn((await browser.get(path)).text)).toMatch(/\bCRM\b/);

  await browser.post(page, { name: "Sales", url, kinds: "link.created", is_on: "true" });
  expect(wordsIn((await browser.get(`/app/${workspace.slug}/audit`)).text)).toMatch(
    /Name from CRM → to Sales/,
  );
  await browser.post(page, { name: "", url, kinds: "link.created", is_on: "true" });
  expect((await listReceivers(workspace.ctx))[0]).toMatchObject({
    name: "hooks.example/in/…7zZ",
    given_name: null,
  });
  const tooLong = await browser.post(page, { name: "x".repeat(101), url, kinds: "link.created" });
  expect(tooLong.status).toBe(422);
  await browser.post(`${page}/remove`);
});

it("the trail says what of a receiver was changed, and no name that stays or that nobody gave", async () => {
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  const sales = { url: "https://hooks.example/sales", kinds: "link.created" };
  await browser.post(pages, sales);
  const [receiver] = await listReceivers(workspace.ctx);
  const change = (fields: Record<string, string>) => browser.post(`${pages}/${receiver?.id}`, fields);
  const orders = { url: "https://hooks.example/orders", kinds: "link.deleted" };
  await change({ ...sales, kinds: "link.deleted", is_on: "true" });
  await change({ ...orders, is_on: "true" });
  await change({ ...orders, name: "CRM", is_on: "true" });
  await change({ ...orders, name: "CRM" });
  const trail = wordsIn((await browser.get(`/app/${workspace.slug}/audit`)).text);
  for (const said of [
    "hooks.example/sales : Events from link.created to link.deleted",
    "hooks.example/sales : URL from hooks.example/sales to hooks.example/orders",
    "hooks.example/orders : Name from hooks.example/orders to CRM",
    "CRM : Deliveries: off",
  ])
    expect(trail).toContain(`changed the receiver ${said} `);
  expect(trail).not.toMatch(/: Name,|, Name/);
});

it("the trail and the overview name a receiver as its owner does, whatever was done to it", async () => {
  const hosts = network();
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  const { id, host, received } = await makeReceiver(workspace.ctx, hosts);
  const page = `${pages}/${id}`;
  const fields = { name: "CRM", url: `https://${host}/in`, kinds: "link.created" };
  await browser.post(page, { ...fields, is_on: "true" });
  await browser.post(`${page}/test`);
  await browser.post(`${page}/again/${received[0]?.id}`);
  await browser.post(`${page}/secret`);
  await runSql`update receivers set is_on = 0, switched_off_at = 1, switched_off_by = 'failures' where workspace_id = ${workspace}`;
  expect((await browser.get(`/app/${workspace.slug}`)).text).toContain(
    `<a href="${page}"><bdi>CRM</bdi></a>`,
  );
  await browser.post(`${page}/remove`);
  const trail = wordsIn((await browser.get(`/app/${workspace.slug}/audit`)).text);
  for (const done of ["sent a test to", "sent a message again to", "made a new secret for", "removed"])
    expect(trail).toContain(`${done} the receiver CRM `);
});

it.each([
  [["link.created"], "Link created"],
  [["visits.counted", "link.created", "group.ended"], "Link created, Group ended, Clicks and scans"],
  [
    ["link.created", "link.updated", "group.ended", "import.finished"],
    "Link created, Link changed, Group ended and 1 more",
  ],
  [ALL_KINDS, "All events"],
])("the list says of %j that a receiver hears of: %s", async (kinds, text) => {
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  await browser.post(pages, { url: "https://hooks.example/", kinds });
  expect((await browser.get(pages)).text).toContain(`data-label="Events" class="labelled">${text}</td>`);
});

it("the list says what the last delivery of each receiver came to", async () => {
  const hosts = network();
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  const works = await makeReceiver(workspace.ctx, hosts);
  const fails = await makeReceiver(workspace.ctx, hosts);
  await makeReceiver(workspace.ctx, hosts);
  fails.answer(status(500));
  for (const { id } of [works, fails]) await browser.post(`${pages}/${id}/test`);
  const rows = [...(await browser.get(pages)).text.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => wordsIn(row));
  expect(
    rows
      .slice(1)
      .map((row) => / (On|Failing).*?(Delivered|Not delivered \(HTTP 500\)|None) /.exec(row)?.slice(1)),
  ).toEqual([
    ["On", "Delivered"],
    ["Failing", "Not delivered (HTTP 500)"],
    ["On", "None"],
  ]);
});

it("a new secret is shown once, and signs what is sent from then on", async () => {
  const hosts = network();
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  const { id, host, received } = await makeReceiver(workspace.ctx, hosts);
  const form = { form: newId(Date.now()) };
  const made = await browser.post(`${pages}/${id}/secret`, form);
  const secret = /whsec_[0-9A-Za-z+/]{32}/.exec(made.text)?.[0] ?? "";
  expect(secret).not.toBe("");
  const again = await browser.post(`${pages}/${id}/secret`, form);
  const page = await browser.get(`${pages}/${id}`);
  expect([again.status, again.location, page.text]).toEqual([
    303,
    `${pages}/${id}`,
    expect.not.stringContaining("whsec_"),
  ]);
  expect(wordsIn(page.text)).toContain("Its secret was shown the first time only.");

  await browser.post(`${pages}/${id}/test`);
  expect(received).toEqual([]);
  hosts.set(host, { secret, answers: [ok], received });
  await browser.post(`${pages}/${id}/test`);
  expect(received).toHaveLength(1);
});

it("a button switches a receiver on again as it is", async () => {
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  const kinds = ["link.created", "group.ended"];
  await browser.post(pages, { name: "CRM", url: "https://hooks.example/", kinds });
  const [receiver] = await listReceivers(workspace.ctx);
  const page = `${pages}/${receiver?.id}`;
  await browser.post(page, { name: "CRM", url: "https://hooks.example/", kinds });
  const [, button = ""] =
    /(<form[^>]*>(?:(?!<\/form>).)*Switch it on)/s.exec((await browser.get(page)).text) ?? [];
  const hidden = [...button.matchAll(/name="kinds" value="([^"]+)"/g)].map(([, kind = ""]) => kind);
  expect(hidden).toEqual(kinds);
  await browser.post(page, { ...fieldsOf({ text: button }), kinds: hidden });
  const [on] = await listReceivers(workspace.ctx);
  expect(on).toMatchObject({ given_name: "CRM", url: "https://hooks.example/", kinds, is_on: true });
});

it("a receiver that was switched off is on the overview of owners alone, with why on its page", async () => {
  const { workspace, browser } = await makeMember();
  const pages = `/app/${workspace.slug}/receivers`;
  await browser.post(pages, { url: "https://hooks.example/", kinds: "link.created" });
  await runSql`update receivers set is_on = 0, switched_off_at = 1, switched_off_by = 'failures' where workspace_id = ${workspace}`;
  const overview = await browser.get(`/app/${workspace.slug}`);
  expect(wordsIn(overview.text)).toContain("1 receiver was switched off");
  const [receiver] = await listReceivers(workspace.ctx);
  expect(wordsIn((await browser.get(`${pages}/${receiver?.id}`)).text)).toContain("for three days");
});
