import { html } from "hono/html";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Membership } from "../../access/sessions";
import { href } from "../href";
import { FindForm } from "./find-form";
import { takeNotice, takeUndo } from "./notice";
import type { Problem } from "./problem";
import type { PageContext } from "./request";
import { renderIn } from "./text";
import { Undo } from "./undo";

type Section =
  | "overview"
  | "links"
  | "groups"
  | "tags"
  | "assets"
  | "import"
  | "keys"
  | "domains"
  | "people"
  | "workspace";

const SECTIONS: readonly (readonly [Section, string, (workspace: string) => string])[] = [
  ["overview", "Overview", (workspace) => href.workspace(workspace)],
  ["links", "Links", (workspace) => href.links(workspace)],
  ["groups", "Activity Groups", (workspace) => href.groups(workspace)],
  ["tags", "Tags", (workspace) => href.tags(workspace)],
  ["assets", "Offline Engagement", (workspace) => href.assets(workspace)],
  ["import", "Import and export", (workspace) => href.imports(workspace)],
  ["keys", "API keys", href.keys],
  ["domains", "Domains", href.domains],
  ["people", "People", href.members],
  ["workspace", "Workspace", href.settings],
];

const OF_OWNERS: ReadonlySet<Section> = new Set(["keys", "domains"]);

const Sections = ({
  membership: { role, workspace },
  section,
}: {
  membership: Membership;
  section: Section | undefined;
}) => (
  <nav aria-label="Workspace">
    <ul>
      {SECTIONS.filter(([name]) => !OF_OWNERS.has(name) || role === "owner").map(([name, label, to]) => (
        <li>
          <a href={to(workspace.slug)} aria-current={name === section ? "page" : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const SignedInAs = ({ email }: { email: string }) => (
  <form class="who" method="post" action={href.signOut()}>
    <a class="plain" href={href.sessions()}>
      {email}
    </a>
    <button type="submit" class="quiet">
      Sign out
    </button>
  </form>
);

/** What is known of the sender, which a page of an error may lack. */
type Shown = Partial<Pick<PageContext["var"], "membership" | "person">>;

/** On narrow screens the sections and the sign-out button are in "Menu". */
const PageHeader = ({ c, section }: { c: PageContext; section: Section | undefined }) => {
  const { membership, person }: Shown = c.var;
  const current = membership?.workspace;
  const others = (person?.memberships ?? []).filter(
    ({ workspace, suspended }) => workspace.id !== current?.id && !suspended,
  );
  const sections = membership && <Sections membership={membership} section={section} />;
  const signedInAs = person && <SignedInAs email={person.email} />;
  return (
    <header class="top">
      <div class="bar">
        <a class="brand" href={current === undefined ? href.home() : href.workspace(current.slug)}>
          Waymark
        </a>
        {others.length > 0 ? (
          <details class="switch">
            <summary>{current?.name ?? "Choose a workspace"}</summary>
            <ul>
              {others.map(({ workspace }) => (
                <li>
                  <a href={href.workspace(workspace.slug)}>{workspace.name}</a>
                </li>
              ))}
            </ul>
          </details>
        ) : (
          <p class="switch">{current?.name}</p>
        )}
        {current !== undefined && membership?.role === "viewer" && (
          <a class="badge" href={href.members(current.slug)}>
            View only
          </a>
        )}
        {membership && c.req.path !== href.links(membership.workspace.slug) && (
          <FindForm workspace={membership.workspace.slug} />
        )}
        {person && (
          <details class="menu">
            <summary>Menu</summary>
            {sections}
            {signedInAs}
          </details>
        )}
        <div class="wide">{signedInAs}</div>
      </div>
      <div class="wide bar">{sections}</div>
    </header>
  );
};

export const Notice = ({ text }: { text: Child }) => (
  <p class="notice" role="status" tabindex={-1}>
    {text}
  </p>
);

/** The notice of the previous action, with a button that undoes it. */
const UndoableNotice = ({ c, text, operation }: { c: PageContext; text: string; operation: string }) => (
  <div class="notice row" role="status" tabindex={-1}>
    <p>{text}</p>
    <Undo c={c} operation={operation} />
  </div>
);

export const Refusal = ({ problem }: { problem: Problem | undefined }) =>
  problem === undefined ? null : (
    <p class="refusal" role="alert">
      {problem.message}
    </p>
  );

/** A page above this one. */
export interface Crumb {
  label: string;
  href: string;
}

const Breadcrumbs = ({ crumbs }: { crumbs: readonly Crumb[] }) => (
  <nav class="crumbs" aria-label="Breadcrumb">
    <ol>
      {crumbs.map(({ label, href }) => (
        <li>
          <a href={href}>
            <bdi>{label}</bdi>
          </a>
        </li>
      ))}
    </ol>
  </nav>
);

interface PageParts {
  title: string;
  section?: Section;
  /** The pages above this one, the outermost first. */
  crumbs?: readonly Crumb[];
  /** Beside the heading. */
  actions?: Child;
  status?: ContentfulStatusCode;
  /** In seconds. */
  refresh?: number;
}

/** A page with its header, the notice of the previous action and the heading. */
export async function showPage(
  c: PageContext,
  { title, section, crumbs = [], actions, status = 200, refresh }: PageParts,
  body: Child,
): Promise<Response> {
  const { nonce, membership }: Pick<PageContext["var"], "nonce"> & Shown = c.var;
  const notice = takeNotice(c);
  const undo = takeUndo(c);
  const document = (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {refresh !== undefined && <meta http-equiv="refresh" content={String(refresh)} />}
        <title>
          {membership ? `${title} · ${membership.workspace.name} · Waymark` : `${title} · Waymark`}
        </title>
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <link rel="stylesheet" href={href.style()} nonce={nonce} />
        <script type="module" src={href.script()} nonce={nonce}></script>
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <PageHeader c={c} section={section} />
        <main id="main" tabindex={-1}>
          {notice !== undefined &&
            (undo !== undefined && membership !== undefined ? (
              <UndoableNotice c={c} text={notice} operation={undo} />
            ) : (
              <Notice text={notice} />
            ))}
          {crumbs.length > 0 && <Breadcrumbs crumbs={crumbs} />}
          <div class="heading">
            <h1>{title}</h1>
            {actions && <div class="actions">{actions}</div>}
          </div>
          {body}
        </main>
      </body>
    </html>
  );
  const page = renderIn(membership?.workspace.timeZone ?? "UTC", () => html`<!doctype html>${document}`);
  return c.html(page, status);
}
