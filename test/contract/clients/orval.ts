import { attachTagsToLink, createLink, type Link, listLinks } from "./generated/orval";

export async function createTagged(destination: string, tag: string): Promise<Link> {
  const made = await createLink({ destination_url: destination, external_id: null });
  if (made.status !== 201) throw new Error(made.data.message);
  const { link } = made.data;
  const etag = made.headers.get("ETag") ?? "*";
  const tagged = await attachTagsToLink(link.id, { tag_ids: [tag] }, { headers: { "If-Match": etag } });
  if (tagged.status !== 200) throw new Error(tagged.data.message);
  return tagged.data.link;
}

export async function listPosters(): Promise<string[]> {
  const { status, data } = await listLinks({
    channel: "poster",
    status: "all",
    tag: ["print"],
    per_page: 100,
  });
  if (status !== 200) throw new Error(data.message);
  return data.links.map(({ slug, activity_group }) => `${slug} ${activity_group?.assignment.role}`);
}
