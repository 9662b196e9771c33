import { html } from "hono/html";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Membership } from "../../workspaces/sessions";
import { href } from "../href";
import { takeNotice } from "./notice";
import type { Problem } from "./problem";
import type { PageContext } from "./request";

export type Section = "links" | "import" | "groups" | "tags" | "assets" | "keys" | "workspace";

const SECTIONS: readonly (readonly [Section, string, (workspace: string) => string])[] = [
  ["links", "Links", (workspace) => href.links(workspace)],
  ["groups", "Activity Groups", (workspace) => href.groups(workspace)],
  ["tags", "Tags", href.tags],
  ["assets", "Offline Engagement", (workspace) => href.assets(workspace)],
  ["import", "Import and export", href.imports],
  ["keys", "API keys", href.keys],
  ["workspace", "Workspace", href.settings],
];

const Sections = ({
  membership: { role, workspace },
  section,
}: {
  membership: Membership;
  section: Section | undefined;
}) => (
  <nav aria-label="Workspace">
    <ul>
      {SECTIONS.filter(([name]) => name !== "keys" || role === "owner").map(([name, label, to]) => (
        <li>
          <a href={to(workspace.slug)} aria-current={name === section ? "page" : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const Who = ({ email }: { email: string }) => (
  <form class="who" method="post" action={href.signOut()}>
    <span>{email}</span>
    <button type="submit" class="quiet">
      Sign out
    </button>
  </form>
);

/** The head of every page. A narrow window has the same behind "Menu". */
const Head = ({ c, section }: { c: PageContext; section: Section | undefined }) => {
  const { membership, person } = c.var;
  const here = membership?.workspace;
  const elsewhere = (person?.memberships ?? []).filter(
    ({ workspace, suspended }) => workspace.id !== here?.id && !suspended,
  );
  const sections = membership && <Sections membership={membership} section={section} />;
  const who = person && <Who email={person.email} />;
  return (
    <header class="top">
      <div class="bar">
        <a class="brand" href={href.home()}>
          Waymark
        </a>
        {elsewhere.length > 0 ? (
          <details class="switch">
            <summary>{here?.name ?? "Choose a workspace"}</summary>
            <ul>
              {elsewhere.map(({ workspace }) => (
                <li>
                  <a href={href.workspace(workspace.slug)}>{workspace.name}</a>
                </li>
              ))}
            </ul>
          </details>
        ) : (
          <p class="switch">{here?.name}</p>
        )}
        {person && (
          <details class="menu">
            <summary>Menu</summary>
            {sections}
            {who}
          </details>
        )}
        <div class="wide">{who}</div>
      </div>
      <div class="wide bar">{sections}</div>
    </header>
  );
};

/** What the action before has done. */
export const Notice = ({ text }: { text: Child }) => (
  <p class="notice" role="status" tabindex={-1}>
    {text}
  </p>
);

/** A refusal above what it is about. */
export const Refusal = ({ problem }: { problem: Problem | undefined }) =>
  problem === undefined ? null : (
    <p class="refusal" role="alert">
      {problem.message}
    </p>
  );

interface PageParts {
  title: string;
  section?: Section;
  /** Beside the heading: what can be done here. */
  actions?: Child;
  status?: ContentfulStatusCode;
  /** Seconds until the page asks for itself again. */
  refresh?: number;
}

/** A whole page: the frame with navigation, the notice of the action before, the heading and the body. */
export function showPage(
  c: PageContext,
  { title, section, actions, status, refresh }: PageParts,
  body: Child,
): Response | Promise<Response> {
  const { nonce, membership } = c.var;
  const notice = takeNotice(c);
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
        <Head c={c} section={section} />
        <main id="main" tabindex={-1}>
          {notice !== undefined && <Notice text={notice} />}
          <div class="heading">
            <h1>{title}</h1>
            {actions && <div class="actions">{actions}</div>}
          </div>
          {body}
        </main>
      </body>
    </html>
  );
  return c.html(html`<!doctype html>${document}`, status ?? 200);
}
