import { isTagAsAsked } from "./differences";
import { bodyOf, deleting, type Http, idempotencyKey, ifMatch, isAfterLostAnswer } from "./http";
import type { CreateTag, Tag, UpdateTag, Waymark, WriteOptions } from "./resources";

export function createTags(http: Http): Waymark["tags"] {
  const list = async (): Promise<Tag[]> => bodyOf(await http.GET("/api/v1/tags")).tags;

  async function create(body: CreateTag): Promise<Tag> {
    return bodyOf(await http.POST("/api/v1/tags", { params: { header: idempotencyKey() }, body })).tag;
  }

  async function update(id: string, body: UpdateTag, options?: WriteOptions): Promise<Tag> {
    const params = { path: { id }, header: ifMatch(options) };
    try {
      return bodyOf(await http.PATCH("/api/v1/tags/{id}", { params, body })).tag;
    } catch (error) {
      if (!isAfterLostAnswer(error, 412)) throw error;
      const tag = (await list()).find((one) => one.id === id.toUpperCase());
      if (tag === undefined || !isTagAsAsked(tag, body)) throw error;
      return tag;
    }
  }

  const remove = (id: string, options?: WriteOptions): Promise<void> =>
    deleting("Tag not found.", () =>
      http.DELETE("/api/v1/tags/{id}", { params: { path: { id }, header: ifMatch(options) } }),
    );

  return { list, create, update, delete: remove };
}
