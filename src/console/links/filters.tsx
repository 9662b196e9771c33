import { VALUE_FIELD_NAMES, VALUE_FIELDS, type ValueFieldName } from "../../lib/link-fields";
import type { ActivityGroup } from "../../resources/activity-groups/group-schema";
import type { UsedValue } from "../../resources/links/utm-values";
import type { Tag } from "../../resources/tags/tag-schema";
import { here } from "../shell/href";
import { findAttributes, SearchField } from "../shell/list-controls";
import { currentPage } from "../shell/page-request";
import { Picker } from "../shell/picker";
import { Field, HiddenFields, type Options, Select } from "../shell/post-form";
import { FILTERS, isFiltered, type LinksList } from "./links-query";

const STATUSES: Options = [
  ["active", "Active"],
  ["archived", "Archived"],
  ["all", "Active and archived"],
];
const SORTS: Options = [
  ["-created_at", "Newest first"],
  ["created_at", "Oldest first"],
  ["-updated_at", "Last changed first"],
  ["updated_at", "Longest unchanged first"],
  ["-visits", "Most visited first"],
  ["slug", "By slug"],
  ["title", "By title"],
];
const TAKEN_DOWN = ["taken_down", "Taken down"] as const;
const BROKEN = ["broken", "Broken destination"] as const;
const PAGE_SIZES: Options = ["25", "50", "100"].map((size) => [size, size]);

/** Filters that the panel has no field for. */
const OUTSIDE_PANEL = ["q", "slug", "external_id", "import"];
const OPTIONS = FILTERS.filter((name) => !OUTSIDE_PANEL.includes(name));

/** Whether a filter is set besides the status. */
const hasOptions = (query: LinksList): boolean => OPTIONS.some((name) => query[name] !== undefined);

const labelOf = (options: Options, value: string): string =>
  options.find(([one]) => one === value)?.[1] ?? value;

/** What the list is filtered by, and what its links are changed to. */
export interface ListChoices {
  tags: readonly Tag[];
  groups: readonly ActivityGroup[];
  /** Values in use, the most used first. */
  values: Readonly<Record<ValueFieldName, readonly UsedValue[]>>;
  /** The hosts of short links, if there are several. */
  hosts: readonly string[];
  /** Who may have created links, and who is chosen. */
  creators: Options;
}

/** The tag or group with this id or slug. */
const find = <One extends { id: string; slug: string }>(all: readonly One[], name = ""): One | undefined =>
  all.find(({ id, slug }) => id === name.toUpperCase() || slug === name);

/** What is set, in words. The panel is open while it has more to show, but it has a field for one tag only. */
const summaryOf = ({ status, tag = [], sort }: LinksList, tags: ListChoices["tags"]): string =>
  [
    labelOf(STATUSES, status),
    ...tag.map((name) => `tag ${find(tags, name)?.name ?? name}`),
    labelOf(SORTS, sort).toLowerCase(),
  ].join(", ");

export const LinkFilters = ({ query, choices }: { query: LinksList; choices: ListChoices }) => {
  const { tags, groups, values, hosts, creators } = choices;
  const { healthCheck } = currentPage().var.ctx.config;
  const [tag, ...moreTags] = query.tag ?? [];
  return (
    <form class="search" method="get" action={here.links()} aria-label="Links">
      <SearchField label="Search" value={query.q} attributes={findAttributes()} />
      <button type="submit">Search</button>
      <details class="panel" open={hasOptions(query)}>
        <summary class="button">
          Filter and order <span class="soft small">{summaryOf(query, tags)}</span>
        </summary>
        <div class="filters" data-applies="">
          <Picker
            label="Tag"
            name="tag"
            none="Any tag"
            value={find(tags, tag)?.slug}
            options={tags.map(({ slug, name }) => [slug, name] as const)}
          />
          <Picker
            label="Group"
            name="activity_group_id"
            none="Any group"
            value={find(groups, query.activity_group_id)?.slug}
            options={groups.map(({ slug, name }) => [slug, name] as const)}
          />
          {VALUE_FIELD_NAMES.map((name) => (
            <Field
              label={VALUE_FIELDS[name].label}
              name={name}
              value={query[name]}
              suggested={values[name].map(({ value }) => value)}
              attributes={{ maxlength: VALUE_FIELDS[name].max }}
            />
          ))}
          {hosts.length > 0 && (
            <Select
              label="Domain"
              name="domain"
              none="Any domain"
              value={query.domain?.toLowerCase()}
              options={hosts.map((host) => [host, host])}
            />
          )}
          <Field
            label="External ID starts with"
            name="external_id_prefix"
            value={query.external_id_prefix}
            attributes={{ maxlength: 255 }}
          />
          <Picker
            label="Created by"
            name="created_by"
            none="Anybody"
            value={query.created_by}
            options={creators}
          />
          <Field label="Created from" name="created_from" type="date" value={query.created_from} />
          <Field label="Created until" name="created_to" type="date" value={query.created_to} />
          <Select label="Status" name="status" value={query.status} options={STATUSES} />
          <Select
            label="Problem"
            name="health"
            none="With or without"
            value={query.health}
            options={healthCheck ? [TAKEN_DOWN, BROKEN] : [TAKEN_DOWN]}
          />
          <Select label="Order" name="sort" value={query.sort} options={SORTS} />
          <Select label="Links a page" name="per_page" value={String(query.per_page)} options={PAGE_SIZES} />
          <button type="submit">Apply</button>
        </div>
      </details>
      <HiddenFields
        fields={{ tag: moreTags, slug: query.slug, external_id: query.external_id, to_group: query.to_group }}
      />
      {query.import !== undefined && (
        <p>
          <input type="hidden" name="import" value={query.import} />
          Only the links that <a href={here.import(query.import)}>one import</a> has made.
        </p>
      )}
      {isFiltered(query) && (
        <p>
          <a href={here.links({ to_group: query.to_group })}>Show all</a>
        </p>
      )}
    </form>
  );
};
