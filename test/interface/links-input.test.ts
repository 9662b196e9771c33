import { describe, expect, it } from "vitest";
import { blockHost } from "../../src/resources/destinations/service";
import { makeWorkspace } from "../harness";

const LINKS = "/api/v1/links";
const DESTINATION = "https://www.example.com/";
const TEXTS = ["title", "channel", "utm_source", "utm_medium", "utm_campaign"];
// Each in the middle of a text, since trimming removes it at the ends.
const REFUSED = [
  "\u0000",
  "\u0001",
  "\t",
  "\r\n",
  "\u001f",
  "\u007f",
  "\u0085",
  "\u009f",
  "\ud800",
  "\udfff",
];

describe("the texts of a link", () => {
  it.each(TEXTS)("%s is trimmed of every ECMAScript white space, in and beyond ASCII", async (field) => {
    const ws = await makeWorkspace();
    const link = await ws.link({ [field]: " \t\r\n\v\f\u00a0\ufeff\u2003\u2028a b\u3000\u2029" });
    expect(link).toMatchObject({ [field]: "a b" });
    const answer = await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { [field]: "\u00a0c\n" } });
    expect(answer.body.link).toMatchObject({ [field]: "c" });
  });

  it.each(TEXTS)("an empty or blank %s means null, on create and on update", async (field) => {
    const ws = await makeWorkspace();
    for (const blank of ["", "   ", "\u3000\n"]) {
      expect(await ws.link({ [field]: blank })).toMatchObject({ [field]: null });
      const { id } = await ws.link({ [field]: "given" });
      const answer = await ws.call("PATCH", `${LINKS}/${id}`, { body: { [field]: blank } });
      expect(answer.body.link).toMatchObject({ [field]: null });
    }
  });

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

  it("control characters and lone surrogates are 422 on their field, and change nothing", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    for (const field of [...TEXTS, "activity_group_id", "slug", "destination_url", "tag_ids"]) {
      for (const bad of REFUSED) {
        const text = field === "destination_url" ? `${DESTINATION}a${bad}b` : `a${bad}b`;
        const value = field === "tag_ids" ? [text] : text;
        const named = field === "tag_ids" ? "tag_ids.0" : field;
        const about = `${field} with ${JSON.stringify(bad)}`;
        const created = await ws.call("POST", LINKS, {
          body: { destination_url: DESTINATION, [field]: value },
        });
        expect(created.status, about).toBe(422);
        expect(Object.keys(created.body.errors), about).toEqual([named]);
        if (field === "tag_ids") continue;
        const updated = await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { [field]: value } });
        expect(updated.status, about).toBe(422);
        expect(Object.keys(updated.body.errors), about).toEqual([named]);
      }
    }
    expect((await ws.call("GET", `${LINKS}?status=all`)).body.links).toEqual([link]);
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
  const string = (field: string) => `The ${field.replaceAll("_", " ")} field must be a string.`;

  it("are reported all at once on create, in the order of the schema", async () => {
    const ws = await makeWorkspace();
    const answer = await ws.call("POST", LINKS, {
      body: {
        tag_ids: 1,
        utm_campaign: {},
        utm_medium: [],
        utm_source: true,
        activity_group_id: 1,
        channel: false,
        title: 1.5,
        slug: 7,
        destination_url: 0,
      },
    });
    expect(answer.status).toBe(422);
    const texts = ["destination_url", "slug", "title", "channel", "activity_group_id"];
    const fields = [...texts, "utm_source", "utm_medium", "utm_campaign"];
    expect(answer.body.message).toBe("The destination url field must be a string. (and 8 more errors)");
    expect(Object.entries(answer.body.errors)).toEqual([
      ...fields.map((field) => [field, [string(field)]]),
      ["tag_ids", ["The tag ids field must be an array."]],
    ]);
  });

  it("are reported all at once on update, with the status in its place", async () => {
    const ws = await makeWorkspace();
    const { id } = await ws.link();
    const answer = await ws.call("PATCH", `${LINKS}/${id}`, {
      body: {
        utm_campaign: 1,
        utm_medium: 1,
        utm_source: 1,
        activity_group_id: 1,
        status: "deleted",
        channel: 1,
        title: 1,
        slug: 1,
        destination_url: 1,
      },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toBe("The destination url field must be a string. (and 8 more errors)");
    expect(answer.body.errors.status).toEqual(["The selected status is invalid."]);
    expect(Object.keys(answer.body.errors)).toEqual([
      ...["destination_url", "slug", "title", "channel", "status"],
      ...["activity_group_id", "utm_source", "utm_medium", "utm_campaign"],
    ]);
  });

  it("name every invalid item of an array, and say “1 more error” for one more", async () => {
    const ws = await makeWorkspace();
    const answer = await ws.call("POST", LINKS, {
      body: { destination_url: DESTINATION, tag_ids: [1, "x", null] },
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      message: "The tag_ids.0 field must be a string. (and 1 more error)",
      errors: {
        "tag_ids.0": ["The tag_ids.0 field must be a string."],
        "tag_ids.2": ["The tag_ids.2 field is required."],
      },
    });
  });

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

describe("rule errors", () => {
  it("are only reported if the syntax is valid, then all at once in the order of the schema", async () => {
    const ws = await makeWorkspace({ linkLimit: 1 });
    const host = `${crypto.randomUUID()}.example`;
    await blockHost(ws.ctx, host);
    const [{ slug }, tag] = [await ws.link(), await ws.tag()];
    const body = {
      destination_url: `https://www.${host}/`,
      slug: slug.toUpperCase(),
      activity_group_id: "no-such-group",
      tag_ids: ["no-such-tag", tag.id, "nor-this"],
    };

    const syntax = await ws.call("POST", LINKS, { body: { ...body, title: "x".repeat(256), channel: 1 } });
    expect(syntax.status).toBe(422);
    expect(Object.keys(syntax.body.errors)).toEqual(["title", "channel"]);

    const rules = await ws.call("POST", LINKS, { body });
    expect(rules.status).toBe(422);
    const blocked = rules.body.errors.destination_url[0];
    expect(blocked).toMatch(/^The destination url field .*\.$/);
    expect(rules.body.message).toBe(`${blocked} (and 5 more errors)`);
    expect(Object.entries(rules.body.errors)).toEqual([
      ["destination_url", [blocked]],
      ["slug", ["The slug has already been taken."]],
      ["activity_group_id", ["Activity Group was not found in this workspace."]],
      ["tag_ids.0", ["The selected tag_ids.0 is invalid."]],
      ["tag_ids.2", ["The selected tag_ids.2 is invalid."]],
      ["link_limit", ["The workspace has reached its limit of 1 links."]],
    ]);
    expect((await ws.call("GET", LINKS)).body.meta.total).toBe(1);
  });

  it("are reported all at once on update too, and the link does not change", async () => {
    const ws = await makeWorkspace();
    const [taken, link] = [await ws.link(), await ws.link({ title: "before" })];
    const body = {
      destination_url: "https://s.example/x",
      slug: taken.slug,
      title: "after",
      activity_group_id: "no-such-group",
    };
    const syntax = await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { ...body, status: "gone" } });
    expect(Object.keys(syntax.body.errors).at(-1)).toBe("status");
    expect(syntax.body.errors).not.toHaveProperty("slug");

    const rules = await ws.call("PATCH", `${LINKS}/${link.id}`, { body });
    expect(rules.status).toBe(422);
    expect(rules.body.message).toMatch(/^The destination url field .*\. \(and 2 more errors\)$/);
    expect(Object.keys(rules.body.errors)).toEqual(["destination_url", "slug", "activity_group_id"]);
    expect((await ws.call("GET", `${LINKS}/${link.id}`)).body).toEqual(link);
  });

  it("come after the path: a foreign link is 404 for any body", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const foreign = await other.link();
    for (const raw of ["{}", "not json", "[]", '{"title":7}', '{"slug":"-"}']) {
      const answer = await ws.call("PATCH", `${LINKS}/${foreign.id}`, { raw });
      expect(answer.status, raw).toBe(404);
      expect(answer.body).toEqual({ message: "Link not found." });
    }
    expect((await other.call("GET", `${LINKS}/${foreign.id}`)).body).toEqual(foreign);
  });

  it("an update whose body cannot be read is 422 on body and changes nothing", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    for (const raw of ["", "not json", "[]", "null", '"title"', '{"title":"x"}{}', '{"title":"x",}']) {
      const answer = await ws.call("PATCH", `${LINKS}/${link.id}`, { raw });
      expect(answer.status, raw).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual(["body"]);
    }
    expect((await ws.call("GET", `${LINKS}/${link.id}`)).body).toEqual(link);
  });
});
