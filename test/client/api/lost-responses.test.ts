import { describe, expect, it } from "vitest";
import { etagOf } from "../../../src/lib/etag";
import { dropped, type FakeService, refused } from "../fake-service";
import { FAULT_NAMES, failNext, failureOf, type Setup } from "./setup";
import { DESTINATION, etagOfFirst, firstLink, idOf, stocked } from "./stocked";

/** All writes, with and without `If-Match`. */
const WRITES: Record<string, (one: Setup) => Promise<unknown>> = {
  "links.create": ({ client }) => client.links.create({ destination_url: DESTINATION, slug: "new" }),
  "links.update": (one) =>
    one.client.links.update(idOf(firstLink(one)), {
      title: " Sale ",
      channel: "",
      slug: "renamed",
      activity_group_id: "summer",
    }),
  "links.update if it has not changed": async (one) =>
    one.client.links.update(
      idOf(firstLink(one)),
      { title: " Sale ", channel: "", activity_group_id: "summer", tag_names: ["Web", "PRINT"] },
      { ifMatch: await etagOfFirst(one) },
    ),
  "links.delete": (one) => one.client.links.delete(idOf(firstLink(one))),
  "links.delete if it has not changed": async (one) =>
    one.client.links.delete(idOf(firstLink(one)), { ifMatch: await etagOfFirst(one) }),
  "links.upsert of a new link": ({ client }) =>
    client.links.upsert({ destination_url: DESTINATION, slug: "third", external_id: "site:a" }),
  "tags.create": ({ client }) => client.tags.create({ name: "New" }),
  "tags.update": async ({ client, service }) => {
    const [tag] = service.state.tags;
    const ifMatch = tag === undefined ? "" : await etagOf(tag);
    return client.tags.update(idOf(tag), { name: "Poster", slug: null, colour: "" }, { ifMatch });
  },
  "tags.delete": ({ client, service }) => client.tags.delete(idOf(service.state.tags[0])),
};

const TIMES = ["created_at", "updated_at", "archived_at"];

/** The state without times, which differ between runs. */
const effectOn = ({ state }: FakeService): unknown =>
  JSON.parse(
    JSON.stringify({ links: state.links, tags: state.tags }, (name, value) =>
      TIMES.includes(name) ? value !== null : value,
    ),
  );

describe.each(Object.entries(WRITES))("%s takes effect exactly once", (_, write) => {
  it.each(FAULT_NAMES)("%s", async (fault) => {
    const [disturbed, quiet] = [await stocked(), await stocked()];
    failNext(disturbed.service, fault);

    await write(quiet);
    await write(disturbed);

    expect(effectOn(disturbed.service)).toEqual(effectOn(quiet.service));
  });
});

describe("deleting an unknown link fails", () => {
  it("after a try that the service refused", async () => {
    const { client, service } = await stocked();
    failNext(service, "429");
    expect(await failureOf(client.links.delete("01JZ8Q4V6T3K9M2N5P7R8S0W1X"))).toMatchObject({ status: 404 });
  });

  it("if the workspace is suspended", async () => {
    const { client, service } = await stocked();
    const answers = [dropped, () => Response.json({ message: "Workspace not found." }, { status: 404 })];
    service.onCall = async () => answers.shift()?.() ?? refused(500);
    expect(await failureOf(client.links.delete("01JZ8Q4V6T3K9M2N5P7R8S0W1X"))).toMatchObject({
      message: "Workspace not found.",
    });
  });
});

describe("412 after a lost response is an error if someone else changed", () => {
  const loseFirst = ({ service }: Setup, changeMeanwhile: () => void) => {
    const { length } = service.calls;
    service.onCall = async (_, answer) => {
      if (service.calls.length > length + 1) return answer();
      changeMeanwhile();
      return dropped();
    };
  };

  it("the link", async () => {
    const one = await stocked();
    const [link, ifMatch] = [firstLink(one), await etagOfFirst(one)];
    loseFirst(one, () => Object.assign(link ?? {}, { title: "Theirs" }));

    expect(
      await failureOf(one.client.links.update(idOf(link), { title: "Ours" }, { ifMatch })),
    ).toMatchObject({
      status: 412,
      message: "The link has changed since it was read.",
    });
    expect(firstLink(one)?.title).toBe("Theirs");
  });

  it("the tag", async () => {
    const one = await stocked();
    const [tag] = await one.client.tags.list();
    const ifMatch = tag === undefined ? "" : await etagOf(tag);
    loseFirst(one, () => Object.assign(one.service.state.tags[0] ?? {}, { name: "Theirs" }));

    expect(await failureOf(one.client.tags.update(idOf(tag), { name: "Ours" }, { ifMatch }))).toMatchObject({
      status: 412,
      message: "The tag has changed since it was read.",
    });
    expect(one.service.state.tags[0]?.name).toBe("Theirs");
  });
});
