import { isUlid } from "../../lib/ulid-text";
import { isTagAsAsked } from "./differences";
import { WaymarkError } from "./error";
import { bodyOf, createHttp, type Http, ifMatch, orDone } from "./http";
import { createLinks } from "./link-calls";
import { firstOf, followPages } from "./pages";
import { isAfterLostAnswer } from "./send";
import type { ActivityGroup, CreateTag, GroupFilter, Tag, Waymark, WaymarkOptions } from "./wire-types";

function createTags(http: Http): Waymark["tags"] {
  const list = async (): Promise<Tag[]> => bodyOf(await http.GET("/api/v1/tags")).tags;
  return {
    list,
    create: async (body) => bodyOf(await http.POST("/api/v1/tags", { body })).tag,
    async update(id, body, options) {
      const params = { path: { id }, header: ifMatch(options) };
      return orDone(
        async () => bodyOf(await http.PATCH("/api/v1/tags/{id}", { params, body })).tag,
        async (refusal) => {
          const tags = isAfterLostAnswer(refusal) ? await list() : [];
          return tags.find((tag) => tag.id === id.toUpperCase() && isTagAsAsked(tag, body));
        },
      );
    },
    async delete(id, options) {
      await http.DELETE("/api/v1/tags/{id}", { params: { path: { id }, header: ifMatch(options) } });
    },
  };
}

function createGroups(http: Http): Waymark["groups"] {
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

/** Tries to create a tag without a name, which fails with 403 for a read-only key and with 422 otherwise. */
async function readAccess(http: Http): Promise<"full" | "read"> {
  try {
    await http.POST("/api/v1/tags", { body: {} as CreateTag });
  } catch (error) {
    if (!(error instanceof WaymarkError) || ![403, 422].includes(error.status)) throw error;
    return error.status === 403 ? "read" : "full";
  }
  throw new WaymarkError("The service created a tag without a name.", { status: 201 });
}

/** A client of the workspace that the key belongs to. */
export function waymark(options: WaymarkOptions): Waymark {
  const http = createHttp(options);
  return {
    links: createLinks(http),
    tags: createTags(http),
    groups: createGroups(http),
    async whoami() {
      const params = { query: { per_page: 1 } };
      const { workspace } = bodyOf(await http.GET("/api/v1/activity-groups", { params }));
      return { workspace, access: await readAccess(http) };
    },
  };
}
