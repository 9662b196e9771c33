import { beforeAll, describe, expect, it } from "vitest";
import { addMember } from "../../../src/access/members";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { type Browser, makeMember, signInAs } from "../browser";

let workspace: TestWorkspace;
let owner: Browser;
let viewer: Browser & { email: string };

beforeAll(async () => {
  ({ workspace, browser: owner } = await makeMember());
  viewer = await signInAs(workspace, "viewer");
});

const at = (path: string): string => `/app/${workspace.slug}/${path}`;
describe("the header", () => {
  it("leads to the overview first, and to keys, domains and receivers only for owners", async () => {
    const sectionsOf = async (browser: Browser, name: string) => {
      const { text } = await browser.get(at("members"));
      const nav = text.split("</nav>").find((part) => part.includes(`aria-label="${name}"`)) ?? "";
      const links = nav.slice(nav.lastIndexOf("<nav")).replaceAll(/<svg.*?<\/svg>/g, "");
      return [...links.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, label]) => label);
    };
    const main = ["Overview", "Links", "Groups", "Posters", "Tags", "Settings"];
    const settings = ["Workspace", "People", "Values", "QR codes", "Import and export"];
    const ofOwners = [...settings, "API keys", "Domains", "Receivers"];
    // The menu of a phone, which has both.
    expect(await sectionsOf(owner, "Workspace")).toEqual([...main, ...ofOwners]);
    expect(await sectionsOf(owner, "Settings")).toEqual(ofOwners);
    expect(await sectionsOf(viewer, "Workspace")).toEqual([...main, ...settings]);
    expect(await sectionsOf(viewer, "Settings")).toEqual(settings);
  });

  it("tells viewers that they can only look", async () => {
    expect((await viewer.get(at("links"))).text).toContain(
      `<a class="badge" href="${at("members")}">View only</a>`,
    );
    expect((await owner.get(at("links"))).text).not.toContain("View only");
  });
});

it("has no id twice, so that each label is that of its field", async () => {
  await workspace.link();
  for (const path of [
    at("links"),
    at("links/bulk?ticked=link"),
    at("links/new"),
    at("assets"),
    at("domains"),
  ]) {
    const { text } = await owner.get(path);
    const ids = Array.from(text.matchAll(/\sid="([^"]+)"/g), ([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    // The list of links has one search, its own.
    expect(text).toContain(`<label class="unseen" for="${path === at("links") ? "q" : "search"}">`);
  }
});

describe("a page that does not exist", () => {
  it("leads on to a search, the overview and the lists of its workspace", async () => {
    for (const [path, sentence] of [
      [at("nothing/here"), "There is no page at this address."],
      [at("links/01JZ8Q4V6T3K9M2N5P7R8S0W1X"), "Link not found."],
    ] as const) {
      const page = await viewer.get(path);
      expect(page.status).toBe(404);
      expect(page.text).toContain(`<p>${sentence}</p>`);
      expect(page.text).toContain(`<search class="find"><form method="get" action="${at("links")}">`);
      for (const to of [`/app/${workspace.slug}`, at("links"), at("groups")]) {
        expect(page.text).toContain(`<a href="${to}">`);
      }
      expect(page.text).toContain("<title>Not found");
    }
  });

  it("leads to the person's own workspaces if it is in none of them", async () => {
    const other = await makeWorkspace();
    for (const slug of [other.slug, "no-such-workspace"]) {
      const { status, text } = await viewer.get(`/app/${slug}/links`);
      expect(status).toBe(404);
      expect(text).toContain(`<a href="/app/${workspace.slug}">`);
      expect(text).not.toContain(other.ctx.workspace.name);
    }
    await addMember(other.ctx, { email: viewer.email, role: "viewer" });
    expect((await viewer.get("/app/no-such-workspace/links")).text).toContain(
      `<a href="/app/${other.slug}">`,
    );
  });
});

it.each([
  ["links", "Create the first link", "links/new"],
  ["groups", 'class="empty"', "groups/new"],
  ["tags", "Create the first one here", '<button type="submit" class="primary"'],
  ["assets", "A poster is anything that shows", "assets/new"],
  ["import", "Nothing has been imported in the last seven days.", "Choose a CSV file"],
])(
  "the page of %s explains itself while it is empty, and offers viewers nothing",
  async (path, said, offer) => {
    const own = await makeMember("editor");
    const seenBy = async (browser: Browser) => (await browser.get(`/app/${own.workspace.slug}/${path}`)).text;
    const text = await seenBy(own.browser);
    expect(text).toContain(said);
    expect(
      [text, await seenBy(await signInAs(own.workspace, "viewer"))].map((one) => one.includes(offer)),
    ).toEqual([true, false]);
  },
);
