import { describe, expect, it } from "vitest";
import { listAudit } from "../../src/resources/audit/audit-service";
import type { Link } from "../../src/resources/links/link-schema";
import { revertLink } from "../../src/resources/links/revert/revert-link";
import { makeWorkspace } from "../harness";
import { addTags } from "../rows";
import { refusal } from "./refusals";

const LINKS = "/api/v1/links";
const DESTINATION = "https://www.example.com/";

const create = (body: object) => ws.call("POST", LINKS, { body: { destination_url: DESTINATION, ...body } });
const patch = ({ id }: Link, body: object) => ws.call("PATCH", `${LINKS}/${id}`, { body });
const namesOf = ({ tags }: Link): string[] => tags.map(({ name }) => name);

/** A workspace with two tags. */
const ws = await makeWorkspace();
const alpha = await ws.tag({ name: "Alpha" });
await ws.tag({ name: "Été" });

describe("tag_names", () => {
  it("name the workspace's tags without regard to case, on creation and update", async () => {
    const { link } = (await create({ tag_names: [" ALPHA ", "alpha", "ÉTÉ"] })).body;
    expect(namesOf(link)).toEqual(["Alpha", "Été"]);
    expect(namesOf((await patch(link, { tag_names: ["été"] })).body.link)).toEqual(["Été"]);
    expect(namesOf((await patch(link, { tag_ids: [alpha.id.toLowerCase()] })).body.link)).toEqual(["Alpha"]);
    expect(namesOf((await patch(link, { title: "kept" })).body.link)).toEqual(["Alpha"]);
  });

  it.each([{ tag_ids: null }, { tag_ids: [] }, { tag_names: null }, { tag_names: [] }])(
    "and tag_ids remove all tags with %j, without changing updated_at",
    async (body) => {
      const { link } = (await create({ tag_names: ["alpha", "été"] })).body;
      expect((await patch(link, body)).body.link).toEqual({ ...link, tags: [] });
      expect((await create(body)).body.link.tags).toEqual([]);
    },
  );

  it("that are unknown are refused each with its index, and nothing changes", async () => {
    const other = await makeWorkspace();
    await other.tag({ name: "Foreign" });
    const { link } = (await create({ tag_names: ["alpha"] })).body;
    const body = { tag_names: ["nothing", "Alpha", "foreign"] };
    for (const answer of [await create(body), await patch(link, body)]) {
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toEqual({
        "tag_names.0": ["The selected tag_names.0 is invalid."],
        "tag_names.2": ["The selected tag_names.2 is invalid."],
      });
    }
    expect((await ws.call("GET", `${LINKS}/${link.id}`)).body).toEqual(link);
  });

  it("cannot be sent together with tag_ids; all other failures are reported too", async () => {
    const both = { tag_ids: [alpha.id], tag_names: ["Alpha"], title: "x".repeat(256) };
    const answer = await create(both);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      title: ["The title field must not be greater than 255 characters."],
      tag_names: ["The tag names field cannot be sent together with tag ids."],
    });
    expect((await create({ tag_ids: null, tag_names: ["Alpha"] })).status).toBe(201);
    const { link } = (await create({})).body;
    expect((await patch(link, { tag_ids: null, tag_names: ["Alpha"] })).status).toBe(422);
  });

  it("are at most 50 as sent; more are one failure on their own field, whatever the items are", async () => {
    const names = Array.from({ length: 51 }, (_, at) => `n${at}`);
    await addTags(ws.ctx, names.slice(0, 50));
    const { link } = (await create({ tag_names: names.slice(0, 50) })).body;
    expect(link.tags).toHaveLength(50);
    const message = "The link may not have more than 50 tags.";
    const alike = Array(51).fill("n0");
    for (const sent of [names, alike, Array(51).fill(null), Array(20_000).fill(1)]) {
      expect((await patch(link, { tag_names: sent })).body).toEqual(refusal("tag_names", message));
      expect((await patch(link, { tag_ids: sent })).body).toEqual(refusal("tag_ids", message));
    }
    const merged = await patch(link, { tag_names: ["n0", "N0", "n1"] });
    expect(merged.body.link.tags).toHaveLength(2);
  });

  it("are audited as the ids of the tags, as null if they are removed, and can be reverted", async () => {
    const { link } = (await create({ tag_names: ["alpha"] })).body;
    await patch(link, { tag_names: ["été"] });
    const [entry] = (await listAudit(ws.ctx, { subject: link.id }, true)).entries;
    expect(entry?.fieldChanges).toMatchObject([{ field: "tag_ids", was: "Alpha", is: "Été" }]);
    await patch(link, { tag_names: null });
    const [removal] = (await listAudit(ws.ctx, { subject: link.id }, true)).entries;
    expect(removal?.fieldChanges).toMatchObject([{ field: "tag_ids", was: "Été", is: null }]);
    await patch(link, { tag_names: ["été"] });
    await revertLink(ws.ctx, entry?.operation ?? "");
    expect(namesOf((await ws.call("GET", `${LINKS}/${link.id}`)).body)).toEqual(["Alpha"]);
  });
});
