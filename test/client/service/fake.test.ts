import { afterAll, beforeAll, expect, it } from "vitest";
import { waymark } from "../../../src/client/api/client";
import { WaymarkError } from "../../../src/client/api/error";
import { gather } from "../../../src/client/api/pages";
import type { CreateLink, Link, LinkFilter, UpdateLink, Waymark } from "../../../src/client/api/wire-types";
import { etagOf } from "../../../src/lib/etag";
import { cleanUp } from "../../cli/terminal";
import { type Service, startService } from "../../service/start";
import { fakeService } from "../fake-service";

const DESTINATION = "https://www.example.com/sale";
const DOMAIN = "go.acme.example";

let service: Service;
let real: Waymark;
let fake: Waymark;

beforeAll(async () => {
  service = await startService();
  const memory = fakeService({ domains: [DOMAIN] });
  await service.admin("workspace", "create", "--name", "Acme", "--slug", "acme");
  const { key } = await service.admin("key", "create", "--workspace", "acme", "--name", "test");
  await service.admin("domain", "add", "--workspace", "acme", "--host", DOMAIN);
  real = waymark({ url: service.base, key });
  fake = waymark(memory);
  for (const slug of ["summer-2026", "newsletter"]) {
    const campaign = slug === "newsletter" ? [] : ["--default-utm-campaign", "summer_2026"];
    const group = ["--workspace", "acme", "--name", slug, "--slug", slug, "--type", "campaign", ...campaign];
    await service.admin("group", "create", ...group);
  }
  memory.state.groups = await gather(real.groups.list());
});
afterAll(async () => {
  await service?.stop();
  cleanUp();
});

const idOf = async (client: Waymark, slug: string): Promise<string> =>
  (await client.links.bySlug(slug))?.id ?? "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const tagOf = async (client: Waymark, name: string): Promise<string> =>
  (await client.tags.list()).find((tag) => tag.name === name)?.id ?? "01JZ8Q4V6T3K9M2N5P7R8S0W1X";

type Step = (client: Waymark) => Promise<unknown>;

const create =
  (slug: string, input: Partial<CreateLink> & Record<string, unknown> = {}): Step =>
  ({ links }) =>
    links.create({ destination_url: DESTINATION, slug, ...input });
const update =
  (slug: string, input: UpdateLink & Record<string, unknown>): Step =>
  async (client) =>
    client.links.update(await idOf(client, slug), input);
const list =
  (filter: LinkFilter): Step =>
  ({ links }) =>
    gather(links.list({ sort: "slug", ...filter }));

/** The link `a` that is on the short host. */
async function onShortHost({ links }: Pick<Waymark, "links">): Promise<Link> {
  const link = await links.byExternalId("site:a");
  if (link === undefined) throw new Error("There is no such link.");
  return link;
}

const rules = (starts_at = "2026-06-01T08:00:00+02:00"): NonNullable<UpdateLink["rules"]> => [
  { destination_url: ` ${DESTINATION}?fr `, languages: ["fr", "fr"], countries: [], starts_at },
  { share: 50, devices: ["ios", "android"], destination_url: `${DESTINATION}?app`, ends_at: null },
];

/** Run in this order: each step depends on the steps before it. */
const STEPS: Record<string, Step> = {
  "a tag": ({ tags }) => tags.create({ name: " Été à Zürich ", colour: "#f00" }),
  "another tag": ({ tags }) => tags.create({ name: "Print", description: "On paper" }),
  "a tag of the same name": ({ tags }) => tags.create({ name: "PRINT" }),
  "a tag of the same slug": ({ tags }) => tags.create({ name: "Other", slug: "print" }),
  "a tag without a name": ({ tags }) => tags.create({ name: "" }),
  "a tag renamed": async (client) =>
    client.tags.update(await tagOf(client, "Print"), { name: "Web", slug: null }),
  "a third tag": ({ tags }) => tags.create({ name: "Poster" }),
  "a link": create("a", { title: " Sale ", channel: "", tag_names: ["web", "WEB"], external_id: "site:a" }),
  "a link in a group": create("b", { activity_group_id: "summer-2026", utm_source: "s", utm_medium: "m" }),
  "a link with its own campaign": create("c", { activity_group_id: "summer-2026", utm_campaign: "own" }),
  "a link of a taken slug": create("A"),
  "a link of a taken external id": create("d", { external_id: "site:a" }),
  "a link of both": create("a", {
    external_id: "site:a",
    activity_group_id: "nowhere",
    tag_names: ["Web", "No"],
  }),
  "a link with unknown fields": create("d", { tittle: "x" }),
  "a link with an unknown tag": create("d", { tag_ids: ["01JZ8Q4V6T3K9M2N5P7R8S0W1X"] }),
  "a link with moments": create("life", {
    starts_at: "2026-06-01T08:00:00+02:00",
    ends_at: " 2026-08-31T22:00Z ",
    ended_url: " https://www.example.com/over ",
  }),
  "a link that ends at its start": create("d", {
    starts_at: "2026-06-01T08:00:00+02:00",
    ends_at: "2026-06-01T06:00:00Z",
  }),
  "an end in another zone, with further digits": update("life", {
    ends_at: "2026-09-01T00:00:00.1234567+02:00",
  }),
  "an end before the start that the link has": update("life", { ends_at: "2026-05-01T00:00:00Z" }),
  "a start after the end that the link has": update("life", { starts_at: "2027-05-01T00:00:00Z" }),
  "the moments cleared, one by an empty text": update("life", { starts_at: null, ends_at: "" }),
  "the URL for after the end cleared": update("life", { ended_url: null }),
  "a link with rules": create("ruled", { rules: rules() }),
  "the same rules, in another spelling": update("ruled", { rules: rules("2026-06-01T06:00Z") }),
  "other rules": update("ruled", { rules: rules().toReversed() }),
  "rules taken off by null": update("ruled", { rules: null }),
  "rules again": update("ruled", { rules: rules() }),
  "rules taken off by an empty list": update("ruled", { rules: [] }),
  "the same slug on a domain": create("a", { domain: "GO.acme.example.", external_id: "acme:a" }),
  "a taken slug on the domain": create("A", { domain: DOMAIN }),
  "a link on an unknown domain": create("d", { domain: "other.example" }),
  "a link on a domain of null": create("on-null", { domain: null }),
  "moved to the domain": update("on-null", { domain: DOMAIN }),
  "moved to an address that is taken": async ({ links }) => {
    const [link] = await gather(links.list({ external_id: "acme:a" }));
    return links.update(link?.id ?? "", {
      domain: new URL((await onShortHost({ links })).short_url).hostname,
    });
  },
  "moved to an unknown domain": update("on-null", { domain: "other.example" }),
  "links on the domain": list({ domain: "Go.Acme.Example" }),
  "links by slug, on every domain": list({ slug: ["a"] }),
  "links by slug on the domain": list({ slug: ["a", "on-null"], domain: DOMAIN }),
  "links on an unknown domain": list({ domain: "other.example" }),
  "the link on the domain deleted": async ({ links }) => {
    for (const { id } of await gather(links.list({ domain: DOMAIN }))) await links.delete(id);
  },
  "a new title": update("a", { title: "New" }),
  "a rename": update("a", { slug: "e" }),
  "a link on an old slug": create("a"),
  "back to the old slug": update("a", { slug: "a" }),
  "a rename to a taken slug": update("a", { slug: "B" }),
  "into a group": update("a", { activity_group_id: "summer-2026" }),
  "into a group, by another spelling of its slug": update("a", { activity_group_id: " summer-2026 " }),
  "into another group": update("a", { activity_group_id: "newsletter" }),
  "out of the group": update("a", { activity_group_id: null }),
  "out of the group, with an own campaign": update("c", { activity_group_id: null }),
  "into a group again": update("a", { activity_group_id: "summer-2026", channel: "poster" }),
  "out of a group with a campaign": update("a", { activity_group_id: null }),
  "the campaign given up": update("c", { utm_campaign: null }),
  "the campaign given up in a group": update("b", { utm_campaign: null }),
  "tags by name": update("b", { tag_names: ["poster", "été à zürich"] }),
  "tags by id": async (client) =>
    client.links.update(await idOf(client, "b"), { tag_ids: [await tagOf(client, "Web")] }),
  "no tags": update("b", { tag_names: null }),
  "tags again": update("b", { tag_names: ["Poster"] }),
  "an external id": update("b", { external_id: "site:b" }),
  "a taken external id": update("b", { external_id: "site:a" }),
  archived: update("b", { status: "archived" }),
  "archived again": update("b", { status: "archived" }),
  "a QR file of an archived link": async (client) => client.links.qr(await idOf(client, "b")),
  "the active links": list({}),
  "all links": list({ status: "all" }),
  "links by tag": list({ tag: "poster", status: "all" }),
  "links by two tags": list({ tag: ["poster", "web"], status: "all" }),
  "links by slugs, old ones too": list({ slug: ["E", "c", "nothing"] }),
  "links by external ids": list({ external_id: ["site:a", "site:b"], status: "all" }),
  "links by prefix": list({ external_id_prefix: "site:", status: "all" }),
  "links by another prefix": list({ external_id_prefix: "SITE" }),
  "links by group": list({ activity_group_id: "summer-2026", status: "all" }),
  "links by an unknown group": list({ activity_group_id: "nowhere" }),
  "links by text": list({ q: "NEW" }),
  restored: update("b", { status: "active" }),
  "a change of what is no longer so": async (client) =>
    client.links.update(await idOf(client, "a"), { title: "x" }, { ifMatch: await etagOf({} as never) }),
  "a link deleted": async (client) => client.links.delete(await idOf(client, "c")),
  "a link deleted twice": (client) => client.links.delete("01JZ8Q4V6T3K9M2N5P7R8S0W1X"),
  "the slug of a deleted link": create("c", { external_id: "site:c" }),
  "a tag deleted": async (client) => client.tags.delete(await tagOf(client, "Poster")),
  "a tag deleted twice": (client) => client.tags.delete("01JZ8Q4V6T3K9M2N5P7R8S0W1X"),
  "all tags": ({ tags }) => tags.list(),
  "all groups": ({ groups }) => gather(groups.list()),
  "groups by text": ({ groups }) => gather(groups.list({ q: "SUMMER" })),
  "what is left": list({ status: "all" }),
};

const outcomeOf = (step: Step, client: Waymark): Promise<unknown> =>
  step(client).then(
    (value) => (value instanceof Uint8Array ? "bytes" : (value ?? "nothing")),
    (error: unknown) => {
      if (!(error instanceof WaymarkError)) throw error;
      const { status, message, errors, codes, conflicts } = error;
      return { status, message, errors, codes, conflicts };
    },
  );

/** Numbers ids in the order of their first appearance, and removes times and hosts. */
function comparing(): (outcome: unknown) => unknown {
  const ids: string[] = [];
  const label = (id: string): string => {
    if (!ids.includes(id)) ids.push(id);
    return `id-${ids.indexOf(id)}`;
  };
  return (outcome) =>
    JSON.parse(
      JSON.stringify(outcome)
        .replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, label)
        .replaceAll(/"((?:archived|created|updated)_at)":"[\d:.TZ-]+"/g, '"$1":"time"')
        .replaceAll(/https?:\/\/(?:localhost:\d+|go\.example\.com)/g, "https://short")
        .replaceAll(/http:(\/\/go\.acme\.example):\d+/g, "https:$1")
        .replaceAll(/"domain":"(?:localhost|go\.example\.com)"/g, '"domain":"short"'),
    );
}

const [asReal, asFake] = [comparing(), comparing()];

it.each(Object.entries(STEPS))("the fake responds like the service: %s", async (_, step) => {
  expect(asFake(await outcomeOf(step, fake))).toEqual(asReal(await outcomeOf(step, real)));
});
