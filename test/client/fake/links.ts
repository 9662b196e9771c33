import { toHost } from "../../../src/client/api/host";
import type { ActivityGroup, Link, Tag, UpdateLink } from "../../../src/client/api/wire-types";
import {
  eachField,
  MOMENT_FIELD_NAMES,
  MOMENT_FIELDS,
  TEXT_FIELD_NAMES,
  TEXT_FIELDS,
  URL_FIELDS,
  WINDOW_FIELD_NAMES,
} from "../../../src/lib/link-fields";
import { fold, SHORT_HOST, slugKey } from "../../../src/lib/slug-text";
import { parseIsoMoment } from "../../../src/lib/time";
import { type Rule, toRules } from "../../../src/lib/visitor-rules";
import {
  assertNone,
  type Body,
  byName,
  findGroup,
  newId,
  nextMoment,
  type Problem,
  Refusal,
  type State,
  taken,
  trimmed,
} from "./state";

export const SHORT_HOST_NAME = "go.example.com";

const COPIED = [...TEXT_FIELD_NAMES, ...WINDOW_FIELD_NAMES] as const;
const KNOWN_FIELDS = new Set<string>([
  ...["destination_url", "slug", "domain", "activity_group_id", "utm_campaign", "rules", "status"],
  ...["tag_ids", "tag_names"],
  ...COPIED,
]);

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

const inUtc = <Value>(value: Value): Value | string =>
  typeof value === "string" ? (parseIsoMoment(value) ?? value) : value;

/** The rules of a body as a link has them. */
const readRules = (body: Body): Rule[] =>
  toRules((body["rules"] ?? []) as NonNullable<UpdateLink["rules"]>).map((rule) => ({
    ...rule,
    starts_at: inUtc(rule.starts_at),
    ends_at: inUtc(rule.ends_at),
  }));

/** The trimmed body with moments in UTC. */
function readBody(input: Body): Body {
  const body = { ...(trimmed(input) as Body) };
  const unknown = Object.keys(body).filter((field) => !KNOWN_FIELDS.has(field));
  assertNone(
    unknown.map((field) => ({ field, message: `The ${field} field is not known.`, code: "unknown" })),
  );
  for (const field of MOMENT_FIELD_NAMES) if (field in body) body[field] = inUtc(body[field]);
  return body;
}

/** The requested tags and their problems. `tags` is undefined if the body has neither field. */
function readTags(state: State, body: Body): { tags: Tag[] | undefined; problems: Problem[] } {
  const field = "tag_ids" in body ? "tag_ids" : "tag_names";
  const given = body[field] as readonly string[] | null | undefined;
  if (given === undefined) return { tags: undefined, problems: [] };
  const found = (given ?? []).map((value) =>
    state.tags.find((tag) => (field === "tag_ids" ? tag.id === value : fold(tag.name) === fold(value))),
  );
  const problems = found.flatMap((tag, index): Problem[] => {
    const item = `${field}.${index}`;
    const message = `The selected ${item} is invalid.`;
    return tag === undefined ? [{ field: item, message, code: "unknown" }] : [];
  });
  return { tags: [...new Set(found.filter((tag) => tag !== undefined))].sort(byName), problems };
}

function ruleProblems(state: State, body: Body, was: Link): Problem[] {
  const problems: Problem[] = [];
  const { slug = was.slug, external_id: externalId, activity_group_id: group } = body;
  const domain = domainFor(state, body["domain"], was.domain);
  const owner = typeof slug === "string" ? state.slugs.get(keyOf(domain ?? "", slug)) : undefined;
  const ownerIsLive = owner === null || state.links.some(({ id }) => id === owner);
  if (owner !== undefined && owner !== was.id && ownerIsLive)
    problems.push(taken("slug", owner ?? undefined));
  if (domain === undefined) {
    problems.push({ field: "domain", message: "The selected domain is invalid.", code: "unknown" });
  }
  const other = state.links.find(({ id, external_id }) => id !== was.id && external_id === externalId);
  if (typeof externalId === "string" && other) problems.push(taken("external_id", other.id));
  if (typeof group === "string" && !findGroup(state, group)) {
    const message = "Activity Group was not found in this workspace.";
    problems.push({ field: "activity_group_id", message, code: "unknown" });
  }
  const { starts_at: start, ends_at: end } = { ...was, ...(body as Partial<Link>) };
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
  delete link.activity_group;
  if (group === undefined) return;
  const { id, name, slug, type, status } = group;
  const assignment = { role: "primary" as const, channel: link.channel };
  link.activity_group = { id, name, slug, type, status, assignment };
}

const LAST_FIELDS = ["tags", ...WINDOW_FIELD_NAMES, "archived_at", "created_at", "updated_at"] as const;

/** The link with its fields in the documented order. */
function inOrder(link: Link): Link {
  const ordered: Partial<Record<keyof Link, unknown>> = { ...link };
  for (const field of ["activity_group", ...LAST_FIELDS] as const) {
    delete ordered[field];
    if (link[field] !== undefined) ordered[field] = link[field];
  }
  return ordered as Link;
}

function change(state: State, was: Link, body: Body, tags: Tag[] = was.tags): Link {
  const link: Link = structuredClone({ ...was, tags: [] });
  if (body["destination_url"] !== undefined) link.destination_url = String(body["destination_url"]);
  if (body["rules"] !== undefined) link.rules = readRules(body);
  if (typeof body["slug"] === "string") link.slug = body["slug"];
  link.domain = domainFor(state, body["domain"], was.domain) ?? "";
  link.short_url = `https://${link.domain}/${link.slug}`;
  for (const field of COPIED) if (body[field] !== undefined) link[field] = body[field] as string | null;
  const sent = body["activity_group_id"];
  const group = findGroup(state, sent === undefined ? was.activity_group?.id : sent);
  setCampaign(link, body, group);
  setGroup(link, group);
  if (body["status"] !== undefined && body["status"] !== was.status) {
    link.status = body["status"] as Link["status"];
    link.archived_at = link.status === "archived" ? nextMoment(state) : null;
  }
  const isChanged = JSON.stringify(inOrder(link)) !== JSON.stringify(inOrder({ ...was, tags: [] }));
  if (isChanged) link.updated_at = nextMoment(state);
  return inOrder({ ...link, tags });
}

/** The valid link after a request, whose address is then taken. */
function write(state: State, was: Link, input: Body): Link {
  const body = readBody(input);
  const { tags, problems } = readTags(state, body);
  assertNone([...ruleProblems(state, body, was), ...problems]);
  const link = change(state, was, body, tags);
  state.slugs.set(keyOf(link.domain, link.slug), link.id);
  return link;
}

/** A link on the short host without any field of a request. */
export const emptyLink = (id: string, at: string): Link => ({
  id,
  slug: "",
  short_url: "",
  domain: SHORT_HOST_NAME,
  destination_url: "",
  rules: [],
  ...eachField(TEXT_FIELDS, () => null),
  status: "active",
  utm_campaign: null,
  utm_campaign_origin: "inherited",
  tags: [],
  ...eachField(MOMENT_FIELDS, () => null),
  ...eachField(URL_FIELDS, () => null),
  archived_at: null,
  created_at: at,
  updated_at: at,
});

export function createLink(state: State, input: Body): Link {
  const at = nextMoment(state);
  const empty = emptyLink(newId(state), at);
  if (state.primary !== undefined) empty.domain = state.primary;
  const link = { ...write(state, { ...empty, slug: `s${state.serial}` }, input), updated_at: at };
  state.links.push(link);
  return link;
}

export function updateLink(state: State, was: Link, input: Body): Link {
  const link = write(state, was, input);
  state.links[state.links.indexOf(was)] = link;
  return link;
}

export function deleteLink(state: State, link: Link): void {
  state.links = state.links.filter((one) => one !== link);
}
