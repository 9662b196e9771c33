import { Argument } from "commander";
import { etagOf } from "../../lib/etag";
import { foldSlug } from "../../lib/slug-text";
import { toHost } from "../api/host";
import type { Link, Waymark } from "../api/resources";
import { EXIT, Refusal } from "../exit";
import { externalId, keyOf, type LinkFile, type WantedLink } from "../file/link-file";
import { command } from "./command";
import { FILE_OPTION, readLinkFile } from "./link-file";
import { printResult } from "./output";

const refuse = (message: string) => new Refusal(message, EXIT.failed);

interface Wish {
  slug: string;
  /** Needed if several domains have the slug, and the file does not say which one is meant. */
  domain?: string | undefined;
  /** The key in the file; needed if the file does not give the slug. */
  key?: string | undefined;
  /** Replaces an external ID of another owner. */
  takeOver?: boolean;
}

/** The link of the file that is to own the slug. */
function wantedFor({ links }: LinkFile, { slug, domain, key }: Wish): WantedLink {
  if (key !== undefined) {
    const wanted = links.find((link) => link.key === key);
    if (wanted !== undefined) return wanted;
    throw refuse(`The file has no link with the key "${key}".`);
  }
  const hasSlug = links.filter(({ fields }) => foldSlug(fields.slug ?? "") === foldSlug(slug));
  const [wanted, other] = hasSlug.filter(({ fields }) => domain === undefined || domain === fields.domain);
  if (other !== undefined) throw refuse(`The file has the slug "${slug}" on several domains. Give --domain.`);
  if (wanted !== undefined) return wanted;
  const where = domain === undefined ? "" : ` on ${domain}`;
  throw refuse(`The file has no link with the slug "${slug}"${where}. Add it first, or name its key.`);
}

/** Finds the link that a slug opens, and checks that the file may own it. Writes nothing. */
export async function planAdoption(client: Waymark, file: LinkFile, wish: Wish) {
  const { slug, takeOver = false } = wish;
  const { key, fields } = wantedFor(file, wish);
  const id = externalId(file.name, key);
  const [link, owned] = await Promise.all([
    client.links.bySlug(slug, wish.domain ?? fields.domain),
    client.links.byExternalId(id),
  ]);
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

export const adoptCommand = command({
  name: "adopt",
  summary: "Let the file own a link that exists",
  details:
    "The link gets the external ID of its key in the file. Its other fields stay until the next apply.\n" +
    "plan shows such links as conflicts.",
  operand: new Argument("<SLUG>"),
  options: {
    ...FILE_OPTION,
    as: { value: "KEY", description: "The key in the file, if the file does not give the slug" },
    domain: { value: "HOST", description: "The domain of the link, if several have the slug" },
    "take-over": { description: "Replace an external ID of another owner" },
  },
  writes: true,
  examples: [
    "waymark adopt summer",
    "waymark adopt summer --as home-hero --dry-run",
    "waymark adopt summer --domain go.acme.example",
  ],
  async run(context, { file: path, as: key, domain: host, "take-over": takeOver = false }, given) {
    const { file } = await readLinkFile(path);
    const { client } = context.connect();
    const domain = host === undefined ? undefined : (toHost(host) ?? host);
    const wish = { slug: given.replace(/^\//, ""), domain, key, takeOver };
    const adoption = await planAdoption(client, file, wish);
    const { link, isNew } = adoption;
    const { slug, id, external_id: before } = link;
    const result = { key: adoption.key, slug, id, external_id: adoption.externalId, before, changed: isNew };
    const verb = context.dryRun ? "would own" : "now owns";
    const sentence = isNew
      ? `The file ${verb} /${slug} as ${adoption.key}.`
      : `The file already owns /${slug}.`;
    if (!context.dryRun) await adoptLink(client, adoption);
    printResult(context, result, [adoption.externalId], sentence);
  },
});
