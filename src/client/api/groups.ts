import { isUlid } from "../../lib/ulid-text";
import { bodyOf, type Http } from "./http";
import { firstOf, followPages, nextCursor } from "./pages";
import type { ActivityGroup, GroupFilter, Waymark } from "./resources";

const PER_PAGE = 100;

export function createGroups(http: Http): Waymark["groups"] {
  const list = (filter: GroupFilter = {}): AsyncIterable<ActivityGroup> =>
    followPages(async (cursor) => {
      const query = { ...filter, per_page: PER_PAGE, ...cursor };
      const answer = await http.GET("/api/v1/activity-groups", { params: { query } });
      return { items: bodyOf(answer).activity_groups, next: nextCursor(answer.response) };
    });

  async function get(idOrSlug: string): Promise<ActivityGroup | undefined> {
    const text = idOrSlug.trim();
    if (text === "") return undefined;
    const byId = isUlid(text) ? await firstOf(list({ id: text })) : undefined;
    return byId ?? (await firstOf(list({ slug: text })));
  }

  return { list, get };
}
