import { existsSync } from "node:fs";
import { etagOf } from "../../lib/etag";
import { append } from "../../lib/multimap";
import { foldSlug } from "../../lib/slug-text";
import { gather } from "../api/pages";
import type { Link } from "../api/resources";
import { Refusal } from "../exit";
import { addEntries, emptyFile, entriesFor } from "../file/entries";
import { plural } from "../file/format";
import { externalId, keyOf, type LinkFile, type WantedLink } from "../file/link-file";
import { linksOf } from "../file/state";
import { writeFileAtomically } from "../file/urls";
import type { Context, Given } from "./command";
import { type FILTER_OPTIONS, toFilter } from "./link-fields";
import { counted, printResult, say } from "./output";
import { checkText, DEFAULT_FILE, readLinkFile } from "./plan";
import { writeMany } from "./write-many";

interface Wish {
  path: string | undefined;
  /** Writes entries for links that the file does not have. */
  add: boolean;
  /** Of a file that is not there yet. */
  name: string | undefined;
  takeOver: boolean;
  filter: Given<typeof FILTER_OPTIONS>;
}

async function readOrBegin(path: string, { add, name }: Wish): Promise<LinkFile> {
  const isNew = add && name !== undefined && !existsSync(path);
  const file = await (isNew ? checkText(path, emptyFile(name)) : readLinkFile(path));
  if (name === undefined || name === file.name) return file;
  throw new Refusal(`${path} has the name "${file.name}". Leave --name out.`);
}

/** The links of the keys that the file has for them by their slugs, and those that it has no entry for. */
function match(file: LinkFile, links: readonly Link[], own: ReadonlyMap<string, Link>) {
  const bySlug = new Map<string, WantedLink[]>();
  for (const wanted of file.links) append(bySlug, foldSlug(wanted.fields.slug ?? ""), wanted);
  const keys = new Map<string, Link>();
  const missing: Link[] = [];
  const left: string[] = [];
  for (const link of links) {
    const found = bySlug
      .get(foldSlug(link.slug))
      ?.find(({ fields: { domain = link.domain } }) => domain === link.domain);
    const other = found && (own.get(found.key) ?? keys.get(found.key));
    if (found === undefined) missing.push(link);
    else if (other === undefined) keys.set(found.key, link);
    else left.push(`${link.short_url} is left: "${found.key}" is ${other.short_url}.`);
  }
  return { keys, missing, left };
}

/** Lets the file own the links of a filter. Entries come first, so that a run that was interrupted can be completed. */
export async function adoptMany(context: Context, wish: Wish) {
  const path = wish.path ?? DEFAULT_FILE;
  const file = await readOrBegin(path, wish);
  const { client } = context.connect();
  const filter = await toFilter(client, wish.filter);
  const prefix = externalId(file.name, "");
  const [found, owned] = await Promise.all([
    gather(counted(context, client.links.list({ status: "all", sort: "created_at", ...filter }), "link")),
    gather(client.links.list({ status: "all", external_id_prefix: prefix })),
  ]);
  const own = linksOf(file.name, owned);
  const ids = new Set(file.links.map(({ key }) => prefix + key));
  const others = found.filter(({ external_id: id }) => id !== null && keyOf(file.name, id) === undefined);
  const foreign = new Set(wish.takeOver ? [] : others);
  const { keys, missing, left } = match(
    file,
    found.filter((link) => !foreign.has(link) && !ids.has(link.external_id ?? "")),
    own,
  );
  const entries = wish.add
    ? entriesFor(
        file,
        missing.filter(({ status }) => status === "active"),
      )
    : [];
  const adopted = [...keys, ...entries.map(({ key, link }) => [key, link] as const)];
  if (foreign.size > 0) left.push(`Another owner has ${plural(foreign.size, "link")}: --take-over.`);
  for (const sentence of left) say(context, sentence);
  if (entries.length > 0) {
    const text = addEntries(file.text, entries);
    await checkText(path, text);
    if (!context.dryRun) await writeFileAtomically(path, text);
  }
  const how = wish.add ? `, ${entries.length} of them as new entries` : "";
  if (context.dryRun) {
    const added = new Set(entries.map(({ key }) => key));
    const adopt = adopted.map(([key, { slug, id, external_id: before }]) => ({
      ...{ key, slug, id, external_id: prefix + key, before, added: added.has(key) },
    }));
    const lines = adopt.map(({ key, slug }) => `${key}\t${slug}`);
    const sentence = `The file would own ${plural(adopt.length, "link")}${how}.`;
    return printResult(context, { adopt }, lines, sentence);
  }
  return writeMany(context, adopted, {
    op: "update",
    noun: "link",
    verb: `adopted${how}`,
    nameOf: ([key]) => key,
    write: async ([key, link]) =>
      link.external_id === prefix + key ||
      client.links.update(link.id, { external_id: prefix + key }, { ifMatch: await etagOf(link) }),
  });
}
