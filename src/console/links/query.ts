import type { z } from "zod";
import { listLinksQuery } from "../../links/schema";
import type { LinksQuery } from "../href";

const PER_PAGE = 25;

/** The query of the public interface, with longer pages by default. */
export const linksQuery = listLinksQuery.extend({
  per_page: listLinksQuery.shape.per_page.unwrap().default(PER_PAGE),
});

export type LinksList = z.output<typeof linksQuery>;

/** The same list for an address, without defaults. */
export const toLinksQuery = (query: LinksList): LinksQuery => ({
  ...query,
  status: query.status === "active" ? undefined : query.status,
  sort: query.sort === "-created_at" ? undefined : query.sort,
  page: query.page === 1 ? undefined : query.page,
  per_page: query.per_page === PER_PAGE ? undefined : query.per_page,
});

export const isFiltered = ({ q, tag, activity_group_id, channel, slug, status }: LinksList): boolean =>
  status !== "active" || [q, tag, activity_group_id, channel, slug].some((value) => value !== undefined);
