import createClient from "openapi-fetch";
import type { components, paths } from "./generated/openapi-typescript";

type Link = components["schemas"]["Link"];

const client = createClient<paths>({ baseUrl: "https://waymark.example" });

export async function createTagged(destination: string, tag: string): Promise<Link> {
  const made = await client.POST("/api/v1/links", {
    body: { destination_url: destination, external_id: null },
  });
  if (made.error !== undefined) throw new Error(made.error.message);
  const { link } = made.data;
  const tagged = await client.POST("/api/v1/links/{id}/tags", {
    params: { path: { id: link.id }, header: { "If-Match": made.response.headers.get("ETag") ?? "*" } },
    body: { tag_ids: [tag] },
  });
  if (tagged.error !== undefined) throw new Error(tagged.error.message);
  return tagged.data.link;
}

export async function listPosters(): Promise<string[]> {
  const { data } = await client.GET("/api/v1/links", {
    params: {
      query: { channel: "poster", status: "all", tag: ["print"], slug: ["summer", "winter"], per_page: 100 },
    },
  });
  return (data?.links ?? []).map(({ slug, activity_group }) => `${slug} ${activity_group?.assignment.role}`);
}
