import { etagOf } from "../../lib/etag";
import { foldSlug } from "../../lib/slug-text";
import { differences, isLinkAsAsked } from "./differences";
import { WaymarkError } from "./error";
import { type LinkQuery, toQueries } from "./filter";
import { bodyOf, type Http, ifMatch, orDone } from "./http";
import { firstOf, followPages, fromCursor, gather, nextCursor } from "./pages";
import { isAfterLostAnswer } from "./send";
import type { CreateLink, Link, LinkFilter, UpdateLink, UpsertOutcome, Waymark } from "./wire-types";

type Links = Waymark["links"];

/** Each round of an upsert reads the link again after a concurrent change. */
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

export function createLinks(http: Http): Links {
  async function readPage(query: LinkQuery & { per_page: number }) {
    const answer = await http.GET("/api/v1/links", { params: { query } });
    return { items: bodyOf(answer).links, response: answer.response };
  }

  async function* list(filter: LinkFilter = {}): AsyncGenerator<Link> {
    const queries = toQueries(filter);
    const seen = new Set<string>();
    for (const query of queries) {
      const links = followPages((page) => readPage({ ...query, ...page }));
      for await (const link of links) {
        // A link has many slugs, so several queries may find it.
        if (queries.length > 1 && seen.has(link.id)) continue;
        seen.add(link.id);
        yield link;
      }
    }
  }

  const page: Links["page"] = async (filter = {}, { limit = 20, cursor } = {}) => {
    const [query, another] = toQueries(filter);
    if (query === undefined) return { links: [], next: undefined };
    if (another !== undefined) throw new TypeError("A page takes fewer slugs and external IDs.");
    const from = cursor === undefined ? {} : fromCursor(cursor);
    const { items, response } = await readPage({ ...query, ...from, per_page: limit });
    return { links: items, next: nextCursor(response) };
  };

  const get: Links["get"] = async (id) =>
    bodyOf(await http.GET("/api/v1/links/{id}", { params: { path: { id } } }));

  const bySlug: Links["bySlug"] = async (slug, domain) => {
    const text = slug.trim();
    if (text === "") return undefined;
    const found = await gather(list({ slug: text, status: "all", ...(domain !== undefined && { domain }) }));
    const current = found.filter((link) => foldSlug(link.slug) === foldSlug(text));
    const [link, other] = current.length > 0 ? current : found;
    if (other === undefined) return link;
    const urls = found.map(({ short_url: url }) => url).join(", ");
    const message = `The slug "${text}" is that of several links: ${urls}. Name one by its domain or short URL.`;
    throw new WaymarkError(message, { status: 409 });
  };

  const byExternalId: Links["byExternalId"] = async (externalId) =>
    externalId.trim() === "" ? undefined : firstOf(list({ external_id: externalId, status: "all" }));

  const create: Links["create"] = async (body) => bodyOf(await http.POST("/api/v1/links", { body })).link;

  const update: Links["update"] = async (id, body, options) => {
    const params = { path: { id }, header: ifMatch(options) };
    return orDone(
      async () => bodyOf(await http.PATCH("/api/v1/links/{id}", { params, body })).link,
      async (refusal) => {
        const link = isAfterLostAnswer(refusal) ? await get(id) : undefined;
        return link !== undefined && isLinkAsAsked(link, body) ? link : undefined;
      },
    );
  };

  async function change(link: Link, input: CreateLink): Promise<{ link: Link; outcome: UpsertOutcome }> {
    const changes = differences(link, toUpdate(input));
    if (Object.keys(changes).length === 0) return { link, outcome: "unchanged" };
    const etag = await etagOf(link);
    const updated = await update(link.id, changes, { ifMatch: etag });
    return { link: updated, outcome: (await etagOf(updated)) === etag ? "unchanged" : "updated" };
  }

  const upsert: Links["upsert"] = async (input) => {
    if (input.external_id.trim() === "") throw new TypeError("The external_id is empty.");
    for (let round = 1; ; round++) {
      try {
        const link = await byExternalId(input.external_id);
        if (link !== undefined) return await change(link, input);
        return { link: await create(input), outcome: "created" };
      } catch (error) {
        if (round === MAX_ROUNDS || !isLostRace(error)) throw error;
      }
    }
  };

  const qr: Links["qr"] = async (id, options = {}) => {
    const params = { path: { id }, query: options };
    const answer = await http.GET("/api/v1/links/{id}/qr", { params, parseAs: "arrayBuffer" });
    return new Uint8Array(bodyOf<ArrayBuffer>(answer));
  };

  return {
    list,
    page,
    get,
    bySlug,
    byExternalId,
    create,
    update,
    upsert,
    archive: (id, options) => update(id, { status: "archived" }, options),
    restore: (id, options) => update(id, { status: "active" }, options),
    async delete(id, options) {
      await http.DELETE("/api/v1/links/{id}", { params: { path: { id }, header: ifMatch(options) } });
    },
    setTags: (id, names, options) => update(id, { tag_names: [...names] }, options),
    qr,
  };
}
