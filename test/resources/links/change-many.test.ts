import { describe, expect, it } from "vitest";
import { createDatabase } from "../../../src/db/client";
import { findAuditEntry } from "../../../src/resources/audit/audit-service";
import { changeChosenLinks } from "../../../src/resources/links/change-many";
import { type ChangeLinks, changeLinksSchema } from "../../../src/resources/links/change-schema";
import { createLink } from "../../../src/resources/links/create-link";
import { TOO_MANY_TAGS } from "../../../src/resources/links/link-errors";
import type { Link } from "../../../src/resources/links/link-schema";
import { attachTagsToLink, detachTagFromLink } from "../../../src/resources/links/link-tags";
import { undoOperation } from "../../../src/resources/links/revert/undo-changes";
import { updateLink } from "../../../src/resources/links/update-link";
import { counted, makeWorkspace, type TestWorkspace, visit } from "../../harness";
import { brokenInvariants } from "../../invariants";
import { selectRows } from "../../sql";

const DESTINATION = "https://www.example.com/";

const idsOf = (links: readonly Link[]) => links.map(({ id }) => id);
const change = async (ws: TestWorkspace, ids: readonly string[], input: Omit<ChangeLinks, "ids">) =>
  (await changeChosenLinks(ws.ctx, { ids: [...ids], ...input })).outcomes;
const tally = (outcomes: readonly { outcome: string }[]) => outcomes.map(({ outcome }) => outcome);

/** Links that differ in every field that a change affects. */
async function makeLinks(ws: TestWorkspace, slugs: readonly string[]) {
  const tags = [await ws.tag({ name: "Window" }), await ws.tag({ name: "Door" })];
  const [spring, autumn] = [
    await ws.group({ slug: "spring", default_utm_campaign: "spring_26" }),
    await ws.group({ slug: "autumn", default_utm_campaign: "autumn_26" }),
  ];
  const fields = [
    {},
    { activity_group_id: "spring", channel: "print" },
    { activity_group_id: "spring", utm_campaign: "own", tag_ids: [tags[0]?.id ?? ""] },
    { activity_group_id: "autumn", tag_ids: tags.map(({ id }) => id) },
    { channel: "print", utm_campaign: "own" },
    { activity_group_id: "autumn", channel: "mail", title: "Été" },
  ];
  const links = [];
  for (const [index, slug] of slugs.entries()) {
    links.push(
      await createLink(ws.ctx, { destination_url: DESTINATION, slug, ...fields[index % fields.length] }),
    );
  }
  const [second] = links.slice(2);
  if (second !== undefined) await updateLink(ws.ctx, second.id, { status: "archived" });
  return { links, tags, spring, autumn };
}

/** The visible state of all links of a workspace, by keys that are equal in another workspace. */
async function seen(ws: TestWorkspace) {
  const { body } = await ws.call("GET", "/api/v1/links?status=all&per_page=100&sort=slug");
  const results = await selectRows<{ public_id: string; version: number }>`select public_id, version
    from links where workspace_id = ${ws}`;
  return body.links.map((link: Link) => ({
    version: results.find((row) => row.public_id === link.id)?.version,
    slug: link.slug.replace(/^[ab]-/, ""),
    status: link.status,
    campaign: link.utm_campaign,
    group: link.activity_group?.slug,
    channel: link.activity_group?.assignment.channel,
    tags: link.tags.map(({ name }) => name),
  }));
}

async function historyOf(id: string) {
  const results = await selectRows<Record<"action" | "before", string>>`select action, before
    from audit_log where subject = ${id} order by id`;
  return results.slice(1).map((row) => ({ ...row, before: JSON.parse(row.before ?? "null") }));
}

describe("a change of many links at once", () => {
  it("gives the same links and history as changing them one by one", async () => {
    const many = await makeWorkspace();
    const single = await makeWorkspace();
    const mark = crypto.randomUUID().slice(0, 8);
    const slugs = ["one", "two", "three", "four", "five", "six"].map((slug) => `${slug}-${mark}`);
    const a = await makeLinks(
      many,
      slugs.map((slug) => `a-${slug}`),
    );
    const b = await makeLinks(
      single,
      slugs.map((slug) => `b-${slug}`),
    );
    const steps: readonly [Omit<ChangeLinks, "ids">, (id: string) => Promise<unknown>][] = [
      [
        { change: "tag", tag: a.tags[0]?.id },
        (id) => attachTagsToLink(single.ctx, id, [b.tags[0]?.id ?? ""]),
      ],
      [
        { change: "move", activity_group_id: "spring" },
        (id) => updateLink(single.ctx, id, { activity_group_id: "spring" }),
      ],
      [{ change: "archive" }, (id) => updateLink(single.ctx, id, { status: "archived" })],
      [
        { change: "untag", tag: a.tags[1]?.id },
        (id) => detachTagFromLink(single.ctx, id, b.tags[1]?.id ?? "").catch(() => undefined),
      ],
      [{ change: "restore" }, (id) => updateLink(single.ctx, id, { status: "active" })],
      [
        { change: "move", activity_group_id: a.autumn.id },
        (id) => updateLink(single.ctx, id, { activity_group_id: b.autumn.id }),
      ],
      [
        { change: "move", activity_group_id: null },
        (id) => updateLink(single.ctx, id, { activity_group_id: null }),
      ],
    ];
    for (const [input, one] of steps) {
      await change(many, idsOf(a.links), input);
      for (const { id } of b.links) await one(id);
      expect(await seen(many), input.change).toEqual(await seen(single));
      expect(await brokenInvariants(), input.change).toEqual([]);
    }
    const summaryOf = (history: Awaited<ReturnType<typeof historyOf>>) =>
      history.map(({ action, before }) => [action, before?.utm_campaign, before?.archived_at === null]);
    for (const [index, { id }] of a.links.entries()) {
      expect(summaryOf(await historyOf(id))).toEqual(summaryOf(await historyOf(b.links[index]?.id ?? "")));
    }
  });

  it("takes three D1 calls for any number of links, of which one asks how long they are, and one after the response if redirects change", async () => {
    const ws = await makeWorkspace();
    const tag = await ws.tag();
    const group = await ws.group({ default_utm_campaign: "spring" });
    const ids: string[] = [];
    for (let number = 0; number < 40; number++) {
      ids.push((await createLink(ws.ctx, { destination_url: DESTINATION })).id);
    }
    for (const input of [
      { change: "tag", tag: tag.id },
      { change: "move", activity_group_id: group.id },
      { change: "archive" },
      { change: "restore" },
      { change: "untag", tag: tag.id },
    ] as const) {
      const counter = counted();
      const behind: Promise<unknown>[] = [];
      const waitUntil = (work: Promise<unknown>) => void behind.push(work);
      const ctx = { ...ws.ctx, db: createDatabase(counter.env.DB), waitUntil };
      const { outcomes } = await changeChosenLinks(ctx, { ids, ...input });
      await Promise.all(behind);
      expect(new Set(tally(outcomes)), input.change).toEqual(new Set(["changed"]));
      expect(counter.trips.d1, input.change).toBe(input.change === "move" ? 4 : 3);
    }
    expect(await brokenInvariants()).toEqual([]);
  });

  it("changes long links in several commits of one batch", async () => {
    const ws = await makeWorkspace();
    const rule = { destination_url: `${DESTINATION}?${"x".repeat(2_000)}`, countries: ["CH"] };
    const ids: string[] = [];
    for (let number = 0; number < 60; number++) {
      const rules = Array.from({ length: 10 }, () => rule);
      ids.push((await createLink(ws.ctx, { destination_url: DESTINATION, rules } as never)).id);
    }
    const changed = await changeChosenLinks(ws.ctx, { ids: [...ids, "junk"], change: "archive" });
    expect(changed.outcomes.map(({ id, outcome }) => [id, outcome])).toEqual([
      ...ids.map((id) => [id, "changed"]),
      ["junk", "refused"],
    ]);
    const batches = await selectRows`select batch, count(*) as entries from audit_log
      where workspace_id = ${ws} and action = 'link.update' group by batch`;
    expect(batches).toEqual([{ batch: changed.batch?.id, entries: 60 }]);
    const undone = await undoOperation(ws.ctx, await findAuditEntry(ws.ctx, changed.batch?.id ?? ""));
    expect([undone.outcomes.map(({ id }) => id), undone.next]).toEqual([ids, null]);
    expect(new Set(tally(undone.outcomes))).toEqual(new Set(["changed"]));
    const reverts = await selectRows`select batch, count(*) as entries from audit_log
      where workspace_id = ${ws} and action = 'link.revert' group by batch`;
    expect(reverts).toEqual([{ batch: undone.batch?.id, entries: 60 }]);
    expect(await brokenInvariants()).toEqual([]);
  });

  it("applies the new group's campaign to redirects at once", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group({ default_utm_campaign: "spring" });
    const links = [await ws.link(), await ws.link({ utm_campaign: "own" })];
    for (const { slug } of links) await visit(`/${slug}`);
    await change(ws, idsOf(links), { change: "move", activity_group_id: group.id });
    const targets = await Promise.all(
      links.map(async ({ slug }) => (await visit(`/${slug}`)).headers.get("location")),
    );
    expect(targets).toEqual([`${DESTINATION}?utm_campaign=spring`, `${DESTINATION}?utm_campaign=own`]);
  });

  it("allows at most fifty tags: full links are refused, the others are tagged", async () => {
    const ws = await makeWorkspace();
    const tags = await Promise.all(Array.from({ length: 50 }, () => ws.tag()));
    const full = await ws.link({ tag_ids: tags.map(({ id }) => id) });
    const free = await ws.link();
    const extra = await ws.tag();
    expect(await change(ws, [full.id, free.id], { change: "tag", tag: extra.id })).toEqual([
      {
        id: full.id,
        slug: full.slug,
        outcome: "refused",
        failures: [TOO_MANY_TAGS],
      },
      { id: free.id, slug: free.slug, outcome: "changed" },
    ]);
    expect(await brokenInvariants()).toEqual([]);
  });

  const NO_SUCH_LINK = { field: "link", code: "unknown", message: "Link not found." };

  it("is limited to the workspace: foreign links are refused like unknown ones", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const [own, foreign] = [await ws.link(), await other.link()];
    const [tag, group] = [await other.tag(), await other.group()];
    const outcomes = await change(ws, [foreign.id, own.id.toLowerCase(), "junk"], { change: "archive" });
    expect(outcomes).toEqual([
      { id: foreign.id, slug: null, outcome: "refused", failures: [NO_SUCH_LINK] },
      { id: own.id, slug: own.slug, outcome: "changed" },
      { id: "junk", slug: null, outcome: "refused", failures: [NO_SUCH_LINK] },
    ]);
    expect((await other.call("GET", `/api/v1/links/${foreign.id}`)).body.status).toBe("active");
    await expect(change(ws, [foreign.id], { change: "archive" })).rejects.toMatchObject({ status: 404 });
    await expect(change(ws, [own.id], { change: "tag", tag: tag.id })).rejects.toMatchObject({
      body: { errors: { tag: ["Tag was not found in this workspace."] } },
    });
    await expect(
      change(ws, [own.id], { change: "move", activity_group_id: group.slug }),
    ).rejects.toMatchObject({
      body: { errors: { activity_group_id: ["Activity Group was not found in this workspace."] } },
    });
  });
});

it("a request changes at most 100 links", () => {
  const { error } = changeLinksSchema.safeParse({
    ids: Array.from({ length: 101 }, String),
    change: "archive",
  });
  expect(error?.issues.map((issue) => issue.message)).toEqual(["Choose at most 100 links."]);
});
