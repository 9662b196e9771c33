import { eachField, eachTextField, LABEL_FIELDS, WINDOW_FIELDS } from "../../../src/lib/link-fields";
import { SHORT_HOST, slugKey, slugOfKey } from "../../../src/lib/slug-text";
import type { LinkSort } from "../../../src/resources/links/link-schema";

// An in-memory model of the interface: links, addresses, tags, groups and codes of assets of two workspaces, each with a domain.
// Ids, times and generated slugs are taken from the service's answers.

export type Who = 0 | 1;

/** A workspace's link limit, and its hosts: the first is that of new links. */
export interface Workspace {
  limit: number | null;
  hosts: readonly string[];
}

export interface Group {
  owner: Who;
  id: string;
  name: string;
  slug: string;
  type: string;
  status: string;
  default_utm_campaign: string | null;
  ends_at: string | null;
  /** Not in the interface. */
  ended: { url: string | null; endsLinks: boolean };
}

export interface Tag {
  owner: Who;
  id: string;
  name: string;
  slug: string;
  deleted: boolean;
}

/** The texts, URLs and times as they were last given. */
type GivenFields = Omit<LinkInput, "status" | "activity_group_id" | "rules" | "tag_ids" | "tag_names">;

export interface Link extends Required<GivenFields> {
  owner: Who;
  id: string;
  /** Whether the campaign was given instead of inherited from the group. */
  explicit: boolean;
  /** As the interface shows them. These have devices alone. */
  rules: { destination_url: string; devices: string[] }[];
  group: Group | undefined;
  tags: Set<Tag>;
  archived: boolean;
  deleted: boolean;
  times: { archived_at: string | null; created_at: string; updated_at: string };
}

/** A draft asset, by its code. */
export interface Asset {
  owner: Who;
  id: string;
  code: string;
}

/** The fields of a request, with ids and slugs as sent. */
export interface LinkInput {
  destination_url?: string;
  slug?: string;
  domain?: string;
  title?: string | null;
  channel?: string | null;
  external_id?: string | null;
  status?: "active" | "archived";
  activity_group_id?: string | null;
  utm_source?: string | null;
  utm_medium?: string | null;
  utm_campaign?: string | null;
  utm_term?: string | null;
  utm_content?: string | null;
  starts_at?: string | null;
  ends_at?: string | null;
  ended_url?: string | null;
  rules?: { destination_url: string; devices: string[] }[] | null;
  tag_ids?: string[] | null;
  tag_names?: string[] | null;
}

export interface TagInput {
  name?: string;
  slug?: string | null;
}

export interface Filter {
  status?: "active" | "archived" | "all";
  tag?: string[];
  activity_group_id?: string;
  channel?: string;
  domain?: string;
  slug?: string[];
  external_id?: string[];
  external_id_prefix?: string;
  q?: string;
  sort?: LinkSort;
}

/** An error: its status, and for 422 the invalid fields in order. */
export interface Refusal {
  status: 404 | 412 | 422;
  fields?: string[];
}

export type Outcome<Made> = Refusal | { status: 200 | 201 | 204; made: Made };

export const isRefused = <Made>(outcome: Outcome<Made>): outcome is Refusal => outcome.status >= 400;

const fold = (text: string): string => text.toLowerCase();
const refusal = (fields: (string | undefined)[]): Refusal | undefined => {
  const failing = fields.filter((field) => field !== undefined);
  return failing.length === 0 ? undefined : { status: 422, fields: failing };
};
const NOT_FOUND: Refusal = { status: 404 };
const CHANGED: Refusal = { status: 412 };

export class Model {
  readonly links: Link[] = [];
  readonly tags: Tag[] = [];
  readonly groups: Group[] = [];
  readonly assets: Asset[] = [];
  /** The owner of each address by its key, codes included, and the link that it opens, if any. */
  readonly slugs = new Map<string, { owner: Who; link: Link | undefined; isCode?: true }>();

  constructor(
    private readonly workspaces: Readonly<Record<Who, Workspace>>,
    private readonly shortHost: string,
  ) {}

  key = (host: string, slug: string): string => slugKey(host === this.shortHost ? SHORT_HOST : host, slug);
  private keyOf = ({ domain, slug }: Link): string => this.key(domain, slug);
  /** The host of new links and codes. */
  hostOf = (who: Who): string => this.workspaces[who].hosts[0] ?? "";
  private has = (who: Who, host: string): boolean => this.workspaces[who].hosts.includes(host);

  linksOf = (who: Who): Link[] => this.links.filter(({ owner, deleted }) => owner === who && !deleted);
  tagsOf = (who: Who): Tag[] =>
    this.tags
      .filter(({ owner, deleted }) => owner === who && !deleted)
      .sort((a, b) => (fold(a.name) < fold(b.name) ? -1 : 1));
  groupsOf = (who: Who): Group[] =>
    this.groups.filter(({ owner }) => owner === who).sort((a, b) => (a.name < b.name ? -1 : 1));

  private groupNamed = (who: Who, name: string | null | undefined) =>
    this.groupsOf(who).find(({ id, slug }) => id === name || slug === name);
  private tagWith = (who: Who, wanted: string) => this.tagsOf(who).find(({ id }) => id === wanted);
  private isThere = (who: Who, link: Link | undefined): link is Link =>
    link !== undefined && link.owner === who && !link.deleted;

  /** The errors on the address that a link is to have, which is on a domain of its workspace or on the short host. */
  private addressProblems(who: Who, { slug, domain }: LinkInput, link?: Link): (string | undefined)[] {
    const host = domain ?? link?.domain ?? this.hostOf(who);
    if (!this.has(who, host)) return ["domain"];
    const claim = this.slugs.get(this.key(host, slug ?? link?.slug ?? ""));
    const isFree =
      claim === undefined ||
      (claim.owner === who && !claim.isCode && (claim.link === undefined || claim.link === link));
    return [isFree ? undefined : "slug"];
  }

  private groupProblem = (who: Who, named: string | null | undefined): string | undefined =>
    named != null && this.groupNamed(who, named) === undefined ? "activity_group_id" : undefined;

  private tagProblems = (who: Who, ids: readonly string[]): string[] =>
    ids.flatMap((id, index) => (this.tagWith(who, id) === undefined ? [`tag_ids.${index}`] : []));

  private tagNamed = (who: Who, name: string) =>
    this.tagsOf(who).find((tag) => fold(tag.name) === fold(name));

  private requestedTagProblems = (who: Who, { tag_ids: ids, tag_names: names }: LinkInput): string[] => [
    ...this.tagProblems(who, ids ?? []),
    ...(names ?? []).flatMap((name, index) =>
      this.tagNamed(who, name) === undefined ? [`tag_names.${index}`] : [],
    ),
  ];

  private externalIdProblem = (who: Who, { external_id: id }: LinkInput, self?: Link): string | undefined =>
    id != null && this.linksOf(who).some((link) => link !== self && link.external_id === id)
      ? "external_id"
      : undefined;

  /** All times are in UTC, so their texts sort like them. */
  private endProblem(input: LinkInput, was?: Link): string | undefined {
    const { starts_at: start = was?.starts_at, ends_at: end = was?.ends_at } = input;
    return start != null && end != null && end <= start ? "ends_at" : undefined;
  }

  createLink(who: Who, input: LinkInput): Outcome<Link> {
    const { limit } = this.workspaces[who];
    const refused = refusal([
      ...this.addressProblems(who, input),
      this.groupProblem(who, input.activity_group_id),
      this.externalIdProblem(who, input),
      this.endProblem(input),
      ...this.requestedTagProblems(who, input),
      limit !== null && this.linksOf(who).length >= limit ? "link_limit" : undefined,
    ]);
    if (refused !== undefined) return refused;
    const link: Link = {
      owner: who,
      id: "",
      slug: "",
      domain: input.domain ?? this.hostOf(who),
      destination_url: "",
      ...eachTextField(() => null),
      ...eachField(WINDOW_FIELDS, () => null),
      utm_campaign: null,
      explicit: false,
      rules: [],
      group: undefined,
      tags: new Set(),
      archived: false,
      deleted: false,
      times: { archived_at: null, created_at: "", updated_at: "" },
    };
    this.apply(link, input);
    return { status: 201, made: link };
  }

  /** Adds a created link with the service's id and times. */
  learn(link: Link, { id, slug }: { id: string; slug: string }): void {
    Object.assign(link, { id, slug });
    this.links.push(link);
    this.slugs.set(this.keyOf(link), { owner: link.owner, link });
  }

  updateLink(who: Who, link: Link | undefined, input: LinkInput, unchanged: boolean): Outcome<Link> {
    if (!this.isThere(who, link)) return NOT_FOUND;
    if (!unchanged) return CHANGED;
    const refused = refusal([
      ...this.addressProblems(who, input, link),
      this.groupProblem(who, input.activity_group_id),
      this.externalIdProblem(who, input, link),
      this.endProblem(input, link),
      ...this.requestedTagProblems(who, input),
    ]);
    if (refused !== undefined) return refused;
    this.apply(link, input);
    this.slugs.set(this.keyOf(link), { owner: who, link });
    return { status: 200, made: link };
  }

  private apply(link: Link, input: LinkInput): void {
    const {
      status,
      activity_group_id: named,
      utm_campaign: given,
      tag_ids: ids,
      tag_names: names,
      rules,
      ...fields
    } = input;
    if (rules !== undefined) link.rules = rules ?? [];
    if (ids !== undefined || names !== undefined) {
      const wanted = (tag: Tag) =>
        ids?.includes(tag.id) || names?.some((name) => fold(name) === fold(tag.name));
      link.tags = new Set(this.tagsOf(link.owner).filter(wanted));
    }
    Object.assign(
      link,
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    );
    if (status !== undefined) link.archived = status === "archived";
    if (named !== undefined) link.group = this.groupNamed(link.owner, named);
    const inherited = link.group?.default_utm_campaign ?? null;
    if (given != null) Object.assign(link, { utm_campaign: given, explicit: true });
    else if (given === null) Object.assign(link, { utm_campaign: inherited, explicit: false });
    else if (named !== undefined && !link.explicit) link.utm_campaign = inherited;
  }

  /** The latest slug that opens nothing, on whichever host. */
  freedSlug(): string | undefined {
    const key = [...this.slugs].findLast(([, { link, isCode }]) => link === undefined && !isCode)?.[0];
    return key === undefined ? undefined : slugOfKey(key);
  }

  /** Whether an asset can be created on the link, or moved to it. */
  takesAssets = (who: Who, link: Link | undefined): link is Link => this.isThere(who, link);

  learnAsset(asset: Asset, link: Link): void {
    this.assets.push(asset);
    this.moveAsset(asset, link);
  }

  moveAsset({ code, owner }: Asset, link: Link): void {
    this.slugs.set(this.key(this.hostOf(owner), code), { owner, link, isCode: true });
  }

  /** Frees the link's slugs for its own workspace, and closes the codes of its assets. */
  deleteLink(who: Who, link: Link | undefined, unchanged: boolean): Outcome<Link> {
    if (!this.isThere(who, link)) return NOT_FOUND;
    if (!unchanged) return CHANGED;
    link.deleted = true;
    for (const claim of this.slugs.values()) if (claim.link === link) claim.link = undefined;
    return { status: 204, made: link };
  }

  getLink(who: Who, link: Link | undefined): Outcome<Link> {
    return this.isThere(who, link) ? { status: 200, made: link } : NOT_FOUND;
  }

  getLinkQr(who: Who, link: Link | undefined): Outcome<Link> {
    return this.isThere(who, link) && !link.archived ? { status: 200, made: link } : NOT_FOUND;
  }

  attachTags(who: Who, link: Link | undefined, ids: readonly string[], unchanged: boolean): Outcome<Link> {
    if (!this.isThere(who, link)) return NOT_FOUND;
    if (!unchanged) return CHANGED;
    const refused = refusal(this.tagProblems(who, ids));
    if (refused !== undefined) return refused;
    for (const tag of this.tagsOf(who)) if (ids.includes(tag.id)) link.tags.add(tag);
    return { status: 200, made: link };
  }

  detachTag(who: Who, link: Link | undefined, tag: Tag | undefined, unchanged: boolean): Outcome<Link> {
    if (!this.isThere(who, link) || tag === undefined || !link.tags.has(tag)) return NOT_FOUND;
    if (!unchanged) return CHANGED;
    link.tags.delete(tag);
    return { status: 204, made: link };
  }

  private tagProblem(who: Who, { name, slug }: TagInput, self?: Tag): Refusal | undefined {
    const others = this.tagsOf(who).filter((tag) => tag !== self);
    return refusal([
      others.some((tag) => name !== undefined && fold(tag.name) === fold(name)) ? "name" : undefined,
      others.some((tag) => tag.slug === slug) ? "slug" : undefined,
    ]);
  }

  /** A slug from a name, with a number if it is taken. */
  private slugFrom(who: Who, name: string, self?: Tag): string {
    const base = fold(name).replace(/[^a-z0-9]+/g, "-");
    const taken = this.tagsOf(who).flatMap((tag) => (tag === self ? [] : [tag.slug]));
    for (let number = 2, slug = base; ; slug = `${base}-${number++}`) if (!taken.includes(slug)) return slug;
  }

  createTag(who: Who, input: TagInput & { name: string }): Outcome<Tag> {
    const refused = this.tagProblem(who, input);
    if (refused !== undefined) return refused;
    const slug = input.slug ?? this.slugFrom(who, input.name);
    const tag: Tag = { owner: who, id: "", name: input.name, slug, deleted: false };
    return { status: 201, made: tag };
  }

  learnTag(tag: Tag, id: string): void {
    tag.id = id;
    this.tags.push(tag);
  }

  updateTag(who: Who, tag: Tag | undefined, input: TagInput, unchanged: boolean): Outcome<Tag> {
    if (tag === undefined || tag.owner !== who || tag.deleted) return NOT_FOUND;
    if (!unchanged) return CHANGED;
    const refused = this.tagProblem(who, input, tag);
    if (refused !== undefined) return refused;
    tag.name = input.name ?? tag.name;
    if (input.slug !== undefined) tag.slug = input.slug ?? this.slugFrom(who, tag.name, tag);
    return { status: 200, made: tag };
  }

  deleteTag(who: Who, tag: Tag | undefined, unchanged: boolean): Outcome<Tag> {
    if (tag === undefined || tag.owner !== who || tag.deleted) return NOT_FOUND;
    if (!unchanged) return CHANGED;
    tag.deleted = true;
    for (const link of this.links) link.tags.delete(tag);
    return { status: 204, made: tag };
  }

  /** The links that match every filter, sorted. */
  listLinks(who: Who, filter: Filter): Link[] {
    const {
      status = "active",
      tag: tags = [],
      activity_group_id: group,
      channel,
      domain,
      slug: slugs,
      external_id: externalIds,
      external_id_prefix: prefix,
      q,
      sort = "-created_at",
    } = filter;
    const passes = (link: Link): boolean =>
      (status === "all" || link.archived === (status === "archived")) &&
      tags.every((wanted) => [...link.tags].some((tag) => tag.id === wanted || tag.slug === wanted)) &&
      (group === undefined || (link.group !== undefined && link.group === this.groupNamed(who, group))) &&
      (channel === undefined || link.channel === channel) &&
      (domain === undefined || link.domain === domain) &&
      (slugs === undefined ||
        this.workspaces[who].hosts.some((host) =>
          slugs
            .map((slug) => this.slugs.get(this.key(host, slug)))
            .some((claim) => claim?.link === link && !claim.isCode),
        )) &&
      (externalIds === undefined || externalIds.some((id) => link.external_id === id)) &&
      (prefix === undefined || (link.external_id ?? "").startsWith(prefix)) &&
      (q === undefined ||
        [link.slug, link.title ?? "", link.destination_url].some((text) => fold(text).includes(fold(q))));
    // Null titles come last. No title sorts after this character.
    const key = (link: Link): string =>
      ({ title: link.title === null ? "\uffff" : fold(link.title), slug: fold(link.slug), ...link.times })[
        sort.replace("-", "") as "title"
      ];
    const place = (link: Link): string => `${key(link)}\0${link.id}`;
    const sorted = this.linksOf(who)
      .filter(passes)
      .sort((a, b) => (place(a) < place(b) ? -1 : 1));
    return sort.startsWith("-") ? sorted.reverse() : sorted;
  }

  /** The answer to a visit of a host with `query` at a time: its status and target. */
  visit(
    host: string,
    slug: string,
    query: readonly string[],
    now: string,
    device: string,
  ): [status: number, target: string | null] {
    const link = this.slugs.get(this.key(host, slug))?.link;
    if (link === undefined || (link.starts_at !== null && now < link.starts_at)) return [404, null];
    const group = link.group?.ended.endsLinks === true ? link.group.ends_at : null;
    const end = link.ends_at ?? group;
    if (end === null || now < end) {
      const rule = link.rules.find(({ devices }) => devices.includes(device));
      return [
        302,
        this.target({ ...link, destination_url: rule?.destination_url ?? link.destination_url }, query),
      ];
    }
    const after = link.ended_url ?? link.group?.ended.url ?? null;
    return [after === null ? 410 : 302, after];
  }

  /** Where an open link leads. */
  private target(link: Link, query: readonly string[]): string {
    const [, base = "", own, fragment = ""] =
      /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(link.destination_url) ?? [];
    const pairs = own === undefined ? [] : own.split("&");
    for (const name of ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const) {
      const value = link[name];
      if (value === null) continue;
      const index = pairs.findIndex((pair) => pair.startsWith(`${name}=`));
      pairs.splice(index < 0 ? pairs.length : index, 1, `${name}=${encodeURIComponent(value)}`);
    }
    const taken = pairs.map((pair) => pair.split("=")[0]);
    const all = [...pairs, ...query.filter((pair) => !taken.includes(pair.split("=")[0]))];
    return `${base}${all.length === 0 ? "" : `?${all.join("&")}`}${fragment}`;
  }

  shownTag = ({ id, name, slug }: Tag) => ({ id, name, slug, colour: null, description: null });

  /** A link as the interface shows it. */
  shown = (link: Link): object => {
    const { channel, group } = link;
    return {
      id: link.id,
      slug: link.slug,
      short_url: `https://${link.domain}/${link.slug}`,
      domain: link.domain,
      destination_url: link.destination_url,
      rules: link.rules.map((rule) => ({
        destination_url: rule.destination_url,
        countries: null,
        devices: rule.devices,
        ...{ languages: null, starts_at: null, ends_at: null, share: null },
      })),
      // The programmes set no other texts.
      ...eachField(LABEL_FIELDS, () => null),
      title: link.title,
      channel,
      status: link.archived ? "archived" : "active",
      external_id: link.external_id,
      utm_source: link.utm_source,
      utm_medium: link.utm_medium,
      utm_campaign: link.utm_campaign,
      utm_campaign_origin: link.explicit ? "explicit" : "inherited",
      utm_term: link.utm_term,
      utm_content: link.utm_content,
      ...(group === undefined
        ? {}
        : {
            activity_group: {
              id: group.id,
              name: group.name,
              slug: group.slug,
              type: group.type,
              status: group.status,
              assignment: { role: "primary", channel },
            },
          }),
      tags: this.tagsOf(link.owner)
        .filter((tag) => link.tags.has(tag))
        .map(this.shownTag),
      starts_at: link.starts_at,
      ends_at: link.ends_at,
      ended_url: link.ended_url,
      ...link.times,
    };
  };
}
