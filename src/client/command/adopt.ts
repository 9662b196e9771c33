import { Argument } from "commander";
import { etagOf } from "../../lib/etag";
import { foldSlug } from "../../lib/slug-text";
import { toHost } from "../api/host";
import type { Link, Waymark } from "../api/wire-types";
import { EXIT, Refusal } from "../exit";
import { externalId, keyOf, type LinkFile, type WantedLink } from "../file/link-file";
import { type Conflict, makePlan } from "../file/make-plan";
import { FILE_OPTION, readLinkFile } from "./apply-command";
import { type Context, command, type Given, type Options } from "./command-type";
import { printResult } from "./output";
import { writeMany } from "./write-many";

const refuse = (message: string) => new Refusal(message, EXIT.failed);

const OPTIONS = {
  ...FILE_OPTION,
  as: { value: "KEY", description: "The key in the file, if the file does not give the slug" },
  domain: { value: "HOST", description: "The domain of the link, if several have the slug" },
  "take-over": { description: "Replace an external ID of another owner" },
  all: { description: "Adopt all links that have a slug of the file, instead of one" },
} as const satisfies Options;

/** The link of the file that is to own the slug. */
function wantedFor(
  { links }: LinkFile,
  slug: string,
  { domain, as: key }: Given<typeof OPTIONS>,
): WantedLink {
  const named = links.find((link) => link.key === key);
  if (named !== undefined) return named;
  if (key !== undefined) throw refuse(`The file has no link with the key "${key}".`);
  const hasSlug = links.filter(({ fields }) => foldSlug(fields.slug ?? "") === foldSlug(slug));
  const [wanted, other] = hasSlug.filter(({ fields }) => domain === undefined || domain === fields.domain);
  if (other !== undefined) throw refuse(`The file has the slug "${slug}" on several domains. Give --domain.`);
  if (wanted !== undefined) return wanted;
  const where = domain === undefined ? "" : ` on ${domain}`;
  throw refuse(`The file has no link with the slug "${slug}"${where}. Add it first, or name its key.`);
}

/** Finds the link that a slug opens, and checks that the file may own it. */
async function findAdoptable(client: Waymark, file: LinkFile, slug: string, given: Given<typeof OPTIONS>) {
  const { key, fields } = wantedFor(file, slug, given);
  const id = externalId(file.name, key);
  const [link, owned] = await Promise.all([
    client.links.bySlug(slug, given.domain ?? fields.domain),
    client.links.byExternalId(id),
  ]);
  if (link === undefined) throw refuse(`No link of the workspace opens /${slug}.`);
  if (link.external_id === id) return { key, id, link };
  if (owned !== undefined) throw refuse(`"${key}" is already the link /${owned.slug}.`);
  const previous = keyOf(file.name, link.external_id);
  if (file.links.some((one) => one.key === previous)) {
    throw refuse(`/${slug} already belongs to "${previous}" of this file.`);
  }
  if (previous === undefined && link.external_id !== null && !given["take-over"]) {
    throw refuse(
      `/${slug} has the external ID "${link.external_id}" of another owner. To replace it, give --take-over.`,
    );
  }
  return { key, id, link };
}

const adopt = async (client: Waymark, { id, link }: { id: string; link: Link }) =>
  client.links.update(link.id, { external_id: id }, { ifMatch: await etagOf(link) });

/** Adopts what a plan shows as conflicts. */
async function adoptAll(context: Context, client: Waymark, file: LinkFile, given: Given<typeof OPTIONS>) {
  const { conflicts } = await makePlan(client, file);
  const find = async ({ key, slug }: Conflict) => {
    const found = await findAdoptable(client, file, slug, { ...given, as: key });
    if (foldSlug(found.link.slug) === foldSlug(slug)) return found;
    throw refuse(`/${slug} is an old slug of /${found.link.slug}, which apply would rename. Adopt it alone.`);
  };
  return writeMany(context, conflicts, {
    op: "update",
    noun: "link",
    verb: context.dryRun ? "would be adopted" : "adopted",
    nameOf: ({ key }) => key,
    write: async (conflict) => {
      const found = await find(conflict);
      if (!context.dryRun) await adopt(client, found);
    },
  });
}

export const adoptCommand = command({
  name: "adopt",
  summary: "Let the file own a link that exists, or all that have a slug of the file",
  details:
    "The link gets the external ID of its key in the file. Its other fields stay until the next apply.\n" +
    "plan shows such links as conflicts. export --yaml writes a file for links that exist.",
  operand: new Argument("[SLUG]"),
  options: OPTIONS,
  writes: true,
  examples: [
    "waymark adopt summer",
    "waymark adopt summer --as home-hero --dry-run",
    "waymark adopt summer --domain go.acme.example",
    "waymark adopt --all --dry-run",
  ],
  async run(context, { file: path, domain: host, all, ...given }, name?: string) {
    if (all ? (name ?? host ?? given.as) !== undefined : name === undefined) {
      throw new Refusal("Give a SLUG, or --all without --as and --domain.");
    }
    const file = await readLinkFile(path);
    const { client } = context.connect();
    if (name === undefined) return adoptAll(context, client, file, given);
    const wish = { ...given, ...(host !== undefined && { domain: toHost(host) ?? host }) };
    const { key, id, link } = await findAdoptable(client, file, name.replace(/^\//, ""), wish);
    const { slug, external_id: before } = link;
    const changed = before !== id;
    if (changed && !context.dryRun) await adopt(client, { id, link });
    const verb = context.dryRun ? "would own" : "now owns";
    const sentence = changed ? `The file ${verb} /${slug} as ${key}.` : `The file already owns /${slug}.`;
    return printResult(context, { key, slug, id: link.id, external_id: id, before, changed }, [id], sentence);
  },
});
