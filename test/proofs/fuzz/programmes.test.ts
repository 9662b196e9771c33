import { env } from "cloudflare:test";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { domainOfKey, slugOfKey } from "../../../src/lib/slug-text";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { addDomain, setPrimaryDomain } from "../../../src/resources/domains/domain-service";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import {
  type Answer,
  type Call,
  makeWorkspace,
  otherInstance,
  SHORT,
  send,
  type TestWorkspace,
} from "../../harness";
import {
  type Filter,
  isRefused,
  type Link,
  type LinkInput,
  Model,
  type Outcome,
  type Tag,
  type TagInput,
  type Who,
  type Workspace,
} from "./model";

// Random programmes of calls by two workspaces, each with a domain beside the short host. Every answer must match a small model
// of the interface, and every address of a slug is visited on all three hosts.

/** The same seed in every run, unless another is given. */
const SEED = 1;
const RUNS = Number(env.RUNS) || 150;
const MS_PER_RUN = 30_000;
/** After it the calls so far are printed, also if a failure is still being shrunk. */
const LIMIT_MS = 60_000 + RUNS * MS_PER_RUN;
const MAX_CALLS = 40;

const UNKNOWN = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const LINK_LIMIT = 5;
const SHORT_NAME = new URL(SHORT).hostname;
const VISITORS_QUERY = ["v=1", "utm_source=me"];

type Condition = "none" | "*" | "current" | "first";

/** A call that names links, tags and groups by number. Some belong to the other workspace, some do not exist. */
interface Step {
  do: string;
  who: Who;
  given: object;
}

const DEVICES = [
  ["ios", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"],
  ["desktop", "curl/8.0"],
] as const;

const who = fc.constantFrom<Who>(0, 1);
const number = fc.nat(15);
/** Represents a slug of either workspace that no longer opens a link. */
const FREED = "freed";
/** Represents the code of an asset of either workspace. */
const CODE = "code";
const slug = fc.constantFrom("a", "A", "b", "B", "c", "d", "e", "f", FREED, FREED, CODE);
/** Represents the short host, a workspace's own domain or that of the other one. */
const domain = fc.constantFrom("short", "own", "own", "other");
const campaign = fc.constantFrom("given", "given & more");
const key = fc.option(fc.constantFrom("k1", "k2", "k3"), { nil: undefined, freq: 3 });
const condition = fc.constantFrom<Condition>("none", "none", "none", "*", "current", "first", "first");
const tags = fc.array(number, { minLength: 1, maxLength: 3 });
const group = fc.option(fc.nat(5), { nil: undefined });
const groupOrNull = fc.oneof(group, fc.constant(null));
const starts = fc.constantFrom(null, null, "2020-01-01T00:00:00.000Z", "2098-01-01T00:00:00.000Z");
const ends = fc.constantFrom(
  ...[null, null, "2019-01-01T00:00:00.000Z", "2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00.001Z"],
  ...["2099-01-01T00:00:00.000Z", "2098-01-01T00:00:00.000Z"],
);
const input: fc.Arbitrary<LinkInput> = fc.record(
  {
    starts_at: starts,
    ends_at: ends,
    ended_url: fc.constantFrom("/over?utm_source=x#end", null),
    destination_url: fc.constantFrom("/", "/x?a=1#top", "/y?utm_campaign=old&b=2", "/z?&utm_source=s"),
    slug,
    domain,
    rules: fc.constantFrom<{ destination_url: string; devices: string[] }[] | null>(
      null,
      [],
      [{ destination_url: "/apps?b=1#top", devices: ["ios"] }],
      [
        { destination_url: "/phone", devices: ["ios", "android"] },
        { destination_url: "/never", devices: ["ios"] },
      ],
    ),
    title: fc.constantFrom("one", "One", "two", null),
    channel: fc.constantFrom("mail", "print", null),
    external_id: fc.constantFrom("x:1", "x:2", "X:1", null),
    tag_names: fc.constantFrom(["RED"], ["blue", "Dark Blue"], [], null),
    utm_source: fc.constantFrom("src", null),
    utm_medium: fc.constantFrom("med", null),
    utm_term: fc.constantFrom("a term", null),
    utm_content: fc.constantFrom("top", null),
    utm_campaign: fc.oneof(campaign, fc.constant(null)),
  },
  { requiredKeys: [] },
);
const status = fc.constantFrom("active" as const, "archived" as const);
const filter: fc.Arbitrary<Filter> = fc.record(
  {
    status: fc.constantFrom("active", "archived", "all"),
    channel: fc.constantFrom("mail", "none"),
    domain,
    slug: fc.array(slug, { minLength: 1, maxLength: 3 }),
    external_id: fc.constantFrom(["x:1"], ["x:2", "X:1"]),
    external_id_prefix: fc.constantFrom("x:", "x:1", "X"),
    q: fc.constantFrom("o", "ONE", "example", "utm_c", "-b"),
    sort: fc.constantFrom("-created_at", "created_at", "-updated_at", "updated_at", "slug", "title"),
  },
  { requiredKeys: [] },
);
const tagName = fc.constantFrom("red", "Red", "blue", "dark blue", "dark-blue");
const tagSlug = fc.constantFrom("red", "blue", "blue-2");
const tagInput = fc.record(
  { name: tagName, slug: fc.oneof(tagSlug, fc.constant(null)) },
  { requiredKeys: [] },
);

// biome-ignore lint/suspicious/noExplicitAny: a test reads any body
type AnyAnswer = Answer<any>;

/** The values of a resource at its creation. */
interface Seen {
  etag: string;
  text: string;
}

let calls = 0;
/** The number of calls by kind and status. */
const tally: Record<string, number> = {};

/** Two workspaces with a domain and two groups each, and their model. */
class Programme {
  readonly model: Model;
  private readonly seen = new Map<Link | Tag, Seen>();
  private readonly etags = new Map<string, string>();
  private readonly kept = new Map<string, { print: string; text: string }>();

  private constructor(
    readonly workspaces: Readonly<Record<Who, TestWorkspace>>,
    /** A word in every text of a workspace, to detect leaks to the other one. */
    private readonly words: readonly string[],
    /** The domain of each. That of the second one is its primary one. */
    private readonly domains: Readonly<Record<Who, string>>,
    private readonly prefix: string,
  ) {
    const first: Workspace = { limit: LINK_LIMIT, hosts: [SHORT_NAME, domains[0]] };
    this.model = new Model([first, { limit: null, hosts: [domains[1], SHORT_NAME] }], SHORT_NAME);
  }

  static async begin(): Promise<Programme> {
    const name = crypto.randomUUID().replaceAll("-", "");
    const words = [`anna${name.slice(0, 8)}`, `bert${name.slice(8, 16)}`] as const;
    const workspaces = [await makeWorkspace({ linkLimit: LINK_LIMIT }), await makeWorkspace()] as const;
    const domains = [`go.${words[0]}.example`, `go.${words[1]}.example`] as const;
    for (const who of [0, 1] as const) await addDomain(workspaces[who].ctx, domains[who], true);
    await setPrimaryDomain(workspaces[1].ctx, domains[1]);
    const programme = new Programme(workspaces, words, domains, `s${name.slice(16, 24)}`);
    for (const [index, ws] of workspaces.entries()) {
      const word = words[index];
      const owner = index as Who;
      for (const [name, default_utm_campaign] of [
        ["first", `${word}-default`],
        ["second", null],
      ] as const) {
        const made = await ws.group({
          name: `${word} ${name}`,
          slug: `${word}-${name}`,
          default_utm_campaign,
        });
        programme.model.groups.push({ ...made, owner, ended: { url: null, endsLinks: false } });
      }
    }
    return programme;
  }

  word = (who: Who): string => this.words[who] ?? "";
  host = (who: Who, named: string): string =>
    named === "short" ? SHORT_NAME : this.domains[named === "own" ? who : who === 0 ? 1 : 0];
  slug = (letter: string): string =>
    (letter === FREED ? this.model.freedSlug() : undefined) ??
    (letter === CODE ? this.model.assets.at(-1)?.code : undefined) ??
    `${this.prefix}-${letter}`;

  /** Usually the workspace's own, sometimes the other one's. */
  pick<Thing extends { owner: Who }>(things: readonly Thing[], who: Who, index: number): Thing | undefined {
    const some = things.filter(({ owner }) => (owner === who) === index < 14);
    return some[index % Math.max(1, some.length)];
  }
  link = (who: Who, index: number) => this.pick(this.model.links, who, index);
  tag = (who: Who, index: number) => this.pick(this.model.tags, who, index);
  tagIds = (who: Who, indices: readonly number[]) =>
    indices.map((index) => this.tag(who, index)?.id ?? UNKNOWN);
  /** A group's id or slug, or for the last number the other workspace's. */
  group(who: Who, index: number): string {
    const { id, slug } = this.model.groups.filter(({ owner }) => (owner === who) === index < 5)[
      index % 2
    ] ?? { id: "", slug: "" };
    return index < 3 ? id : slug;
  }

  text = (thing: Link | Tag): string =>
    JSON.stringify("times" in thing ? this.model.shown(thing) : this.model.shownTag(thing));

  async call(who: Who, method: string, path: string, request: Call = {}): Promise<AnyAnswer> {
    calls++;
    const answer = await this.workspaces[who].call(method, `/api/v1${path}`, request);
    const kind = `${method} ${path.replace(/[?].*/, "").replace(/\/[0-9A-Z]{26}/g, "/{id}")} ${answer.status}`;
    tally[kind] = (tally[kind] ?? 0) + 1;
    expect(answer.status, answer.text).toBeLessThan(500);
    this.findNothingOfOther(who, answer.text.toLowerCase());
    return answer;
  }

  private findNothingOfOther(who: Who, text: string): void {
    const isOther = ({ owner }: { owner: Who }) => owner !== who;
    const { links, tags, groups, slugs } = this.model;
    const theirs = [
      this.words[1 - who] ?? "",
      ...[...links, ...tags, ...groups].filter(isOther).map(({ id }) => id.toLowerCase()),
      ...[...slugs].flatMap(([key, claim]) =>
        isOther(claim) ? [`//${domainOfKey(key) || SHORT_NAME}/${slugOfKey(key)}"`] : [],
      ),
    ];
    expect(theirs.filter((each) => text.includes(each))).toEqual([]);
  }

  /** An `If-Match` header, and whether it matches. */
  async conditionOn(who: Who, thing: Link | Tag | undefined, kind: Condition) {
    if (kind === "none" || thing === undefined) return { headers: {}, holds: true };
    if (kind === "*") return { headers: { "if-match": "*" }, holds: true };
    if (kind === "first") {
      const { etag, text } = this.seen.get(thing) ?? { etag: '"none"', text: "" };
      return { headers: { "if-match": etag }, holds: text === this.text(thing) };
    }
    const now =
      "times" in thing
        ? (await this.call(who, "GET", `/links/${thing.id}`)).headers.get("etag")
        : this.etags.get(this.text(thing));
    return { headers: { "if-match": now ?? '"gone"' }, holds: true };
  }

  refused<Made>(answer: AnyAnswer, outcome: Outcome<Made>): boolean {
    expect(answer.status, answer.text).toBe(outcome.status);
    if (!isRefused(outcome)) return false;
    if (outcome.fields !== undefined) expect(Object.keys(answer.body.errors)).toEqual(outcome.fields);
    return true;
  }

  /** Compares an answer with a link, and stores the service's times. */
  checkLink(
    answer: AnyAnswer,
    shown: AnyAnswer["body"],
    link: Link,
    before?: { text: string; explicit: boolean },
  ): void {
    const { archived_at, created_at, updated_at } = shown;
    const was = link.times;
    if (before !== undefined && before.text === this.text(link) && before.explicit === link.explicit)
      expect(shown.updated_at).toBe(was.updated_at);
    expect(created_at >= was.created_at && updated_at >= was.updated_at && updated_at >= created_at).toBe(
      true,
    );
    expect(archived_at === null).toBe(!link.archived);
    if (was.archived_at !== null && link.archived) expect(archived_at).toBe(was.archived_at);
    link.times = { archived_at, created_at, updated_at };
    expect(JSON.stringify(shown)).toBe(this.text(link));
    this.checkEtag(answer, link);
  }

  /** The same resource has the same ETag, another one another. */
  checkEtag(answer: AnyAnswer, thing: Link | Tag): void {
    const etag = answer.headers.get("etag") ?? "";
    const text = this.text(thing);
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(this.etags.get(text) ?? etag).toBe(etag);
    expect([...this.etags].filter(([other, each]) => each === etag && other !== text)).toEqual([]);
    this.etags.set(text, etag);
    if (!this.seen.has(thing)) this.seen.set(thing, { etag, text });
  }

  /** Sends a POST. Returns undefined if its Idempotency-Key replayed the first answer correctly. */
  async post(
    who: Who,
    path: string,
    body: object,
    key: string | undefined,
    headers: Record<string, string>,
    isThere: boolean,
    holds = true,
  ) {
    if (key === undefined) return this.call(who, "POST", path, { body, headers });
    const answer = await this.call(who, "POST", path, {
      body,
      headers: { ...headers, "idempotency-key": key },
    });
    const kept = this.kept.get(`${who} ${key}`);
    const print = `${path} ${JSON.stringify(body)}`;
    expect(answer.headers.get("idempotent-replayed")).toBe(isThere && kept?.print === print ? "true" : null);
    if (kept === undefined || !isThere) {
      if (answer.status < 300) this.kept.set(`${who} ${key}`, { print, text: answer.text });
      return answer;
    }
    if (kept.print === print) expect(answer.text).toBe(kept.text);
    else if (!holds) expect(answer.status).toBe(412);
    else expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ["idempotency_key"]]);
    return undefined;
  }

  inputOf(who: Who, input: LinkInput, group: number | null | undefined): LinkInput {
    const urlOf = (path: string) => `https://${this.word(who)}.example.com${path}`;
    const own = (text: string) => `${this.word(who)} ${text}`;
    const sent = { ...input };
    if (input.destination_url !== undefined) sent.destination_url = urlOf(input.destination_url);
    if (input.ended_url != null) sent.ended_url = urlOf(input.ended_url);
    if (input.rules != null)
      sent.rules = input.rules.map((rule) => ({ ...rule, destination_url: urlOf(rule.destination_url) }));
    if (input.slug !== undefined) sent.slug = this.slug(input.slug);
    if (input.domain !== undefined) sent.domain = this.host(who, input.domain);
    if (input.title != null) sent.title = own(input.title);
    if (input.utm_campaign != null) sent.utm_campaign = own(input.utm_campaign);
    if (input.tag_names != null) sent.tag_names = input.tag_names.map(own);
    if (group !== undefined) sent.activity_group_id = group === null ? null : this.group(who, group);
    return sent;
  }

  tagInputOf<Input extends TagInput>(who: Who, input: Input): Input {
    const word = this.word(who);
    return {
      ...input,
      ...(input.name === undefined ? {} : { name: `${word} ${input.name}` }),
      ...(input.slug == null ? {} : { slug: `${word}-${input.slug}` }),
    };
  }

  queryOf(who: Who, filter: Filter): [string, string][] {
    return Object.entries(this.filterOf(who, filter)).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    );
  }

  /** Visits a slug on every host in a new instance. */
  async visit(slug: string): Promise<void> {
    const instance = otherInstance();
    for (const host of [SHORT_NAME, this.domains[0], this.domains[1]]) {
      for (const [device, agent] of DEVICES) {
        calls++;
        const url = `https://${host}/${slug}?${VISITORS_QUERY.join("&")}`;
        const visitor = { headers: { "user-agent": agent }, redirect: "manual" } as const;
        const { status, headers } = await send(new Request(url, visitor), instance);
        const expected = this.model.visit(host, slug, VISITORS_QUERY, new Date().toISOString(), device);
        expect([host, device, status, headers.get("location")]).toEqual([host, device, ...expected]);
      }
    }
  }

  filterOf = (who: Who, filter: Filter): Filter => ({
    ...filter,
    ...(filter.slug === undefined ? {} : { slug: filter.slug.map((slug) => this.slug(slug)) }),
    ...(filter.domain === undefined ? {} : { domain: this.host(who, filter.domain) }),
  });
}

const newTag = fc.tuple(tagInput, tagName).map(([each, name]) => ({ ...each, name }));

/** What each kind of step does. */
const RUN = new Map<string, (this: Programme, who: Who, given: never) => Promise<void>>();

/** Steps of one kind, which are drawn as often as their weight says. */
function stepsOf<Given extends object>(
  weight: number,
  name: string,
  given: { [Field in keyof Given]: fc.Arbitrary<Given[Field]> },
  run: (this: Programme, who: Who, given: Given) => Promise<void>,
) {
  RUN.set(name, run);
  return { weight, arbitrary: stepOf(name, given) };
}

const stepOf = (name: string, given: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Step> =>
  fc.record({ do: fc.constant(name), who, given: fc.record(given) });

const firstLink = stepOf("create link", {
  input: fc.record({ utm_campaign: campaign, slug }, { requiredKeys: [] }),
  tags: fc.constant([]),
  group: fc.nat(4),
  key: fc.constant(undefined),
});
const step = fc.oneof(
  stepsOf(
    4,
    "create link",
    { input, tags: fc.oneof(fc.constant([]), fc.constant([]), tags), group: groupOrNull, key },
    async function (who, given) {
      const { tag_names: names, ...fields } = this.inputOf(who, given.input, given.group);
      const body = {
        destination_url: `https://${this.word(who)}.example.com`,
        ...fields,
        ...(names == null ? { tag_ids: this.tagIds(who, given.tags) } : { tag_names: names }),
      };
      const answer = await this.post(who, "/links", body, given.key, {}, true);
      if (answer === undefined) return;
      const outcome = this.model.createLink(who, body);
      if (this.refused(answer, outcome) || isRefused(outcome)) return;
      const { link } = answer.body;
      if (body.slug === undefined) expect(link.slug).toMatch(/^[a-hjkmnp-z2-9]{7}$/);
      this.model.learn(outcome.made, { id: link.id, slug: body.slug ?? link.slug });
      this.checkLink(answer, link, outcome.made);
    },
  ),
  stepsOf(
    16,
    "update link",
    {
      link: number,
      input: fc
        .tuple(input, fc.option(status))
        .map(([fields, status]): LinkInput => (status === null ? fields : { ...fields, status })),
      group: groupOrNull,
      condition,
    },
    async function (who, given) {
      const link = this.link(who, given.link);
      const before = link && { text: this.text(link), explicit: link.explicit };
      const { headers, holds } = await this.conditionOn(who, link, given.condition);
      const body = this.inputOf(who, given.input, given.group);
      const answer = await this.call(who, "PATCH", `/links/${link?.id ?? UNKNOWN}`, { body, headers });
      const outcome = this.model.updateLink(who, link, body, holds);
      if (this.refused(answer, outcome) || link === undefined) return;
      this.checkLink(answer, answer.body.link, link, before);
      // The next update must replace the value that is now in KV.
      await this.visit(link.slug);
    },
  ),
  stepsOf(4, "delete link", { link: number, condition }, async function (who, given) {
    const link = this.link(who, given.link);
    const { headers, holds } = await this.conditionOn(who, link, given.condition);
    const answer = await this.call(who, "DELETE", `/links/${link?.id ?? UNKNOWN}`, { headers });
    this.refused(answer, this.model.deleteLink(who, link, holds));
  }),
  stepsOf(1, "get link", { link: number }, async function (who, given) {
    const link = this.link(who, given.link);
    const answer = await this.call(who, "GET", `/links/${link?.id ?? UNKNOWN}`);
    if (this.refused(answer, this.model.getLink(who, link)) || link === undefined) return;
    this.checkLink(answer, answer.body, link, { text: this.text(link), explicit: link.explicit });
  }),
  stepsOf(1, "get QR", { link: number }, async function (who, given) {
    const link = this.link(who, given.link);
    const answer = await this.call(who, "GET", `/links/${link?.id ?? UNKNOWN}/qr`);
    this.refused(answer, this.model.getLinkQr(who, link));
  }),
  stepsOf(
    3,
    "list links",
    {
      filter,
      tags: fc.oneof(fc.constant([]), fc.array(number, { minLength: 1, maxLength: 2 })),
      group,
      page: fc.integer({ min: 1, max: 3 }),
      perPage: fc.integer({ min: 1, max: 4 }),
    },
    async function (who, given) {
      const filter: Filter = {
        ...given.filter,
        ...(given.tags.length === 0
          ? {}
          : {
              tag: given.tags.map(
                (each, index) =>
                  (index === 0 ? this.tag(who, each)?.slug : undefined) ??
                  this.tagIds(who, [each])[0] ??
                  UNKNOWN,
              ),
            }),
        ...(given.group === undefined ? {} : { activity_group_id: this.group(who, given.group) }),
      };
      const { page, perPage } = given;
      const query = new URLSearchParams([
        ...this.queryOf(who, filter),
        ["page", `${page}`],
        ["per_page", `${perPage}`],
      ]);
      const { body } = await this.call(who, "GET", `/links?${query}`);
      const all = this.model.listLinks(who, this.filterOf(who, filter));
      const meta = {
        current_page: page,
        last_page: Math.max(1, Math.ceil(all.length / perPage)),
        per_page: perPage,
        total: all.length,
      };
      const shown = all.slice((page - 1) * perPage, page * perPage).map(this.model.shown);
      expect(body).toEqual({ links: shown, meta });
    },
  ),
  stepsOf(1, "walk links", { filter, perPage: fc.integer({ min: 1, max: 2 }) }, async function (who, given) {
    const ids: string[] = [];
    let path: string | undefined =
      `/links?${new URLSearchParams([...this.queryOf(who, given.filter), ["per_page", `${given.perPage}`]])}`;
    while (path !== undefined) {
      const { body, headers }: AnyAnswer = await this.call(who, "GET", path);
      ids.push(...body.links.map(({ id }: Link) => id));
      path = /<[^>]+\/api\/v1([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(ids).toEqual(this.model.listLinks(who, this.filterOf(who, given.filter)).map(({ id }) => id));
  }),
  stepsOf(3, "attach", { link: number, tags, condition, key }, async function (who, given) {
    const link = this.link(who, given.link);
    const { headers, holds } = await this.conditionOn(who, link, given.condition);
    const ids = this.tagIds(who, given.tags);
    const isThere = !isRefused(this.model.getLink(who, link));
    const answer = await this.post(
      who,
      `/links/${link?.id ?? UNKNOWN}/tags`,
      { tag_ids: ids },
      given.key,
      headers,
      isThere,
      holds,
    );
    if (answer === undefined) return;
    if (!this.refused(answer, this.model.attachTags(who, link, ids, holds)) && link) {
      expect(answer.body.link.updated_at).toBe(link.times.updated_at);
      this.checkLink(answer, answer.body.link, link);
    }
  }),
  stepsOf(4, "detach", { link: number, tag: number, condition }, async function (who, given) {
    const link = this.link(who, given.link);
    const carried = [...(link?.tags ?? [])];
    // Usually an attached tag, so that there is something to detach.
    const tag = given.tag % 4 === 0 ? this.tag(who, given.tag) : (carried[0] ?? this.tag(who, given.tag));
    const { headers, holds } = await this.conditionOn(who, link, given.condition);
    const path = `/links/${link?.id ?? UNKNOWN}/tags/${tag?.id ?? UNKNOWN}`;
    const answer = await this.call(who, "DELETE", path, { headers });
    this.refused(answer, this.model.detachTag(who, link, tag, holds));
  }),
  stepsOf(2, "create tag", { input: newTag, key }, async function (who, given) {
    const body = this.tagInputOf(who, given.input);
    const answer = await this.post(who, "/tags", body, given.key, {}, true);
    if (answer === undefined) return;
    const outcome = this.model.createTag(who, body);
    if (this.refused(answer, outcome) || isRefused(outcome)) return;
    this.model.learnTag(outcome.made, answer.body.tag.id);
    expect(answer.body.tag).toEqual(this.model.shownTag(outcome.made));
    this.checkEtag(answer, outcome.made);
  }),
  stepsOf(2, "update tag", { tag: number, input: tagInput, condition }, async function (who, given) {
    const tag = this.tag(who, given.tag);
    const { headers, holds } = await this.conditionOn(who, tag, given.condition);
    const body = this.tagInputOf(who, given.input);
    const answer = await this.call(who, "PATCH", `/tags/${tag?.id ?? UNKNOWN}`, { body, headers });
    if (this.refused(answer, this.model.updateTag(who, tag, body, holds)) || tag === undefined) return;
    expect(answer.body.tag).toEqual(this.model.shownTag(tag));
    this.checkEtag(answer, tag);
  }),
  stepsOf(1, "delete tag", { tag: number, condition }, async function (who, given) {
    const tag = this.tag(who, given.tag);
    const { headers, holds } = await this.conditionOn(who, tag, given.condition);
    const answer = await this.call(who, "DELETE", `/tags/${tag?.id ?? UNKNOWN}`, { headers });
    this.refused(answer, this.model.deleteTag(who, tag, holds));
  }),
  stepsOf(1, "list tags", {}, async function (who) {
    const { body } = await this.call(who, "GET", "/tags");
    expect(body).toEqual({ tags: this.model.tagsOf(who).map(this.model.shownTag) });
  }),
  stepsOf(1, "list groups", { group }, async function (who, given) {
    const name = given.group === undefined ? undefined : this.group(who, given.group);
    const query = name === undefined ? "" : name.includes("-") ? `?slug=${name}` : `?id=${name}`;
    const { body } = await this.call(who, "GET", `/activity-groups${query}`);
    const expected = this.model
      .groupsOf(who)
      .filter(({ id, slug }) => name === undefined || id === name || slug === name);
    expect(body.activity_groups).toMatchObject(expected.map(({ owner: _, ended: __, ...shown }) => shown));
    expect([body.activity_groups.length, body.meta.total]).toEqual([expected.length, expected.length]);
  }),
  stepsOf(
    2,
    "edit group",
    {
      group: fc.nat(1),
      campaign: fc.constantFrom("spring", null),
      ends_at: ends,
      endsLinks: fc.boolean(),
      ended: fc.boolean(),
    },
    async function (who, given) {
      const group = this.model.groupsOf(who)[given.group];
      if (group === undefined) return;
      group.default_utm_campaign = given.campaign === null ? null : `${this.word(who)}-${given.campaign}`;
      group.ends_at = given.ends_at;
      group.ended = {
        url: given.ended ? `https://${this.word(who)}.example.com/group-over` : null,
        endsLinks: given.endsLinks,
      };
      await updateActivityGroup(this.workspaces[who].ctx, group.id, {
        default_utm_campaign: group.default_utm_campaign,
        ends_at: group.ends_at === null ? null : Date.parse(group.ends_at),
        ended_url: group.ended.url,
        ends_links: group.ended.endsLinks,
      });
    },
  ),
  stepsOf(3, "create asset", { link: number }, async function (who, given) {
    const link = this.link(who, given.link);
    const { ctx } = this.workspaces[who];
    const made = createAsset(ctx, { name: this.word(who), link: link?.id ?? UNKNOWN });
    if (!this.model.takesAssets(who, link)) {
      await expect(made).rejects.toMatchObject({ status: 422, failures: [{ field: "link" }] });
      return;
    }
    const { id, code } = await made;
    this.model.learnAsset({ owner: who, id, code: code ?? "" }, link);
    // The next change must replace the value that is now in KV.
    await this.visit(code ?? "");
  }),
  stepsOf(3, "move asset", { asset: number, link: number }, async function (who, given) {
    const asset = this.pick(this.model.assets, who, given.asset);
    const link = this.link(who, given.link);
    if (asset === undefined) return;
    const moved = updateAsset(this.workspaces[who].ctx, asset.id, { link: link?.id ?? UNKNOWN });
    if (asset.owner !== who) await expect(moved).rejects.toMatchObject({ status: 404 });
    else if (!this.model.takesAssets(who, link)) await expect(moved).rejects.toMatchObject({ status: 422 });
    else {
      expect((await moved).code).toBe(asset.code);
      this.model.moveAsset(asset, link);
      await this.visit(asset.code);
    }
  }),
  stepsOf(4, "visit code", { asset: number }, async function (who, given) {
    const asset = this.pick(this.model.assets, who, given.asset);
    if (asset !== undefined) await this.visit(asset.code);
  }),
  stepsOf(4, "visit", { slug: fc.oneof(slug, number) }, async function (who, given) {
    const asked = typeof given.slug === "string" ? this.slug(given.slug) : this.link(who, given.slug)?.slug;
    await this.visit(asked ?? this.slug("z"));
  }),
);

it(`for random programmes of two workspaces every response matches the model, and neither sees the other's data, in ${RUNS} programmes`, {
  timeout: LIMIT_MS + 60_000,
}, async () => {
  const programmes = fc
    .tuple(
      fc.array(stepOf("create tag", { input: newTag, key }), { minLength: 3, maxLength: 3 }),
      fc.array(firstLink, { minLength: 6, maxLength: 6 }),
      fc.array(step, { minLength: 10, maxLength: MAX_CALLS - 9, size: "max" }),
    )
    .map((parts) => parts.flat());
  await fc.assert(
    fc.asyncProperty(programmes, async (steps) => {
      const programme = await Programme.begin();
      for (const { do: name, who, given } of steps) await RUN.get(name)?.call(programme, who, given as never);
    }),
    {
      numRuns: RUNS,
      seed: Number(env.SEED) || SEED,
      interruptAfterTimeLimit: LIMIT_MS,
      markInterruptAsFailure: true,
    },
  );
});

afterAll(() => {
  console.error(`${RUNS} programmes, ${calls} calls ${JSON.stringify(tally)}`);
});
