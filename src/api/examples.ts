// The examples can run in any order and as often as one likes: each creates what it deletes, and needs only the workspace
// `demo`.

/** Texts may have `{link}` and `{tag}`, the ids that earlier requests found, and `{unique}`. */
export interface Call {
  /** GET without it. */
  method?: "POST" | "PATCH" | "DELETE";
  path: string;
  /** A list has ids. */
  body?: Readonly<Record<string, string | readonly ["tag"]>>;
  hasIdempotencyKey?: boolean;
}

/** A request that finds or creates what the last one needs. */
export interface Preparation extends Call {
  finds: "link" | "tag";
  /** Which one of the list; without it the first. */
  named?: string;
}

export interface Example extends Call {
  first?: readonly Preparation[];
  /** The name of the file that the response is saved as. It is printed without it. */
  file?: string;
}

const linkAt = (slug: string): Preparation => ({ finds: "link", path: `/links?slug=${slug}` });
const newLink = (body: Example["body"]): Preparation => ({
  finds: "link",
  method: "POST",
  path: "/links",
  body: { destination_url: "https://www.example.com/", ...body },
});
const tagNamed = (named: string): Preparation => ({ finds: "tag", path: "/tags", named });

/** The example of each operation, by its operationId. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  listActivityGroups: { path: "/activity-groups?status=active" },
  listLinks: { path: "/links?activity_group_id=summer-2026&sort=slug&per_page=5" },
  createLink: {
    method: "POST",
    path: "/links",
    hasIdempotencyKey: true,
    body: {
      destination_url: "https://www.example.com/sale?colour=blue",
      title: "Summer sale",
      activity_group_id: "summer-2026",
    },
  },
  getLink: { first: [linkAt("summer")], path: "/links/{link}" },
  updateLink: {
    first: [linkAt("summer-flyer")],
    method: "PATCH",
    path: "/links/{link}",
    body: { title: "Summer flyer, second print", utm_source: "flyer-2" },
  },
  deleteLink: { first: [newLink({})], method: "DELETE", path: "/links/{link}" },
  getLinkQr: {
    first: [linkAt("summer")],
    path: "/links/{link}/qr?format=png&size=1024",
    file: "summer.png",
  },
  attachTagsToLink: {
    first: [linkAt("summer-flyer"), tagNamed("Social")],
    method: "POST",
    path: "/links/{link}/tags",
    body: { tag_ids: ["tag"] },
  },
  detachTagFromLink: {
    first: [tagNamed("Print"), newLink({ tag_ids: ["tag"] })],
    method: "DELETE",
    path: "/links/{link}/tags/{tag}",
  },
  listTags: { path: "/tags" },
  createTag: {
    method: "POST",
    path: "/tags",
    hasIdempotencyKey: true,
    body: { name: "Summer sale {unique}", colour: "#f59e0b" },
  },
  updateTag: {
    first: [tagNamed("Partner")],
    method: "PATCH",
    path: "/tags/{tag}",
    body: { colour: "#0f766e", description: "Run together with a partner" },
  },
  deleteTag: {
    first: [{ finds: "tag", method: "POST", path: "/tags", body: { name: "Short-lived {unique}" } }],
    method: "DELETE",
    path: "/tags/{tag}",
  },
};
