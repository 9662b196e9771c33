import { describe, expect, it } from "vitest";
import { makeWorkspace } from "../harness";

const LINKS = "/api/v1/links";
const DESTINATION = "https://www.example.com/";
describe("the texts of a link", () => {
  it("an empty slug or group means null, and an empty destination or tag counts as missing", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ slug: " ", activity_group_id: "", tag_ids: "" });
    expect(link.slug).toMatch(/^[a-z0-9]{7}$/);
    expect(link).not.toHaveProperty("activity_group");
    const answer = await ws.call("POST", LINKS, { body: { destination_url: " ", tag_ids: [" "] } });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      message: "The destination url field is required. (and 1 more error)",
      errors: {
        destination_url: ["The destination url field is required."],
        "tag_ids.0": ["The tag_ids.0 field is required."],
      },
    });
  });

  it("emoji, markup and every script are kept unchanged", async () => {
    const ws = await makeWorkspace();
    for (const title of [
      "👩‍👩‍👧 été",
      "<img src=x onerror=alert(1)>",
      "=1+1",
      "עברית",
      "a\u0301",
      "漢字 ｶﾅ",
    ]) {
      const link = await ws.link({ title });
      expect((await ws.call("GET", `${LINKS}/${link.id}`)).body.title).toBe(title);
    }
  });
});

describe("syntax errors", () => {
  it("a missing destination is required, and the last of two equal keys counts", async () => {
    const ws = await makeWorkspace();
    const message = "The destination url field is required.";
    for (const raw of [
      "{}",
      '{"destination_url":null}',
      `{"__proto__":{"destination_url":"${DESTINATION}"}}`,
    ]) {
      const answer = await ws.call("POST", LINKS, { raw });
      expect(answer.status, raw).toBe(422);
      expect(answer.body).toEqual({ message, errors: { destination_url: [message] } });
    }
    const twice = await ws.call("POST", LINKS, {
      raw: `{"destination_url":"${DESTINATION}","destination_url":"javascript:alert(1)"}`,
    });
    expect(twice.status).toBe(422);
  });
});
