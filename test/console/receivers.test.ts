import { afterEach, expect, it, vi } from "vitest";
import { deliverEvents } from "../../src/resources/events/deliver-events";
import { listReceivers } from "../../src/resources/events/receivers";
import { network, ok, status } from "../resources/events/receiver";
import { runSql, selectRows } from "../sql";
import { makeMember } from "./browser";
import { wordsIn } from "./form-fields";

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
  expect((await browser.post(pages, { url: "https://hooks.example/" })).status).toBe(422);
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
