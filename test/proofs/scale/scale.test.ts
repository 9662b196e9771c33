import { applyD1Migrations, env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/access/keys";
import type { Env, WorkspaceContext } from "../../../src/context";
import { MAX_NEWEST_LINKS } from "../../../src/resources/links/list/list-plan";
import { type FoundLinks, listSomeLinks } from "../../../src/resources/links/list-links";
import { getWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { API, otherInstance, send, serviceContext, testEnv } from "../../harness";
import { metered } from "../../metered";
import { COMMON_WORD, DOMAINS, fill, RARE_WORD } from "./generate";
import { LINKS } from "./size";

// The rows that an operation reads and writes, counted by D1, in one of twenty workspaces with a given number of links.

const SIZES = (env.SCALE || `${LINKS}`).split(",").map(Number);
const FILL_MS = 1_500_000;
/** The rows of a page of a hundred links, of which the ids are read first. */
const PAGE_ROWS = 1_200;
/** An edit of everything reads most: both groups, each tag before and after, and the limits of slugs are among its rows. */
const WRITE_ROWS = 170;
/** Of a search of the web application: the names of tags and groups, a page of a hundred links, and the counts of each word. */
const SEARCH_ROWS = 6_000;
/** Such a search looks at up to 1,000 links by words or 2,000 of a filter, twice: for the page and for their number. */
const MOST_SEARCH_ROWS = 40_000;

describe.each(SIZES.map((links, index) => ({ links, binding: [env.SCALE_SMALL, env.SCALE_BIG][index] })))(
  "in a workspace of $links links",
  ({ links, binding }) => {
    const database = binding ?? env.SCALE_SMALL;
    const { db, rows } = metered(database);
    // On the free plan a million links leave no room to create more.
    const environment: Env = { ...otherInstance(testEnv), DB: db, CLOUDFLARE_PLAN: "paid" };
    let ctx: WorkspaceContext;
    let key = "";

    beforeAll(async () => {
      await applyD1Migrations(database, env.TEST_MIGRATIONS);
      await fill(database, { links });
      const service = serviceContext(environment);
      ctx = { ...service, workspace: await getWorkspace(service, "workspace-1") };
      key = (await createApiKey(ctx, { name: "scale" })).key;
    }, FILL_MS);

    /** An answer of the API, with the rows read and written. */
    async function call(method: string, path: string, body?: object) {
      Object.assign(rows, { read: 0, written: 0 });
      const response = await send(
        new Request(`${API}${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
        environment,
      );
      const text = response.headers.get("content-type") === "application/json" ? await response.json() : {};
      // biome-ignore lint/suspicious/noExplicitAny: a test reads any body
      return { status: response.status, headers: response.headers, body: text as any, ...rows };
    }
    const nextOf = ({ headers }: { headers: Headers }) =>
      /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]?.replace(API, "");
    const list = (query: string) => call("GET", `/api/v1/links?per_page=100&${query}`);

    it.each([
      ...["created_at", "-created_at", "updated_at", "-updated_at", "slug", "title"].map(
        (sort) => `sort=${sort}`,
      ),
      ...[
        "tag=tag-0",
        "tag=tag-9",
        "activity_group_id=group-0",
        "channel=email",
        `domain=${DOMAINS[0]}`,
        "status=archived",
        "status=all",
      ].flatMap((filter) => [`${filter}&sort=-created_at`, `${filter}&sort=created_at`]),
      "slug=1-ff",
      `domain=${DOMAINS[1]}&slug=1-2`,
      "domain=s.example",
    ])("a page of ?%s reads only the rows that it shows", async (query) => {
      const first = await list(query);
      expect(first.status).toBe(200);
      expect(first.read).toBeLessThanOrEqual(PAGE_ROWS);
      const next = nextOf(first);
      if (next === undefined) return;
      const second = await call("GET", next);
      expect(second.body.links.length).toBeGreaterThan(0);
      expect(second.read).toBeLessThanOrEqual(PAGE_ROWS);
    });

    it("a total equals the number of links", async () => {
      const counted = async (where: string) =>
        await db
          .prepare(
            `select count(*) as total from links where workspace_id = 1 and deleted_at is null and ${where}`,
          )
          .first<number>("total");
      const tagged =
        "(select link_id from link_tags join tags on tags.id = tag_id where slug = 'tag-3' and tags.workspace_id = 1)";
      for (const [query, where] of [
        ["", "archived = 0"],
        ["status=all", "true"],
        ["tag=tag-3", `archived = 0 and id in ${tagged}`],
        ["channel=sms&status=archived", "archived = 1 and channel = 'sms'"],
        ["domain=s.example&status=all", "domain is null"],
        [`domain=${DOMAINS[0]}`, `archived = 0 and domain = '${DOMAINS[0]}'`],
        ["activity_group_id=group-2&tag=tag-3", `archived = 0 and id in ${tagged} and activity_group_id = 3`],
      ] as const)
        expect((await list(query)).body.meta.total, query).toBe(await counted(where));
    });

    it("a list with several filters reads the most selective one, a few rows for each match", async () => {
      const size = async (query: string) => (await list(query)).body.meta.total as number;
      for (const [smallest, others] of [
        ["activity_group_id=group-150", "channel=email"],
        ["activity_group_id=group-150", "channel=email&tag=tag-0&status=all"],
        ["activity_group_id=group-150", "q=https"],
        ["tag=tag-200", "tag=tag-0&tag=tag-1"],
        ["channel=sms", "activity_group_id=group-0"],
        ["tag=tag-200", `domain=${DOMAINS[0]}`],
        [`domain=${DOMAINS[0]}`, "activity_group_id=group-0"],
        [`q=${RARE_WORD}`, "channel=email&tag=tag-0"],
        ["external_id_prefix=site:", "channel=email"],
        ["external_id_prefix=site:", "q=https"],
        ["activity_group_id=group-150", "q=https&external_id_prefix=nightly:"],
      ] as const) {
        const query = `${smallest}&${others}`;
        const { read, body } = await list(query);
        expect(read, query).toBeLessThanOrEqual(PAGE_ROWS + 8 * (await size(`${smallest}&status=all`)));
        expect((await list(`${query}&sort=title`)).body.meta.total, query).toBe(body.meta.total);
      }
    });

    it("external ids and slugs read a few rows for each value, a prefix for each match", async () => {
      const values = (name: string, toValue: (index: number) => string) =>
        Array.from({ length: 100 }, (_, index) => `${name}=${toValue(index)}`).join("&");
      for (const query of [
        values("external_id", (index) => `site:${index}`),
        values("slug", (index) => `1-${index.toString(16)}`),
        "external_id_prefix=site:",
        "external_id_prefix=nightly:",
      ]) {
        const { read, body } = await list(`${query}&status=all`);
        expect(body.meta.total, query).toBeGreaterThan(0);
        expect(read, query).toBeLessThanOrEqual(PAGE_ROWS + 8 * body.meta.total + 4 * 100);
      }
    });

    it("a search reads only its matches, and finds every substring in any script", async () => {
      for (const q of [RARE_WORD, "zzzzzz", "nothing like this"]) {
        expect((await list(`q=${q}`)).read, q).toBeLessThanOrEqual(5_000);
      }
      const counted = async (q: string, status: string) =>
        database
          .prepare(
            `select count(*) as total from links where workspace_id = 1 and deleted_at is null and ${status} and
              (instr(folded_slug, ?1) or instr(title_key, ?1) or instr(destination_key, ?1))`,
          )
          .bind(q)
          .first<number>("total");
      for (const q of [
        COMMON_WORD,
        "распродажа",
        "のセール",
        "size=77",
        "zürich: s",
        '"',
        "ale 1",
        RARE_WORD,
      ]) {
        const found = await list(`q=${encodeURIComponent(q)}`);
        const { total } = found.body.meta;
        expect(total, q).toBe(await counted(q, "archived = 0"));
        // For a text that is neither rare nor frequent, all matches are found, then sorted.
        if ([...q].length >= 3)
          expect(found.read, q).toBeLessThanOrEqual(total <= 500 ? 5_000 : 7 * total + PAGE_ROWS);
        const all = await list(`q=${encodeURIComponent(q)}&status=all&sort=title`);
        expect(all.body.meta.total, q).toBe(await counted(q, "true"));
        expect(all.body.links.length).toBe(Math.min(100, all.body.meta.total));
      }
      const common = await list(`q=${COMMON_WORD}`);
      expect(common.read).toBeLessThanOrEqual(common.body.meta.total + 12_000);
    });

    it.each([
      ["-created_at", "public_id desc"],
      ["created_at", "public_id"],
      ["-updated_at", "updated_at desc, public_id desc"],
      ["slug", "folded_slug"],
      ["title", "title_key is null, title_key, public_id"],
    ])("a search by %s shows the same links with any index", async (sort, order) => {
      for (const q of [COMMON_WORD, "ale 1", RARE_WORD]) {
        for (const [status, archived] of [
          ["active", "0"],
          ["all", "0, 1"],
        ]) {
          const { results } = await database
            .prepare(
              `select public_id from links where workspace_id = 1 and deleted_at is null and archived in (${archived}) and
                (instr(folded_slug, ?1) or instr(title_key, ?1) or instr(destination_key, ?1)) order by ${order} limit 200`,
            )
            .bind(q)
            .all<{ public_id: string }>();
          const shown: string[] = [];
          let next: string | undefined = `/api/v1/links?per_page=100&q=${q}&status=${status}&sort=${sort}`;
          while (next !== undefined && shown.length < 200) {
            const page: Awaited<ReturnType<typeof call>> = await call("GET", next);
            shown.push(...page.body.links.map(({ id }: { id: string }) => id));
            next = nextOf(page);
          }
          expect(shown, `${q}, ${status}`).toEqual(results.map(({ public_id: id }) => id));
        }
      }
    });

    it.each(["title", "updated_at", "-updated_at"])(
      "a search of both statuses by %s, for which there is no common index, reads only its matches",
      async (sort) => {
        for (const q of [RARE_WORD, "zürich: s"]) {
          const query = `q=${encodeURIComponent(q)}&status=all&sort=${sort}`;
          const first = await list(query);
          const { total } = first.body.meta;
          expect(first.read, q).toBeLessThanOrEqual(7 * total + PAGE_ROWS);
          expect(first.body.links.length, q).toBe(Math.min(100, total));
          const next = nextOf(first);
          if (next === undefined) continue;
          const second = await call("GET", next);
          expect(second.read, q).toBeLessThanOrEqual(7 * total + PAGE_ROWS);
        }
      },
    );

    it.each(["s.example", ...DOMAINS])(
      "reading a link, its QR file and its redirect costs the same at every size, on %s",
      async (host) => {
        const { id } = (await list(`domain=${host}`)).body.links[50];
        const link = await call("GET", `/api/v1/links/${id}`);
        expect(link.read).toBeLessThanOrEqual(60);
        expect((await call("GET", `/api/v1/links/${id}/qr`)).read).toBeLessThanOrEqual(60);
        Object.assign(rows, { read: 0 });
        expect(link.body.short_url).toBe(`https://${host}/${link.body.slug}`);
        const visit = new Request(link.body.short_url, { redirect: "manual" });
        expect((await send(visit, { ...environment, KV: otherInstance().KV })).status).toBe(302);
        expect(rows.read).toBeGreaterThan(0);
        expect(rows.read).toBeLessThanOrEqual(60);
      },
    );

    it("a link with three tags and a group is created with at most forty-five rows written", async () => {
      const { tags } = (await call("GET", "/api/v1/tags")).body;
      const create = async () => {
        const made = await call("POST", "/api/v1/links", {
          destination_url: "https://www.example.com/",
          title: "New",
          activity_group_id: "group-3",
          channel: "email",
          tag_ids: [1, 5, 9].map((index) => tags[index].id),
        });
        expect(made.status).toBe(201);
        expect(made.written).toBeLessThanOrEqual(45);
        return { made, path: `/api/v1/links/${made.body.link.id}` };
      };
      const { path: other } = await create();
      const { made, path } = await create();
      const costs = [
        ["create", made],
        [
          "everything",
          await call("PATCH", other, {
            title: "Newest",
            destination_url: "https://example.net/",
            slug: `new-${links}-${crypto.randomUUID().slice(0, 8)}`,
            activity_group_id: "group-12",
            channel: "print",
            status: "archived",
            utm_source: "a",
            utm_medium: "b",
            utm_campaign: "c",
          }),
        ],
        ["title", await call("PATCH", path, { title: "Newer" })],
        ["destination", await call("PATCH", path, { destination_url: "https://example.org/" })],
        ["slug", await call("PATCH", path, { slug: `scale-${links}-${crypto.randomUUID().slice(0, 8)}` })],
        ["group", await call("PATCH", path, { activity_group_id: "group-9" })],
        ["channel", await call("PATCH", path, { channel: "sms" })],
        ["archive", await call("PATCH", path, { status: "archived" })],
        ["restore", await call("PATCH", path, { status: "active" })],
        ["attach", await call("POST", `${path}/tags`, { tag_ids: [tags[20].id] })],
        ["detach", await call("DELETE", `${path}/tags/${tags[20].id}`)],
        ["delete", await call("DELETE", path)],
      ] as const;
      const dear = costs.map(([name, { read, status }]) => ({ name, read, status }));
      expect(dear.filter(({ status }) => status >= 300)).toEqual([]);
      expect(dear.filter(({ read }) => read > WRITE_ROWS)).toEqual([]);
    });

    it("the lists of a thousand tags and of one group read only their own rows", async () => {
      expect((await call("GET", "/api/v1/tags")).read).toBeLessThanOrEqual(1_100);
      expect((await call("GET", "/api/v1/activity-groups?slug=group-7")).read).toBeLessThanOrEqual(10);
    });

    async function find(text: string, more: object = {}): Promise<FoundLinks & { read: number }> {
      Object.assign(rows, { read: 0 });
      const found = await listSomeLinks(ctx, {
        find: text,
        status: "all",
        sort: "-created_at",
        page: 1,
        per_page: 100,
        after: undefined,
        ...more,
      });
      return { ...found, read: rows.read };
    }

    it("a search of the web application for rare words, slugs and short URLs reads a few rows for each match", async () => {
      for (const text of [
        RARE_WORD,
        `${RARE_WORD} ${COMMON_WORD}`,
        "nothing like this",
        "1-ff",
        "https://s.example/1-ff",
      ]) {
        const { read, meta } = await find(text);
        expect(read, text).toBeLessThanOrEqual(SEARCH_ROWS + 12 * meta.total);
      }
    });

    it.each<[string, object]>([
      [COMMON_WORD, {}],
      [`${COMMON_WORD} https`, {}],
      [`https ${COMMON_WORD} example`, { sort: "title" }],
      ["tag", {}],
      ["tag 7", {}],
      [`tag group ${COMMON_WORD}`, {}],
      ["group", { status: "active" }],
      ["ab", {}],
      ["https", { tag: ["tag-0"] }],
      ["https", { activity_group_id: "group-0" }],
      ["https", { channel: "email", status: "archived" }],
      ["https", { external_id: ["site:1"] }],
      ["a b c d e f g h", {}],
    ])("a search of the web application for %j reads a bounded number of rows", async (text, more) => {
      const { read, meta, lookedAt } = await find(text, more);
      expect(read).toBeLessThanOrEqual(MOST_SEARCH_ROWS);
      // A search that is not said to be cut has looked at everything.
      if (lookedAt === null) expect(meta.total).toBeLessThan(MAX_NEWEST_LINKS);
    });

    it("a list by several filters and a time of creation reads the links of its filters, on each page", async () => {
      const query = {
        activity_group_id: "group-150",
        channel: "email",
        created: { from: 0, to: undefined },
      };
      const { total } = (await list("activity_group_id=group-150&status=all")).body.meta;
      const show = async (status: "active" | "all", after: string | undefined) => {
        Object.assign(rows, { read: 0 });
        const paging = { sort: "-created_at", page: 1, per_page: 3, after } as const;
        const shown = await listSomeLinks(ctx, { ...query, ...paging, status });
        expect(shown.items.length).toBe(3);
        expect(rows.read).toBeLessThanOrEqual(PAGE_ROWS + 8 * total);
        return shown.nextAfter;
      };
      for (const status of ["active", "all"] as const) {
        const next = await show(status, undefined);
        expect(next).not.toBeNull();
        await show(status, next ?? undefined);
      }
    });

    it.each(["-created_at", "title", "updated_at", "slug"])(
      "a list by %s shows every link once on all its pages",
      { timeout: FILL_MS },
      async (sort) => {
        const seen = new Set<string>();
        let shown = 0;
        let total = 0;
        let next: string | undefined = `/api/v1/links?per_page=100&sort=${sort}`;
        while (next !== undefined) {
          const page: Awaited<ReturnType<typeof call>> = await call("GET", next);
          for (const { id } of page.body.links) seen.add(id);
          shown += page.body.links.length;
          total = page.body.meta.total;
          expect(page.read).toBeLessThanOrEqual(PAGE_ROWS);
          next = nextOf(page);
        }
        expect([shown, seen.size]).toEqual([total, total]);
      },
    );
  },
);
