import { WaymarkError } from "../api/error";
import type { CreateLink, Waymark } from "../api/resources";
import { findGroup } from "./find-tag";

/** Checks what needs no request. */
async function assertValid(input: CreateLink): Promise<void> {
  const { destinationProblem } = await import("../../lib/destination");
  const { ENDS_AT, endProblem, STARTS_AT, slugProblem } = await import("../file/fields");
  const errors: Record<string, string[]> = {};
  const add = (field: string, message: string | undefined) => {
    if (message !== undefined) errors[field] ??= [message];
  };
  const addRule = (field: string, rule: string | undefined) =>
    add(field, rule && `The ${field.replaceAll("_", " ")} field ${rule}.`);
  const { slug, starts_at: start, ends_at: end, ended_url: endedUrl } = input;
  add("destination_url", destinationProblem(input.destination_url)?.message);
  const fault = slug == null ? undefined : slugProblem(slug);
  add("slug", fault && `The slug ${fault}.`);
  if (start != null) addRule("starts_at", STARTS_AT.problem(start.trim()));
  if (end != null) addRule("ends_at", ENDS_AT.problem(end.trim()));
  if (errors["starts_at"] === undefined) addRule("ends_at", endProblem(start, end));
  if (endedUrl != null) add("ended_url", destinationProblem(endedUrl.trim(), "ended_url")?.message);
  if (Object.keys(errors).length > 0) {
    throw new WaymarkError("The link is not valid.", { status: 422, errors });
  }
}

/** Throws the refusals of a creation that can be foretold. */
export async function assertCreatable(client: Waymark, input: CreateLink): Promise<void> {
  await assertValid(input);
  const slug = input.slug ?? undefined;
  const [bySlug, byExternalId] = await Promise.all([
    slug === undefined ? undefined : client.links.bySlug(slug),
    input.external_id == null ? undefined : client.links.byExternalId(input.external_id),
    input.activity_group_id == null ? undefined : findGroup(client, input.activity_group_id),
  ]);
  const conflicts: Record<string, string> = {};
  if (bySlug !== undefined) conflicts["slug"] = bySlug.id;
  if (byExternalId !== undefined) conflicts["external_id"] = byExternalId.id;
  const taken = Object.keys(conflicts).map((field) => [
    field,
    [`The ${field.replaceAll("_", " ")} has already been taken.`],
  ]);
  if (taken.length === 0) return;
  const details = { status: 422, errors: Object.fromEntries(taken), conflicts };
  throw new WaymarkError("Another link is in the way.", details);
}
