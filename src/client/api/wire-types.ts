import type { components, operations } from "../generated/api";
import type { WaymarkError } from "./error";

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
  /** Current or old slugs. Takes any number: a long list is split over several requests. */
  slug?: OneOrMore;
  /** Takes any number, like `slug`. */
  external_id?: OneOrMore;
}

export interface WriteOptions {
  /** An ETag from `etagOf`. The call fails with 412 if the resource has changed since. */
  ifMatch?: string | undefined;
}

export type UpsertOutcome = "created" | "updated" | "unchanged";

export interface Waymark {
  links: {
    /** All matching links, in pages of 100. */
    list(filter?: LinkFilter): AsyncIterable<Link>;
    /** One page of at most 100 links, 20 if omitted. `next` is the cursor of the next one, for the same filter. */
    page(
      filter?: LinkFilter,
      options?: { limit?: number | undefined; cursor?: string | undefined },
    ): Promise<{ links: Link[]; next: string | undefined }>;
    get(id: string): Promise<Link>;
    /**
     * Finds a link by its current or, failing that, an old slug, archived or not. Throws if several domains have such links,
     * and no `domain` is given, which is that of the link's current short URL.
     */
    bySlug(slug: string, domain?: string): Promise<Link | undefined>;
    byExternalId(externalId: string): Promise<Link | undefined>;
    create(input: CreateLink): Promise<Link>;
    update(id: string, input: UpdateLink, options?: WriteOptions): Promise<Link>;
    /** Creates the link with this `external_id`, or updates the fields that differ. Omitted fields stay. */
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

/** Visits are clicks and scans, of people; those after a link's end and by bots are not among them. */
interface ReportTotals {
  visits: number;
  clicks: number;
  scans: number;
  after_end: number;
  bots: number;
}

type Shares = readonly { name: string; visits: number }[];

/** The figures of a shared report. A table is null if the page of the report does not show it. */
export interface Report {
  report: {
    /** The name of the Activity Group or tag, or "Overview". */
    title: string;
    kind: "overview" | "group" | "tag";
    /** The first and the last day, such as 2026-05-01, in `time_zone`. */
    from: string;
    to: string;
    time_zone: string;
    /** The days of `totals_before`, the last of them up to the same hour while the range is not over. */
    compared_from: string | null;
    compared_to: string | null;
    /** When the figures were made, ISO 8601. */
    made_at: string;
  };
  totals: ReportTotals | null;
  totals_before: ReportTotals | null;
  days: readonly { day: string; clicks: number; scans: number }[] | null;
  /** The ten most visited ones. */
  links:
    | readonly { id: string; title: string | null; short_url: string; clicks: number; scans: number }[]
    | null;
  /** The ten most scanned ones. */
  posters: readonly { id: string; name: string; place: string | null; scans: number }[] | null;
  /** Of these four the eight largest, and the others together. */
  sources: Shares | null;
  countries: Shares | null;
  devices: Shares | null;
  channels: Shares | null;
}

export interface WaymarkOptions {
  /** The address of the service, such as `https://go.example.com`. */
  url: string;
  key: string;
  fetch?: typeof fetch;
  /** Called when a call has to wait before it is tried again, from its first second on. `error` is why the last try failed. */
  onWait?: ((wait: { seconds: number; error: WaymarkError }) => void) | undefined;
}
