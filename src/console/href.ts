import type { ListLinks } from "../links/schema";

/** A path of the web application with a query: parameters that are undefined, null or empty are left out. */
function path(
  segments: readonly string[],
  query: Readonly<Record<string, string | number | readonly string[] | null | undefined>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") search.append(name, String(one));
    }
  }
  const text = search.size === 0 ? "" : `?${search}`;
  return `/app${segments.map((segment) => `/${encodeURIComponent(segment)}`).join("")}${text}`;
}

/** What a list of links is narrowed to and ordered by. */
export type LinksQuery = { [Name in keyof ListLinks]?: ListLinks[Name] | undefined };

/** Every address of the web application. `workspace` is a workspace's slug, `id` a public id. */
export const href = {
  home: () => path([]),
  script: () => path(["console.js"]),
  style: () => path(["console.css"]),
  signIn: (query: { to?: string | undefined } = {}) => path(["sign-in"], query),
  signOut: () => path(["sign-out"]),
  workspace: (workspace: string) => path([workspace]),

  links: (workspace: string, query: LinksQuery = {}) => path([workspace, "links"], query),
  newLink: (workspace: string, query: { activity_group_id?: string } = {}) =>
    path([workspace, "links", "new"], query),
  changeLinks: (workspace: string, query: LinksQuery = {}) => path([workspace, "links", "change"], query),
  linkPreview: (workspace: string) => path([workspace, "links", "preview"]),
  link: (workspace: string, id: string) => path([workspace, "links", id]),
  editLink: (workspace: string, id: string) => path([workspace, "links", id, "edit"]),
  linkStatus: (workspace: string, id: string) => path([workspace, "links", id, "status"]),
  dropSlug: (workspace: string, id: string) => path([workspace, "links", id, "drop-slug"]),
  deleteLink: (workspace: string, id: string) => path([workspace, "links", id, "delete"]),
  qr: (
    workspace: string,
    id: string,
    query: { format?: "svg" | "png"; size?: number; print?: number; download?: "1" } = {},
  ) => path([workspace, "links", id, "qr"], query),

  import: (workspace: string) => path([workspace, "import"]),
  oneImport: (workspace: string, id: string, query: { page?: number; show?: "refused" } = {}) =>
    path([workspace, "import", id], query),
  goOnImport: (workspace: string, id: string) => path([workspace, "import", id, "go-on"]),
  discardImport: (workspace: string, id: string) => path([workspace, "import", id, "discard"]),
  exampleImport: (workspace: string) => path([workspace, "import", "example.csv"]),
  refusedRows: (workspace: string, id: string) => path([workspace, "import", id, "refused.csv"]),
  export: (workspace: string, query: { part?: number } = {}) => path([workspace, "export.csv"], query),

  groups: (
    workspace: string,
    query: {
      q?: string | undefined;
      type?: string | undefined;
      status?: string | undefined;
      page?: number;
      after?: string | null;
    } = {},
  ) => path([workspace, "groups"], query),
  newGroup: (workspace: string) => path([workspace, "groups", "new"]),
  group: (workspace: string, id: string, query: { last?: string; from?: string; to?: string } = {}) =>
    path([workspace, "groups", id], query),
  editGroup: (workspace: string, id: string) => path([workspace, "groups", id, "edit"]),
  groupStatus: (workspace: string, id: string) => path([workspace, "groups", id, "status"]),
  groupClicks: (workspace: string, id: string, query: { from?: string; to?: string } = {}) =>
    path([workspace, "groups", id, "clicks.csv"], query),
  groupOrigins: (workspace: string, id: string, query: { from?: string; to?: string } = {}) =>
    path([workspace, "groups", id, "origins.csv"], query),
  groupPrint: (workspace: string, id: string, query: { page?: number; after?: string | null } = {}) =>
    path([workspace, "groups", id, "print"], query),

  tags: (workspace: string) => path([workspace, "tags"]),
  tag: (workspace: string, id: string) => path([workspace, "tags", id]),
  mergeTag: (workspace: string, id: string) => path([workspace, "tags", id, "merge"]),
  deleteTag: (workspace: string, id: string) => path([workspace, "tags", id, "delete"]),

  assets: (workspace: string, query: { status?: string | undefined; page?: number } = {}) =>
    path([workspace, "assets"], query),
  newAsset: (workspace: string, query: { link?: string } = {}) => path([workspace, "assets", "new"], query),
  asset: (workspace: string, id: string) => path([workspace, "assets", id]),
  assetStatus: (workspace: string, id: string) => path([workspace, "assets", id, "status"]),

  keys: (workspace: string) => path([workspace, "keys"]),
  rotateKey: (workspace: string, id: string) => path([workspace, "keys", id, "rotate"]),
  revokeKey: (workspace: string, id: string) => path([workspace, "keys", id, "revoke"]),

  settings: (workspace: string) => path([workspace, "workspace"]),
  members: (workspace: string) => path([workspace, "members"]),
  member: (workspace: string, email: string) => path([workspace, "members", email]),
  removeMember: (workspace: string, email: string) => path([workspace, "members", email, "remove"]),
  audit: (
    workspace: string,
    query: {
      actor?: string;
      subject?: string;
      action?: string;
      from?: string;
      to?: string;
      before?: string;
    } = {},
  ) => path([workspace, "audit"], query),
  revertLink: (workspace: string, operation: string) => path([workspace, "audit", operation, "revert"]),
} as const;
