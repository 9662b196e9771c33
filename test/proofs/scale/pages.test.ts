import { applyD1Migrations, env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceContext } from "../../../src/context";
import { toRange } from "../../../src/lib/range";
import { DAY_MS, isoTime } from "../../../src/lib/time";
import { createSavedChannel, listSavedChannels } from "../../../src/resources/channels/channel-service";
import {
  createCodeBranding,
  listCodeBrandings,
} from "../../../src/resources/code-brandings/code-branding-service";
import { createReceiver } from "../../../src/resources/events/receivers";
import { changeChosenLinks } from "../../../src/resources/links/change-many";
import { MAX_EXPORTED_LINKS } from "../../../src/resources/links/export-links";
import { updateLink } from "../../../src/resources/links/update-link";
import { getOverview, MAX_COUNTED, MAX_COUNTED_LINKS } from "../../../src/resources/overview/overview";
import { createReport } from "../../../src/resources/reports/report-links";
import { createView, listViews } from "../../../src/resources/views/views";
import { getWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { type Browser, signInAs } from "../../console/browser";
import { watched } from "../../console/depth";
import { otherInstance, serviceContext, testEnv } from "../../harness";
import { mailbox } from "../../mailbox";
import { metered } from "../../metered";
import { dearestLink, furnish, IDS } from "./furnish";
import { fill } from "./generate";
import { cases, type Known, NEXT_MONTH } from "./pages";
import { LINKS } from "./size";
import { fillVisits } from "./visits";

// The rows that each page and form of the web application reads, counted by D1, in a workspace with a given number of links.

const FILL_MS = 1_500_000;
/** The call that asks who is there, and at most three after it. */
const MAX_DEPTH = 4;
/** The free plan allows 50 statements an invocation. */
const MAX_STATEMENTS = 45;
/** As many as a form may change. */
const CHOSEN = 100;

const database = env.SCALE_OVERVIEW;
const { db, rows } = metered(database);
const observed = watched({
  ...mailbox(otherInstance(testEnv)).env,
  DB: db,
  DESTINATION_HEALTH_CHECK: "on",
  CLOUDFLARE_PLAN: "paid",
});

let ctx: WorkspaceContext;
let browser: Browser;
let known: Known;
/** The links with a broken destination, which are the oldest. */
let broken: string[];

const idsOf = async (sql: string): Promise<string[]> => {
  const { results } = await database.prepare(sql).all<{ id: string }>();
  return results.map(({ id }) => id);
};
const idOf = async (sql: string): Promise<string> => (await idsOf(sql))[0] ?? "";
const tagOf = (slug: string) =>
  idOf(`select public_id as id from tags where workspace_id = 1 and slug = '${slug}'`);

beforeAll(async () => {
  await applyD1Migrations(database, env.TEST_MIGRATIONS);
  await fill(database, { links: LINKS });
  await fillVisits(database, Math.floor(Date.now() / DAY_MS));
  await furnish(database, Date.now());
  const service = serviceContext(observed.env);
  ctx = { ...service, workspace: await getWorkspace(service, "workspace-1") };
  browser = await signInAs({ ctx }, "owner", observed.env);
  const own = "from links where workspace_id = 1 and deleted_at is null";
  const links = await idsOf(
    `select public_id as id ${own} and archived = 0 order by id desc limit ${CHOSEN}`,
  );
  broken = await idsOf(`select public_id as id ${own} and destination_url in
    (select url from destination_health where state = 'broken') order by public_id desc`);
  const [smallTag, group] = [
    await tagOf("tag-900"),
    "activity_groups where workspace_id = 1 and slug = 'group-0'",
  ];
  await updateLink(ctx, links[0] ?? "", { title: "Changed" });
  const { batch } = await changeChosenLinks(ctx, { change: "tag", tag: smallTag, ids: links.slice(1) });
  const days = { last: "365", ends_on: NEXT_MONTH } as const;
  const shared = await createReport(ctx, {
    kind: "group",
    subject: await idOf(`select public_id as id from ${group}`),
    ...days,
  });
  for (let number = 0; number < 10; number++)
    await createSavedChannel(ctx, {
      name: `Channel ${number}`,
      utm_source: `source-${number}`,
      tag_ids: [smallTag],
    });
  await createCodeBranding(ctx, { name: "Blue", colour: "#0b3d91", logo: "none" });
  const { id: receiver } = await createReceiver(ctx, {
    url: "https://hooks.example/",
    kinds: ["link.created"],
    is_on: false,
  });
  await createView(ctx, { name: "View", query: "status=all" });
  const channels = (await listSavedChannels(ctx)).map(({ id }) => id);
  known = {
    channels,
    branding: (await listCodeBrandings(ctx))[0]?.id ?? "",
    receiver,
    view: (await listViews(ctx))[0]?.id ?? "",
    report: (await createReport(ctx, { kind: "overview", ...days })).id,
    token: shared.url.split("/").at(-1) ?? "",
    link: (await dearestLink(database)).public_id,
    links,
    group: await idOf(`select public_id as id from ${group}`),
    tag: await tagOf("tag-0"),
    smallTag,
    otherSmallTag: await tagOf("tag-901"),
    asset: IDS.asset,
    key: IDS.key,
    member: IDS.member,
    domain: IDS.domain,
    import: IDS.import,
    operation: await idOf(
      `select operation_id as id from audit_log where subject = '${links[0]}' order by id desc`,
    ),
    batch: batch?.id ?? "",
  };
}, FILL_MS);

const TABLE = cases((name) => known[name]);

describe(`in a workspace of ${LINKS} links`, () => {
  it("broken links are found beyond thousands of broken destinations of others", async () => {
    const list = await browser.get("/app/workspace-1/links?health=broken&status=all&per_page=100");
    const shown = [...list.text.matchAll(/name="ids" value="(\w+)"/g)].map(([, id]) => id);
    expect(broken).toHaveLength(5);
    expect(shown).toEqual(broken);
    const overview = await browser.get("/app/workspace-1");
    expect(overview.text).toContain(`/app/workspace-1/links/${broken[0]}`);
  });

  it("what needs attention is counted up to a limit", async () => {
    const found = await getOverview(ctx, toRange({ last: "365" }, "UTC", Date.now(), 0), { seesKeys: true });
    expect(found.links.created).toBeLessThanOrEqual(MAX_COUNTED_LINKS);
    const kinds = found.attention.filter(({ isMore }) => isMore).map(({ kind, total }) => [kind, total]);
    expect(kinds).toEqual([
      ["taken_down", MAX_COUNTED],
      ["silent_assets", MAX_COUNTED],
    ]);
  });

  /** The slugs of a file, in its order. */
  async function slugsIn(path: string, column: number) {
    const { status, headers, text } = await browser.get(`/app/workspace-1${path}`);
    expect(status).toBe(200);
    const lines = text.trimEnd().split("\r\n").slice(1);
    const slugs = lines.map((line) => line.split(",")[column]);
    return { slugs, lines, name: headers.get("content-disposition"), text };
  }

  it.each(["", "?sort=title", "?channel=&status=all"])(
    "the file of the list of links %s has the first 5,000, each once, as its page and name say",
    async (query) => {
      const { slugs, name } = await slugsIn(`/links/list.csv${query}`, 0);
      expect([slugs.length, new Set(slugs).size]).toEqual([MAX_EXPORTED_LINKS, MAX_EXPORTED_LINKS]);
      expect(name).toContain("-list-first-5000-");
      const { text } = await browser.get(`/app/workspace-1/links${query}`);
      expect(text).toContain("Export the first 5,000 links</a>");
      expect(text).toContain("The export of all results has the first 5,000.");
    },
  );

  it("the parts of an export have each link once", async () => {
    const parts = [await slugsIn("/export.csv?part=1", 0), await slugsIn("/export.csv?part=2", 0)];
    const slugs = parts.flatMap((part) => part.slugs);
    expect(slugs.length).toBeGreaterThan(10_000);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it("the clicks of a group by day have each day of each link once", async () => {
    const today = Date.now() - (Date.now() % DAY_MS);
    const dateOf = (day: number) => isoTime(day).slice(0, 10);
    const range = `from=${dateOf(today - DAY_MS)}&to=${dateOf(today)}`;
    const visited = await idsOf(`select owner_id as id from visit_hours join links on links.id = owner_id
      where owner_kind = 'link' and links.workspace_id = 1 and activity_group_id = 2 and hour >= ${today - DAY_MS}`);
    const group = await idOf("select public_id as id from activity_groups where id = 2");
    const { lines } = await slugsIn(`/groups/${group}/clicks.csv?${range}`, 1);
    expect(lines).toHaveLength(visited.length);
    expect(new Set(lines).size).toBe(visited.length);
  });

  it("files and the page of a group say that more than 2,000 visited links are not counted", async () => {
    const reason = "More than 2,000 links of the group were visited since this range began";
    for (const file of ["clicks.csv", "links.csv", "origins.csv"]) {
      const { text } = await slugsIn(`/groups/${known.group}/${file}`, 0);
      expect(text.includes(reason) && text.includes("–")).toBe(file !== "origins.csv");
    }
    const { text } = await browser.get(`/app/workspace-1/groups/${known.group}`);
    expect(text).toContain(reason);
    expect(text).toContain("Export day by day, at most a year:");
  });

  it.each(TABLE.map((one) => [`${one.route} ${one.name}`, one] as const))("%s", async (_, one) => {
    const [method, path = ""] = one.route.split(" ");
    const id = encodeURIComponent(one.id?.() ?? "");
    const to =
      path.replace(":workspace", "workspace-1").replace(/:\w+/, id).replace(":branding", known.branding) +
      (one.query?.() ?? "");
    observed.depth();
    Object.assign(rows, { read: 0, statements: 0 });
    const isPage = method === "GET";
    const { status } = isPage ? await browser.get(to) : await browser.post(to, one.form?.() ?? {});
    const depth = observed.depth();
    expect(one.isChanging ? [200, 303] : [one.status ?? (isPage ? 200 : 303)]).toContain(status);
    expect(rows.read).toBeLessThanOrEqual(one.rows);
    expect(rows.statements).toBeLessThanOrEqual(MAX_STATEMENTS);
    if (one.isFile !== true) expect(depth).toBeLessThanOrEqual(one.depth ?? MAX_DEPTH);
  });
});
