import { eachField, LABEL_FIELD_NAMES, LABEL_FIELDS, UTM_FIELDS } from "../../lib/link-fields";
import type { Link } from "../api/resources";
import type { Column } from "./table";

const groupOf = ({ activity_group: group }: Link): string | null => group?.slug ?? null;
const tagsOf = ({ tags }: Link): string => tags.map(({ name }) => name).join(", ");

const COLUMNS: readonly Column<Link>[] = [
  { name: "slug", cell: ({ slug }) => slug },
  { name: "destination_url", cell: (link) => link.destination_url },
  { name: "title", cell: ({ title }) => title },
  { name: "channel", cell: ({ channel }) => channel },
  { name: "group", cell: groupOf },
  { name: "tags", cell: tagsOf },
  { name: "status", cell: ({ status }) => status },
  { name: "short_url", cell: (link) => link.short_url },
  { name: "external_id", cell: (link) => link.external_id },
  { name: "id", cell: ({ id }) => id },
  { name: "starts_at", cell: (link) => link.starts_at },
  { name: "ends_at", cell: (link) => link.ends_at },
  { name: "ended_url", cell: (link) => link.ended_url },
];

/** The columns of a list, in the order that scripts rely on. New ones come last. */
export const LINK_COLUMNS: readonly Column<Link>[] = [
  ...COLUMNS,
  ...LABEL_FIELD_NAMES.filter((label) => !COLUMNS.some(({ name }) => name === label)).map(
    (name): Column<Link> => ({ name, cell: (link) => link[name] }),
  ),
];

const ON_TERMINALS: ReadonlySet<string> = new Set([
  "slug",
  "destination_url",
  "title",
  "channel",
  "group",
  "tags",
  "status",
]);
/** A terminal has room for fewer. */
export const TERMINAL_LINK_COLUMNS = LINK_COLUMNS.filter(({ name }) => ON_TERMINALS.has(name));

export const linkFields = (link: Link): Record<string, string | null> => ({
  id: link.id,
  slug: link.slug,
  short_url: link.short_url,
  destination_url: link.destination_url,
  ...eachField(LABEL_FIELDS, (name) => link[name]),
  status: link.status,
  external_id: link.external_id,
  ...eachField(UTM_FIELDS, (name) => link[name]),
  utm_campaign: link.utm_campaign,
  utm_campaign_origin: link.utm_campaign_origin,
  group: groupOf(link),
  tags: tagsOf(link),
  starts_at: link.starts_at,
  ends_at: link.ends_at,
  ended_url: link.ended_url,
  created_at: link.created_at,
  updated_at: link.updated_at,
});
