import type { Context } from "../../context";
import type { Conventions } from "../../lib/conventions";
import type { Failure } from "../../lib/failure";
import { foldSlug, MAX_SLUG_CHARACTERS } from "../../lib/slug-text";
import { supplyScheme } from "../../lib/supplied-scheme";
import { check, trimmed } from "../../lib/validation";
import { listAllActivityGroups } from "../../resources/activity-groups/manage-groups";
import { slugOf } from "../../resources/channels/channel-schema";
import { listSavedChannels, type SavedChannel } from "../../resources/channels/channel-service";
import { listServedDomains } from "../../resources/domains/domain-service";
import { MAX_SEVERAL_LINKS } from "../../resources/links/import-links";
import { conform, readStoredConventions } from "../../resources/links/link-conventions";
import { type CreateLink, createLinkForm } from "../../resources/links/link-schema";
import { previewLink } from "../../resources/links/preview-change";
import type { Tag } from "../../resources/tags/tag-schema";
import { listTagsNaturally } from "../../resources/tags/tag-service";
import { asShortLink } from "../shell/error-labels";
import { type Form, refusal } from "../shell/page-request";

// The form of several links: what was sent, as the links that it makes.

/** What a workspace has that the links are made of. */
export async function readLists(ctx: Context) {
  const [channels, tags, groups, domains, conventions] = await Promise.all([
    listSavedChannels(ctx),
    listTagsNaturally(ctx),
    listAllActivityGroups(ctx),
    listServedDomains(ctx),
    readStoredConventions(ctx),
  ]);
  return { channels, tags, groups, domains, conventions };
}

export type Lists = Awaited<ReturnType<typeof readLists>>;

/** The fields of each link that can be edited before it is created. */
export type Edited = "slug" | "utm_source" | "utm_medium" | "channel";

/** A link that is to be created. */
export interface Row extends Record<Edited, string> {
  saved: SavedChannel;
  /** The slug that the channel's pattern makes. A person may type another. */
  proposed: string;
  tags: readonly Tag[];
  target: string | null;
}

export const nameOf = (saved: SavedChannel, field: Edited | "proposed"): string => `${saved.id}.${field}`;

/** What all links have in common. */
export function sharedIn({ fields }: Form) {
  const { destination_url = "", link = "", title = "", ...others } = fields;
  return {
    destination_url: supplyScheme(destination_url.trim()),
    // A longer one is refused, and must not be repeated in every short link of that page.
    link: link.trim().slice(0, MAX_SLUG_CHARACTERS),
    title: title.trim(),
    domain: others["domain"] ?? "",
    activity_group_id: others["activity_group_id"] ?? "",
    utm_campaign: (others["utm_campaign"] ?? "").trim(),
  };
}

type Shared = ReturnType<typeof sharedIn>;

/** The links of the chosen channels, with what a person has changed in them. */
export function rowsIn(form: Form, { channels, tags, groups }: Lists): Row[] {
  const shared = sharedIn(form);
  const chosen = new Set(form.all("channels"));
  const group = groups.find(({ id }) => id === shared.activity_group_id);
  return channels
    .filter(({ id }) => chosen.has(id))
    .map((saved) => {
      const typed = (field: Edited, first: string | null) =>
        (form.fields[nameOf(saved, field)] ?? first ?? "").trim();
      const proposed = slugOf(saved.slug_pattern, shared.link) ?? "";
      const isProposal = form.fields[nameOf(saved, "slug")] === form.fields[nameOf(saved, "proposed")];
      const values = {
        slug: isProposal ? proposed : typed("slug", proposed),
        utm_source: typed("utm_source", saved.utm_source),
        utm_medium: typed("utm_medium", saved.utm_medium),
        channel: typed("channel", saved.channel),
      };
      const { target } = previewLink({
        ...values,
        utm_term: null,
        utm_content: null,
        destination_url: shared.destination_url,
        utm_campaign: shared.utm_campaign || null,
        namesGroup: true,
        group,
        present: undefined,
        refusal: undefined,
        isKept: false,
        isTakenDown: false,
      });
      return {
        ...values,
        saved,
        proposed,
        tags: tags.filter(({ id }) => saved.tag_ids.includes(id)),
        target,
      };
    });
}

/** The link of a row as the service takes it. */
const inputOf = (
  { link: _, title, ...shared }: Shared,
  { saved, tags, target: __, proposed: ___, ...edited }: Row,
) => ({
  ...shared,
  ...edited,
  title: title === "" ? saved.name : `${title}, ${saved.name}`,
  tag_ids: tags.map(({ id }) => id),
});

/** The errors of each row, by its place. */
export type Refused = ReadonlyMap<number, readonly Failure[]>;

const EDITED: readonly string[] = ["slug", "utm_source", "utm_medium", "channel"] satisfies Edited[];
const SHARED: readonly string[] = ["destination_url", "title", "domain", "activity_group_id", "utm_campaign"];

/** The errors by the fields of the form: what all links have in common is wrong once. */
export const toFailures = (refused: Refused, rows: readonly Row[]): Failure[] =>
  [...refused].flatMap(([index, failures]) =>
    failures.map((failure) => {
      const { field } = failure;
      if (SHARED.includes(field)) return failure;
      const row = `${rows[index]?.saved.id}.${EDITED.includes(field) ? field : "slug"}`;
      return { ...asShortLink(failure), field: row };
    }),
  );

/** What the rows were made of, to tell whether it has changed since they were shown. */
export const sourceOf = (form: Form): string => JSON.stringify([sharedIn(form), form.all("channels")]);

/** Throws 422 for what no preview can show. */
export function assertShowable(form: Form): void {
  const channels = form.all("channels").length;
  if (channels === 0) throw refusal("channels", "Select at least one channel.");
  if (channels > MAX_SEVERAL_LINKS)
    throw refusal("channels", `Select at most ${MAX_SEVERAL_LINKS} channels.`);
  if ((form.fields["link"] ?? "").trim().length > MAX_SLUG_CHARACTERS)
    throw refusal("link", `The short link has at most ${MAX_SLUG_CHARACTERS} characters.`);
}

/** The rows as links, or what is wrong with them. */
export function checkRows(conventions: Conventions, shared: Shared, rows: readonly Row[]) {
  const links: CreateLink[] = [];
  const refused = new Map<number, readonly Failure[]>();
  const slugs = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const result = check(createLinkForm, trimmed(inputOf(shared, row)));
    if (!result.ok) {
      refused.set(index, result.failures);
      continue;
    }
    const { input, problems } = conform(conventions, result.value);
    const slug = foldSlug(row.slug);
    if (slug !== "" && slugs.has(slug))
      problems.push({ field: "slug", message: "Two of the links have this short link.", code: "taken" });
    slugs.add(slug);
    if (problems.length > 0) refused.set(index, problems);
    links.push(input);
  }
  return { links, refused };
}
