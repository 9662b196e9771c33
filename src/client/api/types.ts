export interface Tag {
  id: string;
  name: string;
  slug: string;
  colour: string | null;
  description: string | null;
}

export interface ActivityGroup {
  id: string;
  name: string;
  slug: string;
  type: "campaign" | "always_on" | "project" | "event" | "content" | "other";
  description: string;
  status: "draft" | "scheduled" | "active" | "completed" | "archived";
  default_utm_campaign: string | null;
  starts_at: string | null;
  ends_at: string | null;
  archived_at: string | null;
}

export interface Link {
  id: string;
  slug: string;
  short_url: string;
  destination_url: string;
  title: string | null;
  channel: string | null;
  status: "active" | "archived";
  external_id: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  utm_campaign_origin: "explicit" | "inherited";
  activity_group?: Pick<ActivityGroup, "id" | "name" | "slug" | "type" | "status"> & {
    assignment: { role: "primary"; channel: string | null };
  };
  tags: Tag[];
  archived_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface CreateLink {
  destination_url: string;
  slug?: string | null;
  title?: string | null;
  channel?: string | null;
  external_id?: string | null;
  activity_group_id?: string | null;
  utm_source?: string | null;
  utm_medium?: string | null;
  utm_campaign?: string | null;
  tag_ids?: string[] | null;
  tag_names?: string[] | null;
}

export interface UpdateLink extends Omit<CreateLink, "destination_url" | "slug"> {
  destination_url?: string;
  slug?: string;
  status?: Link["status"];
}

export interface CreateTag {
  name: string;
  slug?: string | null;
  colour?: string | null;
  description?: string | null;
}

export type UpdateTag = Partial<CreateTag>;

type OneOrMore = string | readonly string[];

/** Filters of a link list. All of them must match. */
export interface LinkFilter {
  /** Slugs or ids of tags. The link must have all of them. */
  tag?: OneOrMore;
  /** The id or slug of an Activity Group. */
  activity_group_id?: string;
  channel?: string;
  /** `active` if omitted. */
  status?: Link["status"] | "all";
  /** Slugs that open the link, current or old. Any number: long lists are split over several requests. */
  slug?: OneOrMore;
  /** Any number, like `slug`. */
  external_id?: OneOrMore;
  external_id_prefix?: string;
  /** A part of the slug, title or destination URL. */
  q?: string;
  sort?: "-created_at" | "created_at" | "-updated_at" | "updated_at" | "slug" | "title";
}

export interface GroupFilter {
  id?: string;
  slug?: string;
  q?: string;
  type?: ActivityGroup["type"];
  status?: ActivityGroup["status"];
}

export interface QrOptions {
  format?: "svg" | "png";
  /** In pixels, 64 to 2048. */
  size?: number;
  /** In modules, 4 to 16. */
  margin?: number;
  ecc?: "L" | "M" | "Q" | "H";
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
