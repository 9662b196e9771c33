import { SHORT_HOST, slugKey } from "../../../src/lib/slug-text";

/** What KV holds of an open link without anything else, but for the time of the read. */
export const OPEN_LINK = { rev: 3, target: "https://a.example/", workspace: 1, link: "L" };

/** The row of D1 of a slug on the short host, whose link is the same. */
export const targetRow = (slug: string) => ({
  key: slugKey(SHORT_HOST, slug),
  workspace_id: 1,
  rev: 3,
  doubt_until: null,
  link: "L",
  destination_url: "https://a.example/",
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
  asset: null,
  starts_at: null,
  ends_at: null,
  ended_url: null,
  group: null,
  taken_down: 0,
  is_served: 1,
  asset_name: null,
  rules: null,
  refused_rules: null,
  preview_title: null,
  preview_text: null,
  preview_image_url: null,
  not_found_url: null,
  apple_file: null,
  android_file: null,
  has_networks: 0,
});
