import { attachTagsToLink, createLink, type Link, listLinks } from "./generated/hey-api";

export async function createTagged(destination: string, tag: string): Promise<Link> {
  const made = await createLink({
    body: { destination_url: destination, external_id: null },
    throwOnError: true,
  });
  const { link } = made.data;
  const tagged = await attachTagsToLink({
    path: { id: link.id },
    headers: { "If-Match": made.response.headers.get("ETag") ?? "*" },
    body: { tag_ids: [tag] },
    throwOnError: true,
  });
  return tagged.data.link;
}

export async function listPosters(): Promise<string[]> {
  const { data } = await listLinks({
    query: { channel: "poster", status: "all", tag: ["print"], slug: ["summer", "winter"], per_page: 100 },
  });
  return (data?.links ?? []).map(({ slug, activity_group }) => `${slug} ${activity_group?.assignment.role}`);
}
