import { differences } from "./differences";
import { WaymarkError } from "./error";
import { etagOf } from "./etag";
import type { CreateLink, Link, UpdateLink, UpsertOutcome, Waymark } from "./types";

type Links = Pick<Waymark["links"], "byExternalId" | "create" | "update">;
type Result = { link: Link; outcome: UpsertOutcome };

/** Others may change the same link meanwhile. */
const MAX_ROUNDS = 5;

/** A slug that is null asks for a generated one, which the link has. */
const toUpdate = ({ slug, ...rest }: CreateLink): UpdateLink => (slug == null ? rest : { ...rest, slug });

/** True if somebody else made or changed the link since it was read. */
const isLostRace = (error: unknown): boolean =>
  error instanceof WaymarkError &&
  (error.status === 412 || (error.status === 422 && error.codes["external_id"]?.includes("taken") === true));

async function change(links: Links, link: Link, input: CreateLink): Promise<Result> {
  const changes = differences(link, toUpdate(input));
  if (Object.keys(changes).length === 0) return { link, outcome: "unchanged" };
  const ifMatch = await etagOf(link);
  const updated = await links.update(link.id, changes, { ifMatch });
  return { link: updated, outcome: (await etagOf(updated)) === ifMatch ? "unchanged" : "updated" };
}

/** Creates the link with this `external_id`, or changes in it what differs. */
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
