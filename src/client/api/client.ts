import { WaymarkError } from "./error";
import { bodyOf, createHttp, type Http, idempotencyKey } from "./http";
import { createGroups, createTags } from "./labels";
import { createLinks } from "./links";
import type { CreateTag, Waymark, WaymarkOptions } from "./resources";
import { upsert } from "./upsert";

/** Tries to create a tag without a name, which fails with 403 for a read-only key and with 422 otherwise. */
async function readAccess(http: Http): Promise<"full" | "read"> {
  try {
    await http.POST("/api/v1/tags", { params: { header: idempotencyKey() }, body: {} as CreateTag });
  } catch (error) {
    if (!(error instanceof WaymarkError) || ![403, 422].includes(error.status)) throw error;
    return error.status === 403 ? "read" : "full";
  }
  throw new WaymarkError("The service created a tag without a name.", { status: 201 });
}

/** A client of the workspace that the key belongs to. */
export function waymark(options: WaymarkOptions): Waymark {
  const http = createHttp(options);
  const links = createLinks(http);
  return {
    links: { ...links, upsert: (input) => upsert(links, input) },
    tags: createTags(http),
    groups: createGroups(http),
    async whoami() {
      const params = { query: { per_page: 1 } };
      const { workspace } = bodyOf(await http.GET("/api/v1/activity-groups", { params }));
      return { workspace, access: await readAccess(http) };
    },
  };
}
