import { afterEach, describe, expect, it, vi } from "vitest";
import { createSignInLink } from "../../../src/access/sessions";
import { API, send } from "../../harness";
import { makeMember, type openBrowser } from "../browser";

const URLENCODED = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=b";

afterEach(() => vi.restoreAllMocks());

/** 24 KB of the shortest possible field. */
const MANY_FIELDS = "a&".repeat(12 * 1024);

const manyParts = (count: number): string =>
  `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(count)}--b--\r\n`;

/** Counts the bytes read from bodies, and how often a body is decoded as a form. */
function watchReading() {
  const formData = vi.spyOn(Response.prototype, "formData");
  const decode = vi.spyOn(TextDecoder.prototype, "decode");
  return () => formData.mock.calls.length + decode.mock.calls.length;
}

/** Sends a body in chunks of 1 KB to a page of the service, and returns the number of bytes read. */
async function post(path: string, body: string, type: string, browser?: ReturnType<typeof openBrowser>) {
  const bytes = new TextEncoder().encode(body);
  let taken = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken >= bytes.length) return controller.close();
        const chunk = bytes.slice(taken, taken + 1024);
        taken += chunk.length;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  const cookie = [...(browser?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await send(
    new Request(API + path, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": type, origin: API, "sec-fetch-site": "same-origin", cookie },
      body: stream,
    }),
  );
  return { status: response.status, text: await response.text(), taken };
}

describe("the form that signs in", () => {
  it.each([
    ["many fields", MANY_FIELDS, URLENCODED],
    ["many parts", manyParts(400), MULTIPART],
    ["many spaces", `token=${" ".repeat(32 * 1024)}x`, URLENCODED],
  ])("with %s is refused after 1 KB, without being decoded", async (_, body, type) => {
    const decoded = watchReading();
    const answer = await post("/app/sign-in", body, type);
    expect([answer.status, decoded()]).toEqual([413, 0]);
    expect(answer.taken).toBeLessThanOrEqual(2 * 1024);
  });

  it("is accepted in either encoding", async () => {
    const { workspace, browser } = await makeMember();
    for (const type of [URLENCODED, MULTIPART]) {
      const { token } = await createSignInLink(workspace.ctx, browser.email);
      const part = `--b\r\nContent-Disposition: form-data; name="token"\r\n\r\n${token}\r\n--b--\r\n`;
      const answer = await post("/app/sign-in", type === URLENCODED ? `token=${token}` : part, type);
      expect(answer.status).toBe(303);
    }
  });
});

describe("a form of a person who is signed out", () => {
  const path = "/app/some/tags";

  it.each([
    ["of many fields", MANY_FIELDS, URLENCODED],
    ["of one field too many", Array.from({ length: 501 }, (_, index) => `f${index}=x`).join("&"), URLENCODED],
  ])("%s is not decoded", async (_, body, type) => {
    const decoded = watchReading();
    const answer = await post(path, body, type);
    expect([answer.status, decoded()]).toEqual([401, 0]);
    expect(answer.text).not.toContain("What you have sent");
  });

  it.each([
    ["a file", manyParts(1), MULTIPART],
    ["no form", '{"name":"x"}', "application/json"],
    ["no type", "name=x", ""],
  ])("that is %s is not read at all", async (_, body, type) => {
    const decoded = watchReading();
    expect(await post(path, body, type)).toMatchObject({ status: 401, taken: 0 });
    expect(decoded()).toBe(0);
  });

  it("is not read beyond 64 KiB", async () => {
    const answer = await post(path, `name=${"x".repeat(200_000)}`, URLENCODED);
    expect(answer.status).toBe(401);
    expect(answer.taken).toBeLessThanOrEqual(66 * 1024);
    expect(answer.text).not.toContain("What you have sent");
  });

  it("of 500 fields is shown and decoded only once", async () => {
    const decoded = watchReading();
    const body = Array.from({ length: 500 }, (_, index) => `f${index}=typed`).join("&");
    const answer = await post(path, body, URLENCODED);
    expect([answer.status, decoded()]).toEqual([401, 1]);
    expect(answer.text.match(/<input type="hidden" name="f\d+" value="typed"/g)).toHaveLength(500);
  });

  it("that signs out is not read", async () => {
    expect(await post("/app/sign-out", MANY_FIELDS, URLENCODED)).toMatchObject({ status: 303, taken: 0 });
  });
});

describe("a form of a member", () => {
  it.each([
    ["fields", MANY_FIELDS, URLENCODED],
    ["parts", manyParts(501), MULTIPART],
  ])("of more than 500 %s is refused with a message, without being decoded", async (_, body, type) => {
    const { workspace, browser } = await makeMember();
    const decoded = watchReading();
    const answer = await post(`/app/${workspace.slug}/tags`, body, type, browser);
    expect([answer.status, decoded()]).toEqual([422, 0]);
    expect(answer.text).toContain("A form may not have more than 500 fields.");
  });

  it("with long header lines in a part is refused, without being decoded", async () => {
    const { workspace, browser } = await makeMember();
    const formData = vi.spyOn(Response.prototype, "formData");
    const lines = `Content-Disposition: form-data; name="file"${";x=y".repeat(100_000)}`;
    const body = `--b\r\n${lines}\r\n\r\n1\r\n--b--\r\n`;
    const answer = await post(`/app/${workspace.slug}/import`, body, MULTIPART, browser);
    expect([answer.status, formData.mock.calls.length]).toEqual([422, 0]);
  });

  it.each(["viewer", "stranger"] as const)("who is a %s is not read", async (who) => {
    const { workspace, browser } = await makeMember(who === "viewer" ? "viewer" : "owner");
    const other = who === "viewer" ? workspace : (await makeMember()).workspace;
    const answer = await post(`/app/${other.slug}/tags`, MANY_FIELDS, URLENCODED, browser);
    expect(answer).toMatchObject({ status: who === "viewer" ? 403 : 404, taken: 0 });
  });
});

it.each(["", "/links/new", "/groups/new", "/tags", "/keys", "/members", "/workspace", "/assets/new"])(
  "a form that saves something on the page %j cuts no pasted text",
  async (path) => {
    const { workspace, browser } = await makeMember("owner");
    const { status, text } = await browser.get(`/app/${workspace.slug}${path}`);
    const forms = text.match(/<form[^>]* method="post"[\s\S]*?<\/form>/g) ?? [];
    const fields = forms.join("").match(/<input type="(?:text|email|url)"[^>]*>/g) ?? [];
    expect([status, fields.length > 0]).toEqual([200, true]);
    expect(fields.filter((field) => field.includes("maxlength"))).toEqual([]);
  },
);
