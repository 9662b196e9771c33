import { foldSlug } from "../../lib/slug-text";
import { etagOf } from "../api/etag";
import type { Link, Waymark } from "../api/resources";
import { EXIT, Refusal } from "../exit";
import { externalId, keyOf, type LinkFile } from "./link-file";

const refuse = (message: string) => new Refusal(message, EXIT.failed);

function keyFor(file: LinkFile, slug: string, key: string | undefined): string {
  const wanted = file.links.find((link) =>
    key === undefined ? foldSlug(link.fields.slug ?? "") === foldSlug(slug) : link.key === key,
  );
  if (wanted !== undefined) return wanted.key;
  throw refuse(
    key === undefined
      ? `The file has no link with the slug "${slug}". Add it first, or name its key.`
      : `The file has no link with the key "${key}".`,
  );
}

/**
 * Finds the link that a slug opens, and checks that the file may own it. Writes nothing. `takeOver` replaces an external ID
 * of another owner.
 */
export async function planAdoption(
  client: Waymark,
  file: LinkFile,
  slug: string,
  { key: given, takeOver = false }: { key?: string | undefined; takeOver?: boolean } = {},
) {
  const key = keyFor(file, slug, given);
  const id = externalId(file.name, key);
  const [link, owned] = await Promise.all([client.links.bySlug(slug), client.links.byExternalId(id)]);
  if (link === undefined) throw refuse(`No link of the workspace opens /${slug}.`);
  if (link.external_id === id) return { key, externalId: id, link, isNew: false };
  if (owned !== undefined) throw refuse(`"${key}" is already the link /${owned.slug}.`);
  const previous = keyOf(file.name, link.external_id);
  if (file.links.some((one) => one.key === previous)) {
    throw refuse(`/${slug} already belongs to "${previous}" of this file.`);
  }
  if (previous === undefined && link.external_id !== null && !takeOver) {
    throw refuse(
      `/${slug} has the external ID "${link.external_id}" of another owner. To replace it, give --take-over.`,
    );
  }
  return { key, externalId: id, link, isNew: true };
}

/** Gives a link the external ID of its key, so that the file owns it. Its other fields stay until the next apply. */
export const adoptLink = async (
  client: Waymark,
  { externalId: id, link, isNew }: Awaited<ReturnType<typeof planAdoption>>,
): Promise<Link> =>
  isNew ? client.links.update(link.id, { external_id: id }, { ifMatch: await etagOf(link) }) : link;
