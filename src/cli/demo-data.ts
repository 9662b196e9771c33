import type { NewActivityGroup } from "../resources/activity-groups/group-schema";
import type { NewAsset } from "../resources/engagement/asset-schema";
import type { CreateLink, UpdateLink } from "../resources/links/link-schema";
import type { Profile } from "./demo-visits";

interface DemoGroup extends NewActivityGroup {
  /** When it starts and ends, in days from now. */
  days?: readonly [starts: number, ends: number];
}

export const GROUPS: readonly DemoGroup[] = [
  {
    name: "Summer 2026",
    slug: "summer-2026",
    type: "campaign",
    status: "active",
    default_utm_campaign: "summer_2026",
    days: [-42, 12],
  },
  {
    name: "Developer Day",
    slug: "developer-day",
    type: "event",
    status: "scheduled",
    default_utm_campaign: "devday",
    days: [9, 10],
  },
  { name: "Website relaunch", slug: "relaunch", type: "project", status: "draft" },
  { name: "Handbook", slug: "handbook", type: "content", status: "completed" },
  {
    name: "Newsletter",
    slug: "newsletter",
    type: "always_on",
    status: "active",
    default_utm_campaign: "newsletter",
  },
  { name: "Winter 2025", slug: "winter-2025", type: "campaign", status: "archived" },
];

const PRINT = "Print";
const SOCIAL = "Social";
const PARTNER = "Partner";
const SUMMER = "Été à Zürich";

export const TAGS = [
  { name: PRINT, colour: "#b45309", description: "Printed material" },
  { name: SOCIAL, colour: "#1d4ed8" },
  { name: PARTNER, colour: "#15803d", description: "Run together with a partner" },
  { name: SUMMER },
] as const;

export interface DemoLink extends CreateLink {
  update?: UpdateLink;
  /** Whether it has a second address, on the demo's domain. */
  isOnDomain?: true;
  assets?: readonly Pick<NewAsset, "name" | "kind" | "status" | "place" | "quantity">[];
  /** Who visits it; nobody if it is left out. */
  visits?: Profile;
  /** Whether its page is gone. */
  isBroken?: true;
}

export const LINKS: readonly DemoLink[] = [
  {
    destination_url: "https://www.example.com/summer?colour=blue#top",
    slug: "summer",
    title: "Summer sale",
    channel: "poster",
    activity_group_id: "summer-2026",
    utm_source: "poster",
    utm_medium: "print",
    tag_names: [PRINT, SUMMER],
    isOnDomain: true,
    assets: [
      {
        name: "Poster at the main station",
        kind: "poster",
        status: "live",
        place: "Zürich HB",
        quantity: 12,
      },
      { name: "Poster 2, tram stop", kind: "poster", status: "live", place: "Bellevue", quantity: 4 },
      { name: "Poster 10, university", kind: "poster", status: "live", place: "Polyterrasse", quantity: 2 },
    ],
    visits: { clicks: 14, scans: 9, course: "campaign" },
  },
  {
    destination_url: "https://www.example.com/summer/flyer",
    slug: "summer-flyer",
    title: "Summer flyer",
    channel: "flyer",
    activity_group_id: "summer-2026",
    utm_source: "flyer",
    utm_medium: "print",
    tag_names: [PRINT],
    visits: { clicks: 4, course: "campaign" },
    assets: [
      { name: "Flyer at the reception", kind: "flyer", status: "live", place: "Reception", quantity: 200 },
      { name: "Flyer, second print", kind: "flyer", status: "draft" },
      { name: "Flyer, first print", kind: "flyer", status: "retired" },
    ],
  },
  {
    destination_url: "https://www.example.com/talks?utm_source=old&day=2",
    slug: "devday",
    title: "Developer Day programme",
    channel: "social",
    activity_group_id: "developer-day",
    utm_source: "social",
    utm_campaign: "devday_early_bird",
    tag_names: [SOCIAL, PARTNER],
    visits: { clicks: 10, course: "rising" },
  },
  {
    destination_url: "https://www.example.com/prize-draw",
    slug: "prize-draw",
    title: "Summer prize draw",
    activity_group_id: "summer-2026",
    ends_at: "2026-09-01T00:00:00.000Z",
    ended_url: "https://www.example.com/prize-draw/winners",
    tag_names: [SOCIAL],
    visits: { clicks: 6, course: "campaign" },
  },
  {
    destination_url: "https://www.example.com/partner/offer",
    slug: "partner-offer",
    title: "Offer of a partner, whose page is gone",
    channel: "partner",
    tag_names: [PARTNER],
    visits: { clicks: 2, course: "steady" },
    isBroken: true,
  },
  {
    destination_url: "https://www.example.com/newsletter/issue-12",
    slug: "news-12",
    title: "Newsletter, issue 12",
    channel: "newsletter",
    activity_group_id: "newsletter",
    utm_source: "newsletter",
    utm_medium: "email",
    visits: { clicks: 12, course: "weekly" },
  },
  {
    destination_url: "https://www.example.com/zürich/été",
    title: "Ein Sommer in Zürich",
    tag_names: [SUMMER],
    visits: { clicks: 3, course: "steady" },
  },
  {
    destination_url: "https://www.example.com/handbook",
    slug: "guide",
    title: "Handbook",
    activity_group_id: "handbook",
    update: { slug: "handbook" },
    visits: { clicks: 7, course: "steady" },
  },
  {
    destination_url: "https://www.example.com/winter",
    slug: "winter",
    title: "Winter sale 2025",
    activity_group_id: "winter-2025",
    utm_source: "newsletter",
    utm_medium: "email",
    update: { status: "archived" },
  },
];

/** A file to import. One of its slugs is invalid. */
export const IMPORTED = `destination_url,slug,title,tags
https://www.example.com/autumn/coats,autumn-coats,Coats,Autumn
https://www.example.com/autumn/boots,autumn-boots,Boots,Autumn
https://www.example.com/autumn/scarves,autumn-scarves,Scarves,Autumn
https://www.example.com/autumn/sale,autumn sale,Sale,Autumn
`;
