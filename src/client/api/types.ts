import type { components, operations } from "../generated/api";

type Schemas = components["schemas"];
type Query<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;
type PageQuery = "page" | "per_page" | "after";

export type Tag = Schemas["Tag"];
export type ActivityGroup = Schemas["ActivityGroup"];
export type Link = Schemas["Link"];
export type CreateLink = Schemas["CreateLinkRequest"];
export type UpdateLink = Schemas["UpdateLinkRequest"];
export type CreateTag = Schemas["CreateTagRequest"];
export type UpdateTag = Schemas["UpdateTagRequest"];
export type GroupFilter = Omit<Query<"listActivityGroups">, PageQuery>;
export type QrOptions = Omit<Query<"getLinkQr">, "download">;

type OneOrMore = string | readonly string[];

/** Filters of a link list. All of them must match. */
export interface LinkFilter extends Omit<Query<"listLinks">, PageQuery | "tag" | "slug" | "external_id"> {
  /** Slugs or ids of tags. The link must have all of them. */
  tag?: OneOrMore;
  /** Slugs that open the link, current or old. Any number: long lists are split over several requests. */
  slug?: OneOrMore;
  /** Any number, like `slug`. */
  external_id?: OneOrMore;
}

export interface WriteOptions {
  /** The ETag that the resource must still have, as `etagOf` computes it. */
  ifMatch?: string;
}

export type UpsertOutcome = "created" | "updated" | "unchanged";

export interface Waymark {
  links: {
    /** All links that match, in pages of 100. */
    list(filter?: LinkFilter): AsyncIterable<Link>;
    get(id: string): Promise<Link>;
    /** The link that this slug opens, by its current or an old one, archived or not. */
    bySlug(slug: string): Promise<Link | undefined>;
    byExternalId(externalId: string): Promise<Link | undefined>;
    create(input: CreateLink): Promise<Link>;
    update(id: string, input: UpdateLink, options?: WriteOptions): Promise<Link>;
    /** Creates the link with this `external_id`, or changes in it what differs. Omitted fields stay. */
    upsert(input: CreateLink & { external_id: string }): Promise<{ link: Link; outcome: UpsertOutcome }>;
    archive(id: string, options?: WriteOptions): Promise<Link>;
    restore(id: string, options?: WriteOptions): Promise<Link>;
    delete(id: string, options?: WriteOptions): Promise<void>;
    /** Replaces all tags of the link. */
    setTags(id: string, names: readonly string[], options?: WriteOptions): Promise<Link>;
    qr(id: string, options?: QrOptions): Promise<Uint8Array>;
  };
  tags: {
    list(): Promise<Tag[]>;
    create(input: CreateTag): Promise<Tag>;
    update(id: string, input: UpdateTag, options?: WriteOptions): Promise<Tag>;
    delete(id: string, options?: WriteOptions): Promise<void>;
  };
  groups: {
    list(filter?: GroupFilter): AsyncIterable<ActivityGroup>;
    get(idOrSlug: string): Promise<ActivityGroup | undefined>;
  };
  whoami(): Promise<{ workspace: { name: string; slug: string }; access: "full" | "read" }>;
}

export interface WaymarkOptions {
  /** The address of the service, such as `https://go.example.com`. */
  url: string;
  key: string;
  fetch?: typeof fetch;
}
