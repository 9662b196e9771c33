import type { ValueFieldName } from "../../lib/link-fields";
import type { ListLinks } from "../../resources/links/link-schema";
import { currentPage } from "./page-request";

/** Every path of the web application. `:workspace` is a workspace's slug, `:id` a public id. */
export const paths = {
  home: "/app",
  script: "/app/console.js",
  style: "/app/console.css",
  signIn: "/app/sign-in",
  mailSignIn: "/app/sign-in/mail",
  passkeySignIn: "/app/sign-in/passkey",
  askPasskey: "/app/sign-in/challenge",
  signOut: "/app/sign-out",
  // No page of a workspace is called "sessions", "passkeys", "share" or "search", so a workspace may have the slug "account".
  sessions: "/app/account/sessions",
  endOtherSessions: "/app/account/sessions/end-others",
  endSession: "/app/account/sessions/:id/end",
  passkeys: "/app/account/passkeys",
  newPasskey: "/app/account/passkeys/challenge",
  passkey: "/app/account/passkeys/:id",
  removePasskey: "/app/account/passkeys/:id/remove",
  share: "/app/account/share",
  searchDescription: "/app/account/search/:workspace",
  manifest: "/app/app.webmanifest",
  workspace: "/app/:workspace",

  links: "/app/:workspace/links",
  newLink: "/app/:workspace/links/new",
  changeLinks: "/app/:workspace/links/change",
  severalLinks: "/app/:workspace/links/several",
  linkViews: "/app/:workspace/links/views",
  linkView: "/app/:workspace/links/views/:id",
  findLinks: "/app/:workspace/links/find",
  linksFile: "/app/:workspace/links/list.csv",
  linkPreview: "/app/:workspace/links/preview",
  newSlug: "/app/:workspace/links/slug",
  suggestLinks: "/app/:workspace/links/suggest",
  unknownAddresses: "/app/:workspace/links/unknown",
  link: "/app/:workspace/links/:id",
  editLink: "/app/:workspace/links/:id/edit",
  linkRules: "/app/:workspace/links/:id/rules",
  linkStatus: "/app/:workspace/links/:id/status",
  dropSlug: "/app/:workspace/links/:id/drop-slug",
  deleteLink: "/app/:workspace/links/:id/delete",
  qr: "/app/:workspace/links/:id/qr",
  brandedQr: "/app/:workspace/links/:id/brandings/:branding",

  groups: "/app/:workspace/groups",
  newGroup: "/app/:workspace/groups/new",
  group: "/app/:workspace/groups/:id",
  groupStatus: "/app/:workspace/groups/:id/status",
  groupClicks: "/app/:workspace/groups/:id/clicks.csv",
  groupOrigins: "/app/:workspace/groups/:id/origins.csv",
  compareGroup: "/app/:workspace/groups/:id/compare",
  groupPrint: "/app/:workspace/groups/:id/print",
  groupLinksFile: "/app/:workspace/groups/:id/links.csv",

  tags: "/app/:workspace/tags",
  tag: "/app/:workspace/tags/:id",
  mergeTag: "/app/:workspace/tags/:id/merge",
  deleteTag: "/app/:workspace/tags/:id/delete",

  assets: "/app/:workspace/assets",
  newAsset: "/app/:workspace/assets/new",
  newAssets: "/app/:workspace/assets/several",
  changeAssets: "/app/:workspace/assets/change",
  printAssets: "/app/:workspace/assets/print",
  assetFiles: "/app/:workspace/assets/qr.zip",
  asset: "/app/:workspace/assets/:id",
  assetQr: "/app/:workspace/assets/:id/qr",
  brandedAssetQr: "/app/:workspace/assets/:id/brandings/:branding",

  imports: "/app/:workspace/import",
  exampleImport: "/app/:workspace/import/example.csv",
  import: "/app/:workspace/import/:id",
  continueImport: "/app/:workspace/import/:id/go-on",
  discardImport: "/app/:workspace/import/:id/discard",
  undoImport: "/app/:workspace/import/:id/undo",
  refusedRows: "/app/:workspace/import/:id/refused.csv",
  export: "/app/:workspace/export.csv",

  keys: "/app/:workspace/keys",
  rotateKey: "/app/:workspace/keys/:id/rotate",
  revokeKey: "/app/:workspace/keys/:id/revoke",

  domains: "/app/:workspace/domains",
  domain: "/app/:workspace/domains/:host",
  domainApps: "/app/:workspace/domains/:host/apps",
  checkDomain: "/app/:workspace/domains/:host/check",
  primaryDomain: "/app/:workspace/domains/:host/primary",
  removeDomain: "/app/:workspace/domains/:host/remove",

  receivers: "/app/:workspace/receivers",
  receiver: "/app/:workspace/receivers/:id",
  testReceiver: "/app/:workspace/receivers/:id/test",
  sendAgain: "/app/:workspace/receivers/:id/again/:operation",
  replaceSecret: "/app/:workspace/receivers/:id/secret",
  removeReceiver: "/app/:workspace/receivers/:id/remove",

  channels: "/app/:workspace/channels",
  channel: "/app/:workspace/channels/:id",
  deleteChannel: "/app/:workspace/channels/:id/delete",

  brandings: "/app/:workspace/brandings",
  branding: "/app/:workspace/brandings/:id",
  deleteBranding: "/app/:workspace/brandings/:id/delete",

  values: "/app/:workspace/values",
  replaceValues: "/app/:workspace/values/replace",
  saveConvention: "/app/:workspace/values/convention",

  reports: "/app/:workspace/reports",
  endReport: "/app/:workspace/reports/:id/end",
  sharedReport: "/reports/:token",

  startReport: "/reports/start/:token",
  stopReport: "/reports/stop/:token",

  settings: "/app/:workspace/workspace",
  weeklyReport: "/app/:workspace/workspace/weekly-report",
  pages: "/app/:workspace/workspace/pages",
  pagesPreview: "/app/:workspace/workspace/pages/preview",
  pagesLogo: "/app/:workspace/workspace/pages/logo",
  members: "/app/:workspace/members",
  member: "/app/:workspace/members/:email",
  memberLink: "/app/:workspace/members/:email/link",
  memberName: "/app/:workspace/members/:email/name",
  removeMember: "/app/:workspace/members/:email/remove",
  audit: "/app/:workspace/audit",
  revertLink: "/app/:workspace/audit/:operation/revert",
  undoChange: "/app/:workspace/audit/:operation/undo",
} as const;

type Paths = typeof paths;

/** The query parameters of the pages, beside those of the list of links. */
type QueryName =
  | keyof ListLinks
  | (
      | "health"
      | "window"
      | "import"
      | "to_group"
      | "created_by"
      | "created_from"
      | "created_to"
      | ValueFieldName
    )
  /** The range of a page of figures, and the origin that filters it. */
  | ("last" | "from" | "to" | "compare" | "figure" | "source" | "country" | "device")
  /** The list of assets and of Activity Groups, and of what a page is about. */
  | ("type" | "past_end" | "link" | "group" | "place" | "unscanned" | "ended" | "after_end" | "id")
  /** A link that was just made; a link to copy; the page that a form returns to; the checkboxes that are all checked. */
  | ("made" | "from" | "back" | "ticked")
  /** An address to shorten. */
  | "destination"
  /** A file with a QR code, and a sheet of codes. */
  | ("format" | "size" | "print" | "download" | "columns" | "caption" | "marks")
  /** What codes with a branding are shown of, and the branding of a sheet. */
  | ("asset" | "branding")
  /** The audit trail. */
  | ("actor" | "subject" | "action" | "batch" | "before")
  | ("with" | "since")
  | "tab"
  /** A page for visitors, and its language. */
  | ("page" | "language")
  | ("kind" | "show" | "part" | "token" | "field");

type Query = { readonly [Name in QueryName]?: string | number | readonly string[] | null | undefined };

/** The time that a page shows, whether it is compared with the time before, and what the chart draws. */
export type RangeParameters = Pick<Query, "last" | "from" | "to" | "compare" | "figure">;

/** One string for each parameter of a path. */
type ParametersOf<Path extends string> = Path extends `${string}/:${string}/${infer Rest}`
  ? [string, ...ParametersOf<`/${Rest}`>]
  : Path extends `${string}/:${string}`
    ? [string]
    : [];

type Address<Path extends string> = (...values: [...ParametersOf<Path>, query?: Query]) => string;

/** Leaves out the parameters that are undefined, null or empty. */
function toSearch(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") search.append(name, String(one));
    }
  }
  return search.size === 0 ? "" : `?${search}`;
}

function toAddress(path: string, values: readonly (string | object)[]): string {
  const rest = [...values];
  const address = path.replaceAll(/:\w+/g, () => encodeURIComponent(String(rest.shift())));
  const [query] = rest;
  return address + toSearch(typeof query === "object" ? { ...query } : {});
}

/** The address of a page: `href.link("acme", id)`, `href.links("acme", { status: "archived" })`. */
export const href = Object.fromEntries(
  Object.entries(paths).map(([name, path]) => [name, (...values: never[]) => toAddress(path, values)]),
) as { readonly [Name in keyof Paths]: Address<Paths[Name]> };

type InWorkspace<Whole> = Whole extends (workspace: string, ...values: infer Values) => string
  ? (...values: Values) => string
  : never;

/** The addresses of the workspace of the page, for components: `here.link(id)`. */
export const here = Object.fromEntries(
  Object.entries(paths).map(([name, path]) => [
    name,
    (...values: never[]) => toAddress(path, [currentPage().var.workspace, ...values]),
  ]),
) as {
  readonly [Name in keyof Paths as Paths[Name] extends `${Paths["workspace"]}${string}`
    ? Name
    : never]: InWorkspace<Address<Paths[Name]>>;
};

/** The parameters of the page that is shown, for components, with some changed. Those that were meant once are left out. */
export function pageParameters(changed: Query): Query {
  const { searchParams } = new URL(currentPage().req.url);
  const given = [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]);
  return { ...Object.fromEntries(given), made: undefined, ticked: undefined, ...changed };
}

/** The address of the page that is shown, for components, with some parameters changed. */
export const thisPage = (changed: Query = {}): string =>
  new URL(currentPage().req.url).pathname + toSearch(pageParameters(changed));
