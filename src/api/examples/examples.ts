import type { Example, Step } from "./example";

// They can run in any order and as often as one likes: each creates what it deletes, and needs only the workspace `demo`.

const linkWithSlug = (slug: string): Step => ({
  method: "GET",
  path: `/links?slug=${slug}`,
  keep: "link",
  from: "first",
});

const tagNamed = (name: string): Step => ({ method: "GET", path: "/tags", keep: "tag", from: { name } });

const newLink = (more: Step["body"] = {}): Step => ({
  method: "POST",
  path: "/links",
  body: { destination_url: "https://www.example.com/", ...more },
  keep: "link",
  from: "created",
});

/** An example of every operation, by its operationId. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  listActivityGroups: { call: { method: "GET", path: "/activity-groups?status=active" } },
  listLinks: {
    call: { method: "GET", path: "/links?activity_group_id=summer-2026&sort=slug&per_page=5" },
  },
  createLink: {
    call: {
      method: "POST",
      path: "/links",
      headers: { "Idempotency-Key": "{unique}" },
      body: {
        destination_url: "https://www.example.com/sale?colour=blue",
        title: "Summer sale",
        activity_group_id: "summer-2026",
      },
    },
  },
  getLink: { steps: [linkWithSlug("summer")], call: { method: "GET", path: "/links/{link}" } },
  updateLink: {
    steps: [linkWithSlug("summer-flyer")],
    call: {
      method: "PATCH",
      path: "/links/{link}",
      body: { title: "Summer flyer, second print", utm_source: "flyer-2" },
    },
  },
  deleteLink: { steps: [newLink()], call: { method: "DELETE", path: "/links/{link}" } },
  getLinkQr: {
    steps: [linkWithSlug("summer")],
    call: { method: "GET", path: "/links/{link}/qr?format=png&size=1024" },
    saveAs: "summer.png",
  },
  attachTagsToLink: {
    steps: [linkWithSlug("summer-flyer"), tagNamed("Social")],
    call: { method: "POST", path: "/links/{link}/tags", body: { tag_ids: ["{tag}"] } },
  },
  detachTagFromLink: {
    steps: [tagNamed("Print"), newLink({ tag_ids: ["{tag}"] })],
    call: { method: "DELETE", path: "/links/{link}/tags/{tag}" },
  },
  listTags: { call: { method: "GET", path: "/tags" } },
  createTag: {
    call: {
      method: "POST",
      path: "/tags",
      headers: { "Idempotency-Key": "{unique}" },
      body: { name: "Summer sale {unique}", colour: "#f59e0b" },
    },
  },
  updateTag: {
    steps: [tagNamed("Partner")],
    call: {
      method: "PATCH",
      path: "/tags/{tag}",
      body: { colour: "#0f766e", description: "Run together with a partner" },
    },
  },
  deleteTag: {
    steps: [
      { method: "POST", path: "/tags", body: { name: "Short-lived {unique}" }, keep: "tag", from: "created" },
    ],
    call: { method: "DELETE", path: "/tags/{tag}" },
  },
};
