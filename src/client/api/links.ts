import { foldSlug } from "../../lib/slug-text";
import { isLinkAsAsked } from "./differences";
import { WaymarkError } from "./error";
import { toQueries } from "./filter";
import { bodyOf, deleting, type Http, idempotencyKey, ifMatch, updating } from "./http";
import { firstOf, followPages, gather } from "./pages";
import type { CreateLink, Link, LinkFilter, QrOptions, UpdateLink, Waymark, WriteOptions } from "./resources";

export function createLinks(http: Http): Omit<Waymark["links"], "upsert"> {
  async function* list(filter: LinkFilter = {}): AsyncGenerator<Link> {
    const queries = toQueries(filter);
    const seen = new Set<string>();
    for (const query of queries) {
      const links = followPages(async (page) => {
        const params = { query: { ...query, ...page } };
        const answer = await http.GET("/api/v1/links", { params });
        return { items: bodyOf(answer).links, response: answer.response };
      });
      for await (const link of links) {
        // A link has many slugs, so several queries may find it.
        if (queries.length > 1 && seen.has(link.id)) continue;
        seen.add(link.id);
        yield link;
      }
    }
  }

  const get = async (id: string): Promise<Link> =>
    bodyOf(await http.GET("/api/v1/links/{id}", { params: { path: { id } } }));

  async function bySlug(slug: string, domain?: string): Promise<Link | undefined> {
    const text = slug.trim();
    if (text === "") return undefined;
    const found = await gather(list({ slug: text, status: "all", ...(domain !== undefined && { domain }) }));
    const current = found.filter((link) => foldSlug(link.slug) === foldSlug(text));
    const [link, other] = current.length > 0 ? current : found;
    if (other === undefined) return link;
    const urls = found.map(({ short_url: url }) => url).join(", ");
    const message = `The slug "${text}" is that of several links: ${urls}. Name one by its domain or short URL.`;
    throw new WaymarkError(message, { status: 409 });
  }

  const byExternalId = async (externalId: string): Promise<Link | undefined> =>
    externalId.trim() === "" ? undefined : firstOf(list({ external_id: externalId, status: "all" }));

  const create = async (body: CreateLink): Promise<Link> =>
    bodyOf(await http.POST("/api/v1/links", { params: { header: idempotencyKey() }, body })).link;

  const update = (id: string, body: UpdateLink, options?: WriteOptions): Promise<Link> =>
    updating({
      run: async () => {
        const params = { path: { id }, header: ifMatch(options) };
        return bodyOf(await http.PATCH("/api/v1/links/{id}", { params, body })).link;
      },
      read: () => get(id),
      isAsAsked: (link) => isLinkAsAsked(link, body),
    });

  const remove = (id: string, options?: WriteOptions): Promise<void> =>
    deleting("Link not found.", () =>
      http.DELETE("/api/v1/links/{id}", { params: { path: { id }, header: ifMatch(options) } }),
    );

  async function qr(id: string, options: QrOptions = {}): Promise<Uint8Array> {
    const params = { path: { id }, query: options };
    const answer = await http.GET("/api/v1/links/{id}/qr", { params, parseAs: "arrayBuffer" });
    return new Uint8Array(bodyOf<ArrayBuffer>(answer));
  }

  return {
    list,
    get,
    bySlug,
    byExternalId,
    create,
    update,
    archive: (id, options) => update(id, { status: "archived" }, options),
    restore: (id, options) => update(id, { status: "active" }, options),
    delete: remove,
    setTags: (id, names, options) => update(id, { tag_names: [...names] }, options),
    qr,
  };
}
