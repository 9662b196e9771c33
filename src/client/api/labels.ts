import { isUlid } from "../../lib/ulid-text";
import { isTagAsAsked } from "./differences";
import { bodyOf, deleting, type Http, idempotencyKey, ifMatch, updating } from "./http";
import { firstOf, followPages } from "./pages";
import type { ActivityGroup, GroupFilter, Tag, Waymark } from "./resources";

export function createTags(http: Http): Waymark["tags"] {
  const list = async (): Promise<Tag[]> => bodyOf(await http.GET("/api/v1/tags")).tags;
  return {
    list,
    create: async (body) =>
      bodyOf(await http.POST("/api/v1/tags", { params: { header: idempotencyKey() }, body })).tag,
    update: (id, body, options) =>
      updating({
        run: async () => {
          const params = { path: { id }, header: ifMatch(options) };
          return bodyOf(await http.PATCH("/api/v1/tags/{id}", { params, body })).tag;
        },
        read: async () => (await list()).find((one) => one.id === id.toUpperCase()),
        isAsAsked: (tag) => isTagAsAsked(tag, body),
      }),
    delete: (id, options) =>
      deleting("Tag not found.", () =>
        http.DELETE("/api/v1/tags/{id}", { params: { path: { id }, header: ifMatch(options) } }),
      ),
  };
}

export function createGroups(http: Http): Waymark["groups"] {
  const list = (filter: GroupFilter = {}): AsyncIterable<ActivityGroup> =>
    followPages(async (page) => {
      const params = { query: { ...filter, ...page } };
      const answer = await http.GET("/api/v1/activity-groups", { params });
      return { items: bodyOf(answer).activity_groups, response: answer.response };
    });

  async function get(idOrSlug: string): Promise<ActivityGroup | undefined> {
    const text = idOrSlug.trim();
    if (text === "") return undefined;
    const byId = isUlid(text) ? await firstOf(list({ id: text })) : undefined;
    return byId ?? (await firstOf(list({ slug: text })));
  }

  return { list, get };
}
