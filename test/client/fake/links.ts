import { toHost } from "../../../src/client/api/host";
import type { ActivityGroup, Link, Tag } from "../../../src/client/api/resources";
import { eachField, LABEL_FIELD_NAMES, LABEL_FIELDS } from "../../../src/lib/link-fields";
import { fold, SHORT_HOST, slugKey } from "../../../src/lib/slug-text";
import { CREATE_FIELDS, MOMENTS, readBody, readRules, UPDATE_FIELDS } from "./link-body";
import {
  type Body,
  byName,
  findGroup,
  invalid,
  newId,
  nextMoment,
  type Problem,
  Refusal,
  type State,
  taken,
} from "./state";

const COPIED = [
  ...LABEL_FIELD_NAMES,
  "external_id",
  "utm_source",
  "utm_medium",
  ...MOMENTS,
  "ended_url",
] as const;
const MAX_TAGS = 50;
export const SHORT_HOST_NAME = "go.example.com";

/** The domain that a request asks for; undefined if the workspace has no such domain. */
function domainFor(state: State, asked: unknown, otherwise: string): string | undefined {
  if (asked === undefined || asked === null) return otherwise;
  const domain = toHost(String(asked));
  return [SHORT_HOST_NAME, ...state.domains].find((one) => one === domain);
}

export const keyOf = (domain: string, slug: string): string =>
  slugKey(domain === SHORT_HOST_NAME ? SHORT_HOST : domain, slug);

export function getLink(state: State, id: string): Link {
  const link = state.links.find((one) => one.id === id.toUpperCase());
  if (link === undefined) throw new Refusal(404, "Link not found.");
  return link;
}

/** The requested tags and their problems. `tags` is undefined if the body has neither field. */
function readTags(state: State, body: Body): { tags: Tag[] | undefined; problems: Problem[] } {
  const { tag_ids: ids, tag_names: names } = body;
  if (ids !== undefined && names !== undefined) {
    const message = "The tag names field cannot be sent together with tag ids.";
    return { tags: undefined, problems: [{ field: "tag_names", message, code: "exclusive" }] };
  }
  const given = ids ?? names;
  if (given === undefined || given === null) return { tags: given === null ? [] : undefined, problems: [] };
  const field = ids === undefined ? "tag_names" : "tag_ids";
  const find = (value: unknown) =>
    state.tags.find((tag) => (ids === undefined ? fold(tag.name) === fold(String(value)) : tag.id === value));
  const found = (given as unknown[]).map((value) => find(value));
  const problems = found.flatMap((tag, index): Problem[] =>
    tag === undefined
      ? [
          {
            field: `${field}.${index}`,
            message: `The selected ${field}.${index} is invalid.`,
            code: "unknown",
          },
        ]
      : [],
  );
  const tags = [...new Set(found.filter((tag) => tag !== undefined))].sort(byName);
  if (tags.length > MAX_TAGS) {
    problems.push({ field, message: `The link may not have more than ${MAX_TAGS} tags.`, code: "limit" });
  }
  return { tags, problems };
}

type Life = Pick<Link, "starts_at" | "ends_at">;
const NO_LIFE: Life = { starts_at: null, ends_at: null };

type Was = Life & Pick<Link, "id" | "slug" | "domain">;

function ruleProblems(state: State, body: Body, was: Was): Problem[] {
  const ownId = was.id;
  const problems: Problem[] = [];
  const { slug = was.slug, external_id: externalId, activity_group_id: group } = body;
  const domain = domainFor(state, body["domain"], was.domain);
  const owner = typeof slug === "string" ? state.slugs.get(keyOf(domain ?? "", slug)) : undefined;
  const ownerIsLive = owner === null || state.links.some(({ id }) => id === owner);
  if (owner !== undefined && owner !== ownId && ownerIsLive) problems.push(taken("slug", owner ?? undefined));
  if (domain === undefined) {
    problems.push({ field: "domain", message: "The selected domain is invalid.", code: "unknown" });
  }
  const other = state.links.find(({ id, external_id }) => id !== ownId && external_id === externalId);
  if (typeof externalId === "string" && other) problems.push(taken("external_id", other.id));
  if (typeof group === "string" && !findGroup(state, group)) {
    const message = "Activity Group was not found in this workspace.";
    problems.push({ field: "activity_group_id", message, code: "unknown" });
  }
  const { starts_at: start, ends_at: end } = { ...was, ...(body as Partial<Life>) };
  if (start !== null && end !== null && end <= start) {
    const message = "The ends at field must be a date after starts at.";
    problems.push({ field: "ends_at", message, code: "range" });
  }
  return problems;
}

/** A given campaign is explicit. Null, or a request that names a group, inherits the default of the group. */
function setCampaign(link: Link, body: Body, group: ActivityGroup | undefined): void {
  const given = body["utm_campaign"];
  if (typeof given === "string") {
    link.utm_campaign = given;
    link.utm_campaign_origin = "explicit";
  } else if (
    given === null ||
    (link.utm_campaign_origin === "inherited" && body["activity_group_id"] !== undefined)
  ) {
    link.utm_campaign = group?.default_utm_campaign ?? null;
    link.utm_campaign_origin = "inherited";
  }
}

function setGroup(link: Link, group: ActivityGroup | undefined): void {
  if (group === undefined) {
    delete link.activity_group;
    return;
  }
  const { id, name, slug, type, status } = group;
  link.activity_group = {
    id,
    name,
    slug,
    type,
    status,
    assignment: { role: "primary", channel: link.channel },
  };
}

/** The link with its fields in the documented order. */
function inOrder(link: Link): Link {
  const {
    activity_group,
    tags,
    starts_at,
    ends_at,
    ended_url,
    archived_at,
    created_at,
    updated_at,
    ...rest
  } = link;
  const group = activity_group === undefined ? {} : { activity_group };
  const life = { starts_at, ends_at, ended_url };
  return { ...rest, ...group, tags, ...life, archived_at, created_at, updated_at };
}

function change(state: State, was: Link, body: Body, tags: Tag[] | undefined): Link {
  const link: Link = structuredClone({ ...was, tags: [] });
  const text = (field: string) => body[field] as string | null;
  if (body["destination_url"] !== undefined) link.destination_url = String(body["destination_url"]);
  if (body["rules"] !== undefined) link.rules = readRules(body);
  if (typeof body["slug"] === "string") link.slug = body["slug"];
  link.domain = domainFor(state, body["domain"], was.domain) ?? "";
  link.short_url = `https://${link.domain}/${link.slug}`;
  for (const field of COPIED) if (body[field] !== undefined) link[field] = text(field);
  const sent = body["activity_group_id"];
  const group = sent === undefined ? findGroup(state, was.activity_group?.id) : findGroup(state, sent);
  setCampaign(link, body, group);
  setGroup(link, group);
  if (body["status"] !== undefined && body["status"] !== was.status) {
    link.status = body["status"] as Link["status"];
    link.archived_at = link.status === "archived" ? nextMoment(state) : null;
  }
  const isChanged = JSON.stringify(inOrder(link)) !== JSON.stringify(inOrder({ ...was, tags: [] }));
  if (isChanged) link.updated_at = nextMoment(state);
  return inOrder({ ...link, tags: tags ?? was.tags });
}

export function createLink(state: State, input: Body, strict: boolean): Link {
  const body = readBody({ destination_url: null, ...input }, CREATE_FIELDS, ["destination_url"], strict);
  const domain = state.primary ?? SHORT_HOST_NAME;
  const { tags, problems } = readTags(state, body);
  problems.unshift(...ruleProblems(state, body, { id: "", slug: "", domain, ...NO_LIFE }));
  const limit = state.linkLimit;
  if (limit !== undefined && state.links.length >= limit) {
    const message = `The workspace has reached its limit of ${limit} links.`;
    problems.push({ field: "link_limit", message, code: "limit" });
  }
  if (problems.length > 0) throw invalid(problems);
  const id = newId(state);
  const at = nextMoment(state);
  const empty: Link = {
    id,
    slug: `s${state.serial}`,
    short_url: "",
    domain,
    destination_url: "",
    rules: [],
    ...eachField(LABEL_FIELDS, () => null),
    status: "active",
    external_id: null,
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    utm_campaign_origin: "inherited",
    tags: [],
    ...NO_LIFE,
    ended_url: null,
    archived_at: null,
    created_at: at,
    updated_at: at,
  };
  const link = { ...change(state, empty, body, tags ?? []), updated_at: at };
  state.slugs.set(keyOf(link.domain, link.slug), id);
  state.links.push(link);
  return link;
}

export function updateLink(state: State, was: Link, input: Body, strict: boolean): Link {
  const body = readBody(input, UPDATE_FIELDS, ["destination_url", "slug", "domain", "status"], strict);
  const { tags, problems } = readTags(state, body);
  problems.unshift(...ruleProblems(state, body, was));
  if (problems.length > 0) throw invalid(problems);
  const link = change(state, was, body, tags);
  state.slugs.set(keyOf(link.domain, link.slug), link.id);
  state.links[state.links.indexOf(was)] = link;
  return link;
}

export function deleteLink(state: State, link: Link): void {
  state.links = state.links.filter((one) => one !== link);
}
