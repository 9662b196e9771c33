import { z } from "zod";
import type { WorkspaceContext } from "../../context";
import { timesOfDays } from "../../lib/local-time";
import { anyText, text } from "../../lib/validation";
import { listLinksQuery } from "../../resources/links/link-schema";
import type { ListQuery } from "../../resources/links/list/list-filter";

const PER_PAGE = 25;

/** The query of the public interface with more filters and orders, and longer pages by default. */
export const linksQuery = listLinksQuery.extend({
  health: z.enum(["broken", "taken_down"]).optional(),
  /** What the window of a link, or of its group, is now. */
  window: z.enum(["early", "ended"]).optional(),
  /** The id of an import. */
  import: z.string().max(26).optional(),
  /** No filter: the Activity Group that the chosen links are to be moved to. */
  to_group: z.string().max(26).optional(),
  /** No filter: the page that a change of its links returns to. */
  back: z.string().max(1_000).optional(),
  utm_source: anyText(255).optional(),
  utm_medium: anyText(255).optional(),
  utm_campaign: anyText(255).optional(),
  utm_term: anyText(255).optional(),
  utm_content: anyText(255).optional(),
  /** `member:<email>`, `key:<id>` or `operator`. */
  created_by: text(300).optional(),
  /** The first and the last day of their creation, in the workspace's time zone. */
  created_from: z.iso.date().optional(),
  created_to: z.iso.date().optional(),
  sort: z.enum([...listLinksQuery.shape.sort.unwrap().options, "-visits"]).default("-created_at"),
  per_page: listLinksQuery.shape.per_page.unwrap().default(PER_PAGE),
});

export type LinksList = z.output<typeof linksQuery>;

const DEFAULTS: Readonly<Record<string, unknown>> = linksQuery.parse({});

/** The same list for an address, without defaults. */
export const toLinksQuery = (query: LinksList): Partial<LinksList> =>
  Object.fromEntries(Object.entries(query).filter(([name, value]) => value !== DEFAULTS[name]));

/** Parameters that do not decide which links of a status are listed. */
const NO_FILTERS = ["status", "sort", "page", "per_page", "after", "to_group", "back"];

const FILTERS = linksQuery.keyof().options.filter((name) => !NO_FILTERS.includes(name));

export const isFiltered = (query: LinksList): boolean =>
  query.status !== "active" || FILTERS.some((name) => query[name] !== undefined);

/** The filter by health. Links are broken only while destinations are asked. */
export const healthIn = (
  { config }: Pick<WorkspaceContext, "config">,
  { health }: Pick<LinksList, "health">,
): LinksList["health"] => (health === "broken" && !config.healthCheck ? undefined : health);

/** The same list for the service: the search of the web application finds more than that of the public interface. */
export const toListQuery = (
  { config, workspace, now }: WorkspaceContext,
  { q, health, window, created_from: from, created_to: to, to_group: _, back: __, ...query }: LinksList,
): ListQuery => ({
  ...query,
  created: from || to ? timesOfDays(from, to, workspace.timeZone) : undefined,
  window: window && { state: window, at: now() },
  health: healthIn({ config }, { health }),
  find: q,
});
