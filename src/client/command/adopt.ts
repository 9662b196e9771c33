import { Argument } from "commander";
import { etagOf } from "../../lib/etag";
import { foldSlug } from "../../lib/slug-text";
import { toHost } from "../api/host";
import type { Waymark } from "../api/resources";
import { EXIT, Refusal } from "../exit";
import { externalId, keyOf, type LinkFile, type WantedLink } from "../file/link-file";
import { command, type Given, type Options } from "./command";
import { FILTER_OPTIONS } from "./link-fields";
import { printResult } from "./output";
import { FILE_OPTION, readLinkFile } from "./plan";

const refuse = (message: string) => new Refusal(message, EXIT.failed);

const { status: _status, sort: _sort, domain: _domain, ...FILTERS } = FILTER_OPTIONS;

const OPTIONS = {
  ...FILE_OPTION,
  as: { value: "KEY", description: "The key in the file, if the file does not give the slug" },
  domain: { value: "HOST", description: "The domain of the link, if several have the slug" },
  "take-over": { description: "Replace an external ID of another owner" },
  all: { description: "Adopt every link that the file has by its slug, instead of one" },
  ...FILTERS,
  add: { description: "First write an entry into the file for each link that it does not have" },
  name: { value: "NAME", description: "The name of the file, if --add has to make it" },
} as const satisfies Options;

/** The link of the file that is to own the slug. */
function wantedFor(
  { links }: LinkFile,
  slug: string,
  { domain, as: key }: Given<typeof OPTIONS>,
): WantedLink {
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

export const adoptCommand = command({
  name: "adopt",
  summary: "Let the file own links that exist, one or many",
  details:
    "The link gets the external ID of its key in the file. Its other fields stay until the next apply.\n" +
    "plan shows such links as conflicts. --all or filters adopt many, as in links list. With --add they get their\n" +
    "entries too, but archived links do not, because an apply would restore them.",
  operand: new Argument("[SLUG]"),
  options: OPTIONS,
  writes: true,
  examples: [
    "waymark adopt summer",
    "waymark adopt summer --as home-hero --dry-run",
    "waymark adopt summer --domain go.acme.example",
    "waymark adopt --all --dry-run",
    "waymark adopt --tag website --add --name site",
  ],
  async run(context, { file: path, domain: host, all, add, name: fileName, ...given }, name) {
    const isMany = all || add || Object.keys(FILTERS).some((filter) => filter in given);
    if (name === undefined ? !isMany : all) throw new Refusal("Give a SLUG, --all or a filter.");
    const wish = { ...given, ...(host !== undefined && { domain: toHost(host) ?? host }) };
    if (isMany) {
      const { adoptMany } = await import("./adopt-many");
      const { as: _, "take-over": takeOver = false, ...filter } = wish;
      const slugs = name === undefined ? {} : { slug: [name.replace(/^\//, "")] };
      return adoptMany(context, {
        path,
        add: add ?? false,
        name: fileName,
        takeOver,
        filter: { ...filter, ...slugs },
      });
    }
    const file = await readLinkFile(path);
    const { client } = context.connect();
    const { key, id, link } = await findAdoptable(client, file, name.replace(/^\//, ""), wish);
    const { slug, external_id: before } = link;
    const changed = before !== id;
    if (changed && !context.dryRun) {
      await client.links.update(link.id, { external_id: id }, { ifMatch: await etagOf(link) });
    }
    const verb = context.dryRun ? "would own" : "now owns";
    const sentence = changed ? `The file ${verb} /${slug} as ${key}.` : `The file already owns /${slug}.`;
    printResult(context, { key, slug, id: link.id, external_id: id, before, changed }, [id], sentence);
  },
});
