import { describe, expect, it } from "vitest";
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "../../../src/access/keys";
import { endOfDateIn, toLocalMoment } from "../../../src/lib/local-time";
import { isoTime } from "../../../src/lib/time";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { API, makeWorkspace, send, type TestWorkspace } from "../../harness";
import { logged } from "../../log";
import { runSql, selectRows } from "../../sql";
import { makeMember, type Page } from "../browser";
import { linkTo } from "../form-fields";

const HOUR = 3_600_000;

const keyIn = ({ text }: Page): string => /<pre[^>]*>(lnk_[0-9A-Za-z]{38})<\/pre>/.exec(text)?.[1] ?? "";

const statusWith = async (key: string, method = "GET"): Promise<number> =>
  (await send(new Request(`${API}/api/v1/tags`, { method, headers: { authorization: `Bearer ${key}` } })))
    .status;

const newest = async (ws: TestWorkspace) => (await listApiKeys(ws.ctx)).at(-1);

it("the page of keys lists the facts of every key, and never the key", async () => {
  const { workspace, browser } = await makeMember();
  const day = Date.UTC(2035, 4, 1);
  const fields = { name: "Build", access: "read", expires_at: day } as const;
  const { key, last4 } = await createApiKey(workspace.ctx, fields);
  await createApiKey(workspace.ctx, { name: "Old", expires_at: 1 });
  const gone = await createApiKey(workspace.ctx, { name: "Leaked" });
  await revokeApiKey(workspace.ctx, gone.id);
  const { text } = await browser.get(`/app/${workspace.slug}/keys`);
  for (const shown of [
    "Build",
    `…${last4}`,
    "Read",
    "1 May 2035",
    '<span class="badge badge-active">',
    '<span class="badge badge-expired">',
    '<span class="badge badge-revoked">',
  ]) {
    expect(text).toContain(shown);
  }
  for (const secret of [key, gone.key, workspace.key]) expect(text).not.toContain(secret);
  expect(text).not.toContain(`/keys/${gone.id}/`);
});

describe("creating a key", () => {
  it("shows it once, in an uncached response, and it works", async () => {
    const { workspace, browser } = await makeMember();
    const cookies = [...browser.cookies.keys()];
    const fields = { name: "Website <build>", access: "full" };
    const page = await browser.post(`/app/${workspace.slug}/keys`, { ...fields, expires_at: "" });
    expect([page.status, page.location]).toEqual([200, null]);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect([...browser.cookies.keys()]).toEqual(cookies);
    const key = keyIn(page);
    expect(page.text).toContain(`data-copy="${key}"`);
    expect(page.text).toContain("curl -s");
    expect(page.text).toContain(`${API}/api/v1/links`);
    expect(page.text).toContain("Website &lt;build&gt;");
    expect(await statusWith(key)).toBe(200);
    expect(await newest(workspace)).toMatchObject({ ...fields, expires_at: null });
    expect((await browser.get(`/app/${workspace.slug}/keys`)).text).not.toContain(key);
    expect(logged.some((line) => line.includes(key))).toBe(false);
  });

  it("is refused at the field, with what was typed", async () => {
    const { workspace, browser } = await makeMember();
    const before = await listApiKeys(workspace.ctx);
    const ask = (fields: Record<string, string>) =>
      browser.post(`/app/${workspace.slug}/keys`, { name: "Build", access: "full", ...fields });
    for (const [fields, field, sentence] of [
      [{ name: "" }, "name", "Enter the name."],
      [{ expires_at: "2020-01-01" }, "expires_at", "The expiry date must be today or later."],
    ] as const) {
      const page = await ask(fields);
      expect([field, page.status]).toEqual([field, 422]);
      expect(page.text).toContain(`<p class="refused" id="${field}-refusal">${sentence}</p>`);
    }
    expect((await ask({ expires_at: "2020-01-01" })).text).toContain('value="2020-01-01"');
    expect(await listApiKeys(workspace.ctx)).toEqual(before);
  });
});

describe("rotating a key", () => {
  it.each([
    ["0", 0, 401],
    ["168", 168 * HOUR, 200],
  ])("with an overlap of %s hours", async (overlap, length, status) => {
    const { workspace, browser } = await makeMember();
    const old = await createApiKey(workspace.ctx, { name: "Build", access: "read" });
    const path = `/app/${workspace.slug}/keys/${old.id}/rotate`;
    const form = await browser.get(path);
    expect(form.text).toContain(`…${old.last4}`);
    expect(form.text).not.toContain(old.key);
    const start = Date.now();
    const page = await browser.post(path, { overlap_hours: overlap, expires_at: "" });
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const key = keyIn(page);
    expect([await statusWith(key), await statusWith(old.key)]).toEqual([200, status]);
    expect(await newest(workspace)).toMatchObject({ name: "Build", access: "read", expires_at: null });
    const ended = (await listApiKeys(workspace.ctx)).find(({ id }) => id === old.id);
    const end = Date.parse(ended?.expires_at ?? "") - length;
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(Date.now());
  });

  it("does not extend the expiry of the old key", async () => {
    const { workspace, browser } = await makeMember();
    const expires = Date.now() + HOUR;
    const old = await createApiKey(workspace.ctx, { name: "Build", expires_at: expires });
    const fields = { overlap_hours: "24", expires_at: "2035-05-01" };
    await browser.post(`/app/${workspace.slug}/keys/${old.id}/rotate`, fields);
    const keys = await listApiKeys(workspace.ctx);
    expect(keys.find(({ id }) => id === old.id)?.expires_at).toBe(new Date(expires).toISOString());
    expect(keys.at(-1)?.expires_at).toBe("2035-05-01T23:59:59.999Z");
  });

  it("is in the audit log for both keys", async () => {
    const { workspace } = await makeMember();
    const old = await createApiKey(workspace.ctx, { name: "Build" });
    const issue = await rotateApiKey(workspace.ctx, old.id, { overlap_hours: 1 });
    const { key, replaces, replaced_ends_at: endsAt, ...issued } = issue;
    expect(replaces).toBe(old.id);
    const results = await selectRows<Record<string, string>>`select action, subject, change
      from audit_log where subject in (${old.id}, ${issued.id}) order by id`;
    expect(results.map((row) => ({ ...row, change: JSON.parse(row["change"] ?? "") }))).toMatchObject([
      { action: "key.create", subject: old.id },
      { action: "key.rotate", subject: old.id, change: { into: issued.id, expires_at: endsAt, was: null } },
      { action: "key.create", subject: issued.id, change: issued },
    ]);
    expect(JSON.stringify(results)).not.toContain(key);
  });

  it.each(["expired", "revoked"] as const)("is refused for a key that is %s", async (state) => {
    const { workspace, browser } = await makeMember();
    const old = await createApiKey(workspace.ctx, {
      name: "Build",
      ...(state === "expired" && { expires_at: Date.now() }),
    });
    if (state === "revoked") await revokeApiKey(workspace.ctx, old.id);
    const before = await listApiKeys(workspace.ctx);
    const path = `/app/${workspace.slug}/keys/${old.id}/rotate`;
    expect((await browser.get(path)).text).toContain(`is ${state} and cannot be rotated.`);
    const page = await browser.post(path, { overlap_hours: "24" });
    expect(page.status).toBe(422);
    expect(page.text).toContain(`A key that is ${state} cannot be rotated: create a new one.`);
    expect(await listApiKeys(workspace.ctx)).toEqual(before);
  });

  it("twice at once happens once", async () => {
    const workspace = await makeWorkspace();
    const rotate = () => rotateApiKey(workspace.ctx, workspace.keyId, { overlap_hours: 0 });
    const outcomes = await Promise.allSettled([rotate(), rotate(), rotate()]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await listApiKeys(workspace.ctx)).toHaveLength(2);
  });
});

it("revoking a key takes effect on the next request of the key", async () => {
  const { workspace, browser } = await makeMember();
  const page = await browser.get(`/app/${workspace.slug}/keys`);
  expect(page.text).toContain("is refused from its next request on, for ever.");
  const done = await browser.post(`/app/${workspace.slug}/keys/${workspace.keyId}/revoke`);
  expect([done.status, done.location]).toEqual([303, `/app/${workspace.slug}/keys`]);
  expect((await browser.get(`/app/${workspace.slug}/keys`)).text).toContain(
    "is revoked: its next request is refused.",
  );
  expect(await statusWith(workspace.key)).toBe(401);
});

describe("a form for a key that is sent again", () => {
  const formIn = ({ text }: Page): string => /name="form" value="([0-9A-Z]{26})"/.exec(text)?.[1] ?? "";

  it("makes one key, and shows it once", async () => {
    const { workspace, browser } = await makeMember();
    const path = `/app/${workspace.slug}/keys`;
    const fields = { name: "Build", access: "full", form: formIn(await browser.get(path)) };
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(path, fields)));
    const again = await browser.post(path, fields);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 303, 303]);
    expect(answers.filter((page) => keyIn(page) !== "")).toHaveLength(1);
    expect([again.status, again.location]).toEqual([303, `${path}?q=Build`]);
    const listed = await browser.get(again.location ?? "");
    expect(listed.text).toContain("was created when this form was sent first, and was shown then.");
    expect(listed.text).toMatch(/keys\/[0-9A-Z]{26}\/rotate" aria-label="Rotate Build …/);
    expect((await listApiKeys(workspace.ctx)).map(({ name }) => name)).toEqual(["test", "Build"]);
  });

  it("makes one other key if it has another name, or the id of another workspace's key", async () => {
    const [{ workspace, browser }, other] = [await makeMember(), await makeWorkspace()];
    const path = `/app/${workspace.slug}/keys`;
    const fields = { name: "Build", access: "full", form: formIn(await browser.get(path)) };
    await browser.post(path, fields);
    for (const changed of [{ name: "Deploy" }, { access: "read" }, { form: other.keyId }]) {
      const send = () => browser.post(path, { ...fields, ...changed });
      expect(keyIn(await send())).not.toBe("");
      const again = await send();
      expect([keyIn(again), again.location?.startsWith(`${path}?q=`)]).toEqual(["", true]);
    }
    expect(keyIn(await browser.post(path, { ...fields, form: "x" }))).not.toBe("");
    expect(await listApiKeys(workspace.ctx)).toHaveLength(6);
    expect(await listApiKeys(other.ctx)).toHaveLength(1);
  });

  it("rotates once, also if the old key ends at once", async () => {
    const { workspace, browser } = await makeMember();
    const path = `/app/${workspace.slug}/keys/${workspace.keyId}/rotate`;
    const fields = { overlap_hours: "0", form: formIn(await browser.get(path)) };
    const answers = await Promise.all([1, 2].map(() => browser.post(path, fields)));
    const again = await browser.post(path, fields);
    expect([...answers, again].filter((page) => keyIn(page) !== "")).toHaveLength(1);
    expect([again.status, again.location]).toEqual([303, `/app/${workspace.slug}/keys?q=test`]);
    expect(await listApiKeys(workspace.ctx)).toHaveLength(2);
  });
});

describe("the list of keys", () => {
  const DAY = 24 * HOUR;
  const namesIn = ({ text }: Pick<Page, "text">) =>
    [...text.matchAll(/<th scope="row">([^<]*)<\/th>/g)].map(([, name]) => name);

  /** Inserts keys that are "Key 1" and so on: every tenth works, the others are revoked. */
  const insertKeys = (workspace: TestWorkspace, count: number) =>
    runSql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers
      where n < ${count})
      insert into api_keys (public_id, workspace_id, hash, last4, name, access, revoked_at, created_at)
      select printf('01KY%010d%012d', ${workspace}, n), ${workspace}, ${workspace} || '-' || n, 'last', 'Key ' || n,
        'read', iif(n % 10, 1, null), n from numbers`;
  it("of 1,000 keys has pages, each of which stays small", async () => {
    const { workspace, browser } = await makeMember();
    await insertKeys(workspace, 1_000);
    const path = `/app/${workspace.slug}/keys`;
    const first = await browser.get(path);
    expect(first.text.length).toBeLessThan(100_000);
    expect(namesIn(first)).toEqual(Array.from({ length: 50 }, (_, index) => `Key ${10 * (index + 1)}`));
    expect(first.text).toContain("1,001 keys, page 1 of 21");
    expect(linkTo(first)).toBe(`${path}?page=2`);
    const last = await browser.get(`${path}?page=9999`);
    expect(last.text).toContain("1,001 keys, page 21 of 21");
    expect(namesIn(last)).toEqual(["Key 999"]);
  });

  it("warns of a key that expires within 7 days", async () => {
    const { workspace, browser } = await makeMember();
    const page = async () => (await browser.get(`/app/${workspace.slug}/keys`)).text;
    await createApiKey(workspace.ctx, { name: "Later", expires_at: Date.now() + 7 * DAY + HOUR });
    expect(await page()).not.toContain("badge-expires_soon");
    await createApiKey(workspace.ctx, { name: "Soon", expires_at: Date.now() + 7 * DAY - HOUR });
    expect(await page()).toMatch(/badge-expires_soon"><time[^>]*>in 6 days<\/time>/);
  });

  it("reads the day of an expiry in the time zone of the workspace", async () => {
    const { workspace, browser } = await makeMember();
    for (const [zone, at] of [
      ["Asia/Kolkata", "2035-05-01T18:29:59.999Z"],
      ["America/New_York", "2035-05-02T03:59:59.999Z"],
    ] as const) {
      await updateWorkspace(workspace.ctx, { time_zone: zone });
      const fields = { name: zone, access: "read", expires_at: "2035-05-01" };
      await browser.post(`/app/${workspace.slug}/keys`, fields);
      expect((await newest(workspace))?.expires_at).toBe(at);
    }
    const { text } = await browser.get(`/app/${workspace.slug}/keys`);
    expect(text).toContain("1 May 2035, 23:59 New York time");
    expect(text).toContain("It works until this day ends, New York time.");
    const today = toLocalMoment(isoTime(Date.now()), "America/New_York").slice(0, 10);
    await browser.post(`/app/${workspace.slug}/keys`, { name: "Today", access: "read", expires_at: today });
    expect(await newest(workspace)).toMatchObject({
      name: "Today",
      expires_at: endOfDateIn(today, "America/New_York"),
    });
  });
});
