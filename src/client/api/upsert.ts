import { etagOf } from "../../lib/etag";
import { differences } from "./differences";
import { WaymarkError } from "./error";
import type { CreateLink, Link, UpdateLink, UpsertOutcome, Waymark } from "./resources";

type Links = Pick<Waymark["links"], "byExternalId" | "create" | "update">;
type Result = { link: Link; outcome: UpsertOutcome };

/** Each round reads the link again after a concurrent change. */
const MAX_ROUNDS = 5;

/** A null slug or domain asks for the service's choice. An existing link keeps its own. */
const toUpdate = ({ slug, domain, ...rest }: CreateLink): UpdateLink => ({
  ...rest,
  ...(slug != null && { slug }),
  ...(domain != null && { domain }),
});

/** True if the link was created, changed or deleted by someone else since it was read. */
const isLostRace = (error: unknown): boolean =>
  error instanceof WaymarkError &&
  (error.status === 412 ||
    (error.status === 404 && error.message === "Link not found.") ||
    (error.status === 422 && error.codes["external_id"]?.includes("taken") === true));

async function change(links: Links, link: Link, input: CreateLink): Promise<Result> {
  const changes = differences(link, toUpdate(input));
  if (Object.keys(changes).length === 0) return { link, outcome: "unchanged" };
  const ifMatch = await etagOf(link);
  const updated = await links.update(link.id, changes, { ifMatch });
  return { link: updated, outcome: (await etagOf(updated)) === ifMatch ? "unchanged" : "updated" };
}

/** Creates the link with this `external_id`, or updates the fields that differ. */
export async function upsert(links: Links, input: CreateLink & { external_id: string }): Promise<Result> {
  if (input.external_id.trim() === "") throw new TypeError("The external_id is empty.");
  for (let round = 1; ; round++) {
    try {
      const link = await links.byExternalId(input.external_id);
      if (link !== undefined) return await change(links, link, input);
      return { link: await links.create(input), outcome: "created" };
    } catch (error) {
      if (round === MAX_ROUNDS || !isLostRace(error)) throw error;
    }
  }
}
