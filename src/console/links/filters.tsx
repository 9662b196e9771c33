import { VALUE_FIELD_NAMES, VALUE_FIELDS, type ValueFieldName } from "../../lib/link-fields";
import type { ActivityGroup } from "../../resources/activity-groups/group-schema";
import type { UsedValue } from "../../resources/links/utm-values";
import type { Tag } from "../../resources/tags/tag-schema";
import { Button, MoreMenu } from "../shell/button";
import { here } from "../shell/href";
import { FilterChip, findAttributes, SearchField } from "../shell/list-controls";
import { currentPage } from "../shell/page-request";
import { Picker } from "../shell/picker";
import { Field, HiddenFields, type Options } from "../shell/post-form";
import { type LinksList, toLinksQuery } from "./links-query";

const SORTS: Readonly<Record<LinksList["sort"], string>> = {
  "-created_at": "Newest first",
  created_at: "Oldest first",
  "-updated_at": "Last changed first",
  updated_at: "Longest unchanged first",
  "-visits": "Most visited first",
  slug: "By slug",
  title: "By title",
};
const PAGE_SIZES = [25, 50, 100];

/** What a link may be, with the filter that finds it. */
const STATES = [
  ["Archived", "status", "archived"],
  ["Active and archived", "status", "all"],
  ["Not open yet", "window", "early"],
  ["Ended", "window", "ended"],
  ["Taken down", "health", "taken_down"],
  ["Broken destination", "health", "broken"],
] as const;

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

type Name = keyof LinksList;

/** A filter that is added by a field or an option, and its values in words. */
interface Facet {
  label: string;
  name: Name;
  options?: Options;
  suggested?: readonly string[];
  type?: "date";
  /** Other names of the options. */
  nameOf?: (value: string) => string | undefined;
}

const ofNamed = (all: readonly { id: string; slug: string; name: string }[]) => ({
  options: all.map(({ slug, name }) => [slug, name] as const),
  nameOf: (name: string) => all.find(({ id, slug }) => id === name.toUpperCase() || slug === name)?.name,
});

const facetsOf = ({ tags, groups, values, hosts, creators }: ListChoices): Facet[] => [
  { label: "Tag", name: "tag", ...ofNamed(tags) },
  { label: "Group", name: "activity_group_id", ...ofNamed(groups) },
  ...VALUE_FIELD_NAMES.map((name) => ({
    label: VALUE_FIELDS[name].label,
    name,
    suggested: values[name].map(({ value }) => value),
  })),
  ...(hosts.length > 0
    ? [{ label: "Domain", name: "domain", options: hosts.map((host) => [host, host] as const) } as const]
    : []),
  { label: "External ID begins with", name: "external_id_prefix" },
  { label: "Created by", name: "created_by", options: creators },
  { label: "Created from", name: "created_from", type: "date" },
  { label: "Created until", name: "created_to", type: "date" },
];

/** What only addresses filter by. */
const WITHOUT_FIELD: readonly Facet[] = [
  { label: "Search", name: "q" },
  { label: "Slug", name: "slug" },
  { label: "External ID", name: "external_id" },
  { label: "Import", name: "import" },
];

/** The first page of the list with some parameters changed. */
const changedQuery = (query: LinksList, changed: Partial<LinksList>) => ({
  ...toLinksQuery(query),
  page: undefined,
  after: undefined,
  ...changed,
});

/** The filters that are on. Each has a link that removes it alone. */
export const FilterChips = ({ query, choices }: { query: LinksList; choices: ListChoices }) => {
  const states = STATES.filter(([, name, value]) => query[name] === value).map(
    ([value, name]) => ({ label: "State", value, removed: { [name]: undefined } }) as const,
  );
  const facets = [...facetsOf(choices), ...WITHOUT_FIELD].flatMap(({ label, name, options, nameOf }) =>
    [query[name] ?? []].flat().map((one, _, all) => {
      const value = String(one);
      const others = all.filter((other) => other !== one);
      return {
        label,
        value: nameOf?.(value) ?? options?.find(([option]) => option === value)?.[1] ?? value,
        removed: { [name]: others.length === 0 ? undefined : others },
      };
    }),
  );
  const chips = [...states, ...facets];
  if (chips.length === 0) return null;
  return (
    <>
      <ul class="chips" aria-label="Filters">
        {chips.map(({ label, value, removed }) => (
          <FilterChip name={label} value={value} without={here.links(changedQuery(query, removed))}>
            {label === "Import" ? <a href={here.import(value)}>one file</a> : <bdi>{value}</bdi>}
          </FilterChip>
        ))}
      </ul>
      {chips.length > 1 && <a href={here.links({ to_group: query.to_group })}>Show all</a>}
    </>
  );
};

/** A link to the list with a parameter changed, which says whether it is so already. */
const Choose = ({
  query,
  changed,
  label,
}: {
  query: LinksList;
  changed: Partial<LinksList>;
  label: string;
}) => (
  <a
    href={here.links(changedQuery(query, changed))}
    aria-current={
      Object.entries(changed).every(([name, value]) => query[name as Name] === value) ? "true" : undefined
    }
  >
    {label}
  </a>
);

/** The search, a menu of the filters that can be added, and one of the order. */
export const LinkFilters = ({ query, choices }: { query: LinksList; choices: ListChoices }) => {
  const { healthCheck } = currentPage().var.ctx.config;
  return (
    <form class="search" method="get" action={here.links()} aria-label="Links">
      {/* The fields below take the place of what they are filled in for. */}
      <HiddenFields fields={changedQuery(query, { q: undefined })} />
      <SearchField label="Search" value={query.q} attributes={findAttributes()} />
      <button type="submit">Search</button>
      <div class="row">
        <details class="dropdown">
          <summary class="button">Filter</summary>
          <div class="card adds" data-applies="">
            <details name="filter">
              <summary>State</summary>
              <ul class="choices-below">
                {STATES.filter(([, , is]) => healthCheck || is !== "broken").map(([label, name, is]) => (
                  <li>
                    <Choose query={query} changed={{ [name]: is }} label={label} />
                  </li>
                ))}
              </ul>
            </details>
            {facetsOf(choices).map(({ label, name, options, nameOf: _, ...more }) => (
              <details name="filter">
                <summary>{label}</summary>
                <div class="fields">
                  {options ? (
                    <Picker {...{ label, name, options }} none="Choose" value="" />
                  ) : (
                    <Field {...{ label, name, ...more }} value="" attributes={{ maxlength: 255 }} />
                  )}
                  <Button label="Add" />
                </div>
              </details>
            ))}
          </div>
        </details>
        <MoreMenu
          label={
            <>
              <span class="unseen">Order: </span>
              {SORTS[query.sort]}
            </>
          }
          actions={[
            ...Object.entries(SORTS).map(([sort, label]) => (
              <Choose query={query} changed={{ sort: sort as LinksList["sort"] }} label={label} />
            )),
            ...PAGE_SIZES.map((size) => (
              <Choose query={query} changed={{ per_page: size }} label={`${size} links a page`} />
            )),
          ]}
        />
      </div>
    </form>
  );
};
