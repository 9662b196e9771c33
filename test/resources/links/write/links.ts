import {
  DAY_FIELDS,
  eachField,
  eachTextField,
  FORM_FIELDS,
  MOMENT_FIELDS,
  URL_FIELDS,
} from "../../../../src/lib/link-fields";
import { SHORT_HOST, slugKey } from "../../../../src/lib/slug-text";
import { type GroupInLink, type LinkRow, NO_GROUP } from "../../../../src/resources/links/link-repository";

export const GROUP: GroupInLink = {
  id: 5,
  public_id: "G5",
  name: "Summer",
  slug: "summer",
  type: "campaign",
  status: "active",
  default_utm_campaign: "summer_2026",
  ends_at: null,
  ended_url: null,
  ends_links: 0,
};

export const tag = (id: number) => ({
  ...{ id, public_id: `T${id}`, name: `Tag ${id}`, slug: `tag-${id}` },
  ...{ colour: null, description: null },
});

/** A link's row, in no group. */
export const row = (fields: Partial<LinkRow> = {}): LinkRow => ({
  id: 7,
  public_id: "L7",
  version: 3,
  slug: "Flyer",
  slug_key: slugKey(SHORT_HOST, "flyer"),
  folded_slug: "flyer",
  domain: "",
  destination_url: "https://www.example.com/a",
  ...eachTextField(() => null),
  title: "Flyer",
  title_key: "flyer",
  channel: "print",
  utm_source: "flyer",
  utm_campaign: null,
  utm_campaign_origin: "inherited",
  group: NO_GROUP,
  visitTotals: { clicks: 0, scans: 0, last_visit_at: null },
  tags: [tag(1), tag(2)],
  ...eachField(MOMENT_FIELDS, () => null),
  ...eachField(DAY_FIELDS, () => null),
  ...eachField(URL_FIELDS, () => null),
  rules: null,
  ...eachField(FORM_FIELDS, () => null),
  archived_at: null,
  hostCheck: "ok",
  check_at: 900,
  taken_down_at: null,
  taken_down_by: null,
  clicks_before: null,
  created_at: 100,
  created_by: "member:ada@example.com",
  updated_at: 200,
  ...fields,
});
